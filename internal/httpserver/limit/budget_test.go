package limit

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"agora/internal/test/must"
)

// startToWait starts to acquire, and returns once it waits.
func (b *Budget) startToWait(ctx context.Context, values int) <-chan error {
	done := make(chan error, 1)
	b.mu.Lock()
	before := len(b.waiting)
	b.mu.Unlock()
	go func() {
		_, err := b.Acquire(ctx, values)
		done <- err
	}()
	for {
		b.mu.Lock()
		waits := len(b.waiting) > before
		b.mu.Unlock()
		if waits {
			return done
		}
	}
}

func TestBudgetLetsTheSmallestGoFirst(t *testing.T) {
	b, ctx := NewBudget(Limits{Values: 80_000}), context.Background() // 100,000 in total
	all := must.Do(b.Acquire(ctx, 99_000))(t)
	if taken, err := b.Acquire(ctx, smallRequest-1); taken != 0 || err != nil {
		t.Errorf("a small request took %d (%v); want it to pass", taken, err)
	}
	large, medium := b.startToWait(ctx, 80_000), b.startToWait(ctx, 30_000)
	b.Release(all)
	if err := <-medium; err != nil {
		t.Errorf("the medium request: %v", err)
	}
	if len(b.waiting) != 1 {
		t.Fatalf("%d requests wait; want the large one", len(b.waiting))
	}
	if taken, err := b.Acquire(ctx, 70_000); taken != 70_000 || err != nil {
		t.Errorf("a request that fits took %d (%v) while a larger one waits; want it to pass", taken, err)
	}
	b.Release(70_000)
	b.Release(30_000)
	if err := <-large; err != nil || b.free != 20_000 {
		t.Errorf("the large request: %v, %d left; want it to have started, and 20,000", err, b.free)
	}
}

func TestBudgetIsGivenUp(t *testing.T) {
	b := NewBudget(Limits{Values: 80_000})
	taken, _ := b.Acquire(context.Background(), 1_000_000) // more than there is: all of it
	ctx, cancel := context.WithCancel(context.Background())
	var waiting []<-chan error
	for range maxWaiting {
		waiting = append(waiting, b.startToWait(ctx, 50_000))
	}
	if _, err := b.Acquire(ctx, smallRequest); !errors.Is(err, errBusy) {
		t.Errorf("waiting request %d: %v; want errBusy", maxWaiting+1, err)
	}
	cancel()
	for _, done := range waiting {
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Fatalf("a request that waited in vain: %v; want context.Canceled", err)
		}
	}
	b.Release(taken)
	if b.free != 100_000 || len(b.waiting) != 0 {
		t.Errorf("%d free, %d waiting; want all free and none waiting", b.free, len(b.waiting))
	}
}

// However many come and give up, no more is taken than available, and everything is returned in the end.
func TestBudgetHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBudget(Limits{Values: 80_000})
		sizes := rapid.SliceOfN(rapid.IntRange(0, 150_000), 1, 40).Draw(t, "sizes")
		var running, most atomic.Int64
		var all sync.WaitGroup
		for i, size := range sizes {
			ctx, cancel := context.WithCancel(context.Background())
			all.Go(func() {
				defer cancel()
				taken, err := b.Acquire(ctx, size)
				if err != nil {
					return
				}
				now := running.Add(int64(taken))
				if now > most.Load() {
					most.Store(now)
				}
				running.Add(-int64(taken))
				b.Release(taken)
			})
			if i%3 == 0 {
				cancel()
			}
		}
		all.Wait()
		if b.free != b.most || len(b.waiting) != 0 || most.Load() > int64(b.most) {
			t.Fatalf(
				"%d of %d free, %d waiting, %d at most; want all back and never more",
				b.free,
				b.most,
				len(b.waiting),
				most.Load(),
			)
		}
	})
}
