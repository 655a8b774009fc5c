package fsck

import (
	"context"
	"maps"
	"slices"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// partition checks the sequence and the counters of a partition. Ids assigned since the scan began are tried one by
// one. Every change of a count also changes a counter or the sequence; if that happens meanwhile, it is checked later.
func (c *checker) partition(l *check.Look) {
	p := forum.Partition(l.On.ID)
	before, counts := c.counters(l, p), map[string]int{"users": 0, "topics": 0, "comments": 0}
	topics, users := slices.Clone(c.keys.topics[p]), slices.Clone(c.keys.users[p])
	for seq := c.keys.sequence[p] + 1; seq <= int64(before.Int("seq")); seq++ {
		id := seq*forum.Partitions + int64(p)
		topics, users = append(topics, id), append(users, id)
	}
	slices.Sort(topics)
	slices.Sort(users)
	check.Each(l, slices.Compact(topics), func(l *check.Look, id int64) {
		t := l.Fetch(key.Topic(forum.TopicID(id)), "state", "audience", "comments")
		if record.IsPublic(t) {
			counts["topics"]++
			counts["comments"] += t.Int("comments")
		}
	})
	check.Each(l, slices.Compact(users), func(l *check.Look, id int64) {
		u := l.Fetch(key.User(forum.UserID(id)), "state", "prepared")
		if catalogue.UserListed(u["state"], u["prepared"]) {
			counts["users"]++
		}
	})
	highest := int64(0)
	for _, ids := range [][]int64{c.keys.topics[p], c.keys.comments[p], c.keys.users[p], c.keys.lists[p]} {
		if len(ids) > 0 {
			highest = max(highest, ids[len(ids)-1]/forum.Partitions)
		}
	}
	l.Sequence(key.Sequence(p), before["seq"], highest)
	if !maps.Equal(before, c.counters(l, p)) {
		l.Postpone()
		return
	}
	for name, want := range counts {
		if before.Int(name) != want || !before.IsWholeOrNone(name, 0) {
			l.Add(RuleStats, key.Stats(p), check.Set(key.Stats(p), name, want).Given(key.Sequence(p)),
				"%s is %q; there are %d", name, before[name], want)
		}
	}
}

// counters reads the counters and the sequence of a partition.
func (c *checker) counters(l *check.Look, p forum.Partition) record.Fields {
	stats, seq := l.Fields(key.Stats(p), []string{"users", "topics", "comments"}), l.Text(key.Sequence(p))
	l.Wait()
	f := stats()
	f["seq"] = seq.Val()
	return f
}

// marking returns what a dirty mark of a list is about: the key of the hash with its revision, "" if the mark names
// nothing that the list has marks of; how old the mark may be; and the repair that does what it stands for.
func (c *checker) marking(list, mark string) (k string, life forum.Time, sweep check.Fix) {
	kind, about, _ := strings.Cut(mark, ":")
	id, err := forum.ParseID[forum.TopicID](about)
	act, notAct := forum.ParseActID(about)
	on, notSubject := record.ParseActSubject(about)
	p := id.Partition()
	switch {
	case kind == "m" && notAct == nil && list == key.ActMarks(act):
		return key.Act(act), check.MarkLife, check.Call(c.s.Acts.SweepAct, act)
	case kind == "r" && notSubject == nil:
		p, k = on.Partition(), key.Case(on)
	case err == nil && kind == "g":
		k = key.User(forum.UserID(id))
	case err == nil && slices.Contains([]string{"t", "c", "u"}, kind):
		k = key.PartitionPrefix(p) + mark
	}
	if k == "" || list != key.Dirty(p) {
		return "", 0, check.Fix{}
	}
	if life = check.MarkLife; kind == "u" {
		life += c.s.Accounts.RegistrationLife()
	}
	return k, life, check.Fix{Run: func(ctx context.Context) error {
		_, err := c.Engine.SweepPartition(ctx, p, []string{mark})
		return err
	}}
}

// dirty checks a dirty mark.
func (c *checker) dirty(l *check.Look) {
	list, name := l.On.Key, l.On.Text
	k, life, sweep := c.marking(list, name)
	score, rev := l.Score(list, name), l.Field(k, "rev")
	l.Wait()
	switch at := forum.Time(score.Val()); {
	case !check.Is(score): // removed since
	case k == "" || !check.Is(rev):
		x := check.Drop(list, name)
		if k != "" {
			x.Watch = []string{k} // not the list, which changes all the time
		}
		l.Add(RuleMarkOrphan, list, x, "%q names nothing that exists, or not of this list", name)
	case at+life < c.Engine.Now():
		l.Add(check.RuleMarkOld, list, sweep, "%s has waited since %d at revision %s", name, at, rev.Val())
	}
}
