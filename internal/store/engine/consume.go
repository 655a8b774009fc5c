package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
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
// way; WaitForConsumers waits for these. One goroutine calls both. It notes who is served, and removes who was not for
// long. It takes a round trip, and rarely two.
func (s *Engine) Consume(ctx context.Context) error {
	_, err := s.consume(ctx, everywhere, s.consuming.Go)
	return err
}

// begins says where consumers begin that follow nothing yet.
type begins int

const (
	nowhere begins = iota
	whereObjects
	everywhere
)

// Drain has the consumers handle all changes that there are, but for those that another process handles, and what
// is set aside. If begin is set, consumers that follow nothing yet begin where there are objects.
func (s *Engine) Drain(ctx context.Context, begin bool) error {
	begins := nowhere
	if begin {
		begins = whereObjects
	}
	for more := s.HasConsumers(); more; {
		var err error
		more, err = s.consume(ctx, begins, func(turns func()) { turns() })
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// consume is Consume, with run for the turns of each consumer. It returns whether it has found anything to do.
func (s *Engine) consume(ctx context.Context, at begins, run func(turns func())) (found bool, err error) {
	b := s.Client.Batch()
	slots := make([]*redis.MapStringStringCmd, len(key.FeedSlots))
	for i, slot := range key.FeedSlots {
		slots[i] = b.HGetAll(ctx, key.Consumers(slot))
	}
	err = b.Exec(ctx)
	v := survey{now: s.Now(), states: map[*consumer]ConsumerState{}, pending: map[*consumer][]string{}}
	stale := map[string][]string{}
	for i, slot := range key.FeedSlots {
		if slots[i].Err() != nil { // in a cluster, others may answer
			continue
		}
		if served, is := s.survey(&v, slot, slots[i].Val()); is && at != nowhere {
			stale[slot] = served
		}
	}
	if len(stale) > 0 {
		var failed error
		found, failed = s.join(ctx, stale, v.now, at == everywhere)
		err = errors.Join(err, failed)
	}
	for _, c := range s.consumers {
		c.mu.Lock()
		c.state = v.states[c]
		c.mu.Unlock()
		slots := v.pending[c]
		found = found || len(slots) > 0
		if len(slots) > 0 && c.busy.CompareAndSwap(false, true) {
			run(func() { // ends with ctx, or when there is nothing to do
				defer c.busy.Store(false)
				s.serveSlots(ctx, c, slots)
			})
		}
	}
	if err != nil {
		return found, fmt.Errorf("look for changes: %w", err)
	}
	return found, nil
}

// join has the consumers that are served in some slots follow the changes there, or notes that they are served. It
// leaves out slots without objects unless all is set: a walk finds them once there are some. found reports whether
// there are others.
func (s *Engine) join(ctx context.Context, served map[string][]string, now forum.Time, all bool) (found bool,
	err error) {
	b := s.Client.Batch()
	reserved := b.HGet(ctx, key.Layout, "reserved")
	last := map[string][]*redis.StringCmd{}
	for slot := range served {
		for _, k := range sequencesIn(slot) {
			last[slot] = append(last[slot], b.Get(ctx, k))
		}
	}
	if err := pipeline.UnlessNil(b.Exec(ctx)); err != nil {
		return false, err
	}
	b = s.Client.Batch()
	for i, slot := range key.FeedSlots {
		unused := "0"
		if i < forum.Partitions {
			unused = connection.LastUpTo(record.Atoi(reserved.Val()), i)
		}
		used := slices.ContainsFunc(last[slot], func(n *redis.StringCmd) bool { return n.Val() != "" && n.Val() != unused })
		if _, is := served[slot]; is && (all || used) {
			b.Run(ctx, script.ConsumerJoin{Consumers: key.Consumers(slot), Feed: key.Feed(slot), Now: now,
				Since: now - consumerLife, Served: served[slot], Sequences: sequencesIn(slot), Unused: unused})
		}
	}
	return b.Len() > 0, b.Exec(ctx)
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
