package fsck

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// taskView is a task as read from its keys.
type taskView struct {
	partition forum.Partition
	name      string
	f         record.Fields
	due, dead bool

	about record.Task // the parsed name; has no kind if invalid
	work  check.Work
	armed int // number of such tasks that the topic or user has had, see record.Task.Counter
}

// keys returns all keys that a task touches.
func (t *taskView) keys() (task, due, dead string) {
	return key.Task(t.partition, t.name), key.Due(t.partition), key.Dead(t.partition)
}

// readTask reads a task, and then what it is about.
func (c *checker) readTask(l *check.Look) *taskView {
	t := &taskView{partition: forum.Partition(l.On.ID), name: l.On.Text}
	if about, err := record.ParseTask(t.name); err == nil {
		t.about = about
	}
	task, due, dead := t.keys()
	hash := l.Fields(task, []string{"n", "attempts", "cursor"})
	isDue, isDead := l.Score(due, t.name), l.Score(dead, t.name)
	armed, work := l.Next().HGet(l.Ctx, key.Internal(t.about.Counter()), "armed"), func() check.Work { return check.Work{} }
	if read := c.TaskCheck(t.about.Kind); read != nil {
		work = read(l, t.about)
	}
	l.Wait()
	t.f, t.due, t.dead, t.armed = hash(), check.Is(isDue), check.Is(isDead), int(record.Atoi(armed.Val()))
	t.work = work()
	return t
}

// hasWork reports whether the task is of a known kind, in its partition, and has work to do.
func (t *taskView) hasWork() bool { return t.work.Left && t.about.Partition() == t.partition }

// soundCursor reports whether the task has a valid cursor of its kind.
func (t *taskView) soundCursor() bool {
	cursor, there := t.f["cursor"]
	if t.work.Cursor == nil {
		return there && cursor == ""
	}
	return there && t.work.Cursor(cursor)
}

// task checks a task: it has work to do, its fields are sound, and it is due, and not dead.
func (c *checker) task(l *check.Look) {
	t := c.readTask(l)
	k, due, dead := t.keys()
	unlist := check.All(check.Drop(due, t.name), check.Drop(dead, t.name)).Given(k)
	switch {
	case len(t.f) == 0 && !t.due && !t.dead: // done since
	case len(t.f) == 0:
		l.Add(RuleTaskListed, due, unlist, "%q is due: %t, dead: %t, but is not a task", t.name, t.due, t.dead)
	case !t.hasWork():
		l.Add(RuleTaskName, k, check.All(check.Remove(k), unlist), "%q has no work to do in this partition", t.name)
	case !t.soundCursor() || !t.f.IsWhole("n", 1) || !t.f.IsWhole("attempts", 0):
		l.Add(RuleTaskFields, k, c.restart(t), "n %q, attempts %q, cursor %q", t.f["n"], t.f["attempts"], t.f["cursor"])
	case t.due == t.dead:
		enter := check.All(check.Put(due, t.name, float64(c.Engine.Now())), check.Drop(dead, t.name)).Given(k)
		l.Add(RuleTaskListed, k, enter, "is due: %t, and dead: %t", t.due, t.dead)
	case t.dead:
		retry := check.Fix{Run: func(ctx context.Context) error {
			_, err := c.Engine.RetryDeadTask(ctx, t.name)
			return err
		}}
		l.Add(RuleTaskDead, k, retry, "was given up after %s attempts at %q", t.f["attempts"], t.f["cursor"])
	}
}

// freshToken returns a token that was never assigned, so that no old holder can write. Tokens of votes begin with their
// times, followed by two digits for their claims, which are fewer than fifty. Tokens of counted tasks begin with their
// number, followed by three digits. For other tasks it is the current time, which is above all earlier tokens.
func (c *checker) freshToken(t *taskView) int64 {
	switch {
	case t.about.Kind == record.TaskVote:
		return int64(c.Engine.Now())*100 + 50
	case t.about.Counter() != "":
		return max(record.Atoi(t.f["n"])+1, 1000*int64(t.armed+1))
	}
	return int64(c.Engine.Now())
}

// restart returns a fix that starts a task again.
func (c *checker) restart(t *taskView) check.Fix {
	k, due, dead := t.keys()
	again := check.Command("hset", k, "n", c.freshToken(t), "attempts", 0, "cursor", t.work.Start)
	if counts := t.about.Counter(); counts != "" {
		again = check.All(again, check.Command("hincrby", key.Internal(counts), "armed", 1))
	}
	return again.Given(due, dead, key.TopicPrefix(t.partition)+key.Itoa(t.about.Topic),
		key.UserPrefix(t.partition)+key.Itoa(t.about.User))
}
