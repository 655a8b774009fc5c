package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store/listing"
)

// CommentEdge resolves CreateCommentPayload.commentEdge. Nothing is read for it: a comment's position is its number.
func (createCommentPayload) CommentEdge(ctx context.Context, p *model.CreateCommentPayload, orderBy *forum.CommentOrder,
	allDepths *bool) (*model.CommentEdge, error) {
	order := valueOr(orderBy, forum.Oldest)
	if order.Ranked() {
		return nil, forum.BadInput([]string{"orderBy"}, "Positions in this order are fixed when the list is read.")
	}
	c := p.Comment
	if c == nil {
		return nil, nil
	}
	loader.From(ctx).NeedComments(ctx, []*loader.Comment{c})
	list := listing.TopicComments(c.TopicID, !deref(allDepths), order)
	if c.ParentID != 0 && !deref(allDepths) {
		list = listing.CommentReplies(c.ParentID, order)
	}
	return &model.CommentEdge{Cursor: c.Position().Cursor(list.Name), Node: c}, nil
}

// TopicEdge resolves CreateTopicPayload.topicEdge.
func (r createTopicPayload) TopicEdge(ctx context.Context, p *model.CreateTopicPayload,
	timelineID *string) (*model.TopicEdge, error) {
	t := forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByCreated, Direction: forum.Descending}
	if timelineID != nil {
		o, err := parseObject([]string{"timelineId"}, *timelineID)
		if err != nil {
			return nil, err
		}
		found, errs := r.nodes(ctx, []object{o})
		if err := firstError(errs); err != nil || found[0] == nil || o.typ != model.TypeTimeline {
			return nil, err
		}
		t = o.timeline
	}
	if p.Topic == nil || t.Snapshot() {
		return nil, nil
	}
	l := loader.From(ctx)
	l.NeedTopics(ctx, []*loader.Topic{p.Topic})
	listed, err := r.lists(ctx, t, p.Topic)
	if err != nil || !listed {
		return nil, err
	}
	row := forum.Row{ID: int64(p.Topic.ID), CreatedAt: p.Topic.CreatedAt}
	pages, errs := l.Positions(ctx, []forum.Timeline{t}, []forum.Row{row}, edgeAsked(ctx).rank)
	if err := firstError(errs); err != nil || pages[0] == nil {
		return nil, err
	}
	return model.NewTopicConnection(t, pages[0]).Edge(0, p.Topic), nil
}

// lists reports whether a timeline has a topic. Loaders.Positions finds that out by itself, except in the order
// CREATED, in which positions are computed.
func (createTopicPayload) lists(ctx context.Context, t forum.Timeline, topic *loader.Topic) (bool, error) {
	if t.Order != forum.ByCreated {
		return true, nil
	}
	l := loader.From(ctx)
	switch t.Kind {
	case forum.FrontTimeline:
		return true, nil
	case forum.ProfileTimeline:
		return t.Owner == int64(topic.AuthorID), nil
	case forum.HomeTimeline:
		return true, nil // the topic is the viewer's own
	case forum.ListTimeline:
		return l.Listed(ctx, forum.ListID(t.Owner), topic.AuthorID)
	}
	t.Order = forum.ByActive
	pages, errs := l.Positions(ctx, []forum.Timeline{t},
		[]forum.Row{{ID: int64(topic.ID), CreatedAt: topic.CreatedAt}}, false)
	return pages[0] != nil, firstError(errs)
}
