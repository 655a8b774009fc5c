package engine

import (
	"context"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// A lease is short, so that another process soon takes up what a killed one held. While a pass runs, the lease is
// renewed: a slow pass, or a Redis that does not answer for a second, does not lose it. A holder that is suspended
// does; its token is then refused, and the pass that it may repeat does no harm.

// renewEvery is the interval of renewals: a quarter of the lease, so that one of them may time out.
const renewEvery = record.TaskLease * time.Millisecond / 4

// ticks returns a channel that receives at each interval, and a function that ends that.
func ticks(every time.Duration) (<-chan time.Time, func()) {
	t := time.NewTicker(every)
	return t.C, t.Stop
}

// heldPass runs one pass of a task, and renews the lease while it runs.
func (s *Engine) heldPass(ctx context.Context, t Task) (progress, error) {
	defer s.keepLease(ctx, func(ctx context.Context) (bool, error) { return s.RenewTask(ctx, t) })()
	s.Step("task_pass")
	return s.passTask(ctx, t)
}

// keepLease renews a lease until renew reports that it is not held, or stop is called, which waits for a renewal in
// progress.
func (s *Engine) keepLease(ctx context.Context, renew func(context.Context) (held bool, err error)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	tick, stopTick := s.Ticks(renewEvery)
	go func() { // ends with ctx
		defer close(ended)
		defer stopTick()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick:
			}
			if held, err := renew(ctx); err == nil && !held {
				return
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// RenewTask extends the lease of a task; it reports whether this process still holds the task.
func (s *Engine) RenewTask(ctx context.Context, t Task) (bool, error) {
	return s.extendLease(ctx, t, record.TaskLease)
}

// extendLease has the lease of a task end after a time, unless it ends later.
func (s *Engine) extendLease(ctx context.Context, t Task, after forum.Time) (bool, error) {
	return s.Client.Run(ctx, script.TaskRenew{
		Task: t.Key(), Due: t.Due(), Token: t.Token, Name: t.Name, Lease: s.Now() + after,
	}).Bool()
}
