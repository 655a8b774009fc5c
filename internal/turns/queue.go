package turns

import (
	"slices"
	"time"
)

// This file has the queue of turns. The caller of each function holds Turns.mu.

// starts reports whether a turn can start at once.
func (t *Turns) starts(turn *Turn) bool {
	return len(t.running) < t.Processors && len(t.urgent) == 0 && len(t.all.next) == 0 &&
		turn.payer.network().late < t.Processors
}

// start gives a processor to a turn.
func (t *Turns) start(turn *Turn, now time.Time) {
	turn.state, turn.charged, turn.granted, turn.started = runs, now, now, true
	t.running = append(t.running, turn)
	turn.payer.serve()
	t.forget()
}

// stop takes a turn off its processor or out of the queue.
func (t *Turns) stop(turn *Turn, now time.Time) {
	t.settle(turn, now)
	s := turn.payer
	switch turn.state {
	case waits:
		t.dequeue(turn)
	case runs:
		t.running = without(t.running, turn)
		s.rest(false)
	case late:
		s.rest(true)
		s.list(t.Processors)
	}
	turn.state = idle
}

// settle charges a running turn's payer for the time since the last time.
func (t *Turns) settle(turn *Turn, now time.Time) {
	if turn.state == runs || turn.state == late {
		turn.payer.charge(max(0, now.Sub(turn.charged)))
		turn.charged = now
	}
}

// enqueue has a turn wait for a processor.
func (t *Turns) enqueue(turn *Turn) {
	s := turn.payer
	s.wake()
	switch {
	case turn.kept > 0:
		t.urgent = append(t.urgent, turn)
	case turn.started:
		s.resumed = append(s.resumed, turn)
	default:
		s.begun = append(s.begun, turn)
	}
	turn.state = waits
	s.list(t.Processors)
	if t.queued.Add(1) == 1 {
		t.watch.Reset(overrun)
	}
}

// dequeue removes a turn that waits.
func (t *Turns) dequeue(turn *Turn) {
	t.queued.Add(-1)
	s := turn.payer
	switch {
	case slices.Contains(t.urgent, turn):
		t.urgent = without(t.urgent, turn)
	case turn.started:
		s.resumed = without(s.resumed, turn)
	default:
		s.begun = without(s.begun, turn)
	}
	s.list(t.Processors)
}

// without removes a turn from a list.
func without(list []*Turn, turn *Turn) []*Turn {
	if i := slices.Index(list, turn); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// next starts turns while there are processors.
func (t *Turns) next(now time.Time) {
	for len(t.running) < t.Processors {
		turn := t.first()
		if turn == nil {
			return
		}
		t.dequeue(turn)
		t.start(turn, now)
		turn.ready <- struct{}{}
	}
}

// first returns the turn that is to start next, or nil.
func (t *Turns) first() *Turn {
	if len(t.urgent) > 0 {
		return t.urgent[0]
	}
	s := &t.all
	for len(s.next) > 0 {
		s = s.next[0]
	}
	switch {
	case len(s.resumed) > 0: // what was begun ends before more begins
		return s.resumed[0]
	case len(s.begun) > 0:
		return s.begun[0]
	}
	return nil
}

// yields reports whether a running turn is to give its processor to the first that waits: one that others wait for, or
// one of a payer who has used less.
func (t *Turns) yields(turn *Turn) bool {
	first := t.first()
	switch {
	case first == nil:
		return false
	case first.kept > 0:
		return true
	}
	mine, theirs := turn.payer.outer(), first.payer.outer()
	for i := range min(len(mine), len(theirs)) {
		if mine[i] != theirs[i] {
			return theirs[i].used < mine[i].used
		}
	}
	return false
}

// look gives away the processors of turns that have not offered them in time.
func (t *Turns) look() {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.Now()
	for _, turn := range slices.Clone(t.running) {
		if now.Sub(turn.granted) < overrun {
			continue
		}
		if t.settle(turn, now); t.yields(turn) {
			t.running = without(t.running, turn)
			turn.state = late
			turn.payer.lose()
			turn.payer.list(t.Processors)
			t.overran++
		}
	}
	t.next(now)
	if t.queued.Load() > 0 {
		t.watch.Reset(overrun / 2)
	}
}
