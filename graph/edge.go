package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/listing"
)

// CommentEdge resolves CreateCommentPayload.commentEdge.
func (createCommentPayload) CommentEdge(ctx context.Context, p *model.CreateCommentPayload, orderBy *forum.CommentOrder,
	allDepths *bool, maxDepth *int) (*model.CommentEdge, error) {
	edges, err := commentEdges(ctx, []*loader.Comment{p.Comment}, orderBy, allDepths, maxDepth)
	if err != nil {
		return nil, err
	}
	return edges[0], nil
}

// Edge resolves CommentAddedEvent.edge.
func (r commentAddedEvent) Edge(ctx context.Context, es []*model.CommentAddedEvent, orderBy *forum.CommentOrder,
	allDepths *bool, maxDepth *int) ([]*model.CommentEdge, error) {
	comments, err := r.Comment(ctx, es)
	if err != nil {
		return nil, err
	}
	return commentEdges(ctx, comments, orderBy, allDepths, maxDepth)
}

// Edge resolves CommentsUpdatedEvent.edge.
func (r commentsUpdatedEvent) Edge(ctx context.Context, es []*model.CommentsUpdatedEvent, orderBy *forum.CommentOrder,
	allDepths *bool, maxDepth *int) ([]*model.CommentEdge, error) {
	comments, err := r.Comment(ctx, es)
	if err != nil {
		return nil, err
	}
	return commentEdges(ctx, comments, orderBy, allDepths, maxDepth)
}

// commentEdges returns the positions of comments, some of which may be nil, in lists that clients may show. Nothing is
// read for it beside the comments: a comment's position is its number.
func commentEdges(ctx context.Context, comments []*loader.Comment, orderBy *forum.CommentOrder, allDepths *bool,
	maxDepth *int) ([]*model.CommentEdge, error) {
	if err := checkDepth(maxDepth); err != nil {
		return nil, err
	}
	edges, order := make([]*model.CommentEdge, len(comments)), opt.Or(orderBy, forum.Oldest)
	if order.Ranked() {
		return edges, nil
	}
	loader.From(ctx).NeedComments(ctx, compact(comments))
	for i, c := range comments {
		if c == nil || maxDepth != nil && c.Depth > *maxDepth {
			continue
		}
		list := listing.TopicComments(c.TopicID, !opt.Value(allDepths), order)
		if maxDepth != nil {
			list = listing.Thread(c.TopicID, order, *maxDepth)
		} else if c.ParentID != 0 && !opt.Value(allDepths) {
			list = listing.CommentReplies(c.ParentID, order)
		}
		edges[i] = &model.CommentEdge{Cursor: c.Position().Cursor(list.Name), Node: c}
	}
	return edges, nil
}

// TopicEdge resolves CreateTopicPayload.topicEdge.
func (r createTopicPayload) TopicEdge(ctx context.Context, p *model.CreateTopicPayload,
	timelineID *string) (*model.TopicEdge, error) {
	t := forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByCreated, Direction: forum.Descending}
	if timelineID != nil {
		o, err := globalid.Parse([]string{"timelineId"}, *timelineID)
		if err != nil {
			return nil, err
		}
		found, errs := r.nodes(ctx, []globalid.Object{o})
		if err := firstError(errs); err != nil || found[0] == nil || o.Type != globalid.Timeline {
			return nil, err
		}
		t = o.Timeline
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
