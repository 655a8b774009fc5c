package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
)

// usualOrder is the order of the kinds of timelines that can be asked for in several.
var usualOrder = map[forum.TimelineKind]forum.TopicOrderField{
	forum.FrontTimeline: forum.ByActive, forum.CategoryTimeline: forum.ByActive,
	forum.TabTimeline: forum.ByActive, forum.TagTimeline: forum.ByScore,
}

// newTimeline returns the timeline that an order and, for TOP, a period ask for.
func newTimeline(
	kind forum.TimelineKind, owner int64, orderBy *model.TopicOrder, period *forum.Period,
) (*forum.Timeline, error) {
	order := valueOr(orderBy, model.TopicOrder{Field: usualOrder[kind]})
	t := &forum.Timeline{Kind: kind, Owner: owner, Order: order.Field, Direction: valueOr(order.Direction, forum.Descending)}
	switch {
	case order.Field == forum.ByRepliesToday:
		return nil, forum.BadInput([]string{"orderBy", "field"}, "Only dayRank has this order.")
	case order.Field == forum.ByTop && period == nil:
		t.Period = forum.PeriodAll
	case order.Field == forum.ByTop:
		t.Period = *period
	case period != nil:
		return nil, forum.BadInput([]string{"period"}, "Only the order TOP has a period.")
	}
	return t, nil
}

// timelinesOf are the timelines of several owners.
func timelinesOf[O any](
	owners []O, kind forum.TimelineKind, id func(O) int64, orderBy *model.TopicOrder, period *forum.Period,
) ([]*forum.Timeline, error) {
	timelines := make([]*forum.Timeline, len(owners))
	for i, o := range owners {
		var err error
		if timelines[i], err = newTimeline(kind, id(o), orderBy, period); err != nil {
			return failed[*forum.Timeline](owners, err)
		}
	}
	return timelines, nil
}

// DayRank resolves Query.dayRank.
func (r query) DayRank(_ context.Context, date *forum.Day) (*forum.Timeline, error) {
	day := r.Store.Today()
	if date != nil {
		day = *date
	}
	if !r.readable(day) {
		return nil, nil
	}
	return &forum.Timeline{Kind: forum.DayRankTimeline, Owner: int64(day), Order: forum.ByRepliesToday, Direction: forum.Descending}, nil
}

// readable tells whether the rank of a day can be read: today's and yesterday's.
func (r *Resolver) readable(d forum.Day) bool {
	today := r.Store.Today()
	return d == today || d == today-1
}

// ExpiresAt resolves Timeline.expiresAt.
func (r timeline) ExpiresAt(_ context.Context, ts []*forum.Timeline) ([]*forum.Time, error) {
	return column(ts, func(t *forum.Timeline) *forum.Time {
		if t.Kind != forum.DayRankTimeline {
			return nil
		}
		end := forum.Day(t.Owner).Ends(r.Store.Zone())
		return &end
	}), nil
}

// Topics resolves Timeline.topics.
func (timeline) Topics(ctx context.Context, ts []*forum.Timeline, first *int, after *string, last *int, before *string, skip *int) ([]*model.TopicConnection, error) {
	args := pageArgs(ctx, first, after, last, before)
	args.Skip = deref(skip)
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
		connections[i] = model.NewTopicConnection(*ts[i], windows[n].Shown(found[n]))
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

// Nodes resolves TopicConnection.nodes.
func (topicConnection) Nodes(ctx context.Context, cs []*model.TopicConnection) ([][]*forum.Topic, error) {
	return nodesOf(ctx, cs, loader.From(ctx).ListedTopics)
}

// Edges resolves TopicConnection.edges.
func (topicConnection) Edges(ctx context.Context, cs []*model.TopicConnection) ([][]*model.TopicEdge, error) {
	return edgesOf(ctx, cs, loader.From(ctx).ListedTopics, (*model.TopicConnection).Edge)
}

// VotesToPass resolves RankExplanation.votesToPass.
func (r rankExplanation) VotesToPass(ctx context.Context, es []*model.RankExplanation) ([]*int, error) {
	es = solid(es)
	topics := make([]*forum.Topic, 0, len(es))
	for _, e := range es {
		if e.Edge != nil {
			topics = append(topics, e.Edge.Node)
		}
	}
	missed := loader.From(ctx).NeedTopics(ctx, topics, forum.TopicVotes)
	now := r.Store.Now()
	votes := make([]*int, len(es))
	errs := make([]error, len(es))
	n := 0
	for i, e := range es {
		if e.Edge == nil {
			continue
		}
		if missed != nil {
			errs[i] = missed[n]
		}
		if errs[i] == nil {
			votes[i] = e.VotesToPass(now)
		}
		n++
	}
	if missed == nil {
		return votes, nil
	}
	return many(votes, errs)
}
