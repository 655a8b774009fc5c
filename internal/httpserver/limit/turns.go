package limit

import (
	"context"
	"slices"
	"sync"
)

// Turns bounds how many events are executed at a time, in total and per address. Addresses with waiting events take
// turns, so that the events of one do not delay those of another. It is safe for concurrent use.
type Turns struct {
	most, each int

	mu      sync.Mutex
	running int
	queues  map[string]*queue // of addresses with running or waiting events
	next    []*queue          // may start an event, in the order of their turns
}

// queue holds the events of one address.
type queue struct {
	running int
	waiting []chan struct{} // closed when its event may be executed
	listed  bool            // in turns.next
}

// NewTurns returns turns for at most most events at a time, and each of one address.
func NewTurns(most, each int) *Turns {
	return &Turns{most: most, each: min(each, most), queues: map[string]*queue{}}
}

// Load returns how many events of an address run or wait.
func (t *Turns) Load(address string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if q := t.queues[address]; q != nil {
		return q.running + len(q.waiting)
	}
	return 0
}

// Acquire waits until an event of an address may be executed; release must be called afterwards. It returns ctx's
// error, and nil, if ctx is done first.
func (t *Turns) Acquire(ctx context.Context, address string) (release func(), err error) {
	t.mu.Lock()
	q := t.queues[address]
	if q == nil {
		q = &queue{}
		t.queues[address] = q
	}
	ready := make(chan struct{})
	q.waiting = append(q.waiting, ready)
	t.list(q)
	t.start()
	t.mu.Unlock()
	release = func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.end(address, q)
	}
	select {
	case <-ready:
		return release, nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := slices.Index(q.waiting, ready); at >= 0 {
		q.waiting = slices.Delete(q.waiting, at, at+1)
		t.forget(address, q)
	} else { // it was started in the meantime
		t.end(address, q)
	}
	return nil, ctx.Err()
}

// list queues an address for a turn if it may have one. The caller holds mu, here and below.
func (t *Turns) list(q *queue) {
	if !q.listed && len(q.waiting) > 0 && q.running < t.each {
		q.listed = true
		t.next = append(t.next, q)
	}
}

// start starts events while there is room.
func (t *Turns) start() {
	for t.running < t.most && len(t.next) > 0 {
		q := t.next[0]
		t.next[0] = nil
		t.next = t.next[1:]
		q.listed = false
		if len(q.waiting) == 0 {
			continue // they were abandoned
		}
		close(q.waiting[0])
		q.waiting = q.waiting[1:]
		q.running++
		t.running++
		t.list(q)
	}
}

// end records that an event was executed.
func (t *Turns) end(address string, q *queue) {
	q.running--
	t.running--
	t.list(q)
	t.start()
	t.forget(address, q)
}

// forget removes the queue of an address without running or waiting events.
func (t *Turns) forget(address string, q *queue) {
	if q.running == 0 && len(q.waiting) == 0 && t.queues[address] == q {
		delete(t.queues, address)
	}
}
