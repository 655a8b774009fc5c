package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
)

// hiding makes pages of comments leave out those of users whom the viewer has blocked.
func hiding(cs []*model.CommentConnection, hide *bool, err error) ([]*model.CommentConnection, error) {
	for _, c := range cs {
		if c != nil {
			c.HideBlocked = deref(hide)
		}
	}
	return cs, err
}

// commentsOf returns how to load the rows of pages of comments: as handles, or if the pages leave some out, with the
// selected fields of field ("" for those of the rows themselves), so that it takes one round trip more, for the blocks.
func commentsOf(
	ctx context.Context, cs []*model.CommentConnection, field string,
) func(context.Context, []forum.CommentID) ([]*forum.Comment, []error) {
	l := loader.From(ctx)
	if len(cs) == 0 || !cs[0].HideBlocked {
		return named(l.Comments)
	}
	return func(ctx context.Context, ids []forum.CommentID) ([]*forum.Comment, []error) {
		return l.UnblockedComments(ctx, ids, commentPart(selectedIn(ctx, field)))
	}
}

// topicsOf is commentsOf for topics.
func topicsOf(
	ctx context.Context, cs []*model.TopicConnection, field string,
) func(context.Context, []forum.TopicID) ([]*forum.Topic, []error) {
	l := loader.From(ctx)
	if len(cs) == 0 || !cs[0].HideBlocked {
		return named(l.ListedTopics)
	}
	return func(ctx context.Context, ids []forum.TopicID) ([]*forum.Topic, []error) {
		return l.UnblockedTopics(ctx, ids, topicPart(selectedIn(ctx, field)))
	}
}
