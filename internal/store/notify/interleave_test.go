package notify_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	built "agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// remarked is a site with a comment of bob's on a topic of ann's that dora watches. The comment mentions carl, until an edit
// mentions eve instead.
type remarked struct {
	*storetest.Moderated
	carl, dora, eve *forum.Viewer
}

func newRemarked(t *testing.T) *remarked {
	w := &remarked{Moderated: storetest.NewModerated(t)}
	w.carl, w.dora, w.eve = w.User("carl"), w.User("dora"), w.User("eve")
	w.Watch(w.dora, w.TopicID, true)
	w.Settle()
	return w
}

// latest returns the comment.
func (w *remarked) latest() forum.Subject {
	return forum.Subject{Comment: storetest.IDs[forum.CommentID](w.Site, listing.TopicComments(w.TopicID, false,
		forum.Newest))[0]}
}

// remarkedActs are what happens to the comment and its topic.
var remarkedActs = map[string]func(*store.Store, *remarked) error{
	"post": func(s *store.Store, w *remarked) error {
		in := built.Remark(w.TopicID, 0)
		in.Mentions, in.Key = naming(w.carl), "k"
		_, err := s.Posts.CreateComment(w.Ctx, w.Bob, in)
		return err
	},
	"edit": func(s *store.Store, w *remarked) error {
		return s.Posts.UpdateComment(w.Ctx, w.Bob, w.latest().Comment, posts.CommentChange{Content: "x",
			Mentions: naming(w.eve)})
	},
	"hide": func(s *store.Store, w *remarked) error {
		_, err := s.Moderation.Moderate(w.Ctx, w.Mod, w.latest(), storetest.Acting(forum.ActHide))
		return err
	},
	"restore": func(s *store.Store, w *remarked) error {
		_, err := s.Moderation.Moderate(w.Ctx, w.Mod, w.latest(), storetest.Acting(forum.ActRestore))
		return err
	},
	"hide the topic": func(s *store.Store, w *remarked) error {
		_, err := s.Moderation.Moderate(w.Ctx, w.Mod, forum.Subject{Topic: w.TopicID}, storetest.Acting(forum.ActHide))
		return err
	},
	"work": func(s *store.Store, w *remarked) error {
		w.Clock.Advance(record.TaskLease * time.Millisecond)
		_, err := s.Engine.RunDueTasks(w.Ctx)
		return err
	},
}

// remarkedRuns are acts in order.
var remarkedRuns = []string{
	"post, edit, work, hide",
	"post, hide, work, restore",
	"post, edit, hide the topic",
}

// Whether a notification of a comment is unread follows from what is stored, even if no process does what may follow later,
// and one is killed before any step, or does it after everything else.
func TestNotificationsFollowTheirComment(t *testing.T) {
	testlevel.LongSequential(t)
	for _, run := range remarkedRuns {
		acts := strings.Split(run, ", ")
		for i := range acts {
			for fault, stop := range map[string]stopping{"killed": (*remarked).killed, "late": (*remarked).late} {
				for n, reached := 1, true; reached; n++ {
					what := fmt.Sprintf("%s; number %d is %s at step %d", run, i+1, fault, n)
					reached = followsComment(t, acts, i, n, stop, what)
				}
			}
		}
	}
}

// stopping is a fault of a process at its nth step.
type stopping func(w *remarked, n int, act func(*store.Store)) (wake func(), reached bool)

// killed has a process do something that is killed before its nth step, or else before what may follow later. It reports
// whether there is such a step.
func (w *remarked) killed(n int, act func(*store.Store)) (wake func(), reached bool) {
	s := w.Process(store.WithSteps(built.KillAt("", n)))
	s.Engine.Cleaner.Close()
	return func() {}, built.Killed(func() { act(s) })
}

// late has a process sleep before its nth step until it is woken. It reports whether there is one.
func (w *remarked) late(n int, act func(*store.Store)) (wake func(), reached bool) {
	var steps atomic.Int32
	there, woken, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s := w.Process(store.WithSteps(func(string) {
		if steps.Add(1) == int32(n) {
			close(there)
			<-woken
		}
	}))
	go func() { // ends when it is woken
		defer close(ended)
		act(s)
		s.Engine.Cleaner.Flush()
	}()
	select {
	case <-there:
		return func() {
			close(woken)
			<-ended
		}, true
	case <-ended:
		return func() {}, false
	}
}

// followsComment runs acts, the one at i by a process that stops at its nth step, and checks what is left, also after the
// comment is hidden, and restored. It reports whether there is such a step.
func followsComment(t *testing.T, acts []string, i, n int, stop stopping, what string) (reached bool) {
	t.Helper()
	w := newRemarked(t)
	hasty := w.Process()
	hasty.Engine.Cleaner.Close()
	wake := func() {}
	for at, name := range acts {
		run := func(s *store.Store) { remarkedActs[name](s, w) }
		if at != i {
			run(hasty)
			continue
		}
		if wake, reached = stop(w, n, run); at == 0 && !w.Exists(key.TopicComments(w.TopicID)) {
			if wake(); !reached {
				return false
			}
			run(hasty)
		}
	}
	settle := func() {
		for range 2 {
			w.Clock.Advance(record.TaskLease * time.Millisecond)
			w.Settle()
		}
	}
	check := func(when string) {
		settle()
		for _, f := range w.Findings() {
			t.Errorf("%s: %s: Check found %s", what, when, f)
		}
	}
	settle()
	wake()
	check("at the end")
	remarkedActs["hide"](w.Store, w)
	check("hidden")
	remarkedActs["restore"](w.Store, w)
	check("restored")
	return reached
}

// Whoever a comment concerns is notified of it if a worker has found it hidden, and it is restored before the worker ends.
func TestCommentRestoredMeanwhileNotifies(t *testing.T) {
	w := newRemarked(t)
	w.DiesAt("index", 1, func(s *store.Store) { remarkedActs["post"](s, w) })
	storetest.WantOK(t, "hide", remarkedActs["hide"](w.Store, w))
	wake := w.Asleep("notify_done", func(s *store.Store) { remarkedActs["work"](s, w) })
	storetest.WantOK(t, "restore", remarkedActs["restore"](w.Store, w))
	wake()
	w.Settle()
	about := "c" + key.Itoa(w.latest().Comment)
	wantReasons(w.Thread, "mentioned", w.carl, "MENTION* "+about)
	wantReasons(w.Thread, "who watches", w.dora, "WATCH* "+about)
	w.WantClean()
}
