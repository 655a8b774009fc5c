package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store/listing"
)

// TopicCount resolves Category.topicCount.
func (category) TopicCount(ctx context.Context, cs []*loader.Category) ([]*int, error) {
	counts, errs := loader.From(ctx).Lengths(ctx,
		mapSlice(cs, func(c *loader.Category) listing.List { return listing.CategoryTopics(c.ID) }))
	return batchResult(refs(counts), errs)
}

// Timeline resolves Category.timeline.
func (category) Timeline(_ context.Context, cs []*loader.Category, orderBy *model.TopicOrder,
	period *forum.Period, kinds []forum.TopicKind) ([]*forum.Timeline, error) {
	return timelinesOf(cs, forum.CategoryTimeline, func(c *loader.Category) int64 { return int64(c.ID) }, orderBy,
		period, kinds)
}

// Tabs resolves Category.tabs.
func (category) Tabs(ctx context.Context, cs []*loader.Category) ([][]*loader.Tab, error) {
	l := loader.From(ctx)
	lists := mapSlice(cs, func(c *loader.Category) listing.List { return listing.CategoryTabs(c.ID) })
	found, errs := l.Pages(ctx, refs(lists), forum.Window{Count: forum.MaxCategoryTabs, Bare: true, Uncounted: true})
	if errs != nil {
		return batchResult(make([][]*loader.Tab, len(cs)), errs)
	}
	rows, errs := rowsOf(ctx, found, named(l.Tabs))
	for i := range rows {
		rows[i] = compact(rows[i])
	}
	return batchResult(rows, errs)
}

// Nodes resolves CategoryConnection.nodes.
func (categoryConnection) Nodes(ctx context.Context, cs []*model.CategoryConnection) ([][]*loader.Category, error) {
	return nodesOf(ctx, cs, named(loader.From(ctx).Categories))
}

// Edges resolves CategoryConnection.edges.
func (categoryConnection) Edges(ctx context.Context, cs []*model.CategoryConnection) ([][]*model.CategoryEdge, error) {
	return edgesOf(ctx, cs, named(loader.From(ctx).Categories),
		func(c *model.CategoryConnection, n int, node *loader.Category) *model.CategoryEdge {
			return &model.CategoryEdge{Cursor: c.Cursor(n), Node: node}
		})
}
