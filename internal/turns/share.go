package turns

import (
	"container/heap"
	"math"
	"slices"
	"time"
)

// share is what a network or a user has used of the processors. The shares of a network's narrower networks, and of
// its users, are inside it; that of everybody is outside of all. Turns.mu guards it.
type share struct {
	name string
	up   *share // nil for that of everybody
	in   map[string]*share

	// used is the time used, of which half is forgotten every halfLife: the unit grows at that rate instead, see Turns.units.
	used float64
	// next and brief are those in it that wait, the least used first: brief those of which only brief turns wait.
	next, brief shares
	queue       *shares // that of up in which it is; nil if nothing of it waits
	place       int     // in queue
	long        int     // turns in it that wait and are not brief

	open   int // turns in it that have not ended
	active int // of these, turns that run, with or without a processor
	late   int // of these, turns that run without a processor
	// resumed and begun are the turns of a user that wait: to run on, and to begin.
	resumed, begun []*Turn
	kept           bool // in Turns.ended
}

// userPrefix keeps the names of users apart from those of networks.
const userPrefix = "user "

// shareOf returns the share of a payer.
func (t *Turns) shareOf(who Payer) *share {
	s := &t.all
	for _, network := range who.Networks {
		s = s.inside(network)
	}
	return s.inside(userPrefix + who.User)
}

// inside returns the share in s with a name.
func (s *share) inside(name string) *share {
	in := s.in[name]
	if in == nil {
		in = &share{name: name, up: s}
		if s.in == nil {
			s.in = map[string]*share{}
		}
		s.in[name] = in
	}
	return in
}

// network returns the share of the widest network.
func (s *share) network() *share {
	for s.up.up != nil {
		s = s.up
	}
	return s
}

// outer returns the shares outside of s and itself, the widest network first.
func (s *share) outer() []*share {
	var all [8]*share
	i := len(all)
	for ; s.up != nil; s = s.up {
		i--
		all[i] = s
	}
	return all[i:]
}

// apart returns the outermost shares of two users that differ; nil if they are the same.
func apart(one, other *share) (outer, otherOuter *share) {
	a, b := one.outer(), other.outer()
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i], b[i]
		}
	}
	return nil, nil
}

// enter counts a turn that has not ended.
func (s *share) enter() {
	for ; s.up != nil; s = s.up {
		s.open++
	}
}

// count adds n times a turn to those that wait.
func (s *share) count(turn *Turn, n int) {
	if turn.isBrief() {
		return
	}
	for ; s.up != nil; s = s.up {
		s.long += n
	}
}

// charge adds what a turn has used.
func (s *share) charge(used float64) {
	for ; s.up != nil; s = s.up {
		s.used += used
		if s.queue != nil {
			heap.Fix(s.queue, s.place)
		}
	}
}

// serve records that a turn of the share starts.
func (s *share) serve() {
	for ; s != nil; s = s.up {
		s.active++
	}
}

// rest records that a turn no longer runs; late, that it had lost its processor.
func (s *share) rest(late bool) {
	for ; s != nil; s = s.up {
		s.active--
		if late {
			s.late--
		}
	}
}

// lose records that a turn has lost its processor.
func (s *share) lose() {
	for ; s != nil; s = s.up {
		s.late++
	}
}

// waits reports whether anything in the share waits.
func (s *share) waits() bool { return len(s.resumed)+len(s.begun)+len(s.next)+len(s.brief) > 0 }

// requeue puts the shares of which something waits into next or brief of up, and takes the others out of both. A network of which as many turns run without a processor as there are processors has no turn meanwhile.
func (s *share) requeue(processors int) {
	for ; s.up != nil; s = s.up {
		var list *shares
		switch {
		case !s.waits() || s.up.up == nil && s.late >= processors:
		case s.long == 0:
			list = &s.up.brief
		default:
			list = &s.up.next
		}
		if list == s.queue {
			continue
		}
		if s.queue != nil {
			heap.Remove(s.queue, s.place)
		}
		if s.queue = list; list != nil {
			heap.Push(list, s)
		}
	}
}

// first returns the share in s that is to be served first, or nil. Those of which only brief turns wait count as having
// used so much less.
func (s *share) first(credit float64) *share {
	switch {
	case len(s.brief) == 0 && len(s.next) == 0:
		return nil
	case len(s.next) == 0 || len(s.brief) > 0 && s.brief[0].used-credit <= s.next[0].used:
		return s.brief[0]
	}
	return s.next[0]
}

const (
	// mostEnded is how many shares without turns are remembered.
	mostEnded = 4096
	// forgotten is how much of what a share has used is as good as nothing.
	forgotten = time.Millisecond
)

// leave counts a turn that has ended. A share without turns is remembered for what it has used.
func (t *Turns) leave(s *share, now time.Time) {
	for ; s.up != nil; s = s.up {
		if s.open--; s.open > 0 {
			continue
		}
		if s.used <= t.units(forgotten, now) || len(t.ended) >= mostEnded {
			delete(s.up.in, s.name)
		} else if !s.kept {
			s.kept = true
			t.ended = append(t.ended, s)
		}
	}
}

// forget removes the shares that have ended and of whose use little is left, the oldest first.
func (t *Turns) forget(now time.Time) {
	n := 0
	for _, s := range t.ended {
		if s.open == 0 && s.used > t.units(forgotten, now) {
			break
		}
		n++
		if s.kept = false; s.open == 0 && s.up.in[s.name] == s {
			delete(s.up.in, s.name)
		}
	}
	t.ended = slices.Delete(t.ended, 0, n)
}

// units returns a time in the unit in which shares count what is used now: it doubles every halfLife, so that what was
// used before counts less and less, and the order of shares changes only when one is charged.
func (t *Turns) units(d time.Duration, now time.Time) float64 {
	age := float64(now.Sub(t.since)) / float64(halfLife)
	if age > longest {
		t.all.scale(math.Exp2(-age))
		t.since, age = now, 0
	}
	return float64(d) * math.Exp2(age)
}

// longest is for how many half-lives the unit doubles before all shares are counted in the first unit again.
const longest = 500

// scale changes the unit of all shares in s.
func (s *share) scale(by float64) {
	for _, in := range s.in {
		in.used *= by
		in.scale(by)
	}
}

// shares is a heap, the share that has used least first; of equal ones, that with fewer running turns.
type shares []*share

// Len implements sort.Interface.
func (h shares) Len() int { return len(h) }

// Less implements sort.Interface.
func (h shares) Less(i, k int) bool {
	if h[i].used != h[k].used {
		return h[i].used < h[k].used
	}
	return h[i].active < h[k].active
}

// Swap implements sort.Interface.
func (h shares) Swap(i, k int) {
	h[i], h[k] = h[k], h[i]
	h[i].place, h[k].place = i, k
}

// Push implements heap.Interface.
func (h *shares) Push(x any) {
	x.(*share).place = len(*h)
	*h = append(*h, x.(*share))
}

// Pop implements heap.Interface.
func (h *shares) Pop() any {
	last := (*h)[len(*h)-1]
	(*h)[len(*h)-1] = nil
	*h = (*h)[:len(*h)-1]
	return last
}
