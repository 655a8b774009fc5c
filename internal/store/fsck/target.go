package fsck

import (
	"context"
	"maps"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
)

const (
	onLayout     check.Kind = "layout"
	onKey        check.Kind = "key"
	onMark       check.Kind = "mark"
	onTask       check.Kind = "task"
	onModerators check.Kind = "moderators" // of a category
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
			check.OnUser:      c.user,
			onModerators:      c.moderators,
		},
		With: map[check.Kind]func(check.Target) ([]check.Target, []check.List){check.OnPartition: partitionLists},
		Scanned: func(r *check.Run, _ string, k catalogue.Key) {
			if k.Object == catalogue.OfCategory {
				r.Later[check.Target{Kind: onModerators, ID: k.ID}] = true
			}
		},
		Site:  []check.Target{{Kind: onLayout}},
		Lists: check.Sets(onMark, key.SharedActMarks...),
		Swept: []Rule{RuleUnfinished, RuleStaleClaim},
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
