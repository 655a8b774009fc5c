package loader

import (
	"context"

	"agora/internal/forum"
)

// UnblockedTopics is ListedTopics, read, and nil for topics of users whom the viewer has blocked. If
// signed out, nothing is read.
func (l *Loaders) UnblockedTopics(
	ctx context.Context, ids []forum.TopicID,
) ([]*Topic, []error) {
	found := l.ListedTopics(ids)
	if l.viewer == nil {
		return found, nil
	}
	errs := l.NeedTopics(ctx, found)
	return unblocked(ctx, l, found, errs, func(t *Topic) forum.UserID { return t.AuthorID })
}

// UnblockedComments is UnblockedTopics for comments.
func (l *Loaders) UnblockedComments(
	ctx context.Context, ids []forum.CommentID,
) ([]*Comment, []error) {
	found := l.Comments(ids)
	if l.viewer == nil {
		return found, nil
	}
	errs := l.NeedComments(ctx, found)
	return unblocked(ctx, l, found, errs, func(c *Comment) forum.UserID { return c.AuthorID })
}

// unblocked replaces the rows of authors whom the viewer has blocked by nil.
func unblocked[T any](
	ctx context.Context, l *Loaders, rows []*T, errs []error, author func(*T) forum.UserID,
) ([]*T, []error) {
	var authors []forum.UserID
	var of []int
	for i, row := range rows {
		if id := author(row); id != 0 && id != l.viewer.ID {
			authors, of = append(authors, id), append(of, i)
		}
	}
	blocked, failed := l.blocked.many(ctx, authors)
	kept := append([]*T(nil), rows...)
	for n, i := range of {
		errs = addError(errs, len(rows), i, at(failed, n))
		if blocked[n] {
			kept[i] = nil
		}
	}
	return kept, errs
}
