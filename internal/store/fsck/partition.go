package fsck

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

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
		t := l.fetch(key.Topic(forum.TopicID(id)), "state", "comments")
		if listed(t["state"]) {
			n.topics++
			n.comments += t.Int("comments")
		}
	})
	each(l, slices.Compact(users), func(l *look, id int64) {
		u := l.fetch(key.User(forum.UserID(id)), "state", "prepared")
		if catalogue.UserListed(u["state"], u["prepared"]) {
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

// marking returns what a dirty mark of a list is about: the key of the hash with its revision, "" if the mark names
// nothing that the list has marks of; how old the mark may be; and the repair that does what it stands for.
func (c *checker) marking(list, mark string) (k string, life forum.Time, sweep fix) {
	kind, about, _ := strings.Cut(mark, ":")
	id, err := forum.ParseID[forum.TopicID](about)
	act, notAct := forum.ParseActID(about)
	on, notSubject := record.ParseActSubject(about)
	p := id.Partition()
	switch {
	case kind == "m" && notAct == nil && list == key.ActMarks(act):
		return key.Act(act), markLife, call(c.repairer.ListAct, act)
	case kind == "r" && notSubject == nil:
		p, k = on.Partition(), key.Case(on)
	case err == nil && slices.Contains([]string{"t", "c", "u"}, kind):
		k = key.PartitionPrefix(p) + mark
	}
	if k == "" || list != key.Dirty(p) {
		return "", 0, fix{}
	}
	if life = markLife; kind == "u" {
		life += c.registrationLife()
	}
	return k, life, fix{run: func(ctx context.Context) error { return c.repairer.SweepMarks(ctx, p, []string{mark}) }}
}

// dirty checks a dirty mark.
func (l *look) dirty() {
	list, name := l.on.key, l.on.text
	k, life, sweep := l.marking(list, name)
	score, rev := l.score(list, name), l.field(k, "rev")
	l.wait()
	switch at := forum.Time(score.Val()); {
	case !is(score): // removed since
	case k == "" || !is(rev):
		x := drop(list, name)
		if k != "" {
			x.watch = []string{k} // not the list, which changes all the time
		}
		l.add(RuleMarkOrphan, list, x, "%q names nothing that exists, or not of this list", name)
	case at+life < l.s.Engine.Now():
		l.add(RuleMarkOld, list, sweep, "%s has waited since %d at revision %s", name, at, rev.Val())
	}
}
