package fsck

import (
	"context"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// entryTarget is the target for an entry of a container: an object that may belong there, under the member formed from
// its time of posting, or under member if that is set. With id 0, member is not a valid one.
func entryTarget(in key.Container, id int64, member string) check.Target {
	return check.Target{Kind: onEntry, Key: string(in), ID: id, Text: member}
}

// truth is an object's entry as derived from the object.
type truth struct {
	known   bool // the object exists
	silent  bool // it no longer knows
	lagging bool // its indexes may be outdated
	member  string
	scores  []string // by order, "" where it has no entry; nil if it does not belong in the container
	rev     int64
}

// truth reads the object of an entry.
func (c *checker) truth(l *check.Look) truth {
	if key.Container(l.On.Key).OfComments() {
		return c.commentTruth(l)
	}
	in, id := key.Container(l.On.Key), forum.TopicID(l.On.ID)
	state := record.GetTopicState(l.Ctx, l.Next(), id)
	mark := l.Marked(id.Partition(), "t:"+key.Itoa(id))
	l.Wait()
	t := state()
	day, isDay := in.Day()
	return truth{known: t.Rev != 0, silent: isDay && (!c.readable(day) || t.Day > day+1), lagging: c.Young(mark),
		member: t.Member(), scores: derive.TopicIn(t, in), rev: t.Rev}
}

// commentTruth is truth for a comment. It is listed while its topic is, and as of the task that follows when the topic is
// deleted, hidden or restored.
func (c *checker) commentTruth(l *check.Look) truth {
	in, id := key.Container(l.On.Key), forum.CommentID(l.On.ID)
	f, comment, lagging := l.CommentState(id)
	is := truth{lagging: lagging, member: record.Member(comment.Created, int64(id)), rev: comment.Rev}
	if f["topic"] == "" || in != key.UserCommentsContainer(comment.Author) {
		return is
	}
	is.known, is.scores = true, derive.CommentIn(comment, in)
	if comment.Deleted { // earlier versions did not raise it with the deletion of the topic
		is.rev = max(comment.Rev, record.CommentPosted+1)
	}
	return is
}

// listed reports whether topics in a state are in lists.
func listed(state string) bool { return forum.TopicState(state).Listed() }

// entryView is an entry as read from its container.
type entryView struct {
	truth
	in      key.Container
	scores  []*redis.FloatCmd // of the expected member
	other   []*redis.FloatCmd // of the member of the target
	rev     *redis.StringCmd
	removed *redis.FloatCmd
}

// name returns the name of the entry in revisions and tombstones.
func (c *checker) entryName(l *check.Look) string {
	if l.On.ID == 0 {
		return l.On.Text
	}
	return strconv.FormatInt(l.On.ID, 10)
}

// entry compares an entry of a container with its object.
func (c *checker) entry(l *check.Look, t truth) {
	v := entryView{truth: t, in: key.Container(l.On.Key)}
	v.scores, v.other = l.Scores(check.OrdersOf(v.in), t.member), l.Scores(check.OrdersOf(v.in), l.On.Text)
	v.rev = l.Next().HGet(l.Ctx, v.in.Revisions(), c.entryName(l))
	v.removed = l.Score(v.in.Removed(), c.entryName(l))
	l.Wait()
	id, member := l.On.ID, l.On.Text
	if id == 0 {
		if check.Count(v.other) > 0 || check.Is(v.rev) || check.Is(v.removed) {
			l.Add(RuleIndexMember, l.On.Key, c.rewrite(l, v), "%q is not an entry", member)
		}
		return
	}
	if t.silent {
		return
	}
	if t.lagging {
		l.Postpone()
		return
	}
	present := t.known && check.Count(v.scores) > 0
	if member != "" && (!t.known || member != t.member) && check.Count(v.other) > 0 {
		l.Add(RuleIndexStray, l.On.Key, c.rewrite(l, v), "%d is at %q, which is not its position", id, member)
	}
	if t.scores != nil {
		c.compareScores(l, v)
	} else if present {
		l.Add(RuleIndexStray, l.On.Key, c.rewrite(l, v), "%d at revision %d does not belong there", id, t.rev)
	}
	c.compareRevision(l, v, present)
}

// compareScores compares the scores of an entry that belongs in its container.
func (c *checker) compareScores(l *check.Look, v entryView) {
	has, want, rule := make([]string, len(v.scores)), v.truth.scores, RuleIndexScore
	for i, cmd := range v.scores {
		if check.Is(cmd) {
			has[i] = record.FormatScore(cmd.Val())
		} else if want[i] != "" {
			rule = RuleIndexMissing
		}
	}
	if !slices.Equal(has, want) {
		l.Add(rule, l.On.Key, c.rewrite(l, v), "%d at revision %d is at %q; want %q", l.On.ID, v.truth.rev, has, want)
	}
}

// compareRevision checks the revision and tombstone of an entry.
func (c *checker) compareRevision(l *check.Look, v entryView, present bool) {
	rev, removed, t := v.rev.Val(), check.Is(v.removed), v.truth
	n, err := strconv.ParseInt(rev, 10, 64)
	switch {
	case present && (err != nil || n < 1), rev != "" && t.known && n > t.rev:
		l.Add(RuleIndexRev, l.On.Key, c.rewrite(l, v), "%d at revision %d was indexed at %q", l.On.ID, t.rev, rev)
	case rev != "" && !present && !removed && t.scores == nil:
		l.Add(RuleIndexRev, l.On.Key, c.rewrite(l, v), "%d is neither listed nor removed, but has revision %q", l.On.ID,
			rev)
	case removed && (present || rev == ""):
		l.Add(RuleIndexTombstone, l.On.Key, c.rewrite(l, v), "%d is removed; listed: %t, revision %q", l.On.ID, present,
			rev)
	}
}

// rewrite returns a fix that corrects an entry through the guard. If the guard does nothing, because the revision is
// already stored, the fix writes directly.
func (c *checker) rewrite(l *check.Look, v entryView) check.Fix {
	in, t, id, member, name := v.in, v.truth, l.On.ID, l.On.Text, c.entryName(l)
	x := check.Transaction([]string{in.Revisions()}, func(ctx context.Context, pipe redis.Pipeliner) {
		for i, order := range check.OrdersOf(in) {
			if member != "" {
				pipe.ZRem(ctx, order, member)
			}
			if t.scores != nil && t.scores[i] != "" {
				pipe.Do(ctx, "zadd", order, t.scores[i], t.member)
			} else if t.known {
				pipe.ZRem(ctx, order, t.member)
			}
		}
		pipe.ZRem(ctx, in.Removed(), name)
		pipe.HDel(ctx, in.Revisions(), name)
		if t.known && id != 0 {
			pipe.HSet(ctx, in.Revisions(), name, t.rev)
			if t.scores == nil {
				pipe.ZAdd(ctx, in.Removed(), redis.Z{Score: float64(c.Engine.Now()), Member: name})
			}
		}
		if day, ok := in.Day(); ok {
			for _, key := range []string{in.Order(key.OrderReplies), in.Revisions(), in.Removed()} {
				pipe.Do(ctx, "expireat", key, record.ExpireAt(day.Ends(c.Engine.Zone())))
			}
		}
	})
	switch {
	case !t.known || t.scores == nil || id == 0:
	case in.OfComments():
		x.First = func(ctx context.Context) error {
			return c.repairer.Reindex(ctx, forum.CommentID(id).Partition(), nil, []forum.CommentID{forum.CommentID(id)})
		}
	default:
		x.First = func(ctx context.Context) error { return c.reindex(ctx, forum.TopicID(id)) }
	}
	return x
}

// reindex has the guards write a topic's entries, except in a lost category: its closed index would delete the topic.
func (c *checker) reindex(ctx context.Context, id forum.TopicID) error {
	category, err := c.rdb.Redis.HGet(ctx, key.Topic(id), "category").Int64()
	if err != nil {
		return nil // deleted since, or malformed, which is a finding
	}
	if category != 0 {
		n, err := c.rdb.Redis.Exists(ctx, key.Category(forum.CategoryID(category))).Result()
		if err != nil || n == 0 {
			return err
		}
	}
	return c.repairer.Reindex(ctx, id.Partition(), []forum.TopicID{id}, nil)
}
