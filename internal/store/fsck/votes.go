package fsck

import (
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// votesView is the votes on one subject. Both are the users who vote both ways.
type votesView struct {
	derive.Votes
	both []string
}

// queue queues the reads; fill stores their results and the subject's fields.
func (v *votesView) queue(r *check.Reading, k string) (fill func(f record.Fields)) {
	up, down := r.Size(key.Upvoters(k)), r.Size(key.Downvoters(k))
	both := r.Next().ZInter(r.Ctx, &redis.ZStore{Keys: []string{key.Upvoters(k), key.Downvoters(k)}})
	return func(f record.Fields) {
		v.Votes = derive.Votes{Up: f.Int("up"), BaseUp: f.Int("upBase"), SetUp: int(up.Val()),
			Down: f.Int("down"), BaseDown: f.Int("downBase"), SetDown: int(down.Val())}
		v.both = both.Val()
	}
}

// votes compares the counts of a subject with the sets. amend sets fields of the subject.
func (c *checker) votes(l *check.Look, k string, v *votesView, amend func(pairs ...any) check.Fix) {
	sets := []string{key.Upvoters(k), key.Downvoters(k)}
	if up, down := v.Counts(); v.Up != up || v.Down != down {
		l.Add(RuleVotesCount, k, amend("up", up, "down", down).Given(sets...),
			"%d up, %d down; the sets have %d and %d", v.Up, v.Down, up, down)
	}
	if both := v.both; len(both) > 0 {
		slices.Sort(both)
		l.Add(RuleVotesBoth, k, check.All(check.Drop(sets[0], both...), check.Drop(sets[1], both...)).Given(k),
			"%d users vote both ways: %.100s", len(both), both)
	}
}

// topicVotes checks the votes on a topic.
func (c *checker) topicVotes(l *check.Look, t *topicView) {
	article := t.f["kind"] == string(forum.Article)
	t.votes.Closed = article && c.Engine.Now() >= t.f.Time("created")+forum.VotingWindow
	c.votes(l, t.key(), &t.votes, func(pairs ...any) check.Fix { return c.amend(l, t, pairs...) })
	_, timed := t.f["voted"]
	switch voters := t.votes.SetUp + t.votes.SetDown; {
	case article && voters > 0 && !t.f.IsWhole("voted", 1):
		// Later votes are later than this one, whenever it was.
		l.Add(RuleVoteTime, t.key(), check.Set(t.key(), "voted", int64(c.Engine.Now())),
			"%d users voted, the latest at %q", voters,
			t.f["voted"])
	case !article && timed:
		l.Add(RuleVoteTime, t.key(), check.Unset(t.key(), "voted"), "is not an article, but was voted on at %q",
			t.f["voted"])
	}
}

// Vote counts of a topic or comment hold the votes on its comments, a topic's of all of them, a comment's of its
// replies. Comments without votes have no entry.

// counters are what counts the votes on a comment: its topic, and a parent in its partition.
func (m *commentView) counters() []string {
	keys := []string{key.Topic(m.topic)}
	if m.Parent != 0 && m.Parent.Partition() == m.ID.Partition() {
		keys = append(keys, key.Comment(m.Parent))
	}
	return keys
}

// commentVotes compares a comment's entries in the vote counts with its votes. nested reports whether its parent is known.
func (c *checker) commentVotes(l *check.Look, m *commentView, nested bool) {
	k := m.key()
	for i, of := range m.counters() {
		if i == 0 || nested {
			l.WantField(RuleCommentVotes, key.CommentVotes(of), key.Itoa(m.ID), m.counted[i], m.votes.Counted(), k,
				key.Upvoters(k), key.Downvoters(k))
		}
	}
}

// readVoted reads which comments the vote counts of a topic or comment name, given their number.
func (c *checker) readVoted(l *check.Look, k string, n int64) (names []string) {
	counts := check.List{Key: key.CommentVotes(k), Hash: true}
	switch {
	case n > readSize:
		if err := c.EachPiece(l.Ctx, counts, func(some []check.Entry) error {
			for _, e := range some {
				names = append(names, e.Name)
			}
			return nil
		}); err != nil {
			l.Fail(err)
		}
	case n > 0:
		keys := l.Next().HKeys(l.Ctx, counts.Key)
		l.Wait()
		names = keys.Val()
	}
	return names
}

// namedVotes reports entries in the vote counts of a parent for comments that are not its replies. parent is 0 for the
// topic, whose list is all comments.
func (c *checker) namedVotes(l *check.Look, t *topicView, list string, parent forum.CommentID, names []string,
	known map[forum.CommentID]*commentView) {
	k := key.CommentVotes(list)
	for _, name := range names {
		id, _ := forum.ParseID[forum.CommentID](name)
		if m := known[id]; m == nil || parent != 0 && m.Parent != parent {
			l.Add(RuleCommentVotes, k, check.Unset(k, name).Given(t.key()), "%q is not a comment here", name)
		}
	}
}

// voters returns the sets of those who voted on a topic or comment.
func voters(k string, article int64, v *votesView) (lists []check.List) {
	if v.SetUp+v.SetDown == 0 {
		return nil
	}
	for _, side := range []string{key.Upvoters(k), key.Downvoters(k)} {
		lists = append(lists,
			check.List{Key: side, On: check.Target{Kind: "voter", Key: side, ID: article}})
	}
	return lists
}
