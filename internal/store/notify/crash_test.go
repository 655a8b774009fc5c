package notify_test

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
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// Calls that notify, with the users whom they must notify.
var notifiers = []struct {
	name string
	run  func(*store.Store, *notifySite) error
	want func(*notifySite) map[*forum.Viewer]string
}{
	{"a reply that mentions", func(s *store.Store, w *notifySite) error {
		in := site.Remark(w.TopicID, w.CommentID)
		in.Mentions, in.Key = naming(w.carl, w.Bob), "k"
		_, err := s.Posts.CreateComment(w.Ctx, w.dora, in)
		return err
	}, func(w *notifySite) map[*forum.Viewer]string {
		return map[*forum.Viewer]string{w.Ann: "COMMENT", w.Bob: "REPLY", w.carl: "MENTION"}
	}},
	{"a topic that mentions", func(s *store.Store, w *notifySite) error {
		in := site.Discussion(w.dora, w.A)
		in.Mentions, in.Key = naming(w.carl, w.Bob), "k"
		_, err := s.Posts.CreateTopic(w.Ctx, in)
		return err
	}, func(w *notifySite) map[*forum.Viewer]string {
		return map[*forum.Viewer]string{w.Bob: "MENTION", w.carl: "MENTION"}
	}},
	{"an edit that mentions", func(s *store.Store, w *notifySite) error {
		return s.Posts.UpdateComment(w.Ctx, w.dora, w.own, posts.CommentChange{Content: "x", Mentions: naming(w.carl)})
	}, func(w *notifySite) map[*forum.Viewer]string { return map[*forum.Viewer]string{w.carl: "MENTION"} }},
	{"following", func(s *store.Store, w *notifySite) error {
		_, err := s.Follows.Follow(w.Ctx, w.dora.ID, forum.Target{User: w.Bob.ID}, true)
		return err
	}, func(w *notifySite) map[*forum.Viewer]string { return map[*forum.Viewer]string{w.Bob: "FOLLOW"} }},
}

// notifySite is a storetest.Thread with two more users and a comment of dora's on her own topic.
type notifySite struct {
	*storetest.Thread
	carl, dora *forum.Viewer
	own        forum.CommentID
}

func newNotifySite(t testing.TB) *notifySite {
	t.Helper()
	w := &notifySite{Thread: storetest.NewThread(t)}
	w.carl, w.dora = w.User("carl"), w.User("dora")
	w.own = w.Comment(w.dora, w.Topic(w.dora, w.A), 0)
	w.Settle()
	return w
}

// notifiedSince returns what users were notified of since each had that many notifications.
func (w *notifySite) notifiedSince(before map[*forum.Viewer]int) map[*forum.Viewer]string {
	w.T.Helper()
	all := map[*forum.Viewer]string{}
	for v, n := range before {
		for _, line := range noteLines(w.Site, v)[n:] {
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
				for _, v := range []*forum.Viewer{w.Ann, w.Bob, w.carl, w.dora} {
					before[v] = len(noteLines(w.Site, v))
				}
				died = w.Dies(n, func(s *store.Store) { m.run(s, w) })
				heal := func(when string, mayBeNone bool) {
					w.Clock.Advance(record.TaskLease * time.Millisecond)
					w.Settle()
					if got, want := w.notifiedSince(before), m.want(w); !maps.Equal(got, want) &&
						!(mayBeNone && len(got) == 0) {
						t.Errorf("%s: notified %v; want %v", when, got, want)
					}
					for _, f := range w.Findings() {
						t.Errorf("%s: Check found %s; want nothing", when, f)
					}
				}
				heal("after the crash", n <= 2) // before its first script, which may follow that of the key
				storetest.WantOK(t, m.name+" again", m.run(w.Store, w))
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
		w.DiesAt("index", 1, func(s *store.Store) { notifiers[0].run(s, w) })
		w.Clock.Advance(record.TaskLease * time.Millisecond)
		died = w.Dies(n, func(s *store.Store) { s.Engine.RunDueTasks(w.Ctx) })
		w.Clock.Advance(record.TaskLease * time.Millisecond)
		w.WantClean()
		if got := len(noteLines(w.Site, w.carl)); got != 1 {
			t.Errorf("the worker was killed before step %d: carl was notified %d times; want 1", n, got)
		}
	}
}

// Whoever has read a comment before the notification about it is added, as from an event, has it as a read one. An edit
// that mentions a user is news.
func TestNotificationsOfWhatWasReadAreRead(t *testing.T) {
	w := newNotifySite(t)
	w.DiesAt("index", 1, func(s *store.Store) { notifiers[0].run(s, w) })
	last := storetest.IDs[forum.CommentID](w.Site, listing.TopicComments(w.TopicID, false, forum.Newest))[0]
	storetest.WantOK(t, "MarkCommentRead", w.Posts.MarkCommentRead(w.Ctx, w.carl, last))
	w.Clock.Advance(record.TaskLease * time.Millisecond)
	w.Settle()
	for v, unread := range map[*forum.Viewer]int{w.carl: 0, w.Bob: 2, w.Ann: 2} {
		lines := noteLines(w.Site, v)
		if n := int(w.Redis.ZCard(w.Ctx, key.Unread(v.ID)).Val()); n != unread || len(lines) != max(1, unread) {
			t.Errorf("user %d has %d unread of the notifications %q; want %d", v.ID, n, lines, unread)
		}
	}
	storetest.WantOK(t, "MarkCommentRead", w.Posts.MarkCommentRead(w.Ctx, w.carl, w.own))
	storetest.WantOK(t, "UpdateComment",
		w.Posts.UpdateComment(w.Ctx, w.dora, w.own, posts.CommentChange{Content: "x", Mentions: naming(w.carl)}))
	w.Settle()
	if n := w.Redis.ZCard(w.Ctx, key.Unread(w.carl.ID)).Val(); n != 1 {
		t.Errorf("after an edit of what was read carl has %d unread notifications; want 1", n)
	}
	w.WantSound()
}

// A comment that is deleted before any user was notified notifies no user; the task ends.
func TestDeletedCommentsNotifyNoUser(t *testing.T) {
	w := newNotifySite(t)
	w.DiesAt("index", 1, func(s *store.Store) { notifiers[0].run(s, w) })
	last := storetest.IDs[forum.CommentID](w.Site, listing.TopicComments(w.TopicID, false, forum.Newest))[0]
	storetest.WantOK(t, "DeleteComment", w.Posts.DeleteComment(w.Ctx, w.dora, last))
	w.Clock.Advance(record.TaskLease * time.Millisecond)
	w.Settle()
	wantNotes(w.Site, "after the deletion", w.carl)
	if h := w.Hash(key.Comment(last)); h["tell"] != "" || h["told"] != "" {
		t.Errorf("comment = %v; want no user to notify, and none notified", h)
	}
	w.WantSound()
}
