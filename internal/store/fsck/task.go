package fsck

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// taskView is a task as read from its keys.
type taskView struct {
	partition forum.Partition
	name      string
	f         record.Fields
	due, dead bool

	about record.Task   // the parsed name; has no kind if invalid
	left  string        // users to notify
	is    record.Fields // of the topic
	state string        // of the user
	// posted is whether the comment exists.
	posted bool
	vote   forum.VoteDirection
	// fanOut is the topic's state, for its fan-out.
	fanOut record.TopicState
	armed  int // number of such tasks that the topic or user has had, see record.Task.Counter
}

func (t *taskView) on() target {
	return target{kind: onTask, id: int64(t.partition), text: t.name}
}

// keys returns all keys that a task touches.
func (t *taskView) keys() []string {
	return []string{key.Task(t.partition, t.name), key.Due(t.partition), key.Dead(t.partition)}
}

// inspectTasks checks tasks of a partition by name.
func (c *checker) inspectTasks(ctx context.Context, p forum.Partition, names []string) error {
	return groups(names, func(names []string) error {
		r := c.read(ctx)
		tasks := make([]*taskView, len(names))
		after := make([]func(), len(names))
		for i, name := range names {
			tasks[i] = newTaskView(p, name)
			after[i] = tasks[i].queue(r)
		}
		if err := r.done(); err != nil {
			return err
		}
		for i, t := range tasks {
			after[i]()
			c.checkTask(t)
		}
		return nil
	})
}

func newTaskView(p forum.Partition, name string) *taskView {
	about, err := record.ParseTask(name)
	if err != nil {
		about = record.Task{}
	}
	return &taskView{partition: p, name: name, about: about}
}

// queue queues the reads; the function returned stores their results. The task is read before the
// votes, because a vote in between changes the task's cursor.
func (t *taskView) queue(r *reading) func() {
	hash := r.hmget(key.Task(t.partition, t.name), []string{"n", "attempts", "cursor"})
	due := r.next().ZScore(r.ctx, key.Due(t.partition), t.name)
	dead := r.next().ZScore(r.ctx, key.Dead(t.partition), t.name)
	k := key.Topic(t.about.Topic)
	topic := r.hmget(k, []string{"state", "kind", "created", "voted"})
	up, down := r.next().ZScore(r.ctx, key.Upvoters(k), key.Itoa(t.about.User)),
		r.next().ZScore(r.ctx, key.Downvoters(k), key.Itoa(t.about.User))
	user := r.next().HGet(r.ctx, key.User(t.about.User), "state")
	state := record.GetTopicState(r.ctx, r.next(), t.about.Topic)
	armed := r.next().HGet(r.ctx, key.Internal(t.about.Counter()), "armed")
	left := r.next().HGet(r.ctx, key.Internal(key.Subject(t.about.Subject)), "tell")
	posted := r.next().HExists(r.ctx, key.Subject(t.about.Subject), "topic")
	return func() {
		t.left, t.posted = left.Val(), posted.Val()
		t.f, t.due, t.dead, t.is, t.state, t.vote = hash(), due.Err() == nil, dead.Err() == nil, topic(), user.Val(),
			forum.VoteNone
		t.fanOut, t.armed = state(), int(record.Atoi(armed.Val()))
		switch {
		case up.Err() == nil:
			t.vote = forum.VoteUp
		case down.Err() == nil:
			t.vote = forum.VoteDown
		}
	}
}

// hasWork reports whether the task is of a known kind, in its partition, and has work to do.
func (t *taskView) hasWork() bool {
	is, known := taskChecks[t.about.Kind]
	return known && t.about.Partition() == t.partition && is.work(t)
}

func (c *checker) checkTask(t *taskView) {
	key, due, dead := key.Task(t.partition, t.name), key.Due(t.partition), key.Dead(t.partition)
	switch {
	case len(t.f) == 0 && !t.due && !t.dead: // done since
	case len(t.f) == 0:
		c.add(t.on(), RuleTaskMissing, due, t.fix(func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.ZRem(ctx, due, t.name)
			pipe.ZRem(ctx, dead, t.name)
		}), "%q is due: %t, dead: %t, but is not a task", t.name, t.due, t.dead)
	case !t.hasWork():
		c.add(t.on(), RuleTaskName, key, t.fix(func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.Del(ctx, key)
			pipe.ZRem(ctx, due, t.name)
			pipe.ZRem(ctx, dead, t.name)
		}), "%q has no work to do in this partition", t.name)
	default:
		c.checkTaskState(t)
	}
}

func (t *taskView) fix(do func(context.Context, redis.Pipeliner)) fix {
	return fix{watch: t.keys(), do: do}
}

// freshToken returns a token that was never assigned, so that no old holder can write. Tokens of
// votes begin with their times, followed by two digits for their claims, which are fewer than
// fifty. Tokens of counted tasks begin with their number, followed by three digits. For other tasks
// it is the current time, which is above all earlier tokens.
func (c *checker) freshToken(t *taskView) int64 {
	switch {
	case t.about.Kind == record.TaskVote:
		return int64(c.s.Now())*100 + 50
	case t.about.Counter() != "":
		return max(record.Atoi(t.f["n"])+1, 1000*int64(t.armed+1))
	}
	return int64(c.s.Now())
}

func (c *checker) checkTaskState(t *taskView) {
	k, due, dead := key.Task(t.partition, t.name), key.Due(t.partition), key.Dead(t.partition)
	now := redis.Z{Score: float64(c.s.Now()), Member: t.name}
	if !t.soundCursor(c.s.Now()) || !t.f.IsWhole("n", 1) || !t.f.IsWhole("attempts", 0) {
		again := t.fix(func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.HSet(ctx, k, "n", c.freshToken(t), "attempts", 0, "cursor", t.start())
			if counts := t.about.Counter(); counts != "" {
				pipe.HIncrBy(ctx, key.Internal(counts), "armed", 1)
			}
		})
		again.watch = append(again.watch, key.TopicPrefix(t.partition)+key.Itoa(t.about.Topic),
			key.UserPrefix(t.partition)+key.Itoa(t.about.User))
		c.add(t.on(), RuleTaskFields, k, again, "n %q, attempts %q, cursor %q", t.f["n"], t.f["attempts"], t.f["cursor"])
	}
	rearm := t.fix(func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.HIncrBy(ctx, k, "n", 1)
		pipe.HSet(ctx, k, "attempts", 0)
		pipe.ZRem(ctx, dead, t.name)
		pipe.ZAdd(ctx, due, now)
	})
	switch {
	case !t.due && !t.dead:
		c.add(t.on(), RuleTaskUnlisted, k,
			t.fix(func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZAdd(ctx, due, now) }), "is neither due nor dead")
	case t.due && t.dead:
		c.add(t.on(), RuleTaskTwice, k,
			t.fix(func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, dead, t.name) }), "is both due and dead")
	case t.dead:
		c.add(t.on(), RuleTaskDead, k, rearm, "was given up after %s attempts at %q", t.f["attempts"], t.f["cursor"])
	}
}
