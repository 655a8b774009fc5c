package store

import (
	"context"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
)

// taskView is a task as its keys say.
type taskView struct {
	partition forum.Partition
	name      string
	f         fields
	due, dead bool
	topic     string // state of the topic it is about
}

func (t *taskView) on() subject {
	return subject{kind: onTask, id: int64(t.partition), text: t.name}
}

// keys are all that a task touches.
func (t *taskView) keys() []string {
	return []string{taskKey(t.partition, t.name), dueKey(t.partition), deadKey(t.partition)}
}

// inspectTasks looks at tasks of a partition by name.
func (c *checker) inspectTasks(ctx context.Context, p forum.Partition, names []string) error {
	r := c.read(ctx)
	tasks := make([]*taskView, len(names))
	after := make([]func(), len(names))
	for i, name := range names {
		t := &taskView{partition: p, name: name}
		tasks[i] = t
		hash := r.hmget(taskKey(p, name), []string{"n", "attempts", "cursor"})
		due := r.next().ZScore(ctx, dueKey(p), name)
		dead := r.next().ZScore(ctx, deadKey(p), name)
		topic := r.next().HGet(ctx, partition(p)+name, "state") // a task t:<id> is named as the topic's key
		after[i] = func() { t.f, t.due, t.dead, t.topic = hash(), due.Err() == nil, dead.Err() == nil, topic.Val() }
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, t := range tasks {
		after[i]()
		c.judgeTask(t)
	}
	return nil
}

func (c *checker) judgeTask(t *taskView) {
	key, due, dead := taskKey(t.partition, t.name), dueKey(t.partition), deadKey(t.partition)
	kind, number, _ := strings.Cut(t.name, ":")
	id, err := forum.ParseID[forum.TopicID](number)
	switch {
	case len(t.f) == 0 && !t.due && !t.dead: // done meanwhile
	case len(t.f) == 0:
		c.add(t.on(), RuleTaskMissing, due, t.fix(func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.ZRem(ctx, due, t.name)
			pipe.ZRem(ctx, dead, t.name)
		}), "%q is due: %t, dead: %t, and no task", t.name, t.due, t.dead)
	case kind != "t" || err != nil || id.Partition() != t.partition || t.topic != string(forum.TopicDeleted):
		c.add(t.on(), RuleTaskName, key, t.fix(func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.Del(ctx, key)
			pipe.ZRem(ctx, due, t.name)
			pipe.ZRem(ctx, dead, t.name)
		}), "%q is about no deleted topic of this partition", t.name)
	default:
		c.judgeTaskState(t)
	}
}

func (t *taskView) fix(do func(context.Context, redis.Pipeliner)) fix {
	return fix{watch: t.keys(), do: do}
}

func (c *checker) judgeTaskState(t *taskView) {
	key, due, dead := taskKey(t.partition, t.name), dueKey(t.partition), deadKey(t.partition)
	now := redis.Z{Score: float64(c.s.Now()), Member: t.name}
	if _, there := t.f["cursor"]; !there || !t.f.whole("n", 1) || !t.f.whole("attempts", 0) || t.f["cursor"] != "" && !t.f.whole("cursor", 0) {
		c.add(t.on(), RuleTaskFields, key, t.fix(func(ctx context.Context, pipe redis.Pipeliner) {
			// The time is above every token that was given out: no old holder is let in.
			pipe.HSet(ctx, key, "n", int64(c.s.Now()), "attempts", 0, "cursor", "")
		}), "n %q, attempts %q, cursor %q", t.f["n"], t.f["attempts"], t.f["cursor"])
	}
	rearm := t.fix(func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.HIncrBy(ctx, key, "n", 1)
		pipe.HSet(ctx, key, "attempts", 0)
		pipe.ZRem(ctx, dead, t.name)
		pipe.ZAdd(ctx, due, now)
	})
	switch {
	case !t.due && !t.dead:
		c.add(t.on(), RuleTaskUnlisted, key, t.fix(func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZAdd(ctx, due, now) }), "is neither due nor dead")
	case t.due && t.dead:
		c.add(t.on(), RuleTaskTwice, key, t.fix(func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, dead, t.name) }), "is both due and dead")
	case t.dead:
		c.add(t.on(), RuleTaskDead, key, rearm, "was given up after %s attempts at %q", t.f["attempts"], t.f["cursor"])
	}
}
