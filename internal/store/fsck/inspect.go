package fsck

import (
	"context"
	"maps"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
)

// This file says what is examined: all that the scan has found, from the objects as from the lists that have them.

// inspectPartitions examines the objects of all partitions, those of small partitions together.
func (c *checker) inspectPartitions(ctx context.Context) error {
	var some []check.Target
	for i := range forum.Partitions {
		p := forum.Partition(i)
		if !c.keys.seen[p] {
			continue
		}
		add := func(kind check.Kind, ids []int64) {
			for _, id := range ids {
				some = append(some, check.Target{Kind: kind, ID: id})
			}
		}
		add(check.OnTopic, c.keys.topics[p])
		add(check.OnPartition, []int64{int64(p)})
		add(check.OnUser, c.keys.users[p])
		add(check.OnComment, c.keys.comments[p])
		add(check.OnList, c.keys.lists[p])
		for _, name := range c.keys.tasks[p] {
			some = append(some, check.Target{Kind: onTask, ID: int64(p), Text: name})
		}
		c.report.Topics += len(c.keys.topics[p])
		c.report.Comments += len(c.keys.comments[p])
		c.report.Users += len(c.keys.users[p])
		if len(some) >= check.GroupSize {
			if err := c.inspectSome(ctx, some); err != nil {
				return err
			}
			some = some[:0]
		}
	}
	return c.inspectSome(ctx, some)
}

func (c *checker) inspectSome(ctx context.Context, some []check.Target) error {
	return check.Groups(some, func(part []check.Target) error {
		c.progress(int64(len(part)))
		return c.Inspect(ctx, part)
	})
}

// inspectSite examines what is in no partition, and the lists that the scan has found.
func (c *checker) inspectSite(ctx context.Context) error {
	containers := make([]check.Target, 0, len(c.keys.indexes))
	for in := range c.keys.indexes {
		containers = append(containers, check.Target{Kind: check.OnContainer, Key: string(in)})
	}
	for _, targets := range [][]check.Target{slices.Collect(maps.Keys(c.Later)), containers} {
		if err := c.Inspect(ctx, targets); err != nil {
			return err
		}
	}
	return c.InspectEntries(ctx, slices.Collect(maps.Values(c.Lists)))
}

const (
	onLayout check.Kind = "layout"
	onKey    check.Kind = "key"
	onMark   check.Kind = "mark"
	onTask   check.Kind = "task"
)

// own returns the checks of this package.
func (c *checker) own() check.Subject {
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){
			onLayout:          c.layout,
			onKey:             c.key,
			check.OnPartition: c.partition,
			onMark:            c.dirty,
			onTask:            c.task,
		},
		With:  map[check.Kind]func(check.Target) ([]check.Target, []check.List){check.OnPartition: partitionLists},
		Site:  []check.Target{{Kind: onLayout}},
		Lists: check.Sets(onMark, key.SharedActMarks...),
	}
}

// partitionLists returns the lists of a partition whose entries are examined one by one.
func partitionLists(on check.Target) ([]check.Target, []check.List) {
	p := forum.Partition(on.ID)
	task := check.Target{Kind: onTask, ID: on.ID}
	return nil, append(check.Sets(onMark, key.Dirty(p)), check.List{Key: key.Due(p), On: task},
		check.List{Key: key.Dead(p), On: task})
}

// inspectAgain forgets what was found, and checks targets again.
func (c *checker) inspectAgain(ctx context.Context, again map[check.Target]bool) error {
	c.Found, c.Busy, c.Again = map[check.Target][]check.Found{}, map[check.Target]bool{}, true
	return check.Together(ctx, c.Run, slices.Collect(maps.Keys(again)), (*check.Look).Examine)
}
