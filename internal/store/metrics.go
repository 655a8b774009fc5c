package store

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/internal/count"
)

// Tasks counts the tasks of all partitions, in one round trip.
func (s *Store) Tasks(ctx context.Context) (forum.Tasks, error) {
	return count.AllTasks(ctx, s.Engine.Client, s.Engine.Now())
}

// DeadTasks counts the tasks that were given up, in one round trip.
func (s *Store) DeadTasks(ctx context.Context) (int, error) {
	return count.DeadTasks(ctx, s.Engine.Client)
}

// ListDeadTasks returns the tasks that were given up: see engine.Engine.
func (s *Store) ListDeadTasks(ctx context.Context) ([]*forum.DeadTask, error) {
	return s.Engine.ListDeadTasks(ctx, forum.MaxDeadTasks)
}

// RetryDeadTask makes a task due that was given up, in one round trip. It returns NOT_FOUND if there is none.
func (s *Store) RetryDeadTask(ctx context.Context, name string) error {
	was, err := s.Engine.RetryDeadTask(ctx, name)
	if err != nil {
		return err
	}
	if !was {
		return forum.NotFound(forum.Path("name"), "dead task")
	}
	return nil
}

// RetryDeadTasks makes up to forum.MaxRetried tasks due that were given up, in three round trips.
func (s *Store) RetryDeadTasks(ctx context.Context) (int, error) {
	return s.Engine.RetryDeadTasks(ctx, forum.MaxRetried)
}
