package importer

import (
	"context"
	"errors"
	"net"
	"sync"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
)

// fate is the outcome of a round trip.
type fate int

const (
	arrives fate = iota
	// lost is never executed; unheard is, but its reply is lost.
	lost
	unheard
)

// outages is a hook that decides the fate of each round trip of a process.
type outages struct {
	mu    sync.Mutex
	trips int
	// fate decides the fate of each round trip of an import, by its number from 1.
	fate func(trip int) fate
	// dead makes every round trip fail, including those of the store's background work.
	dead bool
}

var errOutage = errors.New("connection lost")

// ofImport marks the context of an import, because marks are cleared in the background at
// unpredictable times.
type ofImport struct{}

func (o *outages) decide(ctx context.Context) fate {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.dead:
		return lost
	case o.fate == nil || ctx.Value(ofImport{}) == nil:
		return arrives
	}
	o.trips++
	return o.fate(o.trips)
}

// DialHook implements redis.Hook.
func (*outages) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook implements redis.Hook.
func (o *outages) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		return o.send(ctx, []redis.Cmder{cmd}, func() error { return next(ctx, cmd) })
	}
}

// ProcessPipelineHook implements redis.Hook.
func (o *outages) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		return o.send(ctx, cmds, func() error { return next(ctx, cmds) })
	}
}

func (o *outages) send(ctx context.Context, cmds []redis.Cmder, next func() error) error {
	switch o.decide(ctx) {
	case arrives:
		return next()
	case unheard:
		next()
	}
	for _, cmd := range cmds {
		cmd.SetErr(errOutage)
	}
	return errOutage
}

// unreliable opens a process whose round trips go through outages.
func (x *site) unreliable() (*store.Store, *outages) {
	x.t.Helper()
	o := &outages{}
	client := x.server.Client(x.t)
	client.AddHook(o)
	return x.process(client), o
}
