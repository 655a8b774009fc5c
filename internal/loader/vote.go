package loader

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store"
)

// Votes reads the viewer's own votes; all NONE, without a read, if signed out.
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

// VotedTopic returns a topic that the viewer has just voted on, with the counts that the vote returned: they are not
// read again.
func (l *Loaders) VotedTopic(v store.Voted, direction forum.VoteDirection) *forum.Topic {
	l.votes.put(store.SubjectOf(v.Votes, l.store.Now()), direction)
	t := l.topicHandles.one(v.Topic.ID)
	*t = *v.Topic
	t.Handle = forum.Handle{
		Status: forum.Named,
		Known:  forum.TopicBase | forum.TopicVotes | forum.TopicFieldCategory | forum.TopicFieldActive,
	}
	return t
}

// VotedComment is VotedTopic for a comment.
func (l *Loaders) VotedComment(v store.Voted, direction forum.VoteDirection) *forum.Comment {
	l.votes.put(store.SubjectOf(v.Votes, l.store.Now()), direction)
	c := l.commentHandles.one(v.Votes.Comment)
	c.WriterID, c.AuthorID, c.State = v.Writer, v.Writer, forum.CommentOpen
	c.TopicID, c.Upvotes, c.Downvotes = v.Topic.ID, v.Votes.Up, v.Votes.Down
	c.Known |= forum.CommentBase | forum.CommentVotes | forum.CommentFieldSeen
	return c
}

// ClickedTopics returns topics that the viewer has just opened, with the counts of clicks that this returned, -1 for a
// topic that does not exist for the viewer. Counts are not read again: others may have clicked since.
func (l *Loaders) ClickedTopics(ids []forum.TopicID, counts []int) []*forum.Topic {
	topics := l.Topics(ids)
	for i, t := range topics {
		if counts[i] >= 0 {
			t.ClickCount, t.Known = counts[i], t.Known|forum.TopicFieldClicks
		}
	}
	return topics
}

// OnClosed reports which comments are on topics that are not open: users who may see these cannot vote there. It uses
// the topics read to decide who may see the comments.
func (l *Loaders) OnClosed(cs []*forum.Comment) []bool {
	closed := make([]bool, len(cs))
	for i, c := range cs {
		t := l.topicHandles.all[c.TopicID]
		closed[i] = t != nil && t.State != "" && t.State != forum.TopicOpen
	}
	return closed
}
