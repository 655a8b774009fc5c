package graph

import (
	"context"
	"slices"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store/listing"
)

// TopicCount resolves Tab.topicCount: the sum over its categories.
func (tab) TopicCount(ctx context.Context, ts []*loader.Tab) ([]*int, error) {
	l := loader.From(ctx)
	categories, errs := l.TabCategories(ctx, mapSlice(ts, func(t *loader.Tab) forum.TabID { return t.ID }))
	if errs != nil {
		return batchResult(make([]*int, len(ts)), errs)
	}
	var lists []listing.List
	for _, ids := range categories {
		lists = append(lists, mapSlice(ids, listing.CategoryTopics)...)
	}
	lengths, missed := l.Lengths(ctx, lists)
	counts := make([]int, len(ts))
	n := 0
	for i, ids := range categories {
		for range ids {
			counts[i] += lengths[n]
			if missed != nil && missed[n] != nil {
				if errs == nil {
					errs = make([]error, len(ts))
				}
				errs[i] = missed[n]
			}
			n++
		}
	}
	return batchResult(refs(counts), errs)
}

// CategoryCount resolves Tab.categoryCount.
func (tab) CategoryCount(ctx context.Context, ts []*loader.Tab) ([]int, error) {
	return batchResult(loader.From(ctx).CategoryCounts(ctx, ts))
}

// Categories resolves Tab.categories.
func (tab) Categories(ctx context.Context, ts []*loader.Tab, first *int, after *string, last *int,
	before *string) ([]*model.CategoryConnection, error) {
	lists := mapSlice(ts, func(t *loader.Tab) listing.List { return listing.TabCategories(t.ID) })
	return pages(ctx, lists, pageArgs(ctx, first, after, last, before), model.NewCategoryConnection)
}

// Includes resolves Tab.includes.
func (tab) Includes(ctx context.Context, ts []*loader.Tab, category app.CategoryRef) ([]bool, error) {
	found, err := categoryNamed(ctx, []string{"category"}, category)
	if err != nil || found == nil {
		return make([]bool, len(ts)), err
	}
	shown, errs := loader.From(ctx).TabCategories(ctx, mapSlice(ts, func(t *loader.Tab) forum.TabID { return t.ID }))
	return batchResult(mapSlice(shown, func(ids []forum.CategoryID) bool { return slices.Contains(ids, found.ID) }),
		errs)
}

// Timeline resolves Tab.timeline.
func (tab) Timeline(_ context.Context, ts []*loader.Tab, orderBy *model.TopicOrder,
	period *forum.Period, kinds []forum.TopicKind) ([]*forum.Timeline, error) {
	return timelinesOf(ts, forum.TabTimeline, func(o *loader.Tab) int64 { return int64(o.ID) }, orderBy,
		period, kinds)
}

// Nodes resolves TabConnection.nodes.
func (tabConnection) Nodes(ctx context.Context, cs []*model.TabConnection) ([][]*loader.Tab, error) {
	return nodesOf(ctx, cs, named(loader.From(ctx).Tabs))
}

// Edges resolves TabConnection.edges.
func (tabConnection) Edges(ctx context.Context, cs []*model.TabConnection) ([][]*model.TabEdge, error) {
	return edgesOf(ctx, cs, named(loader.From(ctx).Tabs),
		func(c *model.TabConnection, n int, node *loader.Tab) *model.TabEdge {
			return &model.TabEdge{Cursor: c.Cursor(n), Node: node}
		})
}
