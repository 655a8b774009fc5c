package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// watch makes a user watch a topic, or not.
func (x *site) watch(by *forum.Viewer, id forum.TopicID, want bool) {
	x.t.Helper()
	must.Do(x.Follows.WatchTopic(x.ctx, by.ID, id, want))(x.t)
}

// wantReasons compares a user's notifications with "REASON comment" each, with "*" after the reason if it is unread.
func (w *threadSite) wantReasons(when string, v *forum.Viewer, want ...string) {
	w.t.Helper()
	var got []string
	for _, line := range w.noteLines(v) {
		f := strings.Fields(line)
		mark := ""
		if strings.HasSuffix(f[0], "*") {
			mark = "*"
		}
		reason, _, _ := strings.Cut(f[1], ":")
		got = append(got, reason+mark+" "+f[3])
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("%s: user %d was notified of %q; want %q", when, v.ID, got, want)
	}
}

// Whoever watches a topic is notified of each comment once, for the strongest reason, but not in a block with its
// author or of one's own.
func TestWatchersAreNotifiedOfComments(t *testing.T) {
	w := newThreadSite(t)
	carl, dora, eve := w.User("carl"), w.User("dora"), w.User("eve")
	id := w.Topic(carl, w.a)
	for _, v := range []*forum.Viewer{carl, dora, eve, w.bob} {
		w.watch(v, id, true)
	}
	must.Do(w.Follows.Block(w.ctx, eve.ID, w.bob.ID, true))(t)
	first := w.Comment(w.bob, id, 0)
	in := remark(id, first)
	in.Mentions, in.Key = naming(dora), "k"
	second := must.Do(w.Posts.CreateComment(w.ctx, carl, in))(t)
	w.settle()
	c := func(id forum.CommentID) string { return "c" + key.Itoa(id) }
	w.wantReasons("the author", carl, "COMMENT* "+c(first))
	w.wantReasons("a watcher", dora, "WATCH* "+c(first), "MENTION* "+c(second))
	w.wantReasons("in a block", eve, "WATCH* "+c(second))
	if lines := w.noteLines(w.bob); !strings.Contains(lines[len(lines)-1], "REPLY") {
		t.Errorf("who wrote was notified of %q; want a REPLY at last", lines)
	}
	w.watch(dora, id, false)
	w.wantReasons("who stopped", dora, "WATCH "+c(first), "MENTION* "+c(second))
	third := w.Comment(w.ann, id, 0)
	w.wantReasons("who had stopped", dora, "WATCH "+c(first), "MENTION* "+c(second))
	w.wantReasons("who goes on", eve, "WATCH* "+c(second), "WATCH* "+c(third))
	wantOK(t, "DeleteComment", w.Posts.DeleteComment(w.ctx, w.ann, third))
	w.settle()
	w.wantReasons("of a deleted comment", eve, "WATCH* "+c(second), "WATCH "+c(third))
	wantOK(t, "DeleteTopic", w.Posts.DeleteTopic(w.ctx, carl, id))
	w.settle()
	w.wantReasons("of a deleted topic", eve, "WATCH "+c(second), "WATCH "+c(third))
	for _, v := range []*forum.Viewer{carl, eve, w.bob} {
		if n := w.rdb.ZCard(w.ctx, key.Watching(v.ID)).Val(); n != 0 {
			t.Errorf("user %d watches %d deleted topics", v.ID, n)
		}
	}
	w.wantSound()
}

// Those beyond the first ones are notified by a worker, all of them once, by passes that may be repeated.
func TestManyWatchersAreNotifiedByATask(t *testing.T) {
	w := newThreadSite(t)
	w.Store = w.process(store.WithCaps(engine.Caps{Notes: forum.MaxNotifications, Marks: 10, Bookmarks: 10,
		Watched: 1, AtOnce: 2}))
	id := w.Topic(w.ann, w.a)
	var others []*forum.Viewer
	for n := range 5 {
		v := w.User(fmt.Sprint("user", n))
		others = append(others, v)
		w.watch(v, id, true)
	}
	_, err := w.Follows.WatchTopic(w.ctx, others[0].ID, w.Topic(w.ann, w.a), true)
	wantCode(t, "another topic than are allowed", err, forum.CodeTooLong)
	first := w.Comment(w.bob, id, 0)
	told := func() (n int) {
		for _, v := range others {
			n += len(w.noteLines(v))
		}
		return n
	}
	if n := told(); n != 2 {
		t.Errorf("%d watchers were notified at once; want 2", n)
	}
	w.clock.Advance(record.TaskLease * time.Millisecond)
	w.settle()
	for _, v := range others {
		w.wantReasons("in the end", v, "WATCH* c"+key.Itoa(first))
	}
	w.wantClean()
}

// watchedSite is a moderatedSite with a topic of ann's that carl and dora watch and have bookmarked, and bob's comment on
// it, of which they were notified.
type watchedSite struct {
	*moderatedSite
	carl, dora *forum.Viewer
	on         forum.TopicID
	about      forum.CommentID
}

// newWatchedSite leaves out what dora, or a moderator, is about to do.
func newWatchedSite(t *testing.T, act string) *watchedSite {
	t.Helper()
	w := &watchedSite{moderatedSite: newModeratedSite(t)}
	w.carl, w.dora = w.User("carl"), w.User("dora")
	w.Store = w.process(store.WithCaps(engine.Caps{Notes: 10, Marks: 10, Bookmarks: 10, Watched: 10, AtOnce: 1}))
	w.on = w.Topic(w.ann, w.a)
	for _, v := range []*forum.Viewer{w.carl, w.dora} {
		w.watch(v, w.on, v == w.carl || act != "watch")
		w.bookmark(v, w.on, v == w.carl || act != "bookmark")
	}
	w.about = w.Comment(w.bob, w.on, 0)
	w.clock.Advance(record.TaskLease * time.Millisecond)
	w.settle()
	if act == "restore" {
		w.hide(w.mod, forum.Subject{Topic: w.on})
		w.settle()
	}
	return w
}

// watchedActs are what readers, authors and moderators do to the topic and the comment on it.
var watchedActs = map[string]func(*store.Store, *watchedSite){
	"comment": func(s *store.Store, w *watchedSite) {
		s.Posts.CreateComment(w.ctx, w.bob, remark(w.on,
			0))
	},
	"delete the comment":  func(s *store.Store, w *watchedSite) { s.Posts.DeleteComment(w.ctx, w.bob, w.about) },
	"watch":               func(s *store.Store, w *watchedSite) { s.Follows.WatchTopic(w.ctx, w.dora.ID, w.on, true) },
	"stop watching":       func(s *store.Store, w *watchedSite) { s.Follows.WatchTopic(w.ctx, w.dora.ID, w.on, false) },
	"bookmark":            func(s *store.Store, w *watchedSite) { s.Follows.Bookmark(w.ctx, w.dora.ID, w.on, true) },
	"remove the bookmark": func(s *store.Store, w *watchedSite) { s.Follows.Bookmark(w.ctx, w.dora.ID, w.on, false) },
	"delete the topic":    func(s *store.Store, w *watchedSite) { s.Posts.DeleteTopic(w.ctx, w.ann, w.on) },
	"delete the account": func(s *store.Store, w *watchedSite) {
		s.Accounts.DeleteAccount(w.ctx, w.dora.ID,
			"hash of dora")
	},
	"hide": func(s *store.Store, w *watchedSite) {
		s.Moderation.Moderate(w.ctx, w.mod, forum.Subject{Topic: w.on}, acting(forum.ActHide))
	},
	"restore": func(s *store.Store, w *watchedSite) {
		s.Moderation.Moderate(w.ctx, w.mod, forum.Subject{Topic: w.on}, acting(forum.ActRestore))
	},
}

// Each of these may be interrupted before any step: in the end each watcher has been notified once, nothing unread is
// about what was deleted or hidden, and the bookmark of a topic counts if it is open.
func TestCrashAtEveryStepOfWatchingAndBookmarks(t *testing.T) {
	testlevel.Sequential(t)
	for act, run := range watchedActs {
		t.Run(act, func(t *testing.T) {
			for step, died := 1, true; died; step++ {
				w := newWatchedSite(t, act)
				died = w.dies(step, func(s *store.Store) { run(s, w) })
				for range 3 {
					w.clock.Advance(record.TaskLease * time.Millisecond)
					w.settle()
				}
				w.wantSound()
				open := w.hash(key.Topic(w.on))["state"] == "OPEN"
				if count, _ := w.counted(w.carl); (count == 1) != open {
					t.Errorf("before step %d: %d bookmarks count; open: %t", step, count, open)
				}
				comments := w.rdb.ZCard(w.ctx, key.TopicComments(w.on)).Val()
				if n := w.rdb.ZCard(w.ctx, key.Notes(w.carl.ID)).Val(); n != comments {
					t.Errorf("before step %d: %d notifications of %d comments", step, n, comments)
				}
				live := open && w.hash(key.Comment(w.about))["deleted"] == ""
				if n := w.rdb.ZCard(w.ctx, key.Unread(w.carl.ID)).Val(); (n > 0) != live {
					t.Errorf("before step %d: %d unread; live: %t", step, n, live)
				}
			}
		})
	}
}
