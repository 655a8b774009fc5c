package store

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
)

// Tasks are the current numbers of tasks.
type Tasks struct {
	// Due can be claimed now.
	Due int
	// Waiting can be claimed later: they failed recently, or a process has claimed them.
	Waiting int
	// Dead were given up after MaxAttempts.
	Dead int
}

// Tasks counts the tasks of all partitions, in one round trip.
func (s *Store) Tasks(ctx context.Context) (Tasks, error) {
	b := s.rdb.Batch()
	now := key.Itoa(s.Now())
	var counts [forum.Partitions]struct{ all, due, dead *redis.IntCmd }
	for i := range counts {
		p := forum.Partition(i)
		counts[i].all = b.ZCard(ctx, key.Due(p))
		counts[i].due = b.ZCount(ctx, key.Due(p), "-inf", now)
		counts[i].dead = b.ZCard(ctx, key.Dead(p))
	}
	if err := b.Exec(ctx); err != nil {
		return Tasks{}, fmt.Errorf("count tasks: %w", err)
	}
	var t Tasks
	for _, c := range counts {
		t.Due += int(c.due.Val())
		t.Waiting += int(c.all.Val() - c.due.Val())
		t.Dead += int(c.dead.Val())
	}
	return t, nil
}

// DeadTasks counts the tasks that were given up, in one round trip.
func (s *Store) DeadTasks(ctx context.Context) (int, error) {
	b := s.rdb.Batch()
	var counts [forum.Partitions]*redis.IntCmd
	for i := range counts {
		counts[i] = b.ZCard(ctx, key.Dead(forum.Partition(i)))
	}
	if err := b.Exec(ctx); err != nil {
		return 0, fmt.Errorf("count dead tasks: %w", err)
	}
	n := 0
	for _, c := range counts {
		n += int(c.Val())
	}
	return n, nil
}

// Pool is the state of the client's pool of connections to Redis.
type Pool = pipeline.Pool

// Pool returns the state of the pool of connections; it costs no round trip.
func (s *Store) Pool() Pool { return s.rdb.Pool() }
