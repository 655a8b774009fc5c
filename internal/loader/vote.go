package loader

import (
	"context"

	"agora/internal/breadth"
	"agora/internal/forum"
	"agora/internal/store"
)

// Votes reads the viewer's own votes; all NONE, without a read, when signed out.
func (l *Loaders) Votes(ctx context.Context, subjects []store.Subject) ([]forum.VoteDirection, []error) {
	if l.viewer == nil {
		votes := make([]forum.VoteDirection, len(subjects))
		for i := range votes {
			votes[i] = forum.VoteNone
		}
		return votes, nil
	}
	return l.votes.many(ctx, subjects)
}

// VotedTopic gives a topic that the viewer has just voted on, with the votes as the
// vote left them: they are not read again.
func (l *Loaders) VotedTopic(ctx context.Context, v store.Voted, direction forum.VoteDirection) (*forum.Topic, error) {
	l.votes.put(store.SubjectOf(v.Votes, l.store.Now()), direction)
	if !breadth.Running(ctx) {
		ts, errs := l.Topics(ctx, []forum.TopicID{v.Topic.ID})
		if ts[0] != nil {
			ts[0].Upvotes, ts[0].Downvotes = v.Votes.Up, v.Votes.Down
		}
		return ts[0], at(errs, 0)
	}
	t := l.topicHandles.one(v.Topic.ID)
	*t = *v.Topic
	t.Handle = forum.Handle{Status: forum.Named, Known: forum.TopicBase | forum.TopicVotes | forum.TopicFieldCategory | forum.TopicFieldActive}
	return t, nil
}

// VotedComment is VotedTopic for a comment.
func (l *Loaders) VotedComment(ctx context.Context, v store.Voted, direction forum.VoteDirection) (*forum.Comment, error) {
	l.votes.put(store.SubjectOf(v.Votes, l.store.Now()), direction)
	if !breadth.Running(ctx) {
		cs, errs := l.Comments(ctx, []forum.CommentID{v.Votes.Comment})
		if cs[0] != nil {
			cs[0].Upvotes, cs[0].Downvotes = v.Votes.Up, v.Votes.Down
		}
		return cs[0], at(errs, 0)
	}
	c := l.commentHandles.one(v.Votes.Comment)
	c.TopicID, c.Upvotes, c.Downvotes = v.Topic.ID, v.Votes.Up, v.Votes.Down
	c.Known |= forum.CommentBase | forum.CommentVotes | forum.CommentFieldSeen
	return c, nil
}

// OnDeleted tells which comments stand on deleted topics: who may see these can vote on
// nothing there. It goes by what was read to know who may see the comments.
func (l *Loaders) OnDeleted(ctx context.Context, cs []*forum.Comment) ([]bool, []error) {
	deleted := make([]bool, len(cs))
	if breadth.Running(ctx) {
		for i, c := range cs {
			t := l.topicHandles.all[c.TopicID]
			deleted[i] = t != nil && t.State == forum.TopicDeleted
		}
		return deleted, nil
	}
	topics, errs := l.TopicsOf(ctx, cs)
	for i, t := range topics {
		deleted[i] = t != nil && t.State == forum.TopicDeleted
	}
	return deleted, errs
}
