package loader

import (
	"context"

	"agora/internal/forum"
)

// AskLogins queues the lookup of users by folded login for the next pipeline.
func (l *Loaders) AskLogins(folds []string) { l.logins.ask(folds) }

// CommentToEdit reads a comment, with its text even if that is long, even if the viewer may not see it or it is
// deleted; nil if it does not exist. It is for a write, which checks the rest.
func (l *Loaders) CommentToEdit(ctx context.Context, id forum.CommentID) (*forum.Comment, error) {
	c := l.commentHandles.one(id)
	l.commentHandles.need(ctx, []*Comment{c})
	if c.failure() != nil || c.status == statusAbsent {
		return nil, c.failure()
	}
	texts, errs := l.PresentTexts(ctx, []forum.Subject{{Comment: id}})
	if err := at(errs, 0); err != nil {
		return nil, err
	}
	whole := *c.Comment
	whole.Content = texts[0].Content
	return &whole, nil
}

// CommentsOn is CommentsNow for comments on a topic, which is read together with them.
func (l *Loaders) CommentsOn(
	ctx context.Context, topic forum.TopicID, ids []forum.CommentID,
) ([]*Comment, []error) {
	if topic != 0 {
		l.topicHandles.ask(l.topicHandles.named([]forum.TopicID{topic}))
		l.commentHandles.ask(l.commentHandles.named(ids))
	}
	return l.CommentsNow(ctx, ids)
}
