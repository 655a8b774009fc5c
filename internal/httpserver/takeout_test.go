package httpserver

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/ratelimit"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/wait"
)

// A take-out stops for what its member owes, until a tenth of the allowance is there again, or the client has gone.
func TestTakeoutsStopForWhatTheyOwe(t *testing.T) {
	clock, looks := redistest.NewClock(), atomic.Int64{}
	rates := ratelimit.New(ratelimit.Rates{ratelimit.Cost: 600}, func() time.Time {
		looks.Add(1)
		return clock.Now()
	})
	caller := auth.Caller{Viewer: &forum.Viewer{ID: 1}}
	must.OK(t, afford(t.Context(), rates, caller))
	must.OK(t, afford(t.Context(), nil, caller))
	rates.Owe(ratelimit.Cost, 900, caller) // 300 more than there were
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, gone := range []bool{true, false} {
		done, before := make(chan error, 1), looks.Load()
		go func() { done <- afford(ctx, rates, caller) }()
		wait.Until(t, "it looks several times", func() bool { return looks.Load() >= before+3 })
		clock.Advance(17 * time.Second) // 170 units
		wait.Until(t, "it looks again, or is done", func() bool { return looks.Load() >= before+5 || len(done) > 0 })
		if len(done) > 0 {
			t.Fatalf("it goes on before there is a tenth: %v", <-done)
		}
		if gone {
			cancel()
			ctx = t.Context()
		} else {
			clock.Advance(2 * time.Second)
		}
		if err := <-done; (err != nil) != gone {
			t.Errorf("afterwards: %v; the client has gone: %v", err, gone)
		}
	}
}
