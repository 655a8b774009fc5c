package fsck

import (
	"context"

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

// keys returns all keys that a task touches.
func (t *taskView) keys() (task, due, dead string) {
	return key.Task(t.partition, t.name), key.Due(t.partition), key.Dead(t.partition)
}

// readTask reads a task, and what it is about. The task is read before the votes, because a vote in between changes the
// task's cursor.
func (l *look) readTask() *taskView {
	t := &taskView{partition: forum.Partition(l.on.id), name: l.on.text, vote: forum.VoteNone}
	if about, err := record.ParseTask(t.name); err == nil {
		t.about = about
	}
	task, due, dead := t.keys()
	hash, isDue, isDead := l.hmget(task, []string{"n", "attempts", "cursor"}), l.score(due, t.name), l.score(dead, t.name)
	k, user := key.Topic(t.about.Topic), key.Itoa(t.about.User)
	topic := l.hmget(k, []string{"state", "kind", "created", "voted"})
	up, down := l.score(key.Upvoters(k), user), l.score(key.Downvoters(k), user)
	account, state := l.field(key.User(t.about.User), "state"), record.GetTopicState(l.ctx, l.next(), t.about.Topic)
	armed := l.next().HGet(l.ctx, key.Internal(t.about.Counter()), "armed")
	left, posted := l.field(key.Subject(t.about.Subject), "tell"), l.field(key.Subject(t.about.Subject), "topic")
	l.wait()
	t.f, t.due, t.dead, t.is, t.state = hash(), is(isDue), is(isDead), topic(), account.Val()
	t.left, t.posted, t.fanOut, t.armed = left.Val(), is(posted), state(), int(record.Atoi(armed.Val()))
	switch {
	case is(up):
		t.vote = forum.VoteUp
	case is(down):
		t.vote = forum.VoteDown
	}
	return t
}

// hasWork reports whether the task is of a known kind, in its partition, and has work to do.
func (t *taskView) hasWork() bool {
	is, known := taskChecks[t.about.Kind]
	return known && t.about.Partition() == t.partition && is.work(t)
}

// task checks a task.
func (l *look) task() {
	t := l.readTask()
	k, due, dead := t.keys()
	unlist := all(drop(due, t.name), drop(dead, t.name)).given(k)
	switch {
	case len(t.f) == 0 && !t.due && !t.dead: // done since
	case len(t.f) == 0:
		l.add(RuleTaskMissing, due, unlist, "%q is due: %t, dead: %t, but is not a task", t.name, t.due, t.dead)
	case !t.hasWork():
		l.add(RuleTaskName, k, all(remove(k), unlist), "%q has no work to do in this partition", t.name)
	default:
		l.taskFields(t)
		l.taskLists(t)
	}
}

// freshToken returns a token that was never assigned, so that no old holder can write. Tokens of votes begin with their
// times, followed by two digits for their claims, which are fewer than fifty. Tokens of counted tasks begin with their
// number, followed by three digits. For other tasks it is the current time, which is above all earlier tokens.
func (c *checker) freshToken(t *taskView) int64 {
	switch {
	case t.about.Kind == record.TaskVote:
		return int64(c.s.Engine.Now())*100 + 50
	case t.about.Counter() != "":
		return max(record.Atoi(t.f["n"])+1, 1000*int64(t.armed+1))
	}
	return int64(c.s.Engine.Now())
}

// taskFields checks the fields of a task.
func (l *look) taskFields(t *taskView) {
	if t.soundCursor(l.s.Engine.Now()) && t.f.IsWhole("n", 1) && t.f.IsWhole("attempts", 0) {
		return
	}
	k, due, dead := t.keys()
	again := command("hset", k, "n", l.freshToken(t), "attempts", 0, "cursor", t.start())
	if counts := t.about.Counter(); counts != "" {
		again = all(again, command("hincrby", key.Internal(counts), "armed", 1))
	}
	again = again.given(due, dead, key.TopicPrefix(t.partition)+key.Itoa(t.about.Topic),
		key.UserPrefix(t.partition)+key.Itoa(t.about.User))
	l.add(RuleTaskFields, k, again, "n %q, attempts %q, cursor %q", t.f["n"], t.f["attempts"], t.f["cursor"])
}

// taskLists checks that a task is due, and not dead.
func (l *look) taskLists(t *taskView) {
	k, due, dead := t.keys()
	enter := put(due, t.name, float64(l.s.Engine.Now())).given(k, dead)
	switch {
	case !t.due && !t.dead:
		l.add(RuleTaskUnlisted, k, enter, "is neither due nor dead")
	case t.due && t.dead:
		l.add(RuleTaskTwice, k, drop(dead, t.name).given(k, due), "is both due and dead")
	case t.dead:
		retry := fix{run: func(ctx context.Context) error { return l.repairer.RetryTask(ctx, t.partition, t.name) }}
		l.add(RuleTaskDead, k, retry, "was given up after %s attempts at %q", t.f["attempts"], t.f["cursor"])
	}
}
