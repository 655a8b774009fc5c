package loader

import (
	"context"
	"slices"

	"agora/internal/forum"
)

// AccessActions returns what the viewer may do in categories, by the rules of these.
func (l *Loaders) AccessActions(to []*forum.CategoryAccess) [][]forum.Action {
	actions := make([][]forum.Action, len(to))
	for i, a := range to {
		actions[i] = l.allowed(forum.AccessActions(l.viewer, *a))
	}
	return actions
}

// TopicActions returns what the viewer may do to topics; nothing, without a read, if signed out. Whether their authors
// have blocked the viewer is read after the topics.
func (l *Loaders) TopicActions(ctx context.Context, ts []*Topic) ([][]forum.Action, []error) {
	if l.viewer == nil {
		return none[forum.Action](len(ts)), nil
	}
	// The category is read with the topic for those who moderate categories.
	errs := l.NeedTopics(ctx, ts)
	authors := make([]forum.UserID, len(ts))
	for i, t := range ts {
		authors[i] = t.AuthorID
	}
	bonds, failed := l.bonds(ctx, ts, authors)
	actions := make([][]forum.Action, len(ts))
	now := l.store.Engine.Now()
	for i, t := range ts {
		errs = addError(errs, len(ts), i, at(failed, i))
		actions[i] = l.allowed(forum.TopicActions(l.viewer, t.Topic, bonds[i], now))
	}
	return actions, errs
}

// CommentActions is TopicActions for comments.
func (l *Loaders) CommentActions(ctx context.Context, cs []*Comment) ([][]forum.Action, []error) {
	if l.viewer == nil {
		return none[forum.Action](len(cs)), nil
	}
	errs := l.NeedComments(ctx, cs)
	topics, authors := make([]*Topic, len(cs)), make([]forum.UserID, len(cs))
	for i, c := range cs {
		topics[i], authors[i] = l.topicHandles.one(c.TopicID), c.WriterID
	}
	l.NeedTopics(ctx, topics)
	bonds, failed := l.bonds(ctx, topics, authors)
	actions := make([][]forum.Action, len(cs))
	for i, c := range cs {
		errs = addError(errs, len(cs), i, at(failed, i))
		actions[i] = l.allowed(forum.CommentActions(l.viewer, c.Comment, topics[i].Topic, bonds[i]))
	}
	return actions, errs
}

// bonds reads what actions on topics, or comments on them, depend on. Roles of authors are read, together with blocks,
// if the viewer moderates anything.
func (l *Loaders) bonds(ctx context.Context, ts []*Topic, authors []forum.UserID) ([]forum.Bond, []error) {
	bonds := make([]forum.Bond, len(ts))
	var users []*User
	var moderated []int
	for i, t := range ts {
		if authors[i] != 0 && l.moderates(t.CategoryID) {
			users, moderated = append(users, l.userHandles.one(authors[i])), append(moderated, i)
		}
	}
	l.AskUsers(users)
	blocked, errs := l.blockedBy(ctx, ts)
	failed := l.NeedUsers(ctx, users)
	rules := l.rules()
	for i, t := range ts {
		bonds[i].Blocked, bonds[i].Closed = blocked[i], !rules.In(t.CategoryID).MayReply(l.viewer)
	}
	for n, i := range moderated {
		bonds[i].Role, bonds[i].Peer = users[n].Role, slices.Contains(users[n].Moderates, ts[i].CategoryID)
		errs = addError(errs, len(ts), i, at(failed, n))
	}
	return bonds, errs
}

// UserActions is TopicActions for users. Users not read yet are read together with the blocks.
func (l *Loaders) UserActions(ctx context.Context, us []*User) ([][]forum.Action, []error) {
	blocked, errs := ofViewer(ctx, l, us, &l.eitherBlocked, sameID)
	if failed := l.NeedUsers(ctx, us); errs == nil {
		errs = failed
	}
	actions := make([][]forum.Action, len(us))
	for i, u := range us {
		actions[i] = l.allowed(forum.UserActions(l.viewer, u.User, blocked[i]))
	}
	return actions, errs
}

// allowed returns those of the actions that no ban keeps the viewer from.
func (l *Loaders) allowed(actions []forum.Action) []forum.Action {
	if l.viewer == nil || !l.viewer.Ban.InForce(l.store.Engine.Now()) {
		return actions
	}
	return slices.DeleteFunc(actions, func(a forum.Action) bool { return !a.WhileBanned() })
}

// blockedBy reports which topics have an author who has blocked the viewer.
func (l *Loaders) blockedBy(ctx context.Context, ts []*Topic) ([]bool, []error) {
	blocked := make([]bool, len(ts))
	var authors []forum.UserID
	var which []int
	for i, t := range ts {
		if t.AuthorID != 0 && t.AuthorID != l.viewer.ID && t.State.Listed() {
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
