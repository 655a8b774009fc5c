package importer

import (
	"context"
	"errors"
	"sync"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/test/redistest"
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

func (o *outages) meet(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	switch o.decide(ctx) {
	case arrives:
		return next(ctx, cmds)
	case unheard:
		next(ctx, cmds)
	}
	return redistest.Fail(cmds, errOutage)
}

// unreliable opens a process whose round trips go through outages.
func (x *site) unreliable() (*store.Store, *outages) {
	x.t.Helper()
	o := &outages{}
	client := x.server.Client(x.t)
	client.AddHook(redistest.Hook(o.meet))
	return x.process(client), o
}
