package loader

import (
	"context"

	"agora/internal/forum"
)

// TopicActions returns what the viewer may do to topics; nothing, without a read, if signed out. Whether their authors
// have blocked the viewer is read after the topics.
func (l *Loaders) TopicActions(ctx context.Context, ts []*forum.Topic) ([][]forum.Action, []error) {
	if l.viewer == nil {
		return none[forum.Action](len(ts)), nil
	}
	errs := l.NeedTopics(ctx, ts, forum.TopicVotes|forum.TopicFieldAuthor)
	blocked, failed := l.blockedBy(ctx, ts)
	actions := make([][]forum.Action, len(ts))
	now := l.store.Now()
	for i, t := range ts {
		errs = addError(errs, len(ts), i, at(failed, i))
		actions[i] = forum.TopicActions(l.viewer, t, blocked[i], now)
	}
	return actions, errs
}

// CommentActions is TopicActions for comments.
func (l *Loaders) CommentActions(ctx context.Context, cs []*forum.Comment) ([][]forum.Action, []error) {
	if l.viewer == nil {
		return none[forum.Action](len(cs)), nil
	}
	errs := l.NeedComments(ctx, cs, forum.CommentFieldAuthor|forum.CommentBase)
	topics := make([]*forum.Topic, len(cs))
	for i, c := range cs {
		topics[i] = l.topicHandles.one(c.TopicID)
	}
	l.NeedTopics(ctx, topics, forum.TopicFieldAuthor)
	blocked, failed := l.blockedBy(ctx, topics)
	actions := make([][]forum.Action, len(cs))
	for i, c := range cs {
		errs = addError(errs, len(cs), i, at(failed, i))
		actions[i] = forum.CommentActions(l.viewer, c, topics[i], blocked[i])
	}
	return actions, errs
}

// UserActions is TopicActions for users. Users not read yet are read together with the blocks.
func (l *Loaders) UserActions(ctx context.Context, us []*forum.User) ([][]forum.Action, []error) {
	blocked, errs := ofUsers(ctx, l, us, &l.eitherBlocked, sameID)
	actions := make([][]forum.Action, len(us))
	for i, u := range us {
		actions[i] = forum.UserActions(l.viewer, u, blocked[i])
	}
	return actions, errs
}

// blockedBy reports which topics have an author who has blocked the viewer.
func (l *Loaders) blockedBy(ctx context.Context, ts []*forum.Topic) ([]bool, []error) {
	blocked := make([]bool, len(ts))
	var authors []forum.UserID
	var which []int
	for i, t := range ts {
		if t.AuthorID != 0 && t.AuthorID != l.viewer.ID && t.State == forum.TopicOpen {
			authors, which = append(authors, t.AuthorID), append(which, i)
		}
	}
	found, failed := l.blocking.many(ctx, authors)
	var errs []error
	for n, i := range which {
		blocked[i] = found[n]
		errs = addError(errs, len(ts), i, at(failed, n))
	}
	return blocked, errs
}

// none returns n empty lists.
func none[T any](n int) [][]T {
	lists := make([][]T, n)
	for i := range lists {
		lists[i] = []T{}
	}
	return lists
}
