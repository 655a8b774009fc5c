package loader

import (
	"slices"

	"agora/internal/store"
	"agora/internal/store/engine"
)

// ReadBack is for engine.ReadBack: it drops everything that was read, and reads objects in the round trip in which a
// write ends, so that the answer to a mutation needs none of its own. ask queues few objects with their fields.
func (l *Loaders) ReadBack(r *engine.Read, ask func()) (end func(sent bool)) {
	l.forget()
	ask()
	lv := l.collect()
	slices.SortFunc(lv.joined, func(a, b reads) int { return a.order - b.order })
	lv.queue(store.ReadOn(r))
	return func(sent bool) {
		if sent {
			lv.take()
		}
		lv.finish(sent)
		l.fresh = sent
	}
}

// Forget drops everything that was read before the latest write, so that it is read again. A mutation may call it
// repeatedly: what was read after the first call stays.
func (l *Loaders) Forget() {
	if !l.fresh {
		l.forget()
		l.fresh = true
	}
}

// EndMutation calls Forget, for this mutation and not for the next.
func (l *Loaders) EndMutation() {
	l.Forget()
	l.fresh = false
}
