package cli

import (
	"context"
	"log/slog"
	"sync"

	"agora/graph"
	"agora/internal/store"
	"agora/internal/worker"
)

// loop is something that a server does besides answering requests, until its context ends.
type loop func(context.Context)

// loops returns all loops of a server: those that run while it answers requests, and those that begin once the demo
// data, if any, are written.
func loops(s *store.Store, r *graph.Resolver, log *slog.Logger) (answering, filled []loop) {
	on := func(work func(context.Context, *store.Store, *slog.Logger)) loop {
		return func(ctx context.Context) { work(ctx, s, log) }
	}
	answering = []loop{
		r.Events.Run, // receives what subscriptions show
		r.SignIn.Run, // keeps the keys of issuers fresh
		s.WatchRedis,
		s.KeepObjects,
		s.KeepCopies,
		func(ctx context.Context) { tuneMemory(ctx, log) },
	}
	filled = []loop{on(worker.Run), on(worker.Recheck), on(worker.Purge), on(worker.Upgrade)}
	return answering, filled
}

// begin runs loops until ctx ends; then wg does not wait for them any more.
func begin(ctx context.Context, wg *sync.WaitGroup, all ...loop) {
	for _, run := range all {
		wg.Go(func() { run(ctx) }) // ends with ctx
	}
}
