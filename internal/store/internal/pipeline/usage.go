package pipeline

import (
	"context"
	"net"
	"slices"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
)

// Usage counts one request's use of Redis.
type Usage struct {
	// RoundTrips counts pipelines, and commands sent alone.
	RoundTrips atomic.Int64
	// Commands counts commands, whether in a pipeline or alone.
	Commands atomic.Int64
	// Changed reports whether data may have been changed: a command that changes data was executed, or its
	// reply was lost.
	Changed atomic.Bool
}

type usageKey struct{}

// WithUsage returns a context whose Redis commands u counts.
func WithUsage(ctx context.Context, u *Usage) context.Context {
	return context.WithValue(ctx, usageKey{}, u)
}

// UsageFrom returns the usage of the context, or nil.
func UsageFrom(ctx context.Context) *Usage {
	u, _ := ctx.Value(usageKey{}).(*Usage)
	return u
}

// usageHook counts for the usage in a command's context. Commands that set up a new connection are not
// counted.
type usageHook struct{ effects }

// DialHook implements redis.Hook.
func (usageHook) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// note records whether commands changed data.
func (u *Usage) note(e effects, cmds ...redis.Cmder) {
	if !u.Changed.Load() && slices.ContainsFunc(cmds, e.mayHaveChanged) {
		u.Changed.Store(true)
	}
}

// ProcessHook implements redis.Hook.
func (h usageHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if u := UsageFrom(ctx); u != nil && cmd.Name() != "hello" && cmd.Name() != "client" {
			u.RoundTrips.Add(1)
			u.Commands.Add(1)
			defer func() { u.note(h.effects, cmd) }()
		}
		return next(ctx, cmd)
	}
}

// ProcessPipelineHook implements redis.Hook.
func (h usageHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if u := UsageFrom(ctx); u != nil && len(cmds) > 0 && cmds[0].Name() != "hello" && cmds[0].Name() != "client" {
			u.RoundTrips.Add(1)
			u.Commands.Add(int64(len(cmds)))
			defer func() { u.note(h.effects, cmds...) }()
		}
		return next(ctx, cmds)
	}
}
