package turns

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// mostWaiting is how many callers of one network may wait for room.
const mostWaiting = 256

// Room bounds how much is held together, such as memory. Of those who wait, the network that holds least goes first,
// and of its callers the one that asks for least. It is safe for concurrent use.
type Room struct {
	most, each, spare int

	mu      sync.Mutex
	held    int
	waiting int // callers of all networks
	holders map[string]*holder
	free    *holder // the last one that had nothing any more, for the next network
}

// holder is a network that holds something or waits.
type holder struct {
	network string
	held    int
	waiting []*waiter // those who ask for least first
}

// waiter is a caller that waits for room.
type waiter struct {
	n     int
	ready chan struct{} // closed when it has got it
}

// NewRoom returns room for so much. A network may hold all of it, but gets no more than each while others hold
// something or wait. It gets up to spare even if there is no room.
func NewRoom(most, each, spare int) *Room {
	return &Room{most: most, each: each, spare: spare, holders: map[string]*holder{}}
}

// Acquire waits until a network may hold n more; more than there is counts as all of it. release must be called
// afterwards, once. It returns ErrBusy if too many callers of the network wait, and ctx's error if that is done first.
func (r *Room) Acquire(ctx context.Context, network string, n int) (release func(), err error) {
	w, err := r.ask(network, n)
	if err != nil {
		return nil, err
	}
	if w != nil {
		err = r.await(ctx, network, w)
	}
	if err != nil {
		return nil, err
	}
	return func() { r.give(network, n) }, nil
}

// await waits for what ask has asked for.
func (r *Room) await(ctx context.Context, network string, w *waiter) error {
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.holders[network]
	if i := slices.Index(h.waiting, w); i >= 0 {
		h.waiting = slices.Delete(h.waiting, i, i+1)
		r.waiting--
	} else { // it has got it in the meantime
		r.hold(h, -w.n)
	}
	r.serve(h)
	return ctx.Err()
}

// ask takes room, or returns the waiter that waits for it.
func (r *Room) ask(network string, n int) (*waiter, error) {
	n = r.counted(n)
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.holders[network]
	if h == nil {
		if h = r.free; h == nil {
			h = &holder{}
		}
		h.network, r.free = network, nil
		r.holders[network] = h
	}
	if h.held+n <= r.spare || r.waiting == 0 && r.held+n <= r.most && !r.isFull(h, n) {
		r.hold(h, n)
		return nil, nil
	}
	if len(h.waiting) >= mostWaiting {
		return nil, ErrBusy
	}
	w := &waiter{n, make(chan struct{})}
	at, _ := slices.BinarySearchFunc(h.waiting, n+1, func(w *waiter, n int) int { return cmp.Compare(w.n, n) })
	h.waiting = slices.Insert(h.waiting, at, w)
	r.waiting++
	r.serve(h)
	select {
	case <-w.ready:
		return nil, nil
	default:
		return w, nil
	}
}

// counted returns how much n counts for: at least one, so that a network holds something while a caller of it does.
func (r *Room) counted(n int) int { return max(1, min(n, r.most)) }

// give returns what was taken.
func (r *Room) give(network string, n int) {
	n = r.counted(n)
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.holders[network]
	r.hold(h, -n)
	r.serve(h)
}

// Held returns how much is held, and how much could be.
func (r *Room) Held() (held, most int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held, r.most
}

func (r *Room) hold(h *holder, n int) {
	h.held += n
	r.held += n
}

// serve forgets a holder that has nothing any more, and lets in those who wait and have room. The caller holds mu.
func (r *Room) serve(h *holder) {
	if h.held == 0 && len(h.waiting) == 0 {
		delete(r.holders, h.network)
		r.free = h
	}
	for r.waiting > 0 {
		first := r.first()
		if first == nil {
			return
		}
		w := first.waiting[0]
		first.waiting = first.waiting[1:]
		r.waiting--
		r.hold(first, w.n)
		close(w.ready)
	}
}

// first returns the holder whose first waiter is to be let in, or nil: one that gets what is spare, or the one that holds
// least. Nobody else passes that one, unless it holds all that it gets.
func (r *Room) first() *holder {
	var first *holder
	for _, h := range r.holders {
		switch {
		case len(h.waiting) == 0:
		case h.held+h.waiting[0].n <= r.spare:
			return h
		case !r.isFull(h, h.waiting[0].n) && (first == nil || h.precedes(first)):
			first = h
		}
	}
	if first == nil || r.held+first.waiting[0].n > r.most {
		return nil
	}
	return first
}

// isFull reports whether a network holds too much to hold n more, because others hold something or wait.
func (r *Room) isFull(h *holder, n int) bool {
	return len(r.holders) > 1 && h.held > 0 && h.held+n > max(r.each, r.spare)
}

// precedes reports whether h is served before other. Both wait.
func (h *holder) precedes(other *holder) bool {
	return cmp.Or(cmp.Compare(h.held, other.held), cmp.Compare(h.waiting[0].n, other.waiting[0].n)) < 0
}
