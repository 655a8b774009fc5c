package event

import (
	"cmp"
	"context"
	"slices"
	"time"

	"agora/internal/forum"
	"agora/internal/store/listing"
	"agora/internal/turns"
)

// Sub is a subscription to the events of several logs, merged. Only Close is safe for concurrent
// use.
type Sub struct {
	hub        *Hub
	stream     Stream
	sources    []*source
	at         []listing.LogPosition // how far each log was read
	generation []int                 // the generation of its source
	signals    []int64               // how many of each were consumed
	wake       chan struct{}
	missed     []Event // sent first, after resuming
	resumed    bool    // some of missed was sent
}

// Event is an entry of a log, or a RESET, which means that missed entries are no longer stored.
type Event struct {
	listing.Entry
	// Log is the index of the log; -1 for a RESET.
	Log int
	// Signal reports that a log without entries was announced; Minor counts how often.
	Signal bool
	// ID is the position after the event in all logs.
	ID string
}

// openTime is how long to wait until Redis confirms the subscription.
const openTime = 3 * time.Second

// errUnavailable returns an UNAVAILABLE error: events cannot be subscribed to now.
func errUnavailable() error {
	return &forum.Error{Code: forum.CodeUnavailable, Message: "Events are unavailable at the moment. Try again."}
}

// Subscribe subscribes to new events of a stream or, if after is the ID of an earlier one of them, to
// those since that event. It returns CURSOR_INVALID at after if that is not an ID of the scope, and
// UNAVAILABLE if Redis does not answer in openTime.
func (h *Hub) Subscribe(ctx context.Context, stream Stream, after *string) (*Sub, error) {
	var resume *position
	if after != nil {
		p, ok := parseID(stream.Scope, *after)
		if !ok {
			return nil, forum.CursorInvalid("after")
		}
		resume = &p
	}
	sub := h.attach(stream)
	if err := sub.open(ctx, resume); err != nil {
		sub.Close()
		return nil, err
	}
	return sub, nil
}

// attach adds a subscriber to the sources of a stream.
func (h *Hub) attach(stream Stream) *Sub {
	n := len(stream.Logs)
	sub := &Sub{
		hub:        h,
		stream:     stream,
		sources:    make([]*source, n),
		at:         make([]listing.LogPosition, n),
		generation: make([]int, n),
		signals:    make([]int64, n),
		wake:       make(chan struct{}, 1),
	}
	h.mu.Lock()
	for i, l := range stream.Logs {
		s := h.sources[l]
		if s == nil {
			s = newSource(l)
			h.sources[l] = s
			c := h.channels[l.Channel]
			if c == nil {
				c = &channel{sources: map[string]map[*source]struct{}{}}
				h.channels[l.Channel] = c
			}
			if c.sources[l.Object] == nil {
				c.sources[l.Object] = map[*source]struct{}{}
			}
			c.sources[l.Object][s] = struct{}{}
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

// Close ends the subscription. It is idempotent.
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
			delete(c.sources[s.log.Object], s)
			if len(c.sources[s.log.Object]) == 0 {
				delete(c.sources, s.log.Object)
			}
		}
	}
	h.mu.Unlock()
	signal(h.reconcile)
}

// open waits until the ends of all logs are known, and sets the positions to start from.
func (sub *Sub) open(ctx context.Context, resume *position) error {
	late := time.NewTimer(openTime)
	defer late.Stop()
	if turn := turns.From(ctx); turn.Pause() { // it is the hub that reads them
		defer turn.Resume(ctx)
	}
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
	if !ok { // the logs have changed
		sub.missed = []Event{sub.reset()}
		return nil
	}
	return sub.catchUp(ctx, at)
}

// goToEnd moves the subscription to the end of the log. Signals are not skipped, because what they
// announce is stored nowhere else.
func (sub *Sub) goToEnd(i int) {
	s := sub.sources[i]
	s.mu.Lock()
	defer s.mu.Unlock()
	sub.at[i], sub.generation[i] = s.last(), s.generation
}

// catchUp reads the events missed since some positions.
func (sub *Sub) catchUp(ctx context.Context, at []listing.LogPosition) error {
	parts, err := sub.readSince(ctx, at)
	if err != nil {
		return err
	}
	n := 0
	for i, p := range parts {
		if !sub.sources[i].log.Latest() { // which has few entries, and must not cost others their place
			n += len(p.Entries)
		}
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

// readSince reads the logs from some positions on.
func (sub *Sub) readSince(ctx context.Context, at []listing.LogPosition) ([]listing.Part, error) {
	parts := make([]listing.Part, len(at))
	r := sub.hub.store.Read(ctx)
	gets := make([]func() (listing.Part, error), len(at))
	for i, s := range sub.sources {
		if !s.log.Signal() {
			gets[i] = r.Listing.Since(s.log, at[i], forum.StreamLength)
		}
	}
	if err := r.Exec(); err != nil {
		return nil, err
	}
	for i, get := range gets {
		if get == nil {
			parts[i] = listing.Part{Whole: true}
			continue
		}
		var err error
		if parts[i], err = get(); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// reset moves the subscription to the ends of all logs and returns a RESET.
func (sub *Sub) reset() Event {
	for i := range sub.sources {
		sub.goToEnd(i)
	}
	return Event{Entry: listing.Entry{Kind: forum.EventReset}, Log: -1, ID: sub.id()}
}

// inOrder sorts events of several logs by time and sets their IDs. The order of events of several
// logs in the same millisecond is unknown.
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

// Next waits for events and returns all since the last call, in order. A RESET comes alone. It
// returns ctx's error if ctx is done first.
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
				sub.hub.store.Engine.LogFailure(ctx, sub.hub.log, "reading missed events failed, will retry", "error",
					err)
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

// now returns the events that have arrived, if any.
func (sub *Sub) now(ctx context.Context) ([]Event, error) {
	var events []Event
	behind := false
	for i, s := range sub.sources {
		if s.log.Signal() {
			if n := s.signal(); n > sub.signals[i] {
				events = append(events, Event{Entry: listing.Entry{LogPosition: listing.LogPosition{Minor: n}}, Log: i, Signal: true})
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

// fromRedis is now for a subscription that fell behind the entries in memory. found contains the
// signals that were received.
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

// signal returns the number of signals received.
func (s *source) signal() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.signals
}
