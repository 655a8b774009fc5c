package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
)

// SweepAfter is the age at which the sweeper handles a dirty mark, in ms: the mutation has a second to
// finish.
const SweepAfter = 1000

// sweepBatch is the maximum number of a partition's marks that one sweep handles.
const sweepBatch = 500

// clockMost is how far the clocks of servers may be apart, in ms. A mark with a later time was left by a
// server whose clock was wrong. It is handled at once: otherwise it would wait until the other clocks are
// there.
const clockMost = 60_000

// sweeps are what subjects have registered to be swept.
type sweeps struct {
	kinds map[string]SweepMarks
	sets  []markSet
	// known are read in the round trip of the marks: queue queues reading, and take takes what was read.
	known []func(ctx context.Context, b *pipeline.Batch) (take func(context.Context) error)
}

// SweepMarks handles marks of a partition, without their kind. pending is how many of them are not due yet.
type SweepMarks func(ctx context.Context, p forum.Partition, marks []string) (pending int, err error)

// markSet is a set of marks of what is in no partition. sweep returns how many it handled.
type markSet struct {
	key   string
	sweep func(ctx context.Context, marks []string) (handled int, err error)
}

// OnMark has sweep handle the dirty marks of a kind, which begin with it and a colon. It panics if something does
// already.
func (s *Engine) OnMark(kind string, sweep SweepMarks) { once(s.sweeps.kinds, kind, sweep) }

// once registers what handles a kind. It panics if something does already, because the first would do nothing any more.
func once[K ~string, V any](handlers map[K]V, kind K, handler V) {
	if _, there := handlers[kind]; there {
		panic(fmt.Sprintf("engine: %q is registered twice", kind))
	}
	handlers[kind] = handler
}

// OnMarkOf is OnMark for marks that are ids. Others are removed.
func OnMarkOf[ID ~int64](s *Engine, kind string, sweep func(context.Context, forum.Partition, []ID) error) {
	s.OnMark(kind, func(ctx context.Context, p forum.Partition, marks []string) (int, error) {
		ids := make([]ID, 0, len(marks))
		for _, mark := range marks {
			id, err := forum.ParseID[ID](mark)
			if err == nil {
				ids = append(ids, id)
			} else if err := s.DropMark(ctx, p, kind+":"+mark); err != nil {
				return 0, err
			}
		}
		if len(ids) == 0 {
			return 0, nil
		}
		return 0, sweep(ctx, p, ids)
	})
}

// OnMarkSet has sweep handle the marks of a set.
func (s *Engine) OnMarkSet(key string, sweep func(ctx context.Context, marks []string) (handled int, err error)) {
	s.sweeps.sets = append(s.sweeps.sets, markSet{key, sweep})
}

// OnSweep reads something in the round trip of the marks of each sweep: queue queues reading, take takes what was read.
func (s *Engine) OnSweep(queue func(ctx context.Context, b *pipeline.Batch) (take func(context.Context) error)) {
	s.sweeps.known = append(s.sweeps.known, queue)
}

// Sweep finishes mutations that were interrupted: it writes the indexes of dirty entities again, abandons
// registrations that take too long, and ends deletions of categories. It returns how many entities it
// handled. Any number of processes may sweep concurrently. An entity that cannot be finished does not hold
// up others.
func (s *Engine) Sweep(ctx context.Context) (int, error) {
	return s.SweepUntil(ctx, s.Now()-SweepAfter)
}

// SweepUntil is Sweep for the marks that were set until a time.
func (s *Engine) SweepUntil(ctx context.Context, until forum.Time) (int, error) {
	oldest := &redis.ZRangeBy{Min: "-inf", Max: "+inf", Count: sweepBatch}
	b := s.Client.Batch()
	marks := make([]*redis.ZSliceCmd, forum.Partitions)
	for p := range marks {
		marks[p] = b.ZRangeByScoreWithScores(ctx, key.Dirty(forum.Partition(p)), oldest)
	}
	sets := make([]*redis.ZSliceCmd, len(s.sweeps.sets))
	for i, set := range s.sweeps.sets {
		sets[i] = b.ZRangeByScoreWithScores(ctx, set.key, oldest)
	}
	takes := make([]func(context.Context) error, len(s.sweeps.known))
	for i, queue := range s.sweeps.known {
		takes[i] = queue(ctx, b)
	}
	err := b.Exec(ctx)
	for _, take := range takes { // even if another command failed
		if failed := take(ctx); err == nil {
			err = failed
		}
	}
	if err != nil {
		return 0, fmt.Errorf("sweep: %w", err)
	}
	n := 0
	var failed []error
	for p, cmd := range marks {
		due := dueBy(cmd.Val(), until, s.Now()+clockMost)
		if len(due) == 0 {
			continue
		}
		swept, err := s.SweepPartition(ctx, forum.Partition(p), due)
		if err != nil {
			failed = append(failed, fmt.Errorf("sweep partition %d: %w", p, err))
			continue
		}
		n += swept
	}
	for i, set := range s.sweeps.sets {
		handled, err := set.sweep(ctx, dueBy(sets[i].Val(), until, s.Now()+clockMost))
		if err != nil {
			failed = append(failed, fmt.Errorf("sweep %s: %w", set.key, err))
		}
		n += handled
	}
	return n, errors.Join(failed...)
}

// dueBy returns the marks whose time has come, or is so late that a wrong clock has set it.
func dueBy(all []redis.Z, until, wrong forum.Time) []string {
	var due []string
	for _, z := range all {
		if at := forum.Time(z.Score); at <= until || at > wrong {
			due = append(due, z.Member.(string))
		}
	}
	return due
}

// SweepPartition handles marks of one partition. It returns how many were due.
func (s *Engine) SweepPartition(ctx context.Context, p forum.Partition, marks []string) (swept int, err error) {
	of := map[string][]string{}
	for _, mark := range marks {
		kind, name, _ := strings.Cut(mark, ":")
		if s.sweeps.kinds[kind] == nil {
			if err := s.DropMark(ctx, p, mark); err != nil {
				return 0, err
			}
			continue
		}
		of[kind] = append(of[kind], name)
	}
	swept = len(marks)
	for _, kind := range slices.Sorted(maps.Keys(of)) {
		pending, err := s.sweeps.kinds[kind](ctx, p, of[kind])
		if err != nil {
			return 0, err
		}
		swept -= pending
	}
	return swept, nil
}

// DropMark removes a dirty mark.
func (s *Engine) DropMark(ctx context.Context, p forum.Partition, mark string) error {
	return s.Client.Redis.ZRem(ctx, key.Dirty(p), mark).Err()
}
