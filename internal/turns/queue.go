package turns

import (
	"slices"
	"time"
)

// This file has the queue of turns. The caller of each function holds Turns.mu.

// starts reports whether a turn can start at once.
func (t *Turns) starts(turn *Turn) bool {
	return len(t.running) < t.Processors && t.all.first(0) == nil &&
		(len(t.running) == 0 || turn.payer.network().late < t.Processors)
}

// start gives a processor to a turn.
func (t *Turns) start(turn *Turn, now time.Time) {
	turn.state, turn.charged, turn.granted, turn.started = runs, now, now, true
	t.running = append(t.running, turn)
	turn.payer.serve()
	t.forget(now)
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
		s.requeue(t.Processors)
	}
	turn.state = idle
}

// move makes another share pay for a turn.
func (t *Turns) move(turn *Turn, to *share) {
	now, from, state := time.Now(), turn.payer, turn.state
	if to == from || state == late {
		return
	}
	t.stop(turn, now)
	turn.payer = to
	to.enter()
	switch state {
	case runs:
		t.start(turn, now)
	case waits:
		t.enqueue(turn)
	}
	t.leave(from, now)
}

// settle charges a running turn's payer for the time since the last time.
func (t *Turns) settle(turn *Turn, now time.Time) {
	if turn.state == runs || turn.state == late {
		used := max(0, now.Sub(turn.charged))
		turn.payer.charge(t.units(used, now))
		turn.used, turn.charged = turn.used+used, now
	}
}

// enqueue has a turn wait for a processor.
func (t *Turns) enqueue(turn *Turn) {
	s := turn.payer
	if turn.started {
		s.resumed = append(s.resumed, turn)
	} else {
		s.begun = append(s.begun, turn)
	}
	turn.state = waits
	s.count(turn, 1)
	s.requeue(t.Processors)
	t.queued.Add(1)
	if !t.watched {
		t.watched = true
		t.watch.Reset(overrun)
	}
}

// dequeue removes a turn that waits.
func (t *Turns) dequeue(turn *Turn) {
	t.queued.Add(-1)
	s := turn.payer
	if turn.started {
		s.resumed = without(s.resumed, turn)
	} else {
		s.begun = without(s.begun, turn)
	}
	s.count(turn, -1)
	s.requeue(t.Processors)
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
		turn := t.first(now)
		if turn == nil {
			return
		}
		t.dequeue(turn)
		t.start(turn, now)
		turn.ready <- struct{}{}
	}
}

// first returns the turn that is to start next, or nil.
func (t *Turns) first(now time.Time) *Turn {
	s, credit := &t.all, t.units(briefCredit, now)
	if s.first(credit) == nil && len(t.running) == 0 && t.queued.Load() > 0 {
		s = t.held()
	}
	for in := s.first(credit); in != nil; in = s.first(credit) {
		s = in
	}
	switch {
	case len(s.resumed) > 0: // what was begun ends before more begins
		return s.resumed[0]
	case len(s.begun) > 0:
		return s.begun[0]
	}
	return nil
}

// held returns a network that has no turn because too many of its turns run without a processor. If nobody else waits
// it gets one: they may wait for it.
func (t *Turns) held() *share {
	for _, s := range t.all.in {
		if s.queue == nil && s.waits() {
			return s
		}
	}
	return &t.all
}

// yields reports whether a running turn is to give its processor to the first that waits: that of a payer who has used
// less.
func (t *Turns) yields(turn *Turn, now time.Time) bool {
	first := t.first(now)
	if first == nil {
		return false
	}
	waits, runs := apart(first.payer, turn.payer)
	if waits == nil {
		return false
	}
	excess := runs.used - waits.used
	if waits.long == 0 {
		excess += t.units(briefCredit, now)
	}
	if turn.isBrief() {
		excess -= t.units(briefCredit, now)
	}
	return excess > 0
}

// look gives away the processors of turns that have not offered them in time.
func (t *Turns) look() {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	for _, turn := range slices.Clone(t.running) {
		held := now.Sub(turn.granted)
		if held < overrun {
			continue
		}
		waited := t.queued.Load() > 0 && (held >= stuck && turn.payer.network().late < t.Processors || held >= surelyStuck)
		if t.settle(turn, now); waited || t.all.late < t.Processors && t.yields(turn, now) {
			t.running = without(t.running, turn)
			turn.state = late
			turn.payer.lose()
			turn.payer.requeue(t.Processors)
			t.overran++
		}
	}
	t.next(now)
	t.watched = t.queued.Load() > 0
	switch {
	case t.watched:
		t.noteWait(now)
		t.watch.Reset(overrun / 2)
	case t.waited.IsZero():
	case now.Sub(t.waited) < calm:
		t.watch.Reset(calm)
	default:
		t.noteWait(time.Time{})
	}
}

// noteWait records when a turn waited last, or, with zero, that none has for a while.
func (t *Turns) noteWait(waited time.Time) {
	if t.Waiting != nil && waited.IsZero() != t.waited.IsZero() {
		t.Waiting(!waited.IsZero())
	}
	t.waited = waited
}
