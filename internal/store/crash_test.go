package store_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// threadSite is the data for the mutations of a test: a topic of ann's in category a with two comments, one a
// reply to the other, and an empty category.
type threadSite struct {
	*site
	ann, bob        *forum.Viewer
	a, b, empty     forum.CategoryID
	topic           forum.TopicID
	comment, answer forum.CommentID
}

func newThreadSite(t testing.TB) *threadSite {
	t.Helper()
	w := &threadSite{site: newSite(t)}
	w.ann = w.User("ann")
	w.bob = w.UserElsewhere(w.ann.ID.Partition())
	w.a, w.b, w.empty = w.Category("a"), w.Category("b"), w.Category("empty")
	w.Tab("tab", w.a, w.b, w.empty)
	w.topic = w.Topic(w.ann, w.a)
	w.comment = w.Comment(w.bob, w.topic, 0)
	w.answer = w.Comment(w.ann, w.topic, w.comment)
	w.Repairer().FlushMarks()
	return w
}

// move changes a topic's category.
func move(s *store.Store, w *threadSite, to forum.CategoryID) error {
	return s.Posts.UpdateTopic(w.ctx, w.ann, w.topic, posts.TopicChange{Category: &to})
}

// mutation is a mutation with more than one step, repeatable as by a client.
type mutation struct {
	name    string
	run     func(*store.Store, *moderatedSite) error
	want    forum.Code           // of a repeated call
	prepare func(*moderatedSite) // nil for nothing
}

// mutations are those of topics, comments and categories.
var mutations = []mutation{
	{"create topic", func(s *store.Store, w *moderatedSite) error {
		in := discussion(w.bob, w.b)
		in.Key = "k"
		_, err := s.Posts.CreateTopic(w.ctx, in)
		return err
	}, "", nil},
	{"create comment", func(s *store.Store, w *moderatedSite) error {
		in := remark(w.topic, w.comment)
		in.Key = "k"
		_, err := s.Posts.CreateComment(w.ctx, w.bob, in)
		return err
	}, "", nil},
	{"move topic", func(s *store.Store, w *moderatedSite) error { return move(s, w.threadSite, w.b) }, "", nil},
	{"delete topic", func(s *store.Store, w *moderatedSite) error {
		return s.Posts.DeleteTopic(w.ctx, w.ann,
			w.topic)
	}, "", nil},
	{"delete comment", func(s *store.Store, w *moderatedSite) error {
		return s.Posts.DeleteComment(w.ctx, w.bob,
			w.comment)
	}, "", nil},
	{"delete answer", func(s *store.Store, w *moderatedSite) error {
		return s.Posts.DeleteComment(w.ctx, w.ann,
			w.answer)
	}, "", nil},
	{"update comment", func(s *store.Store, w *moderatedSite) error {
		return s.Posts.UpdateComment(w.ctx, w.bob, w.comment, posts.CommentChange{Content: "new"})
	}, "", nil},
	{"delete category with a topic", func(s *store.Store,
		w *moderatedSite) error {
		return s.Categories.DeleteCategory(w.ctx, nil, w.a)
	},
		forum.CodeNotEmpty, nil},
}

// crashAtEveryStep kills a process before any step of any mutation: the sweeper and the tasks finish what its script
// began, and a repeated call does no harm.
func crashAtEveryStep(t *testing.T, all ...mutation) {
	for _, m := range all {
		t.Run(m.name, func(t *testing.T) {
			for n, died := 1, true; died; n++ {
				w := newModeratedSite(t)
				w.CastOn(w.ann, w.comment, forum.VoteUp)
				if m.prepare != nil {
					m.prepare(w)
				}
				died = w.dies(n, func(s *store.Store) { m.run(s, w) })
				w.clock.Advance(record.TaskLease * time.Millisecond)
				must.Do(w.Engine.RunDueTasks(t.Context()))(t)
				must.Do(w.Engine.Sweep(t.Context()))(t)
				w.Engine.Cleaner.Flush()
				w.wantSound()
				err := m.run(w.Store, w)
				if got := forum.CodeOf(err); got != m.want || (err == nil) != (m.want == "") {
					t.Errorf("%s again after a crash before step %d = %v; want code %q", m.name, n, err, m.want)
				}
				w.wantClean()
				if t.Failed() {
					t.Fatalf("%s was killed before step %d", m.name, n)
				}
			}
		})
	}
}

func TestCrashAtEveryStep(t *testing.T) {
	testlevel.Sequential(t)
	crashAtEveryStep(t, mutations...)
}

// The deletion of an empty category completes once it has begun.
func TestCrashOfDeleteCategory(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		w := newThreadSite(t)
		died = w.dies(n, func(s *store.Store) { s.Categories.DeleteCategory(w.ctx, nil, w.empty) })
		w.clock.Advance(time.Minute)
		w.wantClean()
		if there, begun := w.exists(key.Category(w.empty)), n > 1; there == begun {
			t.Errorf("killed before step %d: category exists %t; want %t", n, there, !begun)
		}
	}
}

// The sweeper itself may be killed at any step.
func TestCrashOfTheSweeper(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		w := newThreadSite(t)
		w.dies(2, func(s *store.Store) { move(s, w, w.b) })
		w.dies(2, func(s *store.Store) { s.Posts.CreateComment(w.ctx, w.bob, remark(w.topic, 0)) })
		w.dies(2, func(s *store.Store) { s.Categories.DeleteCategory(w.ctx, nil, w.empty) })
		w.dies(3, func(s *store.Store) { s.Accounts.Register(w.ctx, account("carl")) })
		w.clock.Advance(time.Minute)
		died = w.dies(n, func(s *store.Store) { s.Engine.Sweep(w.ctx) })
		w.wantClean()
		if t.Failed() {
			t.Fatalf("the sweeper was killed before step %d", n)
		}
	}
}

// The sweeper leaves recent marks to the mutations that set them: tested at 1 s, and a millisecond less.
func TestSweeperWaitsASecond(t *testing.T) {
	w := newThreadSite(t)
	w.settle()
	w.dies(2, func(s *store.Store) { s.Posts.CreateComment(w.ctx, w.bob, remark(w.topic, 0)) })
	for _, step := range []struct {
		wait time.Duration
		want int
	}{{engine.SweepAfter*time.Millisecond - 1*time.Millisecond, 0}, {time.Millisecond, 2}} {
		w.clock.Advance(step.wait)
		if got, err := w.Engine.Sweep(t.Context()); err != nil || got != step.want {
			t.Errorf("Sweep after %v more = %d, %v; want %d", step.wait, got, err, step.want)
		}
	}
	w.Engine.Cleaner.Flush()
	w.clock.Advance(engine.FirstLease * time.Millisecond) // ann is notified by a worker
	w.wantClean()
}

// Marks of missing entities or of unknown kinds are removed.
func TestSweeperDropsInvalidMarks(t *testing.T) {
	x := newSite(t)
	for _, mark := range []string{"t:512", "c:512", "u:512", "x:512", "t:abc", "nonsense", "t:-5"} {
		x.rdb.ZAdd(t.Context(), key.Dirty(0), z(0, mark))
	}
	for _, mark := range []string{"99", "nonsense"} {
		x.rdb.ZAdd(t.Context(), key.CategoryDirty, z(0, mark))
	}
	must.Do(x.Engine.Sweep(t.Context()))(t)
	if keys := x.keysLike(""); len(keys) != 2 {
		t.Errorf("keys = %v; want the layout and the secret only", keys)
	}
}
