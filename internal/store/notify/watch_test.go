package notify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// wantReasons compares a user's notifications with "REASON comment" each, with "*" after the reason if it is unread.
func wantReasons(w *storetest.Thread, when string, v *forum.Viewer, want ...string) {
	w.T.Helper()
	var got []string
	for _, line := range noteLines(w.Site, v) {
		f := strings.Fields(line)
		mark := ""
		if strings.HasSuffix(f[0], "*") {
			mark = "*"
		}
		reason, _, _ := strings.Cut(f[1], ":")
		got = append(got, reason+mark+" "+f[3])
	}
	if !slices.Equal(got, want) {
		w.T.Errorf("%s: user %d was notified of %q; want %q", when, v.ID, got, want)
	}
}

// Whoever watches a topic is notified of each comment once, for the strongest reason, but not in a block with its
// author or of one's own.
func TestWatchersAreNotifiedOfComments(t *testing.T) {
	w := storetest.NewThread(t)
	carl, dora, eve := w.User("carl"), w.User("dora"), w.User("eve")
	id := w.Topic(carl, w.A)
	for _, v := range []*forum.Viewer{carl, dora, eve, w.Bob} {
		w.Watch(v, id, true)
	}
	must.Do(w.Follows.Block(w.Ctx, eve.ID, w.Bob.ID, true))(t)
	first := w.Comment(w.Bob, id, 0)
	in := site.Remark(id, first)
	in.Mentions, in.Key = naming(dora), "k"
	second := must.Do(w.Posts.CreateComment(w.Ctx, carl, in))(t)
	w.Settle()
	c := func(id forum.CommentID) string { return "c" + key.Itoa(id) }
	wantReasons(w, "the author", carl, "COMMENT* "+c(first))
	wantReasons(w, "a watcher", dora, "WATCH* "+c(first), "MENTION* "+c(second))
	wantReasons(w, "in a block", eve, "WATCH* "+c(second))
	if lines := noteLines(w.Site, w.Bob); !strings.Contains(lines[len(lines)-1], "REPLY") {
		t.Errorf("who wrote was notified of %q; want a REPLY at last", lines)
	}
	w.Watch(dora, id, false)
	wantReasons(w, "who stopped", dora, "WATCH "+c(first), "MENTION* "+c(second))
	third := w.Comment(w.Ann, id, 0)
	wantReasons(w, "who had stopped", dora, "WATCH "+c(first), "MENTION* "+c(second))
	wantReasons(w, "who goes on", eve, "WATCH* "+c(second), "WATCH* "+c(third))
	storetest.WantOK(t, "DeleteComment", w.Posts.DeleteComment(w.Ctx, w.Ann, third))
	w.Settle()
	wantReasons(w, "of a deleted comment", eve, "WATCH* "+c(second), "WATCH "+c(third))
	storetest.WantOK(t, "DeleteTopic", w.Posts.DeleteTopic(w.Ctx, carl, id))
	w.Settle()
	wantReasons(w, "of a deleted topic", eve, "WATCH "+c(second), "WATCH "+c(third))
	for _, v := range []*forum.Viewer{carl, eve, w.Bob} {
		if n := w.Redis.ZCard(w.Ctx, key.Watching(v.ID)).Val(); n != 0 {
			t.Errorf("user %d watches %d deleted topics", v.ID, n)
		}
	}
	w.WantSound()
}

// Those beyond the first ones are notified by a worker, all of them once, by passes that may be repeated.
func TestManyWatchersAreNotifiedByATask(t *testing.T) {
	w := storetest.NewThread(t)
	limits := forum.DefaultLimits
	limits.Watched, limits.WatchersAtOnce = 1, 2
	w.Store = w.Process(store.WithLimits(limits))
	id := w.Topic(w.Ann, w.A)
	var others []*forum.Viewer
	for n := range 5 {
		v := w.User(fmt.Sprint("user", n))
		others = append(others, v)
		w.Watch(v, id, true)
	}
	_, err := w.Follows.WatchTopic(w.Ctx, others[0].ID, w.Topic(w.Ann, w.A), true)
	storetest.WantCode(t, "another topic than are allowed", err, forum.CodeTooLong)
	first := w.Comment(w.Bob, id, 0)
	told := func() (n int) {
		for _, v := range others {
			n += len(noteLines(w.Site, v))
		}
		return n
	}
	if n := told(); n != 2 {
		t.Errorf("%d watchers were notified at once; want 2", n)
	}
	w.Clock.Advance(record.TaskLease * time.Millisecond)
	w.Settle()
	for _, v := range others {
		wantReasons(w, "in the end", v, "WATCH* c"+key.Itoa(first))
	}
	w.WantClean()
}

// watchedSite is a storetest.Moderated with a topic of ann's that carl and dora watch and have bookmarked, and bob's
// comment on it, of which they were notified.
type watchedSite struct {
	*storetest.Moderated
	carl, dora *forum.Viewer
	on         forum.TopicID
	about      forum.CommentID
}

// newWatchedSite leaves out what dora, or a moderator, is about to do.
func newWatchedSite(t *testing.T, act string) *watchedSite {
	t.Helper()
	w := &watchedSite{Moderated: storetest.NewModerated(t)}
	w.carl, w.dora = w.User("carl"), w.User("dora")
	limits := forum.DefaultLimits
	limits.Notifications, limits.WatchersAtOnce = 10, 1
	w.Store = w.Process(store.WithLimits(limits))
	w.on = w.Topic(w.Ann, w.A)
	for _, v := range []*forum.Viewer{w.carl, w.dora} {
		w.Watch(v, w.on, v == w.carl || act != "watch")
		w.Bookmark(v, w.on, v == w.carl || act != "bookmark")
	}
	w.about = w.Comment(w.Bob, w.on, 0)
	w.Clock.Advance(record.TaskLease * time.Millisecond)
	w.Settle()
	if act == "restore" {
		w.Hide(w.Mod, forum.Subject{Topic: w.on})
		w.Settle()
	}
	return w
}

// watchedActs are what readers, authors and moderators do to the topic and the comment on it.
var watchedActs = map[string]func(*store.Store, *watchedSite){
	"comment": func(s *store.Store, w *watchedSite) {
		s.Posts.CreateComment(w.Ctx, w.Bob, site.Remark(w.on,
			0))
	},
	"delete the comment":  func(s *store.Store, w *watchedSite) { s.Posts.DeleteComment(w.Ctx, w.Bob, w.about) },
	"watch":               func(s *store.Store, w *watchedSite) { s.Follows.WatchTopic(w.Ctx, w.dora.ID, w.on, true) },
	"stop watching":       func(s *store.Store, w *watchedSite) { s.Follows.WatchTopic(w.Ctx, w.dora.ID, w.on, false) },
	"bookmark":            func(s *store.Store, w *watchedSite) { s.Follows.Bookmark(w.Ctx, w.dora.ID, w.on, true) },
	"remove the bookmark": func(s *store.Store, w *watchedSite) { s.Follows.Bookmark(w.Ctx, w.dora.ID, w.on, false) },
	"delete the topic":    func(s *store.Store, w *watchedSite) { s.Posts.DeleteTopic(w.Ctx, w.Ann, w.on) },
	"delete the account": func(s *store.Store, w *watchedSite) {
		s.Accounts.DeleteAccount(w.Ctx, w.dora.ID,
			"hash of dora")
	},
	"hide": func(s *store.Store, w *watchedSite) {
		s.Moderation.Moderate(w.Ctx, w.Mod, forum.Subject{Topic: w.on}, storetest.Acting(forum.ActHide))
	},
	"restore": func(s *store.Store, w *watchedSite) {
		s.Moderation.Moderate(w.Ctx, w.Mod, forum.Subject{Topic: w.on}, storetest.Acting(forum.ActRestore))
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
				died = w.Dies(step, func(s *store.Store) { run(s, w) })
				for range 3 {
					w.Clock.Advance(record.TaskLease * time.Millisecond)
					w.Settle()
				}
				w.WantSound()
				open := w.Hash(key.Topic(w.on))["state"] == "OPEN"
				if count, _ := w.BookmarksCounted(w.carl); (count == 1) != open {
					t.Errorf("before step %d: %d bookmarks count; open: %t", step, count, open)
				}
				comments := w.Redis.ZCard(w.Ctx, key.TopicComments(w.on)).Val()
				if n := w.Redis.ZCard(w.Ctx, key.Notes(w.carl.ID)).Val(); n != comments {
					t.Errorf("before step %d: %d notifications of %d comments", step, n, comments)
				}
				live := open && w.Hash(key.Comment(w.about))["deleted"] == ""
				if n := w.Redis.ZCard(w.Ctx, key.Unread(w.carl.ID)).Val(); (n > 0) != live {
					t.Errorf("before step %d: %d unread; live: %t", step, n, live)
				}
			}
		})
	}
}
