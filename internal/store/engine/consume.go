package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

const (
	// consumerLife is how long a consumer is kept that no process serves, in ms: longer than an upgrade in which some
	// processes know it and others do not.
	consumerLife = 3_600_000
	// seenEvery is how often a process notes that it serves a consumer, in ms.
	seenEvery = consumerLife / 4
)

// ConsumerState is how far a consumer is, as this process has last seen it.
type ConsumerState struct {
	Name string
	// Lag is the number of changes that it has not handled, at most: those that have become one are counted, as are those
	// of objects of other kinds.
	Lag int64
	// Oldest is how long this process has seen the oldest of them wait.
	Oldest time.Duration
	// Aside is the number of objects that are set aside.
	Aside int64
	// Failures counts the calls that failed in this process.
	Failures int64
}

// mark is the number of the last change in a slot at some time, and that time.
type mark struct {
	seq int64
	at  forum.Time
}

// behind returns since when a consumer is behind in a slot, given how far it is and the last number; now if it is not.
func (c *consumer) behind(slot string, position, seq int64, now forum.Time) forum.Time {
	m, known := c.marks[slot]
	if !known || position >= m.seq {
		m = mark{seq, now}
	}
	c.marks[slot] = m
	if position >= seq {
		return now
	}
	return m.at
}

// ConsumerStates returns how far the consumers are that this process serves. It costs no round trip.
func (s *Engine) ConsumerStates() []ConsumerState {
	all := make([]ConsumerState, len(s.consumers))
	for i, c := range s.consumers {
		c.mu.Lock()
		all[i] = c.state
		c.mu.Unlock()
		all[i].Name, all[i].Failures = c.name, c.failures.Load()
	}
	return all
}

// HasConsumers reports whether this process serves any consumer.
func (s *Engine) HasConsumers() bool { return len(s.consumers) > 0 }

// Consume looks for changes that consumers have not handled, and begins a turn of each that has any, unless one is under
// way; WaitForConsumers waits for these. One goroutine calls both. It notes who is served, and removes who was not for long. It takes a round trip,
// and rarely two.
func (s *Engine) Consume(ctx context.Context) error {
	b := s.Client.Batch()
	slots := make([]*redis.MapStringStringCmd, len(key.FeedSlots))
	for i, slot := range key.FeedSlots {
		slots[i] = b.HGetAll(ctx, key.Consumers(slot))
	}
	err := b.Exec(ctx)
	v := survey{now: s.Now(), states: map[*consumer]ConsumerState{}, pending: map[*consumer][]string{}}
	b = s.Client.Batch()
	for i, slot := range key.FeedSlots {
		if slots[i].Err() != nil { // in a cluster, others may answer
			continue
		}
		if served, stale := s.survey(&v, slot, slots[i].Val()); stale {
			b.Run(ctx, script.ConsumerJoin{Consumers: key.Consumers(slot), Feed: key.Feed(slot), Now: v.now,
				Since: v.now - consumerLife, Served: served})
		}
	}
	if b.Len() > 0 {
		err = errors.Join(err, b.Exec(ctx))
	}
	for _, c := range s.consumers {
		c.mu.Lock()
		c.state = v.states[c]
		c.mu.Unlock()
		if slots := v.pending[c]; len(slots) > 0 && c.busy.CompareAndSwap(false, true) {
			s.consuming.Go(func() { // ends with ctx, or when there is nothing to do
				defer c.busy.Store(false)
				s.serveSlots(ctx, c, slots)
			})
		}
	}
	if err != nil {
		return fmt.Errorf("look for changes: %w", err)
	}
	return nil
}

// WaitForConsumers waits for the turns that Consume has begun.
func (s *Engine) WaitForConsumers() { s.consuming.Wait() }

// survey is what Consume has found: how far the consumers are, and the slots in which they have something to do.
type survey struct {
	now     forum.Time
	states  map[*consumer]ConsumerState
	pending map[*consumer][]string
}

// survey adds a slot, given who follows it. It returns who should, and whether that must be noted: somebody is not there,
// was not noted to be served for a while, or has left.
func (s *Engine) survey(v *survey, slot string, f record.Fields) (served []string, stale bool) {
	seq, others := record.Atoi(f["seq"]), len(f)
	for _, c := range s.consumers {
		name := c.in(slot)
		if name == "" {
			continue
		}
		served = append(served, name)
		is, ok := catalogue.ConsumerRow.Parse(f[name])
		stale = stale || !ok || forum.Time(is.Int("seen"))+seenEvery < v.now
		if !ok {
			continue
		}
		position, retry := is.Int("position"), forum.Time(is.Int("retry"))
		work := position < seq || is.Int("walk") > 0 || retry > 0 && retry <= v.now
		if work && forum.Time(is.Int("lease")) <= v.now {
			v.pending[c] = append(v.pending[c], slot)
		}
		st := v.states[c]
		st.Lag, st.Aside = st.Lag+max(seq-position, 0), st.Aside+is.Int("aside")
		st.Oldest = max(st.Oldest, time.Duration(v.now-c.behind(slot, position, seq, v.now))*time.Millisecond)
		v.states[c] = st
	}
	for name, text := range f {
		if strings.Contains(name, ":") {
			others = 0
			is, ok := catalogue.ConsumerRow.Parse(text)
			stale = stale || !ok || forum.Time(is.Int("seen"))+consumerLife < v.now
		}
	}
	return served, stale || others > 0
}
