package store

import (
	"context"
	"net"
	"slices"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
)

// Tally counts what one request asked of Redis.
type Tally struct {
	// RoundTrips counts pipelines, and commands sent alone.
	RoundTrips atomic.Int64
	// Commands counts commands, wherever they were sent.
	Commands atomic.Int64
	// Changed reports whether data may have been changed: what changes some was done, or
	// its answer was lost.
	Changed atomic.Bool
}

type tallyKey struct{}

// WithTally returns a context whose Redis commands t counts.
func WithTally(ctx context.Context, t *Tally) context.Context {
	return context.WithValue(ctx, tallyKey{}, t)
}

// TallyFrom returns the tally of the context, or nil.
func TallyFrom(ctx context.Context) *Tally {
	t, _ := ctx.Value(tallyKey{}).(*Tally)
	return t
}

// tallyHook counts for the tally in a command's context. What a new connection
// sends to set itself up is no part of a request.
type tallyHook struct{}

// DialHook implements redis.Hook.
func (tallyHook) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// note notes whether commands changed data.
func (t *Tally) note(cmds ...redis.Cmder) {
	if !t.Changed.Load() && slices.ContainsFunc(cmds, mayHaveChanged) {
		t.Changed.Store(true)
	}
}

// ProcessHook implements redis.Hook.
func (tallyHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if t := TallyFrom(ctx); t != nil && cmd.Name() != "hello" && cmd.Name() != "client" {
			t.RoundTrips.Add(1)
			t.Commands.Add(1)
			defer func() { t.note(cmd) }()
		}
		return next(ctx, cmd)
	}
}

// ProcessPipelineHook implements redis.Hook.
func (tallyHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if t := TallyFrom(ctx); t != nil && len(cmds) > 0 && cmds[0].Name() != "hello" && cmds[0].Name() != "client" {
			t.RoundTrips.Add(1)
			t.Commands.Add(int64(len(cmds)))
			defer func() { t.note(cmds...) }()
		}
		return next(ctx, cmds)
	}
}
