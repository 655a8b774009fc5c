package store_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"agora/internal/store"
	"agora/internal/store/internal/connection"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// away fails every PING while it is on, and counts them.
type away struct {
	on    atomic.Bool
	pings atomic.Int64
	asked chan struct{} // one for each PING
}

func (a *away) meet(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	if cmds[0].Name() == "ping" {
		a.pings.Add(1)
		a.asked <- struct{}{}
		if a.on.Load() {
			return errors.New("away")
		}
	}
	return next(ctx, cmds)
}

// However many callers wait for Redis, one PING at a time checks for it; callers that give up stop waiting.
func TestAwaitSharesOnePing(t *testing.T) {
	client := redistest.New(t)
	s := must.Do(store.Open(t.Context(), store.Over(client), store.Layout{}))(t)
	defer s.Close()
	a := &away{asked: make(chan struct{}, 1000)}
	a.on.Store(true)
	client.AddHook(redistest.Hook(a.meet))
	var waiting sync.WaitGroup
	for range 300 {
		waiting.Go(func() {
			if err := s.Await(t.Context()); err != nil {
				t.Errorf("Await = %v; want nil", err)
			}
		})
	}
	for range 3 {
		<-a.asked
	}
	a.on.Store(false)
	waiting.Wait()
	if n := a.pings.Load(); n > 8 {
		t.Errorf("%d PINGs for 300 callers that waited less than a second; want a few", n)
	}

	a.on.Store(true)
	before := goleak.IgnoreCurrent()
	ctx, cancel := context.WithCancel(t.Context())
	for range 10 {
		waiting.Go(func() {
			if err := s.Await(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("Await = %v; want %v", err, context.Canceled)
			}
		})
	}
	<-a.asked
	cancel()
	waiting.Wait()
	goleak.VerifyNone(t, before)
}

// Only a few lines per second are logged of an outage, with the number of suppressed ones.
func TestFailuresAreLoggedAFewASecond(t *testing.T) {
	clock := redistest.NewClock()
	s := must.Do(store.Open(t.Context(), store.Over(redistest.New(t)), store.Layout{}, store.WithClock(clock.Now)))(t)
	defer s.Close()
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	for range 1000 {
		s.Engine.LogFailure(t.Context(), log, "Redis failed", "error", "EOF")
	}
	clock.Advance(time.Second)
	s.Engine.LogFailure(t.Context(), log, "Redis failed", "error", "EOF")
	if n := strings.Count(out.String(), "\n"); n != connection.LinesPerSecond+1 ||
		!strings.Contains(out.String(), "like_it_before=996") {
		t.Errorf("1001 failures write %d lines; want %d, and the number of suppressed ones:\n%s", n,
			connection.LinesPerSecond+1, out.String())
	}
}
