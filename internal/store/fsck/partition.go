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

// inspectPartitions checks topics, comments, users and counters, partition by partition.
func (c *checker) inspectPartitions(ctx context.Context) error {
	for i := range forum.Partitions {
		p, keys := forum.Partition(i), c.keys
		if !keys.seen[p] {
			continue
		}
		topics := toIDs[forum.TopicID](keys.topics[p])
		covered := make([]bool, len(keys.comments[p]))
		cover := func(id forum.CommentID) {
			if at, ok := slices.BinarySearch(keys.comments[p], int64(id)); ok {
				covered[at] = true
			}
		}
		err := groups(topics, func(ids []forum.TopicID) error {
			c.progress(int64(len(ids)))
			return c.inspectTopics(ctx, ids, cover)
		})
		if err != nil {
			return err
		}
		var stray []forum.CommentID
		for at, id := range keys.comments[p] {
			if !covered[at] {
				stray = append(stray, forum.CommentID(id))
			}
		}
		if err := c.inspectStray(ctx, stray); err != nil {
			return err
		}
		if err := c.examineAll(ctx, onUser, keys.users[p]); err != nil {
			return err
		}
		if err := c.inspectPartition(ctx, p); err != nil {
			return err
		}
		c.report.Topics += len(topics)
		c.report.Comments += len(keys.comments[p])
		c.report.Users += len(keys.users[p])
		c.progress(int64(len(keys.comments[p]) + len(keys.users[p])))
	}
	return nil
}

func toIDs[ID ~int64](ns []int64) []ID {
	ids := make([]ID, len(ns))
	for i, n := range ns {
		ids[i] = ID(n)
	}
	return ids
}

// inspectPartition checks the keys of a partition that are not objects: counters, marks, tasks.
func (c *checker) inspectPartition(ctx context.Context, p forum.Partition) error {
	if err := c.inspectCounters(ctx, p); err != nil {
		return err
	}
	err := c.eachMember(ctx, key.Dirty(p), func(names []string) error { return c.inspectMarks(ctx, p, names) })
	if err != nil {
		return err
	}
	if err := c.eachEntry(ctx, sets(key.Hidden(p)), func(l *look, e entry) {
		l.at(target{kind: onHiddenItem, id: int64(p), text: e.name}).hiddenEntry()
	}); err != nil {
		return err
	}
	names := slices.Clone(c.keys.tasks[p])
	for _, key := range []string{key.Due(p), key.Dead(p)} {
		err := c.eachMember(ctx, key, func(listed []string) error {
			names = append(names, listed...)
			return nil
		})
		if err != nil {
			return err
		}
	}
	slices.Sort(names)
	return c.inspectTasks(ctx, p, slices.Compact(names))
}

// eachMember passes all members of a sorted set to do, many at a time. Members present throughout
// are not missed, whatever changes concurrently.
func (c *checker) eachMember(ctx context.Context, key string, do func([]string) error) error {
	return c.eachScored(ctx, key, func(zs []redis.Z) error {
		members := make([]string, len(zs))
		for i, z := range zs {
			members[i] = z.Member.(string)
		}
		return do(members)
	})
}

// eachScored is eachMember with the scores.
func (c *checker) eachScored(ctx context.Context, key string, do func([]redis.Z) error) error {
	return eachPair(func(cursor uint64) ([]string, uint64, error) {
		return c.rdb.Redis.ZScan(ctx, key, cursor, "", readSize).Result()
	}, do)
}

// eachField passes all field names of a hash to do, many at a time.
func (c *checker) eachField(ctx context.Context, key string, do func([]string) error) error {
	return eachPair(func(cursor uint64) ([]string, uint64, error) {
		return c.rdb.Redis.HScan(ctx, key, cursor, "", readSize).Result()
	}, func(pairs []redis.Z) error {
		names := make([]string, len(pairs))
		for i, p := range pairs {
			names[i] = p.Member.(string)
		}
		return do(names)
	})
}

// eachPair passes the pairs of a scan to do. Scores that are not numbers become 0.
func eachPair(scan func(uint64) ([]string, uint64, error), do func([]redis.Z) error) error {
	for cursor := uint64(0); ; {
		answer, next, err := scan(cursor)
		if err != nil && !strings.HasPrefix(err.Error(), "WRONGTYPE") {
			return err
		}
		pairs := make([]redis.Z, 0, len(answer)/2)
		for i := 0; i+1 < len(answer); i += 2 {
			score, _ := strconv.ParseFloat(answer[i+1], 64)
			pairs = append(pairs, redis.Z{Member: answer[i], Score: score})
		}
		if err := groups(pairs, do); err != nil {
			return err
		}
		if cursor = next; cursor == 0 || err != nil {
			return nil
		}
	}
}

// partitionCount is a count of a partition's objects. It is stable if none was created or deleted
// while counting.
type partitionCount struct {
	stamp  record.Fields // counters and sequence when counting began
	want   map[string]int
	stable bool
}

// countPartition counts the objects of a partition. Ids assigned since the scan began are tried one
// by one. Every change of a count also changes a counter or the sequence.
func (c *checker) countPartition(ctx context.Context, p forum.Partition) (partitionCount, error) {
	n := partitionCount{want: map[string]int{}}
	var err error
	if n.stamp, err = c.readCounters(ctx, p); err != nil {
		return n, err
	}
	topics, users := slices.Clone(c.keys.topics[p]), slices.Clone(c.keys.users[p])
	for seq := c.keys.sequence[p] + 1; seq <= int64(n.stamp.Int("seq")); seq++ {
		id := seq*forum.Partitions + int64(p)
		topics, users = append(topics, id), append(users, id)
	}
	slices.Sort(topics)
	slices.Sort(users)
	for part := range slices.Chunk(slices.Compact(topics), readSize) {
		r := c.read(ctx)
		found := make([]func() record.Fields, len(part))
		for i, id := range part {
			found[i] = r.hmget(key.Topic(forum.TopicID(id)), []string{"state", "comments"})
		}
		if err := r.done(); err != nil {
			return n, err
		}
		for _, f := range found {
			if t := f(); listed(t["state"]) {
				n.want["topics"]++
				n.want["comments"] += t.Int("comments")
			}
		}
	}
	for part := range slices.Chunk(slices.Compact(users), readSize) {
		r := c.read(ctx)
		states := make([]*redis.StringCmd, len(part))
		for i, id := range part {
			states[i] = r.next().HGet(ctx, key.User(forum.UserID(id)), "state")
		}
		if err := r.done(); err != nil {
			return n, err
		}
		for _, s := range states {
			if s.Val() == catalogue.UserActive {
				n.want["users"]++
			}
		}
	}
	after, err := c.readCounters(ctx, p)
	n.stable = maps.Equal(n.stamp, after)
	return n, err
}

func (c *checker) readCounters(ctx context.Context, p forum.Partition) (record.Fields, error) {
	r := c.read(ctx)
	stats := r.hmget(key.Stats(p), []string{"users", "topics", "comments"})
	seq := r.next().Get(ctx, key.Sequence(p))
	if err := r.done(); err != nil {
		return nil, err
	}
	f := stats()
	f["seq"] = seq.Val()
	return f, nil
}

// inspectCounters checks a partition's sequence and counters.
func (c *checker) inspectCounters(ctx context.Context, p forum.Partition) error {
	on := target{kind: onPartition, id: int64(p)}
	var n partitionCount
	for range confirmRounds {
		var err error
		if n, err = c.countPartition(ctx, p); err != nil {
			return err
		}
		if n.stable {
			break
		}
	}
	highest := int64(0)
	for _, ids := range [][]int64{c.keys.topics[p], c.keys.comments[p], c.keys.users[p], c.keys.lists[p]} {
		if len(ids) > 0 {
			highest = max(highest, ids[len(ids)-1]/forum.Partitions)
		}
	}
	if int64(n.stamp.Int("seq")) < highest {
		raise := fix{run: func(ctx context.Context) error {
			return c.repairer.RaiseSequence(ctx, key.Sequence(p), highest)
		}}
		c.add(on, RuleSequence, key.Sequence(p), raise, "is %q; number %d was assigned", n.stamp["seq"], highest)
	}
	if !n.stable {
		c.busy[on] = true
		return nil
	}
	for _, name := range []string{"users", "topics", "comments"} {
		if want := n.want[name]; n.stamp.Int(name) != want || !n.stamp.IsWholeOrNone(name, 0) {
			count := set(key.Stats(p), name, want)
			count.watch = append(count.watch, key.Sequence(p))
			c.add(on, RuleStats, key.Stats(p), count, "%s is %q; there are %d", name, n.stamp[name], want)
		}
	}
	return nil
}

// markedKey returns the key of the hash whose revision a dirty mark is about.
func markedKey(p forum.Partition, mark string) string {
	if about, is := strings.CutPrefix(mark, "r:"); is {
		if on, err := record.ParseActSubject(about); err == nil {
			return key.Case(on)
		}
	}
	return key.PartitionPrefix(p) + mark
}

// inspectMarks checks dirty marks of a partition.
func (c *checker) inspectMarks(ctx context.Context, p forum.Partition, names []string) error {
	r := c.read(ctx)
	scores := make([]*redis.FloatCmd, len(names))
	revs := make([]*redis.StringCmd, len(names))
	for i, name := range names {
		scores[i] = r.next().ZScore(ctx, key.Dirty(p), name)
		revs[i] = r.next().HGet(ctx, catalogue.KeyOf(markedKey(p, name), "rev"), "rev")
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, name := range names {
		if scores[i].Err() != nil {
			continue // removed since
		}
		on, key := target{kind: onMark, id: int64(p), text: name}, key.Dirty(p)
		kind, number, _ := strings.Cut(name, ":")
		id, err := forum.ParseID[forum.TopicID](number)
		if about, bad := record.ParseActSubject(number); kind == "r" && bad == nil && about.Partition() == p {
			id, kind, err = forum.TopicID(p), "t", nil
		}
		if !slices.Contains([]string{"t", "c", "u", "m"}, kind) || err != nil || id.Partition() != p || revs[i].Err() != nil {
			drop := fix{run: func(ctx context.Context) error { return c.repairer.DropMark(ctx, p, name) }}
			c.add(on, RuleMarkOrphan, key, drop, "%q names no object of the partition", name)
			continue
		}
		life := forum.Time(markLife)
		if kind == "u" {
			life += c.registrationLife()
		}
		if at := forum.Time(scores[i].Val()); at+life < c.s.Now() {
			sweep := fix{run: func(ctx context.Context) error {
				return c.repairer.SweepMarks(ctx, p, []string{name})
			}}
			c.add(on, RuleMarkOld, key, sweep, "%s has waited since %s at revision %s", name, strconv.FormatInt(int64(at), 10),
				revs[i].Val())
		}
	}
	return nil
}
