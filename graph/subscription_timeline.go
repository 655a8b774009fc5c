package graph

import (
	"cmp"
	"context"
	"slices"
	"time"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/store/listing"
)

// TimelineUpdated resolves Subscription.timelineUpdated.
func (r subscription) TimelineUpdated(ctx context.Context, timelineID string,
	after *string) (<-chan *model.TimelineUpdatedEvent, error) {
	t, err := r.timelineToWatch(ctx, timelineID)
	if err != nil {
		return nil, err
	}
	watch, err := r.Events.Timeline(ctx, t,
		func(ctx context.Context) ([]listing.Log, error) {
			return r.Store.Listing.LogsOf(ctx, t, auth.ViewerFrom(ctx), r.Store.Rules.Current(ctx))
		}, after)
	if err != nil {
		return nil, err
	}
	next := func(ctx context.Context) ([]event.Event, error) {
		for {
			events, err := watch.Next(ctx)
			if events = r.shown(ctx, t, events); err != nil || len(events) > 0 || ctx.Err() != nil {
				return events, cmp.Or(err, ctx.Err())
			}
		}
	}
	next = r.whileSeen(next, r.timelineSeen(ctx, t))
	return stream(ctx, next, watch.Close, func(e event.Event) *model.TimelineUpdatedEvent {
		made := &model.TimelineUpdatedEvent{EventID: e.ID, Kind: e.Kind, Timeline: t}
		if e.Kind != forum.EventReset {
			id := forum.TopicID(e.Entry.ID)
			made.TopicID, made.CreatedAt = &id, e.CreatedAt
		}
		return made
	}), nil
}

// shown returns the events that a timeline shows, those of a tab as withinTab does. They are already consumed, so they
// must be delivered: it tries until ctx is done.
func (r subscription) shown(ctx context.Context, t forum.Timeline, events []event.Event) []event.Event {
	if len(events) == 0 || t.Kinds == 0 && t.Kind != forum.TabTimeline {
		return events
	}
	for {
		found, err := r.ofKinds(ctx, t, events)
		if err == nil && t.Kind == forum.TabTimeline {
			found, err = r.withinTab(ctx, t, found)
		}
		if err == nil || ctx.Err() != nil {
			return found
		}
		r.Log.WarnContext(ctx, "events of a timeline are delayed", "error", err)
		wait(ctx, retryAfter)
	}
}

// ofKinds returns the events about topics of the timeline's kinds, which never change, and about those that went away
// with their kinds.
func (r subscription) ofKinds(ctx context.Context, t forum.Timeline, events []event.Event) ([]event.Event, error) {
	if t.Kinds == 0 {
		return events, nil
	}
	ids := mapSlice(events, func(e event.Event) forum.TopicID { return forum.TopicID(e.Entry.ID) })
	ctx = loader.Alone(ctx, r.Store, auth.ViewerFrom(ctx))
	kinds, err := loader.From(ctx).KindsOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	var found []event.Event
	for i, e := range events {
		if e.Kind == forum.EventReset || kinds[i] == "" && e.Kind == forum.EventRemoved ||
			kinds[i] != "" && t.Kinds.Has(kinds[i]) {
			found = append(found, e)
		}
	}
	return found, nil
}

// retryAfter is the delay before events are looked up again after a failure.
const retryAfter = 100 * time.Millisecond

// timelineToWatch returns the timeline of an id, if the viewer may read it.
func (r subscription) timelineToWatch(ctx context.Context, id string) (forum.Timeline, error) {
	path := []string{"timelineId"}
	o, err := globalid.Parse(path, id)
	if err != nil {
		return forum.Timeline{}, err
	}
	viewer := auth.ViewerFrom(ctx)
	ctx = loader.Alone(ctx, r.Store, viewer)
	var there model.Node
	if o.Type == globalid.Timeline {
		found, errs := r.nodes(ctx, []globalid.Object{o})
		there, err = found[0], firstError(errs)
	}
	if err == nil && there == nil {
		err = forum.NotFound(path, "timeline")
	}
	if err == nil && o.Timeline.Kind == forum.HomeTimeline {
		err = r.Store.Homes.WakeHome(ctx, viewer.ID)
	}
	return o.Timeline, err
}

// withinTab turns the removal of a topic that moved to another category of the same tab into a move.
func (r subscription) withinTab(ctx context.Context, t forum.Timeline, events []event.Event) ([]event.Event, error) {
	var removed []forum.Row
	for _, e := range events {
		if e.Kind == forum.EventRemoved {
			removed = append(removed, forum.Row{ID: e.Entry.ID, CreatedAt: e.CreatedAt})
		}
	}
	if len(removed) == 0 {
		return events, nil
	}
	ctx = loader.Alone(ctx, r.Store, auth.ViewerFrom(ctx))
	order := t
	order.Order = forum.ByActive // the order in which positions are always looked up
	orders := slices.Repeat([]forum.Timeline{order}, len(removed))
	positions, errs := loader.From(ctx).Positions(ctx, orders, removed, false)
	if err := firstError(errs); err != nil {
		return nil, err
	}
	n := 0
	for i, e := range events {
		if e.Kind == forum.EventRemoved {
			if positions[n] != nil {
				events[i].Kind = forum.EventMoved
			}
			n++
		}
	}
	return events, nil
}

// Edge resolves TimelineUpdatedEvent.edge.
func (timelineUpdatedEvent) Edge(ctx context.Context, es []*model.TimelineUpdatedEvent) ([]*model.TopicEdge, error) {
	return scatter(es, func(e *model.TimelineUpdatedEvent) (*model.TimelineUpdatedEvent, bool, error) {
		return e, e.Kind == forum.EventAdded || e.Kind == forum.EventMoved, nil
	}, func(es []*model.TimelineUpdatedEvent) ([]*model.TopicEdge, []error) {
		l := loader.From(ctx)
		timelines := mapSlice(es, func(e *model.TimelineUpdatedEvent) forum.Timeline { return e.Timeline })
		rows := mapSlice(es, func(e *model.TimelineUpdatedEvent) forum.Row {
			return forum.Row{ID: int64(*e.TopicID), CreatedAt: e.CreatedAt}
		})
		topics := l.ListedTopics(mapSlice(es, func(e *model.TimelineUpdatedEvent) forum.TopicID { return *e.TopicID }))
		pages, missed := l.Positions(ctx, timelines, rows, edgeAsked(ctx).rank)
		edges := make([]*model.TopicEdge, len(es))
		for i, p := range pages {
			if p != nil {
				edges[i] = model.NewTopicConnection(timelines[i], p).Edge(0, topics[i])
			}
		}
		return edges, missed
	})
}
