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

// errBusy tells that too many requests wait already.
var errBusy = errors.New("too many large requests at once")

// Budget bounds how many values all requests that run at one time may ask for
// together: each takes about a kilobyte of memory until the answer is written.
// Of those that wait the smallest goes first, so that pages are served while
// somebody asks for all there is. It is safe for concurrent use.
type Budget struct {
	mu      sync.Mutex
	free    int
	most    int
	waiting waiters
}

// NewBudget makes a budget that has room for one request at the limit and, beside
// it, for others a quarter as large.
func NewBudget(l Limits) *Budget {
	n := l.Values + l.Values/4
	return &Budget{free: n, most: n}
}

// Acquire waits until there is room for that many values, and takes it; what it
// took is to be released. Small requests take nothing. It returns errBusy, or
// ctx's error when that is done first.
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

// giveUp takes a waiter out of the queue, or gives back what it was just given.
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

// Release gives back what Acquire took.
func (b *Budget) Release(taken int) {
	if taken == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += taken
	b.wake()
}

// Room is how many values are free, and how many there are.
func (b *Budget) Available() (free, most int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.free, b.most
}

// wake lets those go for whom there is room now.
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
	ready  chan struct{} // closed when it may go
	place  int           // in the heap, -1 once it is out of it
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
