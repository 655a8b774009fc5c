package loader

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/votes"
)

// Votes reads the viewer's own votes; all NONE, without a read, if signed out.
func (l *Loaders) Votes(ctx context.Context, subjects []votes.Subject) ([]forum.VoteDirection, []error) {
	if l.viewer == nil {
		votes := make([]forum.VoteDirection, len(subjects))
		for i := range votes {
			votes[i] = forum.VoteNone
		}
		return votes, nil
	}
	return l.votes.many(ctx, subjects)
}

// Voted notes what the viewer has just voted, and the counts that this returned: others may have voted since.
func (l *Loaders) Voted(v forum.VoteSummary, direction forum.VoteDirection) {
	l.votes.put(votes.SubjectOf(v, l.store.Engine.Now()), direction)
	if l.voted = v; v.Comment != 0 {
		l.countVotes(l.commentHandles.one(v.Comment))
	} else {
		l.countTopicVotes(l.topicHandles.one(v.Topic))
	}
}

func (l *Loaders) countTopicVotes(t *Topic) {
	if l.voted.Comment == 0 && l.voted.Topic == t.ID {
		counted := *t.Topic
		counted.Upvotes, counted.Downvotes = l.voted.Up, l.voted.Down
		t.Topic = &counted
	}
}

func (l *Loaders) countVotes(c *Comment) {
	if l.voted.Comment == c.ID {
		counted := *c.Comment
		counted.Upvotes, counted.Downvotes = l.voted.Up, l.voted.Down
		c.Comment = &counted
	}
}

// ClickedTopics returns topics that the viewer has just opened, with the counts of clicks that this returned, -1 for a
// topic that does not exist for the viewer. Others may have clicked since.
func (l *Loaders) ClickedTopics(ids []forum.TopicID, counts []int) []*Topic {
	l.clicked = make(map[forum.TopicID]int, len(ids))
	for i, id := range ids {
		if counts[i] >= 0 {
			l.clicked[id] = counts[i]
		}
	}
	return l.Topics(ids)
}

func (l *Loaders) countClicks(t *Topic) {
	if n, ok := l.clicked[t.ID]; ok {
		counted := *t.Topic
		counted.ClickCount = n
		t.Topic = &counted
	}
}

// OnClosed reports which comments are on topics that are not open: users who may see these cannot vote there. It uses
// the topics read to decide who may see the comments.
func (l *Loaders) OnClosed(cs []*Comment) []bool {
	closed := make([]bool, len(cs))
	for i, c := range cs {
		t := l.topicHandles.all[c.TopicID]
		closed[i] = t != nil && t.State != "" && t.State != forum.TopicOpen
	}
	return closed
}
