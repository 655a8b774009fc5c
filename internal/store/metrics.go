package store

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/count"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// Tasks counts the tasks of all partitions, in one round trip.
func (s *Store) Tasks(ctx context.Context) (forum.Tasks, error) {
	return count.AllTasks(ctx, s.engine.Client, s.Now())
}

// DeadTasks counts the tasks that were given up, in one round trip.
func (s *Store) DeadTasks(ctx context.Context) (int, error) {
	return count.DeadTasks(ctx, s.engine.Client)
}

// ListDeadTasks returns the tasks that were given up: see engine.Engine.
func (s *Store) ListDeadTasks(ctx context.Context) ([]*forum.DeadTask, error) {
	return s.engine.ListDeadTasks(ctx, forum.MaxDeadTasks)
}

// RetryDeadTask makes a task due that was given up, in one round trip. It returns NOT_FOUND if there is none.
func (s *Store) RetryDeadTask(ctx context.Context, name string) error {
	var was bool
	if is, err := record.ParseTask(name); err != nil {
		if was, err = s.engine.RetryAside(ctx, name); err != nil {
			return err
		}
	} else {
		if was, err = s.engine.RetryDeadTask(ctx, is.Partition(), name); err != nil {
			return err
		}
	}
	if !was {
		return forum.NotFound(forum.Input("name"), "dead task", "")
	}
	return nil
}

// RetryDeadTasks makes up to forum.MaxRetried tasks due that were given up, in three round trips.
func (s *Store) RetryDeadTasks(ctx context.Context) (int, error) {
	return s.engine.RetryDeadTasks(ctx, forum.MaxRetried)
}

// Consume begins turns of the consumers of changes that have something to do; see engine.Engine.
func (s *Store) Consume(ctx context.Context) error { return s.engine.Consume(ctx) }

// WaitForConsumers waits for the turns that Consume has begun.
func (s *Store) WaitForConsumers() { s.engine.WaitForConsumers() }

// Drain has the consumers handle all changes that there are; see engine.Engine.
func (s *Store) Drain(ctx context.Context) error { return s.engine.Drain(ctx, true) }

// HasConsumers reports whether this process serves any consumer of changes.
func (s *Store) HasConsumers() bool { return s.engine.HasConsumers() }

// Consumers returns how far the consumers of changes are; it costs no round trip.
func (s *Store) Consumers() []engine.ConsumerState { return s.engine.ConsumerStates() }

// Pool returns the state of the pool of connections; it costs no round trip.
func (s *Store) Pool() Pool { return s.engine.Client.Pool() }

// Pool is the state of the client's pool of connections to Redis.
type Pool = pipeline.Pool
