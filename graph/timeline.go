package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
)

func newTimeline(kind forum.TimelineKind, owner int64, orderBy model.TopicOrder) *forum.Timeline {
	return &forum.Timeline{Kind: kind, Owner: owner, Order: orderBy.Field, Direction: orderBy.Direction}
}

// Topics resolves Timeline.topics.
func (timeline) Topics(ctx context.Context, ts []*forum.Timeline, first *int, after *string, last *int, before *string, skip int) ([]*model.TopicConnection, error) {
	args := pageArgs(ctx, first, after, last, before)
	args.Skip = skip
	connections := make([]*model.TopicConnection, len(ts))
	errs := make([]error, len(ts))
	var good []int
	var asked []forum.Timeline
	var windows []forum.Window
	for i, t := range ts {
		var w forum.Window
		if w, errs[i] = args.Window(t.Name()); errs[i] == nil {
			good, asked, windows = append(good, i), append(asked, *t), append(windows, w)
		}
	}
	found, missed := loader.From(ctx).Timelines(ctx, asked, windows)
	for n, i := range good {
		connections[i] = model.NewTopicConnection(ts[i].Name(), found[n])
		if missed != nil {
			errs[i] = missed[n]
		}
	}
	for _, err := range errs {
		if err != nil {
			return many(connections, errs)
		}
	}
	return connections, nil
}
