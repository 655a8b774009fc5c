package connection

import (
	"context"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/test/redistest"
)

// A fail-over is checked unless a check has begun since it was noticed: one that began just before may have missed it.
func TestEachFailoverIsChecked(t *testing.T) {
	clock := redistest.NewClock()
	r := Recheck{Redis: redistest.New(t), Now: clock.Now}
	checks := 0
	do := func(since time.Time) int {
		t.Helper()
		err := r.Do(t.Context(), forum.Time(since.UnixMilli()), func(context.Context) error { checks++; return nil })
		if err != nil {
			t.Fatal(err)
		}
		return checks
	}
	first := clock.Now()
	if got := do(first); got != 1 {
		t.Errorf("after a fail-over: %d checks; want 1", got)
	}
	if got := do(first.Add(-time.Second)); got != 1 {
		t.Errorf("another process notices the same fail-over: %d checks; want 1", got)
	}
	clock.Advance(time.Second)
	if got := do(clock.Now()); got != 2 {
		t.Errorf("after a fail-over a second later: %d checks; want 2", got)
	}
}
