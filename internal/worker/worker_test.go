package worker_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
	"agora/internal/test/wait"
	"agora/internal/worker"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(redistest.M{M: m}) }

// A worker indexes what a mutation stored but did not index, and ends with its context.
func TestRunFinishesMutations(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	clock := redistest.NewClock()
	s := must.Do(store.Open(ctx, store.Over(redistest.New(t)), store.Layout{}, store.WithClock(clock.Now)))(t)
	defer s.Close()
	to := site.On(t, s)
	category, author := to.Category("Go"), to.User("ann")
	// Bulk does not write the indexes, like a process that dies before writing them.
	site.On(t, s.Bulk()).Topic(author, category)
	if n := length(t, s, category); n != 0 {
		t.Fatalf("the category lists %d topics before the worker runs; want 0", n)
	}
	clock.Advance(2 * time.Second)

	rest := wait.Beside(t, func(ctx context.Context) { worker.Run(ctx, s, slog.New(slog.DiscardHandler)) })
	wait.Until(t, "the worker lists the topic", func() bool { return length(t, s, category) > 0 })
	rest()
}

// A long task does not prevent sweeps.
func TestSweepsDoNotWaitForTasks(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	clock := redistest.NewClock()
	begun, end := make(chan struct{}), make(chan struct{})
	working, rest := context.WithCancel(ctx)
	pass := func(name string) {
		if name == "task_pass" && working.Err() == nil {
			close(begun)
			<-end
		}
	}
	s := must.Do(store.Open(ctx, store.Over(redistest.New(t)), store.Layout{}, store.WithClock(clock.Now),
		store.WithSteps(pass)))(t)
	defer s.Close()
	to := site.On(t, s)
	category, author := to.Category("Go"), to.User("ann")
	// The home of a user who returns after a long time is refilled by a task.
	clock.Advance(forum.InactiveAfter + time.Second)
	to.Titled(author, 0, "T")
	must.OK(t, s.Homes.WakeHome(ctx, author.ID))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		worker.Run(working, s, slog.New(slog.DiscardHandler))
	}()
	select {
	case <-begun:
	case <-ctx.Done():
		t.Fatal("no task was started")
	}
	site.On(t, s.Bulk()).Topic(author, category)
	clock.Advance(2 * time.Second)
	wait.Until(t, "the topic is listed while a task runs", func() bool { return length(t, s, category) > 0 })
	rest()
	close(end)
	<-ended
}

// A worker passes changes to their consumers, first everything that is there, and waits for them when it ends.
func TestRunPassesChanges(t *testing.T) {
	met := make(chan forum.UserID, 1)
	follow := func(e *engine.Engine) {
		e.OnChange("copy", []engine.ChangeKind{engine.UserChanges}, func(ctx context.Context, some []engine.Change) error {
			met <- some[0].Subject.User
			<-ctx.Done()
			return ctx.Err()
		})
	}
	s := must.Do(store.Open(t.Context(), store.Over(redistest.New(t)), store.Layout{}, follow))(t)
	defer s.Close()
	ann := site.On(t, s).User("ann")
	rest := wait.Beside(t, func(ctx context.Context) { worker.Run(ctx, s, slog.New(slog.DiscardHandler)) })
	if id := <-met; id != ann.ID {
		t.Errorf("the consumer has met user %d; want %d", id, ann.ID)
	}
	rest()
}

func length(t *testing.T, s *store.Store, id forum.CategoryID) int {
	t.Helper()
	read := s.Read(t.Context())
	return site.Sent(t, read, read.Listing.Lengths([]listing.List{listing.CategoryTopics(id)}))[0]
}
