package loader

import (
	"agora/internal/store"
	"agora/internal/store/engine"
)

// ReadBack is for engine.ReadBack: it drops everything that was read, and reads objects in the round trip in which a
// write ends, so that the answer to a mutation needs none of its own. ask queues few objects with their fields.
func (l *Loaders) ReadBack(r *engine.Read, ask func()) (done func(sent bool)) {
	l.forget()
	ask()
	asked := l.objects
	l.objects = nil
	takes := queue(store.ReadOn(r), asked)
	return func(sent bool) {
		if sent {
			for _, take := range takes {
				take()
			}
		}
		end(asked, sent)
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
