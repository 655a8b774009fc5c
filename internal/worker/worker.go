// Package worker finishes in the background what mutations left unfinished. It runs in every
// process, sweeps dirty entities, runs due tasks, and passes changes to their consumers.
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
	// consumeEvery is the interval at which consumers of changes look for more, as a sweep does; forgetEvery is that of a
	// process that has none, and only removes what others had.
	consumeEvery = every
	forgetEvery  = time.Minute
	// logEvery is the interval at which a failure that lasts is logged.
	logEvery = time.Minute
)

// Run works until ctx is done, then waits for running work to end. Tasks and consumers may take long, so they run
// concurrently with sweeps.
func Run(ctx context.Context, s *store.Store, log *slog.Logger) {
	var tasks sync.WaitGroup
	running := &failures{log: log, what: "tasks failed"}
	tasks.Go(func() { repeat(ctx, tasksEvery, func() { runTasks(ctx, s, running) }) }) // ends with ctx
	consuming := &failures{log: log, what: "looking for changes failed"}
	tasks.Go(func() { consume(ctx, s, consuming) }) // ends with ctx
	sweeping := &failures{log: log, what: "sweep failed"}
	repeat(ctx, every, func() { sweep(ctx, s, sweeping) })
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

func sweep(ctx context.Context, s *store.Store, f *failures) {
	n, err := s.Engine.Sweep(ctx)
	f.note(ctx, err)
	if err == nil && n > 0 {
		f.log.Info("swept", "entities", n)
	}
}

func runTasks(ctx context.Context, s *store.Store, f *failures) {
	_, err := s.Engine.RunDueTasks(ctx)
	f.note(ctx, err)
}

func consume(ctx context.Context, s *store.Store, f *failures) {
	pause := forgetEvery
	if s.Engine.HasConsumers() {
		pause = consumeEvery
	}
	repeat(ctx, pause, func() { f.note(ctx, s.Engine.Consume(ctx)) })
	s.Engine.WaitForConsumers()
}

// failures logs the failures of one kind of work: the first one, and while it keeps failing one every
// minute.
type failures struct {
	log  *slog.Logger
	what string
	last time.Time // of the latest line; zero after a success
}

// note logs the error of a round, unless the process is shutting down.
func (f *failures) note(ctx context.Context, err error) {
	switch {
	case err == nil:
		f.last = time.Time{}
	case ctx.Err() != nil || errors.Is(err, context.Canceled) || time.Since(f.last) < logEvery:
	default:
		f.last = time.Now()
		f.log.Error(f.what, "error", err)
	}
}
