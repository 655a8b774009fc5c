package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// A task is the work that a mutation leaves to be done in other slots if it is too much for one pipeline.
// The mutation's own script writes it; any process may do it. A task is claimed under a lease; the token n,
// which rises with each claim, fences off a holder whose lease has expired. Passes are idempotent.

const (
	// FirstLease is how long the first pass is reserved for the request that created the task, in ms.
	FirstLease = 2_000
	// TaskPass is the maximum number of rows of one pass. Source: Redis in Action, chapter 8
	// (POSTS_PER_PASS).
	TaskPass = 1000
	// MaxAttempts is the number of attempts without progress after which a task is given up.
	MaxAttempts = 20
	// MaxBackoff is the maximum wait between attempts, in ms.
	MaxBackoff = 600_000
	// busyRest is the wait after ErrBusy, in ms.
	busyRest = 10_000
)

// ErrBusy is the error of a pass that read its data several times, and each time they changed before it could write.
// That is no failure: however often it happens, the task is not given up.
var ErrBusy = errors.New("the data keep changing")

// Task is a task that this process may work on.
type Task struct {
	Partition forum.Partition
	Name      string
	Token     string
	Attempts  int
	Cursor    string
}

// Key returns the task's key.
func (t Task) Key() string { return key.Task(t.Partition, t.Name) }

// Due returns the key of the set that the task is due in.
func (t Task) Due() string { return key.Due(t.Partition) }

// Ended returns the call that ends the task.
func (t Task) Ended() script.TaskDone {
	return script.TaskDone{Task: t.Key(), Due: t.Due(), Token: t.Token, Name: t.Name}
}

// RunDueTasks claims the tasks that are due, and completes them or those of their turns that are due. It returns how
// many that were.
func (s *Engine) RunDueTasks(ctx context.Context) (int, error) {
	b := s.Client.Batch()
	due := make([]*redis.StringSliceCmd, forum.Partitions)
	now := strconv.FormatInt(int64(s.Now()), 10)
	for p := range due {
		due[p] = b.ZRangeByScore(ctx, key.Due(forum.Partition(p)), &redis.ZRangeBy{Min: "-inf", Max: now, Count: 100})
	}
	if err := b.Exec(ctx); err != nil {
		return 0, fmt.Errorf("find due tasks: %w", err)
	}
	if s.TasksAtOnce <= 1 {
		done := 0
		for p, cmd := range due {
			done += s.runTasks(ctx, forum.Partition(p), cmd.Val())
		}
		return done, nil
	}
	var done atomic.Int64
	var all errgroup.Group // ends before RunDueTasks does
	all.SetLimit(s.TasksAtOnce)
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

// runTasks runs due tasks of one partition. It returns how many. When ctx ends it stops and
// logs nothing: what it began resumes when its lease expires.
func (s *Engine) runTasks(ctx context.Context, p forum.Partition, names []string) (done int) {
	for _, name := range names {
		t, ok, err := s.ClaimTask(ctx, p, name)
		if ctx.Err() != nil {
			return done
		}
		if err != nil { // it must not hold up the others
			s.LogFailure(ctx, s.Log, "cannot claim task", "task", name, "error", err)
			continue
		}
		if !ok {
			continue
		}
		err = s.RunTask(ctx, t, 0)
		if err != nil && ctx.Err() != nil {
			return done
		}
		if err != nil {
			s.Log.Warn("task failed and will be retried", "task", name, "attempts", t.Attempts, "error", err)
			continue
		}
		done++
	}
	return done
}

// ClaimTask claims a task; ok is false if another process has it, or if it was given up.
func (s *Engine) ClaimTask(ctx context.Context, p forum.Partition, name string) (Task, bool, error) {
	call := script.TaskClaim{
		Task: key.Task(p, name), Due: key.Due(p), Dead: key.Dead(p), Name: name, Now: s.Now(),
		Lease: s.Now() + record.TaskLease, Most: MaxAttempts,
	}
	claimed, err := call.Result(s.Client.Run(ctx, call).Result())
	if err != nil {
		return Task{}, false, fmt.Errorf("claim task %s: %w", name, err)
	}
	if claimed.Token == "" {
		return Task{}, false, nil
	}
	t := Task{Partition: p, Name: name, Token: claimed.Token, Attempts: int(claimed.Attempts),
		Cursor: claimed.Cursor}
	if wait := backoff(t.Attempts); wait > record.TaskLease { // if its process ends, that is like a failure
		if _, err := s.extendLease(ctx, t, wait); err != nil {
			return Task{}, false, fmt.Errorf("claim task %s: %w", name, err)
		}
	}
	return t, true, nil
}

// RunTask runs a claimed task: at most passes passes, or to completion if passes is 0, or one turn. A task with work
// left is due immediately, or when its next turn is, a failed one after 1, 2, 4, … seconds, one that failed with
// ErrBusy after busyRest.
func (s *Engine) RunTask(ctx context.Context, t Task, passes int) error {
	for n := 1; ; n++ {
		p, err := s.heldPass(ctx, t)
		switch {
		case err != nil && ctx.Err() != nil: // the lease expires
			return err
		case errors.Is(err, ErrBusy):
			_, late := s.StepTask(ctx, t, t.Cursor, s.Now()+busyRest, nil)
			return errors.Join(err, late)
		case err != nil:
			if _, late := s.StepTask(ctx, t, t.Cursor, s.Now()+backoff(t.Attempts), err); late != nil {
				s.Log.Warn("task will resume after its lease expires", "task", t.Name, "error", late)
			}
			return err
		case p.done:
			return s.Client.Run(ctx, t.Ended()).Err()
		}
		last := p.turn > 0 || passes > 0 && n >= passes
		due := s.Now() + record.TaskLease
		if last {
			due = max(s.Now(), p.turn)
		}
		holds, err := s.StepTask(ctx, t, p.cursor, due, nil)
		if err != nil || !holds || last {
			return err
		}
		t.Cursor, t.Attempts = p.cursor, 1
	}
}

// backoff returns how long to wait after a number of attempts: 1, 2, 4, … seconds.
func backoff(attempts int) forum.Time {
	return forum.Time(min(int64(time.Second/time.Millisecond)<<min(max(attempts-1, 0), 20), MaxBackoff))
}

// StepTask saves the progress of a task, or its failure if that is not nil; it reports whether this process still holds
// the task.
func (s *Engine) StepTask(ctx context.Context, t Task, cursor string, due forum.Time, failure error) (bool, error) {
	call := script.TaskStep{Task: t.Key(), Due: t.Due(), Token: t.Token, Name: t.Name, Cursor: cursor, NextDue: due}
	if failure != nil {
		call.Failure = shortened(failure.Error())
	}
	return s.Client.Run(ctx, call).Bool()
}

// progress is what a pass of a task returns: where the next pass begins, whether this was the last, and when the next
// turn is due; 0 if the holder goes on.
type progress struct {
	cursor string
	done   bool
	turn   forum.Time
}

// passTask runs one pass of a task.
func (s *Engine) passTask(ctx context.Context, t Task) (p progress, err error) {
	is, err := record.ParseTask(t.Name)
	if err != nil {
		return p, err
	}
	run := s.passes[is.Kind]
	if run == nil {
		return p, fmt.Errorf("no handler for task %q", t.Name)
	}
	if s.ObservePass != nil {
		if roundTrip, end := s.ObservePass(is.Work()); end != nil {
			ctx = pipeline.WithUsage(ctx, &pipeline.Usage{Observe: roundTrip})
			defer func() { end(err) }()
		}
	}
	return run(ctx, t, is)
}

// pass runs one pass of a task.
type pass func(ctx context.Context, t Task, is record.Task) (progress, error)

// Pass runs one pass of a task and returns where the next begins.
type Pass func(ctx context.Context, t Task, is record.Task) (cursor string, done bool, err error)

// OnTask has run do the tasks of a kind. It panics if something does already.
func (s *Engine) OnTask(kind record.TaskKind, run Pass) {
	once(s.passes, kind, func(ctx context.Context, t Task, is record.Task) (p progress, err error) {
		p.cursor, p.done, err = run(ctx, t, is)
		return p, err
	})
}

// Turn runs one turn of a task that may take minutes, and returns where the next begins, and when that is due; 0 if
// there is none. Between turns a worker runs other tasks.
type Turn func(ctx context.Context, t Task, is record.Task) (cursor string, due forum.Time, err error)

// OnTaskInTurns is OnTask for tasks that take turns.
func (s *Engine) OnTaskInTurns(kind record.TaskKind, run Turn) {
	once(s.passes, kind, func(ctx context.Context, t Task, is record.Task) (p progress, err error) {
		p.cursor, p.turn, err = run(ctx, t, is)
		p.done = p.turn == 0
		return p, err
	})
}

// OnTaskOnce is OnTask for tasks of one pass.
func (s *Engine) OnTaskOnce(kind record.TaskKind, run func(context.Context, Task, record.Task) error) {
	s.OnTask(kind, func(ctx context.Context, t Task, is record.Task) (string, bool, error) {
		return "", true, run(ctx, t, is)
	})
}

// NowMicros returns the current time in microseconds, so that each edge of a user can have its own time.
func (s *Engine) NowMicros() int64 { return s.Clock().UnixMicro() }
