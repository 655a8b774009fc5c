package limit

import (
	"context"
	"time"

	"agora/internal/turns"
)

// smallHeld is how many bytes an answer may hold while another answer of its address is being produced that holds more.
// Those with more wait for each other: each would keep the others from what they still need.
const smallHeld = 256 << 10

// Await makes an answer that is being produced hold so many bytes. While there is no room, it waits, without a turn, until
// ctx is done. It reports whether there is room: answers that hold little give way when all would wait for each other.
func (h *Holding) Await(ctx context.Context, bytes int) bool {
	if h == nil {
		return true
	}
	for {
		ok, freed := h.try(bytes)
		if freed == nil {
			return ok
		}
		turns.From(ctx).Aside(ctx, func() {
			select {
			case <-freed:
			case <-time.After(grace / 10): // a reader may have become slow
			case <-ctx.Done():
			}
		})
		if ctx.Err() != nil {
			h.l.mu.Lock()
			defer h.l.mu.Unlock()
			h.waiting = false
			return false
		}
	}
}

// try makes the answer hold so many bytes if there is room. If others may make room, it returns a channel that is closed
// when they do.
func (h *Holding) try(bytes int) (ok bool, freed <-chan struct{}) {
	l := h.l
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.addresses[h.address]
	h.waiting = false
	switch {
	case h.ended || h.refused:
		return false, nil
	case bytes > smallHeld && a.large != nil && a.large != h:
		return false, h.wait()
	}
	for !l.reclaim(h, bytes-h.bytes) {
		scope := []*account{a}
		if a.bytes+bytes-h.bytes <= l.mostAddress {
			scope = l.all()
		}
		least, moves := h.least(scope)
		switch {
		case moves:
			return false, h.wait()
		case least == h:
			return false, nil
		}
		least.refused = true
		least.set(0)
	}
	if h.set(bytes); bytes > smallHeld {
		a.large = h
	}
	return true, nil
}

// least returns the answer that holds least of those that hold something, and whether one of the others does not wait.
func (h *Holding) least(scope []*account) (least *Holding, moves bool) {
	least = h
	for _, a := range scope {
		for other := range a.holdings {
			switch {
			case other == h || other.bytes == 0:
			case !other.waiting:
				return nil, true
			case other.bytes < least.bytes:
				least = other
			}
		}
	}
	return least, false
}

func (l *Ledger) all() (all []*account) {
	for _, a := range l.addresses {
		all = append(all, a)
	}
	return all
}

// wait marks the answer as waiting.
func (h *Holding) wait() <-chan struct{} {
	h.waiting = true
	if h.l.freed == nil {
		h.l.freed = make(chan struct{})
	}
	return h.l.freed
}

// wake lets those that wait try again. The caller holds mu.
func (l *Ledger) wake() {
	if l.freed != nil {
		close(l.freed)
		l.freed = nil
	}
}

// produced records that the answer needs no more. The caller holds mu.
func (h *Holding) produced(a *account) {
	if a.large == h {
		a.large = nil
		h.l.wake()
	}
}
