package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/count"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// maxFailure is the maximum number of characters that a task keeps of an error.
const maxFailure = 200

// shortened returns the start of the text of an error, as valid UTF-8 and not empty.
func shortened(failure string) string {
	runes := []rune(cmp.Or(failure, "unknown"))
	return string(runes[:min(len(runes), maxFailure)])
}

// deadName is the name of a task that was given up, or of an object that a consumer has set aside.
type deadName struct {
	partition forum.Partition
	name      string
	since     forum.Time
	aside     *asideName // nil for a task
}

// deadNames returns the names of the first tasks that were given up, partition by partition, and of objects that were set
// aside, at most limit, in two round trips.
func (s *Engine) deadNames(ctx context.Context, limit int) ([]deadName, error) {
	b, most := s.Client.Batch(), limit
	counts := make([]*redis.IntCmd, forum.Partitions)
	for p := range counts {
		counts[p] = b.ZCard(ctx, key.Dead(forum.Partition(p)))
	}
	consumers := count.QueueConsumers(ctx, b)
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("count dead tasks: %w", err)
	}
	b = s.Client.Batch()
	lists := map[forum.Partition]*redis.ZSliceCmd{}
	for p := range counts {
		if n := min(counts[p].Val(), int64(limit)); n > 0 {
			lists[forum.Partition(p)] = b.ZRangeWithScores(ctx, key.Dead(forum.Partition(p)), 0, n-1)
			limit -= int(n)
		}
	}
	asides := map[asideName]*redis.MapStringStringCmd{} // without objects
	for _, slot := range key.FeedSlots {
		for consumer, n := range count.Aside(consumers[slot].Val()) {
			if limit > 0 && n > 0 {
				asides[asideName{slot: slot, consumer: consumer}] = b.HGetAll(ctx, key.Aside(slot, consumer))
				limit -= n
			}
		}
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("list dead tasks: %w", err)
	}
	var names []deadName
	for p, list := range lists {
		for _, row := range list.Val() {
			names = append(names, deadName{partition: p, name: row.Member.(string), since: forum.Time(row.Score)})
		}
	}
	for of, rows := range asides {
		names = append(names, of.rows(rows.Val())...)
	}
	slices.SortFunc(names, func(a, b deadName) int {
		return cmp.Or(cmp.Compare(a.since, b.since), cmp.Compare(a.name, b.name))
	})
	return names[:min(len(names), most)], nil
}

// ListDeadTasks returns tasks that were given up and objects that consumers have set aside, at most limit, those of
// longest ago first, in three round trips. If there are more, those of the first partitions are returned.
func (s *Engine) ListDeadTasks(ctx context.Context, limit int) ([]*forum.DeadTask, error) {
	names, err := s.deadNames(ctx, limit)
	if err != nil {
		return nil, err
	}
	b := s.Client.Batch()
	fields := []string{"attempts", "failure"}
	hashes := make([]*redis.SliceCmd, len(names))
	for i, d := range names {
		if d.aside == nil {
			hashes[i] = b.HMGet(ctx, key.Task(d.partition, d.name), fields...)
		}
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read dead tasks: %w", err)
	}
	tasks := make([]*forum.DeadTask, len(names))
	for i, d := range names {
		if d.aside != nil {
			tasks[i] = d.aside.task(d.name)
			continue
		}
		f := record.HMGet(fields, hashes[i])
		tasks[i] = &forum.DeadTask{Name: d.name, Since: d.since, Attempts: f.Int("attempts")}
		if failure, ok := f["failure"]; ok {
			tasks[i].Failure = &failure
		}
		if is, err := record.ParseTask(d.name); err == nil {
			work := is.Work()
			tasks[i].Work, tasks[i].Subject = &work, is.About()
		}
	}
	return tasks, nil
}

// RetryDeadTask makes due what ListDeadTasks has under that name: a task that was given up, or an object that a consumer
// has set aside. It reports whether there was one.
func (s *Engine) RetryDeadTask(ctx context.Context, name string) (bool, error) {
	dead := deadName{name: name}
	if is, err := record.ParseTask(name); err == nil {
		dead.partition = is.Partition()
	} else if of, ok := parseAsideName(name); ok {
		dead.aside = &of
	} else {
		return false, nil
	}
	n, err := s.retry(ctx, []deadName{dead})
	return n > 0, err
}

// RetryDeadTasks makes due what ListDeadTasks returns, in three round trips. It returns how many there were.
func (s *Engine) RetryDeadTasks(ctx context.Context, limit int) (int, error) {
	names, err := s.deadNames(ctx, limit)
	if err != nil {
		return 0, err
	}
	return s.retry(ctx, names)
}

func (s *Engine) retry(ctx context.Context, names []deadName) (int, error) {
	b := s.Client.Batch()
	retried := make([]*redis.Cmd, len(names))
	for i, d := range names {
		if d.aside != nil {
			retried[i] = b.Run(ctx, d.aside.retry(s.Now()))
			continue
		}
		retried[i] = b.Run(ctx, script.TaskRetry{Task: key.Task(d.partition, d.name), Due: key.Due(d.partition),
			Dead: key.Dead(d.partition), Name: d.name, Now: s.Now()})
	}
	if err := b.Exec(ctx); err != nil {
		return 0, fmt.Errorf("retry dead tasks: %w", err)
	}
	n := 0
	for _, cmd := range retried {
		if was, _ := cmd.Bool(); was {
			n++
		}
	}
	return n, nil
}
