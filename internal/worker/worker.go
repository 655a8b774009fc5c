// Package worker finishes in the background what mutations left unfinished. It runs in every
// process, sweeps dirty entities and runs due tasks.
package worker

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"agora/internal/store"
)

const (
	// every is the interval between sweeps. A sweep checks every partition, which costs an idle
	// Redis some hundred commands a second.
	every = 500 * time.Millisecond
	// tasksEvery is the interval between checks for due tasks.
	tasksEvery = 2 * every
)

// Run works until ctx is done, then waits for running work to end. Tasks may take long, so they run
// concurrently with sweeps.
func Run(ctx context.Context, s *store.Store, log *slog.Logger) {
	var tasks sync.WaitGroup
	tasks.Go(func() { repeat(ctx, tasksEvery, func() { runTasks(ctx, s, log) }) }) // ends with ctx
	repeat(ctx, every, func() { sweep(ctx, s, log) })
	tasks.Wait()
}

// repeat calls do immediately and then at each interval, until ctx is done.
func repeat(ctx context.Context, rest time.Duration, do func()) {
	t := time.NewTicker(rest)
	defer t.Stop()
	for {
		do()
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

func sweep(ctx context.Context, s *store.Store, log *slog.Logger) {
	if n, err := s.Sweep(ctx); err != nil {
		report(ctx, log, "sweep failed", err)
	} else if n > 0 {
		log.Info("swept", "entities", n)
	}
}

func runTasks(ctx context.Context, s *store.Store, log *slog.Logger) {
	if _, err := s.RunDueTasks(ctx); err != nil {
		report(ctx, log, "tasks failed", err)
	}
}

// report logs the error of a round, unless the process is shutting down.
func report(ctx context.Context, log *slog.Logger, what string, err error) {
	if ctx.Err() == nil && !errors.Is(err, context.Canceled) {
		log.Error(what, "error", err)
	}
}
