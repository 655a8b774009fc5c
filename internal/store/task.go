package store

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// A task is the work that a mutation leaves to be done in other slots if it is too much for one pipeline.
// The mutation's own script writes it; any process may do it. A task is claimed under a lease; the token n,
// which rises with each claim, fences off a holder whose lease has expired. Passes are idempotent.

const (
	// firstLease is how long the first pass is reserved for the request that created the task, in ms.
	firstLease = 2_000
	// taskPass is the maximum number of rows of one pass. Source: Redis in Action, chapter 8
	// (POSTS_PER_PASS).
	taskPass = 1000
	// MaxAttempts is the number of attempts without progress after which a task is given up.
	MaxAttempts = 20
	// maxBackoff is the maximum wait between attempts, in ms.
	maxBackoff = 600_000
)

// claimedTask is a task that this process may work on.
type claimedTask struct {
	partition forum.Partition
	name      string
	token     string
	attempts  int
	cursor    string
}

// key returns the task's key, and due that of the set that it is due in.
func (t claimedTask) key() string { return key.Task(t.partition, t.name) }

func (t claimedTask) due() string { return key.Due(t.partition) }

// ended returns the call that ends the task.
func (t claimedTask) ended() script.TaskDone {
	return script.TaskDone{Task: t.key(), Due: t.due(), Token: t.token, Name: t.name}
}

// RunDueTasks claims the tasks that are due and completes them. It returns how many it finished.
func (s *Store) RunDueTasks(ctx context.Context) (int, error) {
	b := s.rdb.Batch()
	due := make([]*redis.StringSliceCmd, forum.Partitions)
	now := strconv.FormatInt(int64(s.Now()), 10)
	for p := range due {
		due[p] = b.ZRangeByScore(ctx, key.Due(forum.Partition(p)), &redis.ZRangeBy{Min: "-inf", Max: now, Count: 100})
	}
	if err := b.Exec(ctx); err != nil {
		return 0, fmt.Errorf("find due tasks: %w", err)
	}
	if s.tasksAtOnce <= 1 {
		done := 0
		for p, cmd := range due {
			done += s.runTasks(ctx, forum.Partition(p), cmd.Val())
		}
		return done, nil
	}
	var done atomic.Int64
	var all errgroup.Group // ends before RunDueTasks does
	all.SetLimit(s.tasksAtOnce)
	for p, cmd := range due {
		if names := cmd.Val(); len(names) > 0 {
			all.Go(func() error {
				done.Add(int64(s.runTasks(ctx, forum.Partition(p), names)))
				return nil
			})
		}
	}
	all.Wait() // failures are logged
	return int(done.Load()), nil
}

// runTasks runs due tasks of one partition. It returns how many it finished. When ctx ends it stops and
// logs nothing: what it began resumes when its lease expires.
func (s *Store) runTasks(ctx context.Context, p forum.Partition, names []string) (done int) {
	for _, name := range names {
		t, ok, err := s.claimTask(ctx, p, name)
		if ctx.Err() != nil {
			return done
		}
		if err != nil { // it must not hold up the others
			s.LogFailure(ctx, s.log, "cannot claim task", "task", name, "error", err)
			continue
		}
		if !ok {
			continue
		}
		err = s.runTask(ctx, t, 0)
		if err != nil && ctx.Err() != nil {
			return done
		}
		if err != nil {
			s.log.Warn("task failed and will be retried", "task", name, "attempts", t.attempts, "error", err)
			continue
		}
		done++
	}
	return done
}

func (s *Store) claimTask(ctx context.Context, p forum.Partition, name string) (claimedTask, bool, error) {
	call := script.TaskClaim{
		Task: key.Task(p, name), Due: key.Due(p), Dead: key.Dead(p), Name: name, Now: s.Now(),
		Lease: s.Now() + record.TaskLease, Most: MaxAttempts,
	}
	claimed, err := call.Result(s.rdb.Run(ctx, call).Result())
	if err != nil {
		return claimedTask{}, false, fmt.Errorf("claim task %s: %w", name, err)
	}
	if claimed.Token == "" {
		return claimedTask{}, false, nil
	}
	t := claimedTask{partition: p, name: name, token: claimed.Token, attempts: int(claimed.Attempts),
		cursor: claimed.Cursor}
	return t, true, nil
}

// runTask runs a claimed task: at most passes passes, or to completion if passes is 0. A task with work
// left is due immediately, a failed one after 1, 2, 4, … seconds.
func (s *Store) runTask(ctx context.Context, t claimedTask, passes int) error {
	for n := 1; ; n++ {
		cursor, done, err := s.heldPass(ctx, t)
		switch {
		case err != nil && ctx.Err() != nil: // the lease expires
			return err
		case err != nil:
			wait := min(int64(time.Second/time.Millisecond)<<min(max(t.attempts-1, 0), 20), maxBackoff)
			if _, late := s.stepTask(ctx, t, t.cursor, s.Now()+forum.Time(wait), false); late != nil {
				s.log.Warn("task will resume after its lease expires", "task", t.name, "error", late)
			}
			return err
		case done:
			return s.rdb.Run(ctx, t.ended()).Err()
		}
		last := passes > 0 && n >= passes
		due := s.Now() + record.TaskLease
		if last {
			due = s.Now()
		}
		holds, err := s.stepTask(ctx, t, cursor, due, true)
		if err != nil || !holds || last {
			return err
		}
		t.cursor, t.attempts = cursor, 1
	}
}

// stepTask saves the progress of a task; it reports whether this process still holds the task.
func (s *Store) stepTask(ctx context.Context, t claimedTask, cursor string, due forum.Time,
	progress bool) (bool, error) {
	return s.rdb.Run(ctx, script.TaskStep{
		Task: t.key(), Due: t.due(), Token: t.token, Name: t.name, Cursor: cursor, NextDue: due, Progress: progress,
	}).Bool()
}

// passTask runs one pass of a task and returns where the next begins.
func (s *Store) passTask(ctx context.Context, t claimedTask) (cursor string, done bool, err error) {
	is, err := record.ParseTask(t.name)
	if err != nil {
		return "", false, err
	}
	run := s.passes[is.Kind]
	if run == nil {
		return "", false, fmt.Errorf("no handler for task %q", t.name)
	}
	return run(ctx, t, is)
}

// pass runs one pass of a task and returns where the next begins.
type pass func(ctx context.Context, t claimedTask, is record.Task) (cursor string, done bool, err error)

// onTask has run do the tasks of a kind.
func (s *Store) onTask(kind record.TaskKind, run pass) { s.passes[kind] = run }

// onTaskOnce is onTask for tasks of one pass.
func (s *Store) onTaskOnce(kind record.TaskKind, run func(context.Context, claimedTask, record.Task) error) {
	s.onTask(kind, func(ctx context.Context, t claimedTask, is record.Task) (string, bool, error) {
		return "", true, run(ctx, t, is)
	})
}

// nowMicros returns the current time in microseconds, so that each edge of a user can have its own time.
func (s *Store) nowMicros() int64 { return s.now().UnixMicro() }
