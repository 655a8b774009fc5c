package fsck

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// Vote counts of a topic or comment hold the votes on its comments, a topic's of all of them, a
// comment's of its replies. Comments without votes have no entry.

// nested reports whether the comment can have a parent in its partition.
func (m *commentView) nested() bool { return m.parent != 0 && m.parent.Partition() == m.id.Partition() }

// voteRead is a hash of vote counts to read, and where to store its field names.
type voteRead struct {
	key  string
	into *[]string
}

// readVoted reads which comments the vote counts of topics and comments name.
func (c *checker) readVoted(ctx context.Context, topics []*topicView) error {
	var small []voteRead
	queue := func(of string, size int64, into *[]string) error {
		switch key := key.CommentVotes(of); {
		case size > readSize:
			return c.eachField(ctx, key, func(names []string) error {
				*into = append(*into, names...)
				return nil
			})
		case size > 0:
			small = append(small, voteRead{key, into})
		}
		return nil
	}
	for _, t := range topics {
		if err := queue(t.key(), t.voteSize, &t.voted); err != nil {
			return err
		}
		for _, m := range t.comments {
			if err := queue(m.key(), m.voteSize, &m.voted); err != nil {
				return err
			}
		}
	}
	return groups(small, func(part []voteRead) error {
		r := c.read(ctx)
		names := make([]*redis.StringSliceCmd, len(part))
		for i, t := range part {
			names[i] = r.next().HKeys(ctx, t.key)
		}
		if err := r.done(); err != nil {
			return err
		}
		for i, t := range part {
			*t.into = names[i].Val()
		}
		return nil
	})
}

// checkCommentVotes compares a comment's entries in the vote counts with its votes.
func (c *checker) checkCommentVotes(t thread, m *commentView) {
	want := ""
	if up, down := m.votes.counts(); up+down > 0 {
		want = strconv.Itoa(up) + " " + strconv.Itoa(down)
	}
	lists := []string{t.key()}
	if m.nested() && t.known[m.parent] != nil {
		lists = append(lists, key.Comment(m.parent))
	}
	for i, list := range lists {
		k := key.CommentVotes(list)
		if has := m.commentVotes[i].Val(); has != want {
			write := fix{watch: []string{m.key(), key.Upvoters(m.key()), key.Downvoters(m.key()), k},
				do: func(ctx context.Context, pipe redis.Pipeliner) {
					if want == "" {
						pipe.HDel(ctx, k, key.Itoa(m.id))
					} else {
						pipe.HSet(ctx, k, key.Itoa(m.id), want)
					}
				}}
			c.add(t.on(), RuleCommentVotes, k, write, "has %q for comment %d; the sets have %q", has, m.id, want)
		}
	}
}

// checkNamed reports entries in vote counts for comments that are not in the list. parent is 0 for
// the topic, whose list is all comments.
func (c *checker) checkNamed(t thread, list string, parent forum.CommentID, names []string) {
	key := key.CommentVotes(list)
	for _, name := range names {
		id, _ := forum.ParseID[forum.CommentID](name)
		if m := t.known[id]; m != nil && (parent == 0 || m.parent == parent) {
			continue
		}
		out := fix{watch: []string{t.key(), key},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, key, name) }}
		c.add(t.on(), RuleCommentVotes, key, out, "%q is not a comment here", name)
	}
}
