package event

import (
	"context"
	"slices"
	"sync"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
)

// Timeline is a subscription to what happens in a timeline. Of tabs and lists the events of
// all categories or members are merged, and other categories or members are a RESET; of a
// snapshot it is a RESET when a new one can be taken after something happened, or after the
// subscription began: what is read then may be a snapshot of before.
type Timeline struct {
	hub      *Hub
	timeline forum.Timeline
	logs     func(context.Context) ([]store.Log, error)
	of       []store.Log
	mu       sync.Mutex // of sub, which Next alone changes, and of closed
	sub      *Sub
	closed   bool
	// due is when a new snapshot can be taken, as the present one may lack what has
	// happened; 0 if it lacks nothing.
	due forum.Time
}

// Timeline begins with the events of a timeline as Subscribe does. logs reads what its logs
// are now.
func (h *Hub) Timeline(
	ctx context.Context,
	t forum.Timeline,
	logs func(context.Context) ([]store.Log, error),
	after *string,
) (*Timeline, error) {
	tl := &Timeline{hub: h, timeline: t, logs: logs}
	if t.Snapshot() && after == nil {
		tl.outdate()
	}
	return tl, tl.subscribe(ctx, after)
}

// subscribe subscribes to what the logs are now.
func (t *Timeline) subscribe(ctx context.Context, after *string) error {
	of, err := t.logs(ctx)
	if err != nil {
		return err
	}
	announced, may := store.SourceSignal(t.timeline)
	for {
		all := of
		if may {
			all = append(slices.Clone(of), announced)
		}
		sub, err := t.hub.Subscribe(ctx, "timeline "+t.timeline.Name(), all, after)
		if err != nil {
			return err
		}
		now := of
		if may { // what changed before it was subscribed to was announced to nobody
			now, err = t.logs(ctx)
		}
		if err != nil || !slices.Equal(now, of) {
			sub.Close()
		}
		switch {
		case err != nil:
			return err
		case slices.Equal(now, of):
			t.of = of
			t.follow(sub)
			return nil
		}
		of = now
	}
}

// follow goes on with a subscription instead of the one before.
func (t *Timeline) follow(sub *Sub) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sub != nil {
		t.sub.Close()
	}
	if t.sub = sub; t.closed {
		sub.Close()
	}
}

// Close ends the subscription. It is safe for concurrent use.
func (t *Timeline) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.sub.Close()
}

// Next waits for events as Sub.Next does. Each is about one topic, or a RESET. Besides ctx's
// error it returns that of logs, when these can be read no more.
func (t *Timeline) Next(ctx context.Context) ([]Event, error) {
	for {
		events, err := t.take(ctx)
		if err != nil {
			return nil, err
		}
		if len(events) == 0 {
			return []Event{t.reset(t.sub.id())}, nil
		}
		if slices.ContainsFunc(events, func(e Event) bool { return e.Signal }) {
			other, err := t.changed(ctx)
			if err != nil {
				return nil, err
			}
			if other {
				return []Event{t.sub.reset()}, nil
			}
		}
		if events = t.notified(events); len(events) == 0 {
			continue
		}
		if t.timeline.Snapshot() {
			t.outdate()
			if t.sub.resumed { // whoever comes back has perhaps an older snapshot
				t.sub.resumed = false
				return []Event{t.reset(t.sub.id())}, nil
			}
			continue
		}
		return events, nil
	}
}

// take waits for events; there are none when a new snapshot can be taken first.
func (t *Timeline) take(ctx context.Context) ([]Event, error) {
	if t.due == 0 {
		return t.sub.Next(ctx)
	}
	if rest := t.due - t.hub.store.Now(); rest > 0 {
		within, cancel := context.WithTimeout(ctx, time.Duration(rest)*time.Millisecond)
		defer cancel()
		events, err := t.sub.Next(within)
		if err == nil || ctx.Err() != nil {
			return events, err
		}
	}
	t.due = 0
	return nil, nil
}

// outdate notes that the present snapshot lacks something, unless it is known to.
func (t *Timeline) outdate() {
	if t.due == 0 {
		every := forum.Time(forum.SnapshotEvery.Milliseconds())
		now := t.hub.store.Now()
		t.due = now - now%every + every
	}
}

// reset reports that the list must be read again, without going on to another place: what
// has not been taken yet may come too late for what is read then.
func (t *Timeline) reset(id string) Event {
	return Event{Entry: store.Entry{Kind: forum.EventReset}, Log: -1, ID: id}
}

// told are those events that a subscriber is told: nothing of what stands where it stood,
// and nothing but that there is more than can be told if it is so.
func (t *Timeline) notified(events []Event) []Event {
	last := events[len(events)-1].ID
	events = slices.DeleteFunc(events, func(e Event) bool {
		return e.Signal || e.Kind == "" || !t.timeline.Snapshot() && !e.Moves(t.timeline.Order)
	})
	if slices.ContainsFunc(events, func(e Event) bool { return e.Kind == forum.EventReset }) {
		return []Event{t.reset(last)}
	}
	return events
}

// changed subscribes again if a tab has other categories now, or a list other members. It
// goes on trying while Redis is out of reach.
func (t *Timeline) changed(ctx context.Context) (bool, error) {
	for {
		now, err := t.logs(ctx)
		if err == nil && slices.Equal(now, t.of) {
			return false, nil
		}
		if err == nil {
			err = t.subscribe(ctx, nil)
		}
		if err == nil {
			return true, nil
		}
		if code := forum.CodeOf(err); code != "" && code != forum.CodeUnavailable {
			return false, err
		}
		if ctx.Err() == nil {
			t.hub.store.LogFailure(ctx, t.hub.log, "sources of a timeline are read later", "error", err)
		}
		if err := t.hub.store.Await(ctx); err != nil {
			return false, err
		}
	}
}
