package fsck

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// votesView is the votes on one subject: counted, imported, in the sets.
type votesView struct {
	up, down, baseUp, baseDown, setUp, setDown int

	both []string
	// closed reports that voting is over: from then on each set may expire at any time, and the
	// counts no longer change.
	closed bool
}

// queue queues the reads; fill stores their results and the subject's fields.
func (v *votesView) queue(r *reading, k string) (fill func(f record.Fields)) {
	up := r.next().ZCard(r.ctx, key.Upvoters(k))
	down := r.next().ZCard(r.ctx, key.Downvoters(k))
	both := r.next().ZInter(r.ctx, &redis.ZStore{Keys: []string{key.Upvoters(k), key.Downvoters(k)}})
	return func(f record.Fields) {
		*v = votesView{
			up: f.Int("up"), baseUp: f.Int("upBase"), setUp: int(up.Val()),
			down: f.Int("down"), baseDown: f.Int("downBase"), setDown: int(down.Val()),
			both: both.Val(),
		}
	}
}

// counts returns the expected vote counts.
func (v *votesView) counts() (up, down int) {
	up, down = v.baseUp+v.setUp, v.baseDown+v.setDown
	if v.closed && v.setUp == 0 {
		up = max(up, v.up)
	}
	if v.closed && v.setDown == 0 {
		down = max(down, v.down)
	}
	return up, down
}

// checkVotes compares the counts with the sets. amend sets fields of the subject.
func (c *checker) checkVotes(on target, k string, v *votesView, amend func(pairs ...any) fix) {
	watch := []string{key.Upvoters(k), key.Downvoters(k)}
	if up, down := v.counts(); v.up != up || v.down != down {
		count := amend("up", up, "down", down)
		count.watch = append(count.watch, watch...)
		c.add(on, RuleVotesCount, k, count, "%d up, %d down; the sets have %d and %d", v.up, v.down, up, down)
	}
	if both := v.both; len(both) > 0 {
		slices.Sort(both)
		neither := fix{watch: append(watch, k), do: func(ctx context.Context, pipe redis.Pipeliner) {
			for _, user := range both {
				pipe.ZRem(ctx, key.Upvoters(k), user)
				pipe.ZRem(ctx, key.Downvoters(k), user)
			}
		}}
		c.add(on, RuleVotesBoth, k, neither, "%d users vote both ways: %.100s", len(both), both)
	}
}

// checkTopicVotes checks the votes on a topic.
func (c *checker) checkTopicVotes(t *topicView) {
	article := t.f["kind"] == string(forum.Article)
	t.votes.closed = article && c.s.Now() >= t.f.Time("created")+forum.VotingWindow
	c.checkVotes(t.on(), t.key(), &t.votes, func(pairs ...any) fix { return c.amend(t, pairs...) })
	_, timed := t.f["voted"]
	switch voters := t.votes.setUp + t.votes.setDown; {
	case article && voters > 0 && !t.f.IsWhole("voted", 1):
		// Later votes are later than this one, whenever it was.
		c.add(t.on(), RuleVoteTime, t.key(), set(t.key(), "voted", int64(c.s.Now())),
			"%d users voted, the latest at %q", voters, t.f["voted"])
	case !article && timed:
		never := fix{watch: []string{t.key()},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, key.Internal(t.key()), "voted") }}
		c.add(t.on(), RuleVoteTime, t.key(), never, "is not an article, but was voted on at %q", t.f["voted"])
	}
}

// amend returns a fix that sets fields of a topic on which its indexes depend; "" deletes a field.
// The indexes follow, except while they would delete the topic; see reindex.
func (c *checker) amend(t *topicView, pairs ...any) fix {
	return fix{watch: []string{t.key()}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		for i := 0; i < len(pairs); i += 2 {
			if name := pairs[i].(string); pairs[i+1] == "" {
				record.Remove(ctx, pipe, t.key(), name)
			} else {
				record.Set(ctx, pipe, t.key(), name, pairs[i+1])
			}
		}
		if t.housed() {
			pipe.HIncrBy(ctx, key.Internal(t.key()), "rev", 1)
			pipe.ZAddNX(ctx, key.Dirty(t.id.Partition()), redis.Z{Score: float64(c.s.Now()), Member: "t:" + key.Itoa(t.id)})
		}
	}}
}

// readCommentVotes reads the votes on comments and their entries in vote counts. A vote on a
// comment leaves no other trace, so everything is read atomically.
func (c *checker) readCommentVotes(ctx context.Context, comments []*commentView) error {
	homes := map[forum.Partition][]*commentView{}
	for _, m := range comments {
		homes[m.id.Partition()] = append(homes[m.id.Partition()], m)
	}
	for _, part := range homes {
		err := groups(part, func(part []*commentView) error { return c.readPolls(ctx, part) })
		if err != nil {
			return err
		}
	}
	return nil
}

// readPolls is readCommentVotes for at most groupSize comments of one partition. It sends six
// commands for each, less than readSize in total.
func (c *checker) readPolls(ctx context.Context, part []*commentView) error {
	r := c.readAtOnce(ctx)
	after := make([]func(), len(part))
	for i, m := range part {
		hash := r.hmget(m.key(), []string{"up", "upBase", "down", "downBase"})
		fill := m.votes.queue(r, m.key())
		if m.topic.Partition() == m.id.Partition() {
			m.commentVotes[0] = r.next().HGet(ctx, key.CommentVotes(key.Topic(m.topic)), key.Itoa(m.id))
		}
		if m.nested() {
			m.commentVotes[1] = r.next().HGet(ctx, key.CommentVotes(key.Comment(m.parent)), key.Itoa(m.id))
		}
		after[i] = func() { fill(hash()) }
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, f := range after {
		f()
	}
	return nil
}
