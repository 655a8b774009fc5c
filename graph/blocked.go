package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/opt"
)

// hiding makes pages of comments leave out those of users whom the viewer has blocked.
func hiding(cs []*model.CommentConnection, hide *bool, err error) ([]*model.CommentConnection, error) {
	for _, c := range cs {
		if c != nil {
			c.HideBlocked = opt.Value(hide)
		}
	}
	return cs, err
}

// commentsOf returns how to load the rows of pages of comments: as handles, or if the pages leave some out, whole,
// which takes one round trip more, for the blocks.
func commentsOf(
	ctx context.Context, cs []*model.CommentConnection,
) func(context.Context, []forum.CommentID) ([]*loader.Comment, []error) {
	l := loader.From(ctx)
	if len(cs) == 0 || !cs[0].HideBlocked {
		return named(l.Comments)
	}
	return l.UnblockedComments
}

// topicsOf is commentsOf for topics.
func topicsOf(
	ctx context.Context, cs []*model.TopicConnection,
) func(context.Context, []forum.TopicID) ([]*loader.Topic, []error) {
	l := loader.From(ctx)
	if len(cs) == 0 || !cs[0].HideBlocked {
		return named(l.ListedTopics)
	}
	return l.UnblockedTopics
}
