package event

import (
	"cmp"
	"context"
	"slices"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
)

// Sub is a subscription to the events of some logs, as if they were one. Only its Close is
// safe for concurrent use.
type Sub struct {
	hub        *Hub
	scope      string
	sources    []*source
	at         []store.LogPosition // where each log was read up to
	generation []int               // in which era of its source
	signals    []int64             // how many were taken of each
	wake       chan struct{}
	missed     []Event // what it is sent first, when it resumed
	resumed    bool    // it was sent something of that
}

// Event is an entry of a log, or a RESET, which tells that entries were missed that are
// not kept.
type Event struct {
	store.Entry
	// Log is the number of the log; -1 on RESET.
	Log int
	// Signal tells that a log without entries was announced; Minor counts how often.
	Signal bool
	// ID names the place after the event in all logs.
	ID string
}

// openTime is how long it may take until Redis has confirmed that events come.
const openTime = 3 * time.Second

// errUnavailable tells that events cannot be subscribed to just now.
func errUnavailable() error {
	return &forum.Error{Code: forum.CodeUnavailable, Message: "Events are unavailable at the moment. Try again."}
}

// Subscribe begins with the events of logs that come from now on, or, with after, the ID
// of an earlier event of the same scope, with those that came after it. It returns
// CURSOR_INVALID at after when that is of no event of the scope.
func (h *Hub) Subscribe(ctx context.Context, scope string, logs []store.Log, after *string) (*Sub, error) {
	var resume *position
	if after != nil {
		p, ok := parseID(scope, *after)
		if !ok {
			return nil, forum.CursorInvalid("after")
		}
		resume = &p
	}
	sub := h.attach(logs)
	sub.scope = scope
	if err := sub.open(ctx, resume); err != nil {
		sub.Close()
		return nil, err
	}
	return sub, nil
}

// attach joins a subscriber to the sources of logs.
func (h *Hub) attach(logs []store.Log) *Sub {
	n := len(logs)
	sub := &Sub{
		hub:        h,
		sources:    make([]*source, n),
		at:         make([]store.LogPosition, n),
		generation: make([]int, n),
		signals:    make([]int64, n),
		wake:       make(chan struct{}, 1),
	}
	h.mu.Lock()
	for i, l := range logs {
		s := h.sources[l]
		if s == nil {
			s = newSource(l)
			h.sources[l] = s
			c := h.channels[l.Channel]
			if c == nil {
				c = &channel{sources: map[*source]struct{}{}}
				h.channels[l.Channel] = c
			}
			c.sources[s] = struct{}{}
			if c.confirmed {
				h.dirty[s] = struct{}{}
			}
		}
		s.mu.Lock()
		s.subs[sub] = struct{}{}
		s.mu.Unlock()
		sub.sources[i] = s
	}
	h.mu.Unlock()
	signal(h.reconcile)
	signal(h.work)
	return sub
}

// Close ends the subscription. It may be called twice.
func (sub *Sub) Close() {
	h := sub.hub
	h.mu.Lock()
	for _, s := range sub.sources {
		s.mu.Lock()
		delete(s.subs, sub)
		unwanted := len(s.subs) == 0
		s.mu.Unlock()
		if !unwanted || h.sources[s.log] != s {
			continue
		}
		delete(h.sources, s.log)
		delete(h.dirty, s)
		if c := h.channels[s.log.Channel]; c != nil {
			delete(c.sources, s)
		}
	}
	h.mu.Unlock()
	signal(h.reconcile)
}

// open waits until it is known where all logs end, and sets the places to begin from.
func (sub *Sub) open(ctx context.Context, resume *position) error {
	late := time.NewTimer(openTime)
	defer late.Stop()
	for i, s := range sub.sources {
		select {
		case <-s.known:
		case <-ctx.Done():
			return ctx.Err()
		case <-late.C:
			return errUnavailable()
		}
		sub.goToEnd(i)
		sub.signals[i] = s.signal()
	}
	if resume == nil {
		return nil
	}
	at, ok := sub.positionsOf(*resume)
	if !ok { // there are other logs now
		sub.missed = []Event{sub.reset()}
		return nil
	}
	return sub.catchUp(ctx, at)
}

// goToEnd has the subscription go on from where the log ends. Signals are not skipped:
// nobody else tells what they announce.
func (sub *Sub) goToEnd(i int) {
	s := sub.sources[i]
	s.mu.Lock()
	defer s.mu.Unlock()
	sub.at[i], sub.generation[i] = s.last(), s.generation
}

// catchUp reads what was missed since some places.
func (sub *Sub) catchUp(ctx context.Context, at []store.LogPosition) error {
	parts, err := sub.readSince(ctx, at)
	if err != nil {
		return err
	}
	n := 0
	for _, p := range parts {
		n += len(p.Entries)
		if p.Lost || !p.Whole {
			n = forum.StreamLength + 1
		}
	}
	if n > forum.StreamLength {
		sub.missed = []Event{sub.reset()}
		return nil
	}
	copy(sub.at, at)
	var events []Event
	for i, p := range parts {
		for _, e := range p.Entries {
			events = append(events, Event{Entry: e, Log: i})
		}
	}
	sub.missed = sub.inOrder(events)
	return nil
}

// readSince reads the logs on from some places.
func (sub *Sub) readSince(ctx context.Context, at []store.LogPosition) ([]store.Part, error) {
	parts := make([]store.Part, len(at))
	r := sub.hub.store.Read(ctx)
	gets := make([]func() (store.Part, error), len(at))
	for i, s := range sub.sources {
		if !s.log.Signal() {
			gets[i] = r.Since(s.log, at[i], forum.StreamLength)
		}
	}
	if err := r.Exec(); err != nil {
		return nil, err
	}
	for i, get := range gets {
		if get == nil {
			parts[i] = store.Part{Whole: true}
			continue
		}
		var err error
		if parts[i], err = get(); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// reset has the subscription go on from where all logs end, and tells so.
func (sub *Sub) reset() Event {
	for i := range sub.sources {
		sub.goToEnd(i)
	}
	return Event{Entry: store.Entry{Kind: forum.EventReset}, Log: -1, ID: sub.id()}
}

// inOrder puts events of several logs into one order, by time, and gives them their IDs.
// Of those of the same millisecond in several logs nobody knows which was first.
func (sub *Sub) inOrder(events []Event) []Event {
	if len(sub.sources) > 1 {
		slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.Major, b.Major) })
	}
	for i := range events {
		e := &events[i]
		if e.Signal {
			sub.signals[e.Log] = e.Minor
		} else {
			sub.at[e.Log] = e.LogPosition
		}
		e.ID = sub.id()
	}
	return events
}

// Next waits for events: all that have come since the last call, in order. A RESET comes
// alone. It returns ctx's error when that is done first.
func (sub *Sub) Next(ctx context.Context) ([]Event, error) {
	for {
		if events := sub.missed; len(events) > 0 {
			sub.missed, sub.resumed = nil, true
			return events, nil
		}
		events, err := sub.now(ctx)
		if err == nil && len(events) > 0 {
			return events, nil
		}
		if err != nil {
			if ctx.Err() == nil {
				sub.hub.store.LogFailure(ctx, sub.hub.log, "missed events are read later", "error", err)
			}
			if err := sub.hub.store.Await(ctx); err != nil {
				return nil, err
			}
			continue
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-sub.wake:
		}
	}
}

// now are the events that have come, if any.
func (sub *Sub) now(ctx context.Context) ([]Event, error) {
	var events []Event
	behind := false
	for i, s := range sub.sources {
		if s.log.Signal() {
			if n := s.signal(); n > sub.signals[i] {
				events = append(events, Event{Entry: store.Entry{LogPosition: store.LogPosition{Minor: n}}, Log: i, Signal: true})
			}
			continue
		}
		entries, ok := s.since(sub.at[i], sub.generation[i])
		behind = behind || !ok
		for _, e := range entries {
			events = append(events, Event{Entry: e, Log: i})
		}
	}
	if !behind {
		return sub.inOrder(events), nil
	}
	return sub.fromRedis(ctx, events)
}

// fromRedis is now of a subscription that fell behind what the sources remember. The signals
// that were given are among found.
func (sub *Sub) fromRedis(ctx context.Context, found []Event) ([]Event, error) {
	generations := make([]int, len(sub.sources)) // before the logs are read
	for i, s := range sub.sources {
		s.mu.Lock()
		generations[i] = s.generation
		s.mu.Unlock()
	}
	parts, err := sub.readSince(ctx, sub.at)
	if err != nil {
		return nil, err
	}
	var events []Event
	for _, e := range found {
		if e.Signal {
			events = append(events, e)
		}
	}
	for i, p := range parts {
		if p.Lost {
			return []Event{sub.reset()}, nil
		}
		sub.generation[i] = generations[i]
		for _, e := range p.Entries {
			events = append(events, Event{Entry: e, Log: i})
		}
	}
	return sub.inOrder(events), nil
}

// given is how often a signal was given.
func (s *source) signal() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.signals
}
