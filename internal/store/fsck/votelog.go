package fsck

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// loggedSubject returns the target for a topic in a user's vote log.
func loggedSubject(user forum.UserID, topic string) target {
	return target{kind: onLogged, id: int64(user), text: topic}
}

// inspectLogs checks the vote logs of a group of users. Short logs are read together.
func (c *checker) inspectLogs(ctx context.Context, ids []forum.UserID) error {
	r := c.read(ctx)
	sizes := make([]*redis.IntCmd, len(ids))
	for i, id := range ids {
		sizes[i] = r.next().ZCard(ctx, key.VoteLog(id))
	}
	if err := r.done(); err != nil {
		return err
	}
	inspect := func(on []target) error { return c.inspectLogged(ctx, on) }
	short := map[forum.UserID]*redis.StringSliceCmd{}
	for i, id := range ids {
		switch n := sizes[i].Val(); {
		case n > readSize:
			err := c.eachMember(ctx, key.VoteLog(id), func(topics []string) error { return inspect(loggedSubjects(id, topics)) })
			if err != nil {
				return err
			}
		case n > 0:
			short[id] = r.next().ZRange(ctx, key.VoteLog(id), 0, -1)
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	var all []target
	for id, topics := range short {
		all = append(all, loggedSubjects(id, topics.Val())...)
	}
	return groups(all, inspect)
}

func loggedSubjects(user forum.UserID, topics []string) []target {
	on := make([]target, len(topics))
	for i, t := range topics {
		on[i] = loggedSubject(user, t)
	}
	return on
}

// checkLogSize checks the length of a user's vote log.
func (c *checker) checkLogSize(u *userView) {
	if key := key.VoteLog(u.id); u.logged > forum.VoteLog {
		cut := fix{watch: []string{key},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRemRangeByRank(ctx, key, 0, -1-forum.VoteLog) }}
		c.add(u.on(), RuleVoteLog, key, cut, "%d votes; the maximum is %d", u.logged, forum.VoteLog)
	}
}

// loggedView is a user's vote on a topic, in the log and in the sets.
type loggedView struct {
	user     forum.UserID
	topic    string        // as the log names it
	f        record.Fields // of the topic
	up, down bool
	waiting  bool // a task will write the log
	score    *redis.FloatCmd
	size     int64 // of the log
	active   bool  // the user is
}

func (v *loggedView) on() target { return loggedSubject(v.user, v.topic) }

// inspectLogged compares entries of logs with the sets of their articles. A log is written after
// the sets and before its task is deleted, so the topic is read before the log. A vote in between
// changes the topic, which records the time of the vote.
func (c *checker) inspectLogged(ctx context.Context, on []target) error {
	r := c.read(ctx)
	views := make([]*loggedView, len(on))
	after := make([]func(), len(on))
	for i, s := range on {
		v := &loggedView{user: forum.UserID(s.id), topic: s.text}
		views[i] = v
		id, _ := forum.ParseID[forum.TopicID](s.text)
		k := key.Topic(id)
		hash := r.hmget(k, []string{"kind", "created", "voted"})
		up, down := r.next().ZScore(ctx, key.Upvoters(k), key.Itoa(v.user)),
			r.next().ZScore(ctx, key.Downvoters(k), key.Itoa(v.user))
		task := r.next().Exists(ctx, key.Task(id.Partition(), record.VoteTask(id, v.user)))
		after[i] = func() { v.f, v.up, v.down, v.waiting = hash(), up.Err() == nil, down.Err() == nil, task.Val() > 0 }
	}
	if err := r.done(); err != nil {
		return err
	}
	last := make([]func(), len(on))
	for i, v := range views {
		after[i]()
		v.score = r.next().ZScore(ctx, key.VoteLog(v.user), v.topic)
		size := r.next().ZCard(ctx, key.VoteLog(v.user))
		state := r.next().HGet(ctx, key.User(v.user), "state")
		last[i] = func() { v.size, v.active = size.Val(), state.Val() == catalogue.UserActive }
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, v := range views {
		last[i]()
		c.checkLogged(v)
	}
	return nil
}

// voteInSets returns the user's vote according to the sets; known is false if the sets may have expired.
func (c *checker) voteInSets(v *loggedView) (want forum.VoteDirection, known bool) {
	switch {
	case v.up:
		return forum.VoteUp, true
	case v.down:
		return forum.VoteDown, true
	}
	return forum.VoteNone, c.s.Now() < v.f.Time("created")+forum.VotingWindow
}

func (c *checker) checkLogged(v *loggedView) {
	if !v.active || v.up && v.down { // the user or the topic has a finding
		return
	}
	if v.waiting {
		c.busy[v.on()] = true
		return
	}
	key, there, value := key.VoteLog(v.user), v.score.Err() == nil, "nothing"
	if there {
		value = record.FormatScore(v.score.Val())
	}
	out := fix{watch: []string{key}, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, key, v.topic) }}
	if v.f["kind"] != string(forum.Article) {
		if there {
			c.add(v.on(), RuleVoteLog, key, out, "%q, which is not an article, is at %s", v.topic, value)
		}
		return
	}
	at, said := record.UnpackVote(v.score.Val())
	formed := at > 0 && float64(record.PackVote(at, said)) == v.score.Val()
	voted := v.f.Time("voted")
	sound := formed && (at <= voted || voted == 0 && (v.up || v.down)) // without a time, the topic has a finding
	want, known := c.voteInSets(v)
	switch {
	case there && sound && (said == want || !known):
		return
	case !there && (want == forum.VoteNone || v.size >= forum.VoteLog): // displaced by newer ones
		return
	case !known:
		want = said
	}
	repair := out
	if voted > 0 && (known || formed) {
		// The next vote is later, and will replace it.
		repair.do = func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.Do(ctx, "zadd", key, record.PackVote(voted, want), v.topic)
			pipe.ZRemRangeByRank(ctx, key, 0, -1-forum.VoteLog)
		}
	}
	c.add(v.on(), RuleVoteLog, key, repair, "topic %s is at %s; its voter sets have %s, the latest vote is at %q", v.topic,
		value, want, v.f["voted"])
}
