package worker_test

import (
	"context"
	"log/slog"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
	"agora/internal/worker"
)

// takenUp is the time within which the task of a killed worker is taken up, and slack what a busy machine adds.
const (
	takenUp = 3 * time.Second
	slack   = 2 * time.Second
)

// What a worker held that was killed is taken up by the worker of another process within 3 s.
func TestKilledWorkersTaskIsTakenUp(t *testing.T) {
	testlevel.Usual(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	server := redistest.Start(t)
	var later atomic.Int64 // is added to the clock, which processes read in the background
	now := func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	open := func(step func(string)) *store.Store {
		s, err := store.Open(ctx, store.Over(server.Client(t)), store.Layout{}, store.WithClock(now), store.WithSteps(step))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	killed := open(func(name string) {
		if name == "task_pass" {
			runtime.Goexit()
		}
	})
	author := site.On(t, killed).User("ann")
	// The home of a user who returns after a long time is refilled by a task.
	later.Store(int64(forum.InactiveAfter + time.Second))
	site.On(t, killed).Titled(author, 0, "T")
	must.OK(t, killed.Homes.WakeHome(ctx, author.ID))
	died := make(chan struct{})
	go func() { // ends at the first pass
		defer close(died)
		killed.Engine.RunDueTasks(ctx)
	}()
	<-died

	began, took := time.Now(), make(chan time.Duration, 1)
	other := open(func(name string) {
		if name == "task_pass" {
			took <- time.Since(began)
		}
	})
	wait.Beside(t, func(ctx context.Context) { worker.Run(ctx, other, slog.New(slog.DiscardHandler)) })
	select {
	case d := <-took:
		t.Logf("taken up after %v", d.Round(time.Millisecond))
		if d > takenUp+slack {
			t.Errorf("taken up after %v; want %v at most", d, takenUp)
		}
	case <-ctx.Done():
		t.Error("never taken up")
	}
}
