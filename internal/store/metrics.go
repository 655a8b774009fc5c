package store

import (
	"context"

	"agora/internal/store/internal/count"
	"agora/internal/store/internal/pipeline"
)

// Tasks are the current numbers of tasks.
type Tasks = count.Tasks

// Tasks counts the tasks of all partitions, in one round trip.
func (s *Store) Tasks(ctx context.Context) (Tasks, error) {
	return count.AllTasks(ctx, s.engine.Client, s.Now())
}

// DeadTasks counts the tasks that were given up, in one round trip.
func (s *Store) DeadTasks(ctx context.Context) (int, error) {
	return count.DeadTasks(ctx, s.engine.Client)
}

// Pool returns the state of the pool of connections; it costs no round trip.
func (s *Store) Pool() Pool { return s.engine.Client.Pool() }

// Pool is the state of the client's pool of connections to Redis.
type Pool = pipeline.Pool
