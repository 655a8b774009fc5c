// Package worker finishes in the background what mutations left half way, in
// every process: it sweeps dirty entities and works on due tasks.
package worker

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"agora/internal/store"
)

const (
	// every is how long a worker rests between two rounds. A round looks into every
	// partition, which costs an idle Redis some hundred commands a second.
	every = 500 * time.Millisecond
	// tasksEvery is how many rounds pass between two looks for due tasks.
	tasksEvery = 2
)

// Run works until ctx is done; then it returns when the present round has ended.
func Run(ctx context.Context, s *store.Store, log *slog.Logger) {
	t := time.NewTicker(every)
	defer t.Stop()
	for n := 0; ; n++ {
		sweep(ctx, s, log)
		if n%tasksEvery == 0 {
			runTasks(ctx, s, log)
		}
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

// report logs what a round met; the end of the process is no failure.
func report(ctx context.Context, log *slog.Logger, what string, err error) {
	if ctx.Err() == nil && !errors.Is(err, context.Canceled) {
		log.Error(what, "error", err)
	}
}
