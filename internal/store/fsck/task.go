package fsck

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// taskView is a task as its keys say.
type taskView struct {
	partition forum.Partition
	name      string
	f         record.Fields
	due, dead bool

	kind  string        // what the name begins with; "" when there can be no such task
	topic forum.TopicID // that it is about, if it is
	user  forum.UserID  // whose vote, edges, lists or home it is about, if it is
	tells forum.Subject // what it tells of, if it does
	left  string        // to whom it is to be told
	is    record.Fields // of the topic
	state string        // of the user
	vote  forum.VoteDirection
	// spread is what the topic's homes need to know.
	spread record.TopicState
	armed  int // how many such tasks the topic or user had, see armedKey
}

func (t *taskView) on() subject {
	return subject{kind: onTask, id: int64(t.partition), text: t.name}
}

// keys are all that a task touches.
func (t *taskView) keys() []string {
	return []string{key.Task(t.partition, t.name), key.Due(t.partition), key.Dead(t.partition)}
}

// inspectTasks looks at tasks of a partition by name.
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
			c.judgeTask(t)
		}
		return nil
	})
}

func newTaskView(p forum.Partition, name string) *taskView {
	t := &taskView{partition: p, name: name}
	kind, rest, _ := strings.Cut(name, ":")
	id, err := forum.ParseID[forum.TopicID](rest)
	there := err == nil
	switch kind {
	case "v":
		t.topic, t.user, there = record.ParseVoteTask(name)
	case "t", "s":
		t.topic = id
	case "h", "x":
		t.user = forum.UserID(id)
	case "n":
		var err error
		t.tells, err = record.ParseSubject(rest)
		there = err == nil && t.tells.User == 0
	case "e":
		e, err := record.ParseEdge(rest)
		t.user, there = e.From, err == nil
	case "l":
		owner, list, err := record.ParseListTask(rest)
		t.user, there = owner, err == nil && list.Partition() == owner.Partition()
	default:
		there = false
	}
	if there {
		t.kind = kind
	}
	return t
}

// armedKey is the hash that counts the tasks of this kind, so that none gets a token that
// another had; "" for tasks whose tokens are told otherwise.
func (t *taskView) armedKey() string {
	switch t.kind {
	case "s":
		return key.Topic(t.topic)
	case "n":
		return key.Subject(t.tells)
	case "e", "l", "h", "x":
		return key.User(t.user)
	}
	return ""
}

// queue queues the reads; what it returns takes what they gave. The task is read before
// the votes: whoever votes between gives the task another cursor.
func (t *taskView) queue(r *reading) func() {
	hash := r.hmget(key.Task(t.partition, t.name), []string{"n", "attempts", "cursor"})
	due := r.next().ZScore(r.ctx, key.Due(t.partition), t.name)
	dead := r.next().ZScore(r.ctx, key.Dead(t.partition), t.name)
	k := key.Topic(t.topic)
	topic := r.hmget(k, []string{"state", "kind", "created", "voted"})
	up, down := r.next().ZScore(r.ctx, key.Upvoters(k), key.Itoa(t.user)), r.next().ZScore(r.ctx, key.Downvoters(k), key.Itoa(t.user))
	user := r.next().HGet(r.ctx, key.User(t.user), "state")
	spread := r.next().HMGet(r.ctx, k, record.TopicStateFields...)
	armed := r.next().HGet(r.ctx, t.armedKey(), "armed")
	left := r.next().HGet(r.ctx, key.Subject(t.tells), "tell")
	return func() {
		t.left = left.Val()
		t.f, t.due, t.dead, t.is, t.state, t.vote = hash(), due.Err() == nil, dead.Err() == nil, topic(), user.Val(), forum.VoteNone
		t.spread, t.armed = record.ParseTopicState(t.topic, spread.Val()), int(record.Atoi(armed.Val()))
		switch {
		case up.Err() == nil:
			t.vote = forum.VoteUp
		case down.Err() == nil:
			t.vote = forum.VoteDown
		}
	}
}

// hasWork tells whether the task is of a known kind and has something to do.
func (t *taskView) hasWork() bool {
	home := t.user.Partition()
	switch {
	case t.topic != 0:
		home = t.topic.Partition()
	case t.kind == "n":
		home = t.tells.Partition()
	}
	if home != t.partition {
		return false
	}
	switch t.kind {
	case "v":
		return t.is["kind"] == string(forum.Article) && isAuthor(t.state)
	case "t":
		return t.is["state"] == string(forum.TopicDeleted)
	case "s":
		return t.is["state"] != ""
	case "n":
		return t.left != ""
	case "x":
		return t.state == record.UserDeleted
	case "e", "l", "h": // the account may be deleted meanwhile
		return isAuthor(t.state)
	}
	return false
}

func (c *checker) judgeTask(t *taskView) {
	key, due, dead := key.Task(t.partition, t.name), key.Due(t.partition), key.Dead(t.partition)
	switch {
	case len(t.f) == 0 && !t.due && !t.dead: // done meanwhile
	case len(t.f) == 0:
		c.add(t.on(), RuleTaskMissing, due, t.fix(func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.ZRem(ctx, due, t.name)
			pipe.ZRem(ctx, dead, t.name)
		}), "%q is due: %t, dead: %t, and no task", t.name, t.due, t.dead)
	case !t.hasWork():
		c.add(t.on(), RuleTaskName, key, t.fix(func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.Del(ctx, key)
			pipe.ZRem(ctx, due, t.name)
			pipe.ZRem(ctx, dead, t.name)
		}), "%q is about nothing that is to be done in this partition", t.name)
	default:
		c.judgeTaskState(t)
	}
}

func (t *taskView) fix(do func(context.Context, redis.Pipeliner)) fix {
	return fix{watch: t.keys(), do: do}
}

var voteCursor = regexp.MustCompile(`^[1-9][0-9]{0,15} (UP|DOWN|NONE)$`)

// start is the cursor of a task that begins anew: that of a vote is the vote as it stands,
// that of a topic all whose homes it is about. Whom a list's was about is not known; their
// edges will tell.
func (t *taskView) start() string {
	switch t.kind {
	case "v":
		return key.Itoa(max(t.is.Time("voted"), 1)) + " " + string(t.vote)
	case "s":
		return record.EncodeAudiences(append(t.spread.Audiences(), t.spread.LeftAudiences()...))
	}
	return ""
}

// freshToken is one that nobody was given, so that no old holder is let in. Tokens of
// votes begin with their times, with two digits for their claims, which are fewer than
// fifty; those of tasks that are counted with their number, with three digits. Otherwise
// it is the time, which is above all others.
func (c *checker) freshToken(t *taskView) int64 {
	switch {
	case t.kind == "v":
		return int64(c.s.Now())*100 + 50
	case t.armedKey() != "":
		return max(record.Atoi(t.f["n"])+1, 1000*int64(t.armed+1))
	}
	return int64(c.s.Now())
}

// soundCursor tells whether a task's cursor is one of its kind; that of a vote says what
// the sets do, as long as these are there.
func (c *checker) soundCursor(t *taskView) bool {
	cursor, there := t.f["cursor"]
	switch t.kind {
	case "v":
		over := c.s.Now() >= t.is.Time("created")+forum.VotingWindow
		return voteCursor.MatchString(cursor) && (over || strings.HasSuffix(cursor, " "+string(t.vote)))
	case "t":
		return there && (cursor == "" || t.f.IsWhole("cursor", 0))
	case "l":
		return there && !slices.ContainsFunc(strings.Fields(cursor), func(id string) bool {
			_, err := forum.ParseID[forum.UserID](id)
			return err != nil
		})
	case "e":
		return there && (cursor == "" || cursor == record.CursorTell)
	case "s":
		return there && !slices.ContainsFunc(strings.Fields(cursor), func(text string) bool {
			_, err := record.ParseAudience(text)
			return err != nil
		})
	}
	return there && cursor == ""
}

func (c *checker) judgeTaskState(t *taskView) {
	k, due, dead := key.Task(t.partition, t.name), key.Due(t.partition), key.Dead(t.partition)
	now := redis.Z{Score: float64(c.s.Now()), Member: t.name}
	if !c.soundCursor(t) || !t.f.IsWhole("n", 1) || !t.f.IsWhole("attempts", 0) {
		again := t.fix(func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.HSet(ctx, k, "n", c.freshToken(t), "attempts", 0, "cursor", t.start())
			if counts := t.armedKey(); counts != "" {
				pipe.HIncrBy(ctx, counts, "armed", 1)
			}
		})
		again.watch = append(again.watch, key.TopicPrefix(t.partition)+key.Itoa(t.topic), key.UserPrefix(t.partition)+key.Itoa(t.user))
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
		c.add(t.on(), RuleTaskUnlisted, k, t.fix(func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZAdd(ctx, due, now) }), "is neither due nor dead")
	case t.due && t.dead:
		c.add(t.on(), RuleTaskTwice, k, t.fix(func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, dead, t.name) }), "is both due and dead")
	case t.dead:
		c.add(t.on(), RuleTaskDead, k, rearm, "was given up after %s attempts at %q", t.f["attempts"], t.f["cursor"])
	}
}
