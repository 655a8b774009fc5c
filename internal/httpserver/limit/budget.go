package limit

import (
	"container/heap"
	"context"
	"errors"
	"sync"
)

const (
	// smallRequest is how many values a request may ask for without waiting.
	smallRequest = 2000
	// maxWaiting is how many requests may wait: each holds its document and variables.
	maxWaiting = 256
)

// errBusy reports that too many requests are waiting.
var errBusy = errors.New("too many large requests")

// Budget bounds how many values all running requests may ask for together: each takes about a kilobyte of memory
// until the answer is written. The smallest waiting request goes first, so that pages are served while another caller
// asks for everything. It is safe for concurrent use.
type Budget struct {
	mu      sync.Mutex
	free    int
	most    int
	waiting waiters
}

// NewBudget returns a budget with room for one request at the limit and, in addition, for others a quarter as large.
func NewBudget(l Limits) *Budget {
	n := l.Values + l.Values/4
	return &Budget{free: n, most: n}
}

// Acquire waits until there is room for that many values, and takes it; the amount it returns must be released. Small
// requests take nothing. It returns errBusy, or ctx's error if that is done first.
func (b *Budget) Acquire(ctx context.Context, values int) (taken int, err error) {
	if values < smallRequest {
		return 0, nil
	}
	values = min(values, b.most)
	b.mu.Lock()
	if values <= b.free {
		b.free -= values
		b.mu.Unlock()
		return values, nil
	}
	if len(b.waiting) >= maxWaiting {
		b.mu.Unlock()
		return 0, errBusy
	}
	w := &waiter{values: values, ready: make(chan struct{})}
	heap.Push(&b.waiting, w)
	b.mu.Unlock()
	select {
	case <-w.ready:
		return values, nil
	case <-ctx.Done():
		b.giveUp(w)
		return 0, ctx.Err()
	}
}

// giveUp removes a waiter from the queue, or returns what it was just granted.
func (b *Budget) giveUp(w *waiter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w.place >= 0 {
		heap.Remove(&b.waiting, w.place)
		return
	}
	b.free += w.values
	b.wake()
}

// Release returns what Acquire took.
func (b *Budget) Release(taken int) {
	if taken == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += taken
	b.wake()
}

// Available returns how many values are free, and how many there are in total.
func (b *Budget) Available() (free, most int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.free, b.most
}

// wake starts the waiters that now have room.
func (b *Budget) wake() {
	for len(b.waiting) > 0 && b.waiting[0].values <= b.free {
		w := heap.Pop(&b.waiting).(*waiter)
		b.free -= w.values
		close(w.ready)
	}
}

// waiter is a request that waits for room.
type waiter struct {
	values int
	ready  chan struct{} // closed when it is granted
	place  int           // in the heap, or -1 once removed
}

// waiters is a heap, the smallest request first.
type waiters []*waiter

// Len implements sort.Interface.
func (w waiters) Len() int { return len(w) }

// Less implements sort.Interface.
func (w waiters) Less(i, k int) bool { return w[i].values < w[k].values }

// Swap implements sort.Interface.
func (w waiters) Swap(i, k int) {
	w[i], w[k] = w[k], w[i]
	w[i].place, w[k].place = i, k
}

// Push implements heap.Interface.
func (w *waiters) Push(x any) {
	x.(*waiter).place = len(*w)
	*w = append(*w, x.(*waiter))
}

// Pop implements heap.Interface.
func (w *waiters) Pop() any {
	last := (*w)[len(*w)-1]
	(*w)[len(*w)-1] = nil
	*w = (*w)[:len(*w)-1]
	last.place = -1
	return last
}
