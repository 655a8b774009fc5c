package graph

import (
	"context"
	"slices"
	"time"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store"
)

// TimelineUpdated resolves Subscription.timelineUpdated.
func (r subscription) TimelineUpdated(ctx context.Context, timelineID string, after *string) (<-chan *model.TimelineUpdatedEvent, error) {
	t, err := r.timelineToWatch(ctx, timelineID)
	if err != nil {
		return nil, err
	}
	watch, err := r.Events.Timeline(ctx, t, func(ctx context.Context) ([]store.Log, error) { return r.Store.LogsOf(ctx, t, auth.ViewerFrom(ctx)) }, after)
	if err != nil {
		return nil, err
	}
	next := func(ctx context.Context) ([]event.Event, error) {
		events, err := watch.Next(ctx)
		if err != nil || t.Kind != forum.TabTimeline {
			return events, err
		}
		for { // they are taken, so they must be told
			told, err := r.withinTab(ctx, t, events)
			if err == nil || ctx.Err() != nil {
				return told, err
			}
			r.Log.WarnContext(ctx, "events of a tab are told later", "error", err)
			if wait(ctx, tellEvery); ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
	}
	return stream(ctx, next, watch.Close, func(e event.Event) *model.TimelineUpdatedEvent {
		made := &model.TimelineUpdatedEvent{EventID: e.ID, Kind: e.Kind, Timeline: t}
		if e.Kind != forum.EventReset {
			id := forum.TopicID(e.Entry.ID)
			made.TopicID, made.CreatedAt = &id, e.CreatedAt
		}
		return made
	}), nil
}

// tellEvery is how long after a failure events of a tab are looked at again.
const tellEvery = 100 * time.Millisecond

// timelineToWatch is the timeline of an id, if the viewer may read it.
func (r subscription) timelineToWatch(ctx context.Context, id string) (forum.Timeline, error) {
	path := []string{"timelineId"}
	o, err := parseObject(path, id)
	if err != nil {
		return forum.Timeline{}, err
	}
	viewer := auth.ViewerFrom(ctx)
	ctx = loader.With(ctx, r.Store, viewer)
	var there model.Node
	if o.typ == model.TypeTimeline {
		found, errs := r.nodes(ctx, []object{o})
		there, err = found[0], first(errs)
	}
	if err == nil && there == nil {
		err = forum.NotFound(path, "timeline", id)
	}
	if err == nil && o.timeline.Kind == forum.HomeTimeline {
		err = r.Store.WakeHome(ctx, viewer.ID)
	}
	return o.timeline, err
}

// withinTab tells of topics that left one category of a tab for another that they moved.
func (r subscription) withinTab(ctx context.Context, t forum.Timeline, events []event.Event) ([]event.Event, error) {
	var went []forum.Row
	for _, e := range events {
		if e.Kind == forum.EventRemoved {
			went = append(went, forum.Row{ID: e.Entry.ID, CreatedAt: e.CreatedAt})
		}
	}
	if len(went) == 0 {
		return events, nil
	}
	ctx = loader.With(ctx, r.Store, nil)
	order := t
	order.Order = forum.ByActive // where a place is always looked for
	places, errs := loader.From(ctx).Places(ctx, slices.Repeat([]forum.Timeline{order}, len(went)), went, false)
	if err := first(errs); err != nil {
		return nil, err
	}
	n := 0
	for i, e := range events {
		if e.Kind == forum.EventRemoved {
			if places[n] != nil {
				events[i].Kind = forum.EventMoved
			}
			n++
		}
	}
	return events, nil
}

// Edge resolves TimelineUpdatedEvent.edge.
func (timelineUpdatedEvent) Edge(ctx context.Context, es []*model.TimelineUpdatedEvent) ([]*model.TopicEdge, error) {
	edges := make([]*model.TopicEdge, len(es))
	var of []int
	var timelines []forum.Timeline
	var rows []forum.Row
	var ids []forum.TopicID
	for i, e := range es {
		if e != nil && (e.Kind == forum.EventAdded || e.Kind == forum.EventMoved) {
			of, timelines, ids = append(of, i), append(timelines, e.Timeline), append(ids, *e.TopicID)
			rows = append(rows, forum.Row{ID: int64(*e.TopicID), CreatedAt: e.CreatedAt})
		}
	}
	if len(of) == 0 {
		return edges, nil
	}
	topics, errs := loader.From(ctx).ListedTopics(ctx, ids)
	pages, missed := loader.From(ctx).Places(ctx, timelines, rows, edgeAsked(ctx).rank)
	var all []error
	for n, i := range of {
		for _, list := range [][]error{errs, missed} {
			if list != nil && list[n] != nil {
				if all == nil {
					all = make([]error, len(es))
				}
				all[i] = list[n]
			}
		}
		if pages[n] != nil && topics[n] != nil {
			edges[i] = model.NewTopicConnection(timelines[n], *pages[n]).Edge(0, topics[n])
		}
	}
	return many(edges, all)
}
