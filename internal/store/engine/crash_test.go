package engine_test

import (
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// The sweeper itself may be killed at any step.
func TestCrashOfTheSweeper(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		w := storetest.NewThread(t)
		w.Dies(2, func(s *store.Store) { storetest.Move(s, w, w.B) })
		w.Dies(2, func(s *store.Store) { s.Posts.CreateComment(w.Ctx, w.Bob, site.Remark(w.TopicID, 0)) })
		w.Dies(2, func(s *store.Store) { s.Categories.DeleteCategory(w.Ctx, nil, w.EmptyID) })
		w.Dies(3, func(s *store.Store) { s.Accounts.Register(w.Ctx, site.Account("carl")) })
		w.Clock.Advance(time.Minute)
		died = w.Dies(n, func(s *store.Store) { s.Engine.Sweep(w.Ctx) })
		w.WantClean()
		if t.Failed() {
			t.Fatalf("the sweeper was killed before step %d", n)
		}
	}
}

// The sweeper leaves recent marks to the mutations that set them: tested at 1 s, and a millisecond less.
func TestSweeperWaitsASecond(t *testing.T) {
	w := storetest.NewThread(t)
	w.Settle()
	w.Dies(2, func(s *store.Store) { s.Posts.CreateComment(w.Ctx, w.Bob, site.Remark(w.TopicID, 0)) })
	for _, step := range []struct {
		wait time.Duration
		want int
	}{{engine.SweepAfter*time.Millisecond - 1*time.Millisecond, 0}, {time.Millisecond, 2}} {
		w.Clock.Advance(step.wait)
		if got, err := w.Engine.Sweep(t.Context()); err != nil || got != step.want {
			t.Errorf("Sweep after %v more = %d, %v; want %d", step.wait, got, err, step.want)
		}
	}
	w.Engine.Cleaner.Flush()
	w.Clock.Advance(engine.FirstLease * time.Millisecond) // ann is notified by a worker
	w.WantClean()
}

// Marks of missing entities or of unknown kinds are removed.
func TestSweeperDropsInvalidMarks(t *testing.T) {
	x := storetest.New(t)
	for _, mark := range []string{"t:512", "c:512", "u:512", "x:512", "t:abc", "nonsense", "t:-5"} {
		x.Redis.ZAdd(t.Context(), key.Dirty(0), storetest.Entry(0, mark))
	}
	for _, mark := range []string{"99", "nonsense"} {
		x.Redis.ZAdd(t.Context(), key.CategoryDirty, storetest.Entry(0, mark))
	}
	must.Do(x.Engine.Sweep(t.Context()))(t)
	if keys := x.KeysLike(""); len(keys) != 2 {
		t.Errorf("keys = %v; want the layout and the secret only", keys)
	}
}
