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
	// Observe, if not nil, is called when a round trip begins, with the name of its first command and the number of
	// commands. The function that it returns is called at the end, with the first error.
	Observe func(command string, commands int) (end func(error))
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

type debtsKey struct{}

// Debtor owes for what is done besides reads.
type Debtor interface {
	// Owe adds microseconds of a core.
	Owe(microseconds int)
}

// WithDebts returns a context whose caller owes for the time that Owe reports.
func WithDebts(ctx context.Context, d Debtor) context.Context {
	return context.WithValue(ctx, debtsKey{}, d)
}

// Owe reports that what was asked for in the context takes so many microseconds of a core in addition to its reads.
func Owe(ctx context.Context, microseconds int) {
	if d, ok := ctx.Value(debtsKey{}).(Debtor); ok {
		d.Owe(microseconds)
	}
}

// usageHook counts for the usage in a command's context. Commands that set up a new connection are not
// counted.
type usageHook struct{ effects }

// DialHook implements redis.Hook.
func (usageHook) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// begin counts a round trip. The function that it returns may be nil.
func (u *Usage) begin(command string, commands int) (end func(error)) {
	u.RoundTrips.Add(1)
	u.Commands.Add(int64(commands))
	if u.Observe == nil {
		return nil
	}
	return u.Observe(command, commands)
}

// end notes the end of a round trip, and whether commands changed data.
func (u *Usage) end(e effects, end func(error), err error, cmds ...redis.Cmder) {
	if !u.Changed.Load() && slices.ContainsFunc(cmds, e.mayHaveChanged) {
		u.Changed.Store(true)
	}
	if end != nil {
		end(UnlessNil(err))
	}
}

// ProcessHook implements redis.Hook.
func (h usageHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) (err error) {
		if u := UsageFrom(ctx); u != nil && cmd.Name() != "hello" && cmd.Name() != "client" {
			end := u.begin(cmd.Name(), 1)
			defer func() { u.end(h.effects, end, err, cmd) }()
		}
		return next(ctx, cmd)
	}
}

// ProcessPipelineHook implements redis.Hook.
func (h usageHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) (err error) {
		if u := UsageFrom(ctx); u != nil && len(cmds) > 0 && cmds[0].Name() != "hello" && cmds[0].Name() != "client" {
			end := u.begin(cmds[0].Name(), len(cmds))
			defer func() { u.end(h.effects, end, err, cmds...) }()
		}
		return next(ctx, cmds)
	}
}
