package fsck

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// partitionCount is a count of a partition's objects. It is stable if none was created or deleted while counting.
type partitionCount struct {
	stamp                   record.Fields // counters and sequence when counting began
	users, topics, comments int
	stable                  bool
}

// countPartition counts the objects of a partition. Ids assigned since the scan began are tried one by one. Every change
// of a count also changes a counter or the sequence.
func (l *look) countPartition(p forum.Partition) (n partitionCount) {
	n.stamp = l.counters(p)
	topics, users := slices.Clone(l.keys.topics[p]), slices.Clone(l.keys.users[p])
	for seq := l.keys.sequence[p] + 1; seq <= int64(n.stamp.Int("seq")); seq++ {
		id := seq*forum.Partitions + int64(p)
		topics, users = append(topics, id), append(users, id)
	}
	slices.Sort(topics)
	slices.Sort(users)
	each(l, slices.Compact(topics), func(l *look, id int64) {
		hash := l.hmget(key.Topic(forum.TopicID(id)), []string{"state", "comments"})
		l.wait()
		if t := hash(); listed(t["state"]) {
			n.topics++
			n.comments += t.Int("comments")
		}
	})
	each(l, slices.Compact(users), func(l *look, id int64) {
		state := l.field(key.User(forum.UserID(id)), "state")
		l.wait()
		if state.Val() == catalogue.UserActive {
			n.users++
		}
	})
	n.stable = maps.Equal(n.stamp, l.counters(p))
	return n
}

// counters reads the counters and the sequence of a partition.
func (l *look) counters(p forum.Partition) record.Fields {
	stats, seq := l.hmget(key.Stats(p), []string{"users", "topics", "comments"}), l.text(key.Sequence(p))
	l.wait()
	f := stats()
	f["seq"] = seq.Val()
	return f
}

// partition checks a partition's sequence and counters.
func (l *look) partition() {
	p := forum.Partition(l.on.id)
	n := l.countPartition(p)
	for range confirmRounds {
		if n.stable {
			break
		}
		n = l.countPartition(p)
	}
	highest := int64(0)
	for _, ids := range [][]int64{l.keys.topics[p], l.keys.comments[p], l.keys.users[p], l.keys.lists[p]} {
		if len(ids) > 0 {
			highest = max(highest, ids[len(ids)-1]/forum.Partitions)
		}
	}
	l.sequence(key.Sequence(p), n.stamp["seq"], highest)
	if !n.stable {
		l.postpone()
		return
	}
	for name, want := range map[string]int{"users": n.users, "topics": n.topics, "comments": n.comments} {
		if n.stamp.Int(name) != want || !n.stamp.IsWholeOrNone(name, 0) {
			l.add(RuleStats, key.Stats(p), set(key.Stats(p), name, want).given(key.Sequence(p)), "%s is %q; there are %d", name,
				n.stamp[name], want)
		}
	}
}

// sequence checks that a sequence has reached the highest number that was assigned.
func (l *look) sequence(k, has string, highest int64) {
	if n, _ := strconv.ParseInt(has, 10, 64); n < highest {
		raise := fix{run: func(ctx context.Context) error { return l.repairer.RaiseSequence(ctx, k, highest) }}
		l.add(RuleSequence, k, raise, "is %q; number %d was assigned", has, highest)
	}
}

// markedKey returns the key of the hash whose revision a dirty mark is about; "" if the mark names nothing of the
// partition.
func markedKey(p forum.Partition, mark string) string {
	kind, about, _ := strings.Cut(mark, ":")
	id, err := forum.ParseID[forum.TopicID](about)
	switch on, bad := record.ParseActSubject(about); {
	case kind == "r" && bad == nil && on.Partition() == p:
		return key.Case(on)
	case err == nil && id.Partition() == p && slices.Contains([]string{"t", "c", "u", "m"}, kind):
		return key.PartitionPrefix(p) + mark
	}
	return ""
}

// mark checks a dirty mark.
func (l *look) mark() {
	p, name := forum.Partition(l.on.id), l.on.text
	k, marked := key.Dirty(p), markedKey(p, name)
	score, rev := l.score(k, name), (*redis.StringCmd)(nil)
	if marked != "" {
		rev = l.field(marked, "rev")
	}
	l.wait()
	life := forum.Time(markLife)
	if name[:min(2, len(name))] == "u:" {
		life += l.registrationLife()
	}
	switch at := forum.Time(score.Val()); {
	case !is(score): // removed since
	case marked == "" || !is(rev):
		drop := fix{run: func(ctx context.Context) error { return l.repairer.DropMark(ctx, p, name) }}
		l.add(RuleMarkOrphan, k, drop, "%q names no object of the partition", name)
	case at+life < l.s.Now():
		sweep := fix{run: func(ctx context.Context) error { return l.repairer.SweepMarks(ctx, p, []string{name}) }}
		l.add(RuleMarkOld, k, sweep, "%s has waited since %d at revision %s", name, at, rev.Val())
	}
}
