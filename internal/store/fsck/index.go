package fsck

import (
	"context"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// entryTarget is the target for an entry of a container: an object that may belong there, under the member formed from
// its time of posting, or under member if that is set. With id 0, member is not a valid one.
func entryTarget(in key.Container, id int64, member string) target {
	return target{kind: onEntry, key: string(in), id: id, text: member}
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
func (l *look) truth() truth {
	if key.Container(l.on.key).OfComments() {
		return l.commentTruth()
	}
	in, id := key.Container(l.on.key), forum.TopicID(l.on.id)
	state := record.GetTopicState(l.ctx, l.next(), id)
	mark := l.marked(id.Partition(), "t:"+key.Itoa(id))
	l.wait()
	t := state()
	day, isDay := in.Day()
	return truth{known: t.Rev != 0, silent: isDay && (!l.readable(day) || t.Day > day+1), lagging: l.young(mark),
		member: t.Member(), scores: derive.TopicIn(t, in), rev: t.Rev}
}

// commentTruth is truth for a comment. It is listed while its topic is, and as of the task that follows when the topic is
// deleted, hidden or restored.
func (l *look) commentTruth() truth {
	in, id := key.Container(l.on.key), forum.CommentID(l.on.id)
	f, comment, lagging := l.commentState(id)
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

// commentState reads a comment and its topic. lagging reports whether what follows may be outdated.
func (l *look) commentState(id forum.CommentID) (f record.Fields, _ record.CommentState, lagging bool) {
	p := id.Partition()
	hash := l.hmget(key.Comment(id), append([]string{"topic"}, script.CommentStateFields...))
	mark := l.marked(p, "c:"+key.Itoa(id))
	l.wait()
	f = hash()
	topic := forum.TopicID(f.Int("topic"))
	state, topicMark := l.field(key.Topic(topic), "state"), l.score(key.Dirty(p), "t:"+key.Itoa(topic))
	task := l.exists(key.Task(p, record.RetractTask(topic)))
	l.wait()
	of := record.TopicState{Listed: listed(state.Val()), Deleted: state.Val() == string(forum.TopicDeleted)}
	return f, record.ParseCommentState(id, f, of), l.young(mark) || task.Val() > 0 || !of.Listed && l.young(topicMark)
}

// young reports whether a dirty mark excuses outdated indexes.
func (c *checker) young(mark *redis.FloatCmd) bool {
	return is(mark) && forum.Time(mark.Val())+lagLife > c.s.Engine.Now()
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
func (l *look) entryName() string {
	if l.on.id == 0 {
		return l.on.text
	}
	return strconv.FormatInt(l.on.id, 10)
}

// entry compares an entry of a container with its object.
func (l *look) entry(t truth) {
	v := entryView{truth: t, in: key.Container(l.on.key)}
	v.scores, v.other = l.scores(ordersOf(v.in), t.member), l.scores(ordersOf(v.in), l.on.text)
	v.rev = l.next().HGet(l.ctx, v.in.Revisions(), l.entryName())
	v.removed = l.score(v.in.Removed(), l.entryName())
	l.wait()
	id, member := l.on.id, l.on.text
	if id == 0 {
		if count(v.other) > 0 || is(v.rev) || is(v.removed) {
			l.add(RuleIndexMember, l.on.key, l.rewrite(v), "%q is not an entry", member)
		}
		return
	}
	if t.silent {
		return
	}
	if t.lagging {
		l.postpone()
		return
	}
	present := t.known && count(v.scores) > 0
	if member != "" && (!t.known || member != t.member) && count(v.other) > 0 {
		l.add(RuleIndexStray, l.on.key, l.rewrite(v), "%d is at %q, which is not its position", id, member)
	}
	if t.scores != nil {
		l.compareScores(v)
	} else if present {
		l.add(RuleIndexStray, l.on.key, l.rewrite(v), "%d at revision %d does not belong there", id, t.rev)
	}
	l.compareRevision(v, present)
}

// count returns how many of the reads found something.
func count(cmds []*redis.FloatCmd) int {
	n := 0
	for _, cmd := range cmds {
		if is(cmd) {
			n++
		}
	}
	return n
}

// compareScores compares the scores of an entry that belongs in its container.
func (l *look) compareScores(v entryView) {
	has, want, rule := make([]string, len(v.scores)), v.truth.scores, RuleIndexScore
	for i, cmd := range v.scores {
		if is(cmd) {
			has[i] = record.FormatScore(cmd.Val())
		} else if want[i] != "" {
			rule = RuleIndexMissing
		}
	}
	if !slices.Equal(has, want) {
		l.add(rule, l.on.key, l.rewrite(v), "%d at revision %d is at %q; want %q", l.on.id, v.truth.rev, has, want)
	}
}

// compareRevision checks the revision and tombstone of an entry.
func (l *look) compareRevision(v entryView, present bool) {
	rev, removed, t := v.rev.Val(), is(v.removed), v.truth
	n, err := strconv.ParseInt(rev, 10, 64)
	switch {
	case present && (err != nil || n < 1), rev != "" && t.known && n > t.rev:
		l.add(RuleIndexRev, l.on.key, l.rewrite(v), "%d at revision %d was indexed at %q", l.on.id, t.rev, rev)
	case rev != "" && !present && !removed && t.scores == nil:
		l.add(RuleIndexRev, l.on.key, l.rewrite(v), "%d is neither listed nor removed, but has revision %q", l.on.id, rev)
	case removed && (present || rev == ""):
		l.add(RuleIndexTombstone, l.on.key, l.rewrite(v), "%d is removed; listed: %t, revision %q", l.on.id, present, rev)
	}
}

// rewrite returns a fix that corrects an entry through the guard. If the guard does nothing, because the revision is
// already stored, the fix writes directly.
func (l *look) rewrite(v entryView) fix {
	in, t, id, member, name := v.in, v.truth, l.on.id, l.on.text, l.entryName()
	x := transaction([]string{in.Revisions()}, func(ctx context.Context, pipe redis.Pipeliner) {
		for i, order := range ordersOf(in) {
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
				pipe.ZAdd(ctx, in.Removed(), redis.Z{Score: float64(l.s.Engine.Now()), Member: name})
			}
		}
		if day, ok := in.Day(); ok {
			for _, key := range []string{in.Order(key.OrderReplies), in.Revisions(), in.Removed()} {
				pipe.Do(ctx, "expireat", key, record.ExpireAt(day.Ends(l.s.Engine.Zone())))
			}
		}
	})
	switch {
	case !t.known || t.scores == nil || id == 0:
	case in.OfComments():
		x.first = func(ctx context.Context) error {
			return l.repairer.Reindex(ctx, forum.CommentID(id).Partition(), nil, []forum.CommentID{forum.CommentID(id)})
		}
	default:
		x.first = func(ctx context.Context) error { return l.reindex(ctx, forum.TopicID(id)) }
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
