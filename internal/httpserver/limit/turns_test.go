package limit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"agora/internal/test/must"
)

// waitFor starts to acquire a turn, and returns once it is queued.
func (t *Turns) waitFor(ctx context.Context, address string) <-chan func() {
	got := make(chan func(), 1)
	before := t.Load(address)
	go func() { // ends with the turn or ctx
		release, err := t.Acquire(ctx, address)
		if err != nil {
			release = nil
		}
		got <- release
	}()
	for t.Load(address) == before {
	}
	return got
}

// One address gets no more than its share of turns, and others go in between.
func TestAddressesTakeTurns(t *testing.T) {
	turns, ctx := NewTurns(4, 2), t.Context()
	var a []<-chan func()
	for range 6 {
		a = append(a, turns.waitFor(ctx, "a"))
	}
	first, second := <-a[0], <-a[1]
	b := turns.waitFor(ctx, "b")
	(<-b)() // there is room for others
	c, d := turns.waitFor(ctx, "b"), turns.waitFor(ctx, "c")
	releaseB, releaseC := <-c, <-d // now four run
	e := turns.waitFor(ctx, "d")
	select {
	case <-e:
		t.Fatal("a fifth event runs; want four at a time")
	case <-a[2]:
		t.Fatal("a third event of an address runs; want two at a time")
	default:
	}
	first()
	releaseD := <-e // its turn came before the third of a
	releaseB()
	third := <-a[2]
	for _, release := range []func(){second, releaseC, releaseD, third} {
		release()
	}
	for _, left := range a[3:] {
		(<-left)()
	}
	if turns.running != 0 || len(turns.queues) != 0 {
		t.Errorf("%d run, %d queues are left; want none", turns.running, len(turns.queues))
	}
}

// A caller that gives up leaves the queue, or passes on the turn.
func TestTurnsAreGivenUp(t *testing.T) {
	turns := NewTurns(1, 1)
	release := must.Do(turns.Acquire(t.Context(), "a"))(t)
	ctx, cancel := context.WithCancel(t.Context())
	waits := turns.waitFor(ctx, "a")
	other := turns.waitFor(t.Context(), "b")
	cancel()
	if got := <-waits; got != nil {
		t.Error("an event that was given up has its turn")
	}
	release()
	(<-other)()
	if _, err := turns.Acquire(ctx, "a"); err == nil {
		turns.end("a", turns.queues["a"]) // there was room immediately
	} else if !errors.Is(err, context.Canceled) {
		t.Errorf("acquire = %v; want the context's error", err)
	}
	if turns.running != 0 || len(turns.queues) != 0 {
		t.Errorf("%d run, %d queues are left; want none", turns.running, len(turns.queues))
	}
}

// Under load no more than the limit run at a time, and all have their turn.
func TestTurnsUnderLoad(t *testing.T) {
	turns := NewTurns(8, 3)
	var all, of [5]atomic.Int64
	var running atomic.Int64
	var wg sync.WaitGroup
	for n := range 200 {
		who := n % len(of)
		wg.Go(func() {
			for try := range 20 {
				ctx, cancel := context.WithCancel(t.Context())
				if (n+try)%7 == 0 {
					cancel()
				}
				release, err := turns.Acquire(ctx, fmt.Sprint(who))
				if err == nil {
					if now, mine := running.Add(1), of[who].Add(1); now > 8 || mine > 3 {
						t.Errorf("%d events run, %d of one address; want at most 8 and 3", now, mine)
					}
					all[who].Add(1)
					of[who].Add(-1)
					running.Add(-1)
					release()
				}
				cancel()
			}
		})
	}
	wg.Wait()
	for who := range all {
		if n := all[who].Load(); n < 600 {
			t.Errorf("%d events of one address had their turn; want all that were not given up", n)
		}
	}
	if turns.running != 0 || len(turns.queues) != 0 ||
		len(turns.next) != 0 && turns.next[0].running+len(turns.next[0].waiting) != 0 {
		t.Errorf("%d run, %d queues are left; want none", turns.running, len(turns.queues))
	}
}
