package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/ratelimit"
)

// usualOrder is the default order of the kinds of timelines that have several.
var usualOrder = map[forum.TimelineKind]forum.TopicOrderField{
	forum.FrontTimeline: forum.ByActive, forum.CategoryTimeline: forum.ByActive,
	forum.TabTimeline: forum.ByActive, forum.TagTimeline: forum.ByScore,
}

// kindsOf returns the kinds that an argument names; all if it is left out.
func kindsOf(kinds []forum.TopicKind) (forum.TopicKinds, error) {
	if kinds != nil && len(kinds) == 0 {
		return 0, forum.BadInput([]string{"kinds"}, "Name at least one kind, or leave kinds out.")
	}
	return forum.KindsOf(kinds), nil
}

// newTimeline returns the timeline for an order and, for TOP, a period.
func newTimeline(
	kind forum.TimelineKind, owner int64, orderBy *model.TopicOrder, period *forum.Period, kinds []forum.TopicKind,
) (*forum.Timeline, error) {
	shown, err := kindsOf(kinds)
	if err != nil {
		return nil, err
	}
	order := opt.Or(orderBy, model.TopicOrder{Field: usualOrder[kind]})
	t := &forum.Timeline{Kind: kind, Owner: owner, Order: order.Field,
		Direction: opt.Or(order.Direction, forum.Descending), Kinds: shown}
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

// timelinesOf returns the timelines of several owners.
func timelinesOf[O any](
	owners []O, kind forum.TimelineKind, id func(O) int64, orderBy *model.TopicOrder, period *forum.Period,
	kinds []forum.TopicKind,
) ([]*forum.Timeline, error) {
	timelines := make([]*forum.Timeline, len(owners))
	for i, o := range owners {
		var err error
		if timelines[i], err = newTimeline(kind, id(o), orderBy, period, kinds); err != nil {
			return failAll[*forum.Timeline](owners, err)
		}
	}
	return timelines, nil
}

// newestOf returns the timelines of several owners in the order CREATED, newest first.
func newestOf[O any](owners []O, kind forum.TimelineKind, id func(O) int64,
	kinds []forum.TopicKind) ([]*forum.Timeline, error) {
	return timelinesOf(owners, kind, id, &model.TopicOrder{Field: forum.ByCreated}, nil, kinds)
}

// DayRank resolves Query.dayRank.
func (r query) DayRank(_ context.Context, date *forum.Day) (*forum.Timeline, error) {
	day := r.Store.Engine.Today()
	if date != nil {
		day = *date
	}
	if !r.readable(day) {
		return nil, nil
	}
	return &forum.Timeline{Kind: forum.DayRankTimeline, Owner: int64(day), Order: forum.ByRepliesToday,
		Direction: forum.Descending}, nil
}

// readable reports whether the rank of a day can be read: today's and yesterday's can.
func (r *Resolver) readable(d forum.Day) bool {
	today := r.Store.Engine.Today()
	return d == today || d == today-1
}

// ExpiresAt resolves Timeline.expiresAt.
func (r timeline) ExpiresAt(_ context.Context, ts []*forum.Timeline) ([]*forum.Time, error) {
	return mapSlice(ts, func(t *forum.Timeline) *forum.Time {
		if t.Kind != forum.DayRankTimeline {
			return nil
		}
		end := forum.Day(t.Owner).Ends(r.Store.Engine.Location)
		return &end
	}), nil
}

// Topics resolves Timeline.topics.
func (r timeline) Topics(ctx context.Context, ts []*forum.Timeline, first *int, after *string, last *int,
	before *string, skip *int, hideBlocked *bool,
	walk *model.Walk) ([]*model.TopicConnection, error) {
	fixed := opt.Or(walk, model.WalkLive) == model.WalkFixed
	args := pageArgs(ctx, first, after, last, before)
	args.Skip = opt.Value(skip)
	return scatter(ts, func(t *forum.Timeline) (timelinePage, bool, error) {
		walks := fixed && !t.Snapshot() // snapshots are fixed already
		w, err := args.Window(model.PageName(*t, walks))
		if err == nil && walks && !w.Bounded() {
			err = r.Rates.Take(ratelimit.Walks, auth.CallerFrom(ctx))
		}
		w.Walk = walks
		return timelinePage{*t, w}, true, err
	}, func(asked []timelinePage) ([]*model.TopicConnection, []error) {
		found, missed := loader.From(ctx).Timelines(ctx,
			mapSlice(asked, func(p timelinePage) forum.Timeline { return p.of }),
			mapSlice(asked, func(p timelinePage) forum.Window { return p.window }))
		connections := make([]*model.TopicConnection, len(asked))
		for i, p := range found {
			connections[i] = model.NewTopicConnection(asked[i].of, p)
			connections[i].HideBlocked = opt.Value(hideBlocked)
		}
		return connections, missed
	})
}

// timelinePage is a page of a timeline.
type timelinePage struct {
	of     forum.Timeline
	window forum.Window
}

// Nodes resolves TopicConnection.nodes.
func (topicConnection) Nodes(ctx context.Context, cs []*model.TopicConnection) ([][]*loader.Topic, error) {
	return nodesOf(ctx, cs, topicsOf(ctx, cs))
}

// Edges resolves TopicConnection.edges.
func (topicConnection) Edges(ctx context.Context, cs []*model.TopicConnection) ([][]*model.TopicEdge, error) {
	return edgesOf(ctx, cs, topicsOf(ctx, cs), (*model.TopicConnection).Edge)
}

// NewSince resolves TopicConnection.newSince.
func (topicConnection) NewSince(ctx context.Context, cs []*model.TopicConnection) ([]*int, error) {
	return scatter(cs, func(c *model.TopicConnection) (*model.TopicConnection, bool, error) {
		return c, c.Rows().Walk != 0 && c.Timeline.Kinds == 0, nil
	}, func(cs []*model.TopicConnection) ([]*int, []error) {
		counts, errs := loader.From(ctx).CountAhead(ctx,
			mapSlice(cs, func(c *model.TopicConnection) forum.Timeline { return c.Timeline }),
			mapSlice(cs, func(c *model.TopicConnection) *forum.Row { return c.Rows().First }))
		return refs(counts), errs
	})
}

// VotesToPass resolves RankExplanation.votesToPass.
func (r rankExplanation) VotesToPass(ctx context.Context, es []*model.RankExplanation) ([]*int, error) {
	now := r.Store.Engine.Now()
	return scatter(es, func(e *model.RankExplanation) (*model.RankExplanation, bool, error) {
		return e, e.Edge != nil, nil
	}, func(es []*model.RankExplanation) ([]*int, []error) {
		topics := mapSlice(es, func(e *model.RankExplanation) *loader.Topic { return e.Edge.Node })
		missed := loader.From(ctx).NeedTopics(ctx, topics)
		return mapSlice(es, func(e *model.RankExplanation) *int { return e.VotesToPass(now) }), missed
	})
}
