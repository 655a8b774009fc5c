package event

import (
	"context"
	"slices"
	"sync"
	"time"

	"agora/internal/forum"
	"agora/internal/store/listing"
)

// Timeline is a subscription to the events of a timeline. For a tab or a list it merges the events
// of all categories or members, and sends a RESET when these change, even if they change back: the
// client may have read what was there between. For a snapshot it sends a
// RESET when a new one can be taken after an event, or after the subscription began, because the
// client may then have read an older snapshot.
type Timeline struct {
	hub      *Hub
	timeline forum.Timeline
	logs     func(context.Context) ([]listing.Log, error)
	mu       sync.Mutex // guards closed, and sub, which only Next changes
	sub      *Sub
	closed   bool
	// due is when a new snapshot can be taken, if the current one may be out of date; otherwise 0.
	due forum.Time
}

// Timeline subscribes to the events of a timeline as Subscribe does. logs reads its current logs.
func (h *Hub) Timeline(
	ctx context.Context,
	t forum.Timeline,
	logs func(context.Context) ([]listing.Log, error),
	after *string,
) (*Timeline, error) {
	tl := &Timeline{hub: h, timeline: t, logs: logs}
	if t.Snapshot() && after == nil {
		tl.outdate()
	}
	return tl, tl.subscribe(ctx, after)
}

// subscribe subscribes to the current logs.
func (t *Timeline) subscribe(ctx context.Context, after *string) error {
	of, err := t.logs(ctx)
	if err != nil {
		return err
	}
	for {
		sub, err := t.hub.Subscribe(ctx, OfTimeline(t.timeline, of), after)
		if err != nil {
			return err
		}
		now := of
		if t.merges() { // a change before the subscription was not announced to it
			now, err = t.logs(ctx)
		}
		if err != nil || !slices.Equal(now, of) {
			sub.Close()
		}
		switch {
		case err != nil:
			return err
		case slices.Equal(now, of):
			t.follow(sub)
			return nil
		}
		of = now
	}
}

// follow replaces the subscription.
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

// Next waits for events as Sub.Next does. Each is about one topic, or is a RESET. It returns ctx's
// error, or that of logs if they can no longer be read.
func (t *Timeline) Next(ctx context.Context) ([]Event, error) {
	for {
		events, err := t.take(ctx)
		if err != nil {
			return nil, err
		}
		if len(events) == 0 {
			return []Event{t.reset(t.sub.id())}, nil
		}
		if t.merges() && slices.ContainsFunc(events, isReset) {
			if err := t.again(ctx); err != nil {
				return nil, err
			}
			return []Event{t.sub.reset()}, nil
		}
		if events = t.notified(events); len(events) == 0 {
			continue
		}
		if t.timeline.Snapshot() {
			t.outdate()
			if t.sub.resumed { // a resuming client may have an older snapshot
				t.sub.resumed = false
				return []Event{t.reset(t.sub.id())}, nil
			}
			continue
		}
		return events, nil
	}
}

// take waits for events; it returns none if a new snapshot can be taken first.
func (t *Timeline) take(ctx context.Context) ([]Event, error) {
	if t.due == 0 {
		return t.sub.Next(ctx)
	}
	if rest := t.due - t.hub.store.Engine.Now(); rest > 0 {
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

// outdate records that the current snapshot is out of date, unless that is known already.
func (t *Timeline) outdate() {
	if t.due == 0 {
		every := forum.Time(forum.SnapshotEvery.Milliseconds())
		now := t.hub.store.Engine.Now()
		t.due = now - now%every + every
	}
}

// reset returns a RESET without moving the subscription: events not consumed yet may not be part of
// what the client reads then.
func (t *Timeline) reset(id string) Event {
	return Event{Entry: listing.Entry{Kind: forum.EventReset}, Log: -1, ID: id}
}

// notified returns the events to send: none that leave a topic's position unchanged, and only a
// RESET if there is one among them.
func (t *Timeline) notified(events []Event) []Event {
	last := events[len(events)-1].ID
	events = slices.DeleteFunc(events, func(e Event) bool {
		return e.Kind == "" || !t.timeline.Snapshot() && !e.Moves(t.timeline.Order)
	})
	if slices.ContainsFunc(events, isReset) {
		return []Event{t.reset(last)}
	}
	return events
}

func isReset(e Event) bool { return e.Kind == forum.EventReset }

// merges reports whether the logs of the timeline may change.
func (t *Timeline) merges() bool { return len(listing.SourceLogs(t.timeline)) > 0 }

// again subscribes to the logs that the timeline has now. It retries while Redis is unreachable.
func (t *Timeline) again(ctx context.Context) error {
	for {
		err := t.subscribe(ctx, nil)
		if err == nil {
			return nil
		}
		if code := forum.CodeOf(err); code != "" && code != forum.CodeUnavailable {
			return err
		}
		if ctx.Err() == nil {
			t.hub.store.Engine.LogFailure(ctx, t.hub.log, "reading the sources of a timeline failed, will retry",
				"error", err)
		}
		if err := t.hub.store.Await(ctx); err != nil {
			return err
		}
	}
}
