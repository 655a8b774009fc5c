package store_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/test/testlevel"
)

// Calls that notify, with the users whom they must notify.
var notifiers = []struct {
	name string
	run  func(*store.Store, *notifySite) error
	want func(*notifySite) map[*forum.Viewer]string
}{
	{"a reply that mentions", func(s *store.Store, w *notifySite) error {
		in := remark(w.topic, w.comment)
		in.Mentions, in.Key = naming(w.carl, w.bob), "k"
		_, err := s.Posts.CreateComment(w.ctx, w.dora, in)
		return err
	}, func(w *notifySite) map[*forum.Viewer]string {
		return map[*forum.Viewer]string{w.ann: "COMMENT", w.bob: "REPLY", w.carl: "MENTION"}
	}},
	{"a topic that mentions", func(s *store.Store, w *notifySite) error {
		in := discussion(w.dora, w.a)
		in.Mentions, in.Key = naming(w.carl, w.bob), "k"
		_, err := s.Posts.CreateTopic(w.ctx, in)
		return err
	}, func(w *notifySite) map[*forum.Viewer]string {
		return map[*forum.Viewer]string{w.bob: "MENTION", w.carl: "MENTION"}
	}},
	{"an edit that mentions", func(s *store.Store, w *notifySite) error {
		return s.Posts.UpdateComment(w.ctx, w.dora, w.own, posts.CommentChange{Content: "x", Mentions: naming(w.carl)})
	}, func(w *notifySite) map[*forum.Viewer]string { return map[*forum.Viewer]string{w.carl: "MENTION"} }},
	{"following", func(s *store.Store, w *notifySite) error {
		_, err := s.Follows.Follow(w.ctx, w.dora.ID, forum.Target{User: w.bob.ID}, true)
		return err
	}, func(w *notifySite) map[*forum.Viewer]string { return map[*forum.Viewer]string{w.bob: "FOLLOW"} }},
}

// notifySite is a threadSite with two more users and a comment of dora's on her own topic.
type notifySite struct {
	*threadSite
	carl, dora *forum.Viewer
	own        forum.CommentID
}

func newNotifySite(t testing.TB) *notifySite {
	t.Helper()
	w := &notifySite{threadSite: newThreadSite(t)}
	w.carl, w.dora = w.User("carl"), w.User("dora")
	w.own = w.Comment(w.dora, w.Topic(w.dora, w.a), 0)
	w.settle()
	return w
}

// notifiedSince returns what users were notified of since each had that many notifications.
func (w *notifySite) notifiedSince(before map[*forum.Viewer]int) map[*forum.Viewer]string {
	w.t.Helper()
	all := map[*forum.Viewer]string{}
	for v, n := range before {
		for _, line := range w.noteLines(v)[n:] {
			all[v] += strings.Fields(line)[1]
		}
	}
	return all
}

// A process may be killed before any step: another process notifies the remaining users, each once, and a
// repeated call notifies no user again.
func TestCrashAtEveryStepOfNotifying(t *testing.T) {
	testlevel.Sequential(t)
	for _, m := range notifiers {
		t.Run(m.name, func(t *testing.T) {
			for n, died := 1, true; died; n++ {
				w := newNotifySite(t)
				before := map[*forum.Viewer]int{}
				for _, v := range []*forum.Viewer{w.ann, w.bob, w.carl, w.dora} {
					before[v] = len(w.noteLines(v))
				}
				died = w.dies(n, func(s *store.Store) { m.run(s, w) })
				heal := func(when string, mayBeNone bool) {
					w.clock.Advance(record.TaskLease * time.Millisecond)
					w.settle()
					if got, want := w.notifiedSince(before), m.want(w); !maps.Equal(got, want) && !(mayBeNone && len(got) == 0) {
						t.Errorf("%s: notified %v; want %v", when, got, want)
					}
					for _, f := range w.findings() {
						t.Errorf("%s: Check found %s; want nothing", when, f)
					}
				}
				heal("after the crash", n <= 2) // before its first script, which may follow that of the key
				wantOK(t, m.name+" again", m.run(w.Store, w))
				heal("after the repeated call", false)
				if t.Failed() {
					t.Fatalf("killed before step %d", n)
				}
			}
		})
	}
}

// A worker that notifies for others may be killed too.
func TestCrashOfTheNotifyingWorker(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		w := newNotifySite(t)
		w.diesAt("index", 1, func(s *store.Store) { notifiers[0].run(s, w) })
		w.clock.Advance(record.TaskLease * time.Millisecond)
		died = w.dies(n, func(s *store.Store) { s.Engine.RunDueTasks(w.ctx) })
		w.clock.Advance(record.TaskLease * time.Millisecond)
		w.wantClean()
		if got := len(w.noteLines(w.carl)); got != 1 {
			t.Errorf("the worker was killed before step %d: carl was notified %d times; want 1", n, got)
		}
	}
}

// Whoever has read a comment before the notification about it is added, as from an event, has it as a read one. An edit
// that mentions a user is news.
func TestNotificationsOfWhatWasReadAreRead(t *testing.T) {
	w := newNotifySite(t)
	w.diesAt("index", 1, func(s *store.Store) { notifiers[0].run(s, w) })
	last := ids[forum.CommentID](w.site, listing.TopicComments(w.topic, false, forum.Newest))[0]
	wantOK(t, "MarkCommentRead", w.Posts.MarkCommentRead(w.ctx, w.carl, last))
	w.clock.Advance(record.TaskLease * time.Millisecond)
	w.settle()
	for v, unread := range map[*forum.Viewer]int{w.carl: 0, w.bob: 2, w.ann: 2} {
		lines := w.noteLines(v)
		if n := int(w.rdb.ZCard(w.ctx, key.Unread(v.ID)).Val()); n != unread || len(lines) != max(1, unread) {
			t.Errorf("user %d has %d unread of the notifications %q; want %d", v.ID, n, lines, unread)
		}
	}
	wantOK(t, "MarkCommentRead", w.Posts.MarkCommentRead(w.ctx, w.carl, w.own))
	wantOK(t, "UpdateComment",
		w.Posts.UpdateComment(w.ctx, w.dora, w.own, posts.CommentChange{Content: "x", Mentions: naming(w.carl)}))
	w.settle()
	if n := w.rdb.ZCard(w.ctx, key.Unread(w.carl.ID)).Val(); n != 1 {
		t.Errorf("after an edit of what was read carl has %d unread notifications; want 1", n)
	}
	w.wantSound()
}

// A comment that is deleted before any user was notified notifies no user; the task ends.
func TestDeletedCommentsNotifyNoUser(t *testing.T) {
	w := newNotifySite(t)
	w.diesAt("index", 1, func(s *store.Store) { notifiers[0].run(s, w) })
	last := ids[forum.CommentID](w.site, listing.TopicComments(w.topic, false, forum.Newest))[0]
	wantOK(t, "DeleteComment", w.Posts.DeleteComment(w.ctx, w.dora, last))
	w.clock.Advance(record.TaskLease * time.Millisecond)
	w.settle()
	w.wantNotes("after the deletion", w.carl)
	if h := w.hash(key.Comment(last)); h["tell"] != "" || h["told"] != "" {
		t.Errorf("comment = %v; want no user to notify, and none notified", h)
	}
	w.wantSound()
}
