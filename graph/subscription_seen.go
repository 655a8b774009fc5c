package graph

import (
	"context"
	"slices"

	"agora/internal/auth"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/loader"
)

// whileSeen ends, with NOT_FOUND, what next waits for once the viewer does not see any more what it is about. The
// events are already consumed, so seen is called until it knows, or ctx is done.
func (r subscription) whileSeen(next func(context.Context) ([]event.Event, error),
	seen func(context.Context) (bool, error)) func(context.Context) ([]event.Event, error) {
	return func(ctx context.Context) ([]event.Event, error) {
		events, err := next(ctx)
		for err == nil {
			sees, failed := seen(ctx)
			if failed == nil && sees {
				break
			}
			if failed == nil {
				return nil, forum.NotFound(nil, "subscription")
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			r.Log.WarnContext(ctx, "events are delayed", "error", failed)
			wait(ctx, retryAfter)
		}
		return events, err
	}
}

// topicSeen reports whether the viewer sees a topic, by the rules as they are now and where it is now. It reads nothing
// unless there are categories that the viewer does not see.
func (r subscription) topicSeen(id forum.TopicID) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		viewer := auth.ViewerFrom(ctx)
		if r.Store.Rules.Current(ctx).Hidden(viewer) == nil {
			return true, nil
		}
		ctx = loader.Alone(ctx, r.Store, viewer)
		found, err := single(loader.From(ctx).TopicsNow(ctx, []forum.TopicID{id}))
		return found != nil, err
	}
}

// timelineSeen reports whether the viewer sees the category of a timeline and, of a tab, the same categories as when
// the subscription began.
func (r subscription) timelineSeen(ctx context.Context, t forum.Timeline) func(context.Context) (bool, error) {
	began := r.Store.Rules.Current(ctx).Hidden(auth.ViewerFrom(ctx))
	return func(ctx context.Context) (bool, error) {
		rules, viewer := r.Store.Rules.Current(ctx), auth.ViewerFrom(ctx)
		switch t.Kind {
		case forum.CategoryTimeline:
			return rules.In(forum.CategoryID(t.Owner)).SeenBy(viewer), nil
		case forum.TabTimeline:
			return slices.Equal(began, rules.Hidden(viewer)), nil
		}
		return true, nil
	}
}

// onlySeen leaves out the events about notifications that their owner does not see, because of the categories that
// these are about. Nothing is read unless there are categories that the owner does not see.
func (r subscription) onlySeen(next func(context.Context) ([]event.Event, error),
	owner forum.UserID) func(context.Context) ([]event.Event, error) {
	return func(ctx context.Context) ([]event.Event, error) {
		for {
			events, err := next(ctx)
			if err != nil || r.Store.Rules.Current(ctx).Hidden(auth.ViewerFrom(ctx)) == nil {
				return events, err
			}
			seen, err := r.seenNotes(ctx, owner, events)
			for ; err != nil && ctx.Err() == nil; seen, err = r.seenNotes(ctx, owner, events) {
				r.Log.WarnContext(ctx, "events are delayed", "error", err)
				wait(ctx, retryAfter)
			}
			if err != nil || len(seen) > 0 {
				return seen, err
			}
		}
	}
}

func (r subscription) seenNotes(ctx context.Context, owner forum.UserID, events []event.Event) ([]event.Event, error) {
	ctx = loader.Alone(ctx, r.Store, auth.ViewerFrom(ctx))
	var seen []event.Event
	notes, errs := loader.From(ctx).Notifications(ctx, owner, mapSlice(events,
		func(e event.Event) int64 { return e.Entry.ID }))
	for i, e := range events {
		if e.Entry.ID == 0 || notes[i] != nil { // 0 is several
			seen = append(seen, e)
		}
	}
	return seen, firstError(errs)
}
