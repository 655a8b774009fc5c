package worker_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
	"agora/internal/worker"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(redistest.M{M: m}) }

// A worker indexes what a mutation stored but did not index, and ends with its context.
func TestRunFinishesMutations(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	clock := redistest.NewClock()
	s, err := store.Open(ctx, store.Over(redistest.New(t)), store.Layout{}, store.WithClock(clock.Now))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	category, author := site.Category(t, s, "Go"), site.User(t, s, "ann").ID
	// Bulk does not write the indexes, like a process that dies before writing them.
	if _, err := s.Bulk().CreateTopic(ctx, posts.NewTopic{Author: author, Kind: forum.Discussion, Title: "T",
		Format: forum.Markdown, Category: category}); err != nil {
		t.Fatal(err)
	}
	if n := length(t, s, category); n != 0 {
		t.Fatalf("the category lists %d topics before the worker runs; want 0", n)
	}
	clock.Advance(2 * time.Second)

	working, rest := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		worker.Run(working, s, slog.New(slog.DiscardHandler))
	}()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for length(t, s, category) == 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("the worker never listed the topic")
		}
	}
	rest()
	<-ended
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
	s, err := store.Open(ctx, store.Over(redistest.New(t)), store.Layout{}, store.WithClock(clock.Now),
		store.WithSteps(pass))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	category, author := site.Category(t, s, "Go"), site.User(t, s, "ann").ID
	// The home of a user who returns after a long time is refilled by a task.
	clock.Advance(forum.InactiveAfter + time.Second)
	site.Topic(t, s, author, 0, "T")
	if err := s.WakeHome(ctx, author); err != nil {
		t.Fatal(err)
	}
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
	if _, err := s.Bulk().CreateTopic(ctx, posts.NewTopic{Author: author, Kind: forum.Discussion, Title: "T",
		Format: forum.Markdown, Category: category}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(2 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for length(t, s, category) == 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("the topic was not listed while a task ran")
		}
	}
	rest()
	close(end)
	<-ended
}

func length(t *testing.T, s *store.Store, id forum.CategoryID) int {
	t.Helper()
	read := s.Read(t.Context())
	lengths := read.Lengths([]listing.List{listing.CategoryTopics(id)})
	if err := read.Exec(); err != nil {
		t.Fatal(err)
	}
	ns, err := lengths()
	if err != nil {
		t.Fatal(err)
	}
	return ns[0]
}
