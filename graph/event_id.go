package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/loader"
)

// CommentsEventID resolves Topic.commentsEventId.
func (topic) CommentsEventID(ctx context.Context, ts []*loader.Topic) ([]*string, error) {
	streams := mapSlice(ts, func(t *loader.Topic) event.Stream { return event.CommentChanges(t.ID) })
	return batchResult(loader.From(ctx).EventIDs(ctx, streams))
}

// EventID resolves Timeline.eventId.
func (timeline) EventID(ctx context.Context, ts []*forum.Timeline) ([]*string, error) {
	l := loader.From(ctx)
	timelines := mapSlice(ts, func(t *forum.Timeline) forum.Timeline { return *t })
	streams, errs := l.TimelineStreams(ctx, timelines)
	ids, failed := l.EventIDs(ctx, streams)
	if errs == nil {
		errs = failed
	}
	return batchResult(ids, errs)
}

// NotificationsEventID resolves Viewer.notificationsEventId.
func (viewer) NotificationsEventID(ctx context.Context, vs []*model.Viewer) ([]*string, error) {
	streams := mapSlice(vs, func(v *model.Viewer) event.Stream { return event.Notifications(v.UserID) })
	return batchResult(loader.From(ctx).EventIDs(ctx, streams))
}
