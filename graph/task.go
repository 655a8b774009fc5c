package graph

import (
	"context"
	"log/slog"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/opt"
)

// Tasks resolves Query.tasks.
func (r query) Tasks(ctx context.Context) (*forum.Tasks, error) {
	t, err := r.Store.Tasks(ctx)
	return &t, err
}

// DeadTasks resolves Tasks.deadTasks.
func (r tasks) DeadTasks(ctx context.Context, _ *forum.Tasks) ([]*forum.DeadTask, error) {
	return r.Store.ListDeadTasks(ctx)
}

// Subject resolves DeadTask.subject.
func (deadTask) Subject(ctx context.Context, ts []*forum.DeadTask) ([]model.ModerationSubject, error) {
	return moderationSubjects(ctx, mapSlice(ts, func(t *forum.DeadTask) forum.Subject { return t.Subject })), nil
}

// RetryTasks resolves Mutation.retryTasks.
func (r mutation) RetryTasks(ctx context.Context, in model.RetryTasksInput) (*model.RetryTasksPayload, error) {
	n, err := r.retryTasks(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	r.secure(ctx, eventTasksRetried, slog.Int("tasks", n), slog.String("name", opt.Value(in.Name)))
	return &model.RetryTasksPayload{RetriedCount: n}, nil
}

// retryTasks retries the task with the name, or all. It returns how many there were.
func (r mutation) retryTasks(ctx context.Context, name *string) (int, error) {
	if name == nil {
		return r.Store.RetryDeadTasks(ctx)
	}
	if err := r.Store.RetryDeadTask(ctx, *name); err != nil {
		return 0, err
	}
	return 1, nil
}
