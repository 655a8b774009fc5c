package loader

import (
	"context"

	"agora/internal/forum"
)

// AskLogins queues the lookup of users by folded login for the next pipeline.
func (l *Loaders) AskLogins(folds []string) { l.logins.ask(folds) }

// CommentToEdit reads the topic and the present revision of a comment, even if the viewer may not see it or it is
// deleted; nil if it does not exist. It is for a write, which checks the rest.
func (l *Loaders) CommentToEdit(ctx context.Context, id forum.CommentID) (*forum.Comment, error) {
	c := l.commentHandles.one(id)
	l.commentHandles.need(ctx, []*forum.Comment{c},
		forum.Everything)
	if c.Failure != nil || c.Status == forum.Absent {
		return nil, c.Failure
	}
	return c, nil
}

// CommentsOn is CommentsNow for comments on a topic, which is read together with them.
func (l *Loaders) CommentsOn(
	ctx context.Context, topic forum.TopicID, ids []forum.CommentID, want forum.Part,
) ([]*forum.Comment, []error) {
	if topic != 0 {
		l.topicHandles.ask(l.topicHandles.named([]forum.TopicID{topic}), forum.Basics)
		l.commentHandles.ask(l.commentHandles.named(ids), want)
	}
	return l.CommentsNow(ctx, ids, want)
}
