package fsck

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// inspectVoters checks the voters of topics and of the comments on them, one by one.
func (c *checker) inspectVoters(ctx context.Context, topics []*topicView) error {
	var lists []list
	articles := map[string]forum.TopicID{} // whose votes are in the logs of voters, by key of voters
	add := func(k string, article forum.TopicID, v *votesView) {
		if v.SetUp+v.SetDown > 0 {
			lists = append(lists, sets(key.Upvoters(k), key.Downvoters(k))...)
			articles[key.Upvoters(k)], articles[key.Downvoters(k)] = article, article
		}
	}
	for _, t := range topics {
		switch t.f["kind"] {
		case "":
			continue
		case string(forum.Article):
			add(t.key(), t.id, &t.votes)
		default:
			add(t.key(), 0, &t.votes)
		}
		for _, m := range t.comments {
			add(m.key(), 0, &m.votes)
		}
	}
	return c.eachEntry(ctx, lists, func(l *look, e entry) { l.vote(e, articles[e.key]) })
}

// vote checks a voter, and on an article the voter's log.
func (l *look) vote(e entry, article forum.TopicID) {
	l.on = target{kind: onVoter, key: e.key, text: e.name}
	id, _ := forum.ParseID[forum.UserID](e.name)
	logged, state := l.score(key.VoteLog(id), key.Itoa(article)), l.field(key.User(id), "state")
	l.wait()
	switch {
	case !isAuthor(state.Val()) || e.score != float64(id):
		l.voter()
	case article != 0 && !is(logged) && state.Val() == catalogue.UserActive:
		l.at(target{kind: onLogged, id: int64(id), text: key.Itoa(article)}).logged()
	}
}

// voter checks an entry of a set of voters.
func (l *look) voter() {
	k, name := l.on.key, l.on.text
	id, err := forum.ParseID[forum.UserID](name)
	at, state := l.score(k, name), l.field(key.User(id), "state")
	l.wait()
	switch {
	case !is(at):
	case err != nil || !isAuthor(state.Val()):
		l.add(RuleVotesEntry, k, drop(k, name), "%q is not a user", name)
	case at.Val() != float64(id):
		l.add(RuleVotesEntry, k, put(k, name, float64(id)), "user %s is at %s", name, record.FormatScore(at.Val()))
	}
}

// inspectLogs checks the vote logs of users.
func (c *checker) inspectLogs(ctx context.Context, ids []forum.UserID) error {
	logs := make([]list, len(ids))
	users := make(map[string]forum.UserID, len(ids))
	for i, id := range ids {
		logs[i].key, users[key.VoteLog(id)] = key.VoteLog(id), id
	}
	return c.eachEntry(ctx, logs, func(l *look, e entry) {
		l.at(target{kind: onLogged, id: int64(users[e.key]), text: e.name}).logged()
	})
}

// logged compares an entry of a user's log with the sets of its article. A log is written after the sets and before its
// task is deleted, so the topic is read before the log. A vote in between changes the topic, which records the time of
// the vote.
func (l *look) logged() {
	user, topic := forum.UserID(l.on.id), l.on.text
	id, _ := forum.ParseID[forum.TopicID](topic)
	article := l.hmget(key.Topic(id), []string{"kind", "created", "voted"})
	up, down := l.score(key.Upvoters(key.Topic(id)), key.Itoa(user)), l.score(key.Downvoters(key.Topic(id)), key.Itoa(user))
	task := l.exists(key.Task(id.Partition(), record.VoteTask(id, user)))
	l.wait()
	k := key.VoteLog(user)
	at, size, state := l.score(k, topic), l.size(k), l.field(key.User(user), "state")
	l.wait()
	switch {
	case state.Val() != catalogue.UserActive || is(up) && is(down): // the user or the topic has a finding
	case task.Val() > 0:
		l.postpone()
	default:
		l.compareLog(article(), is(up), is(down), at, size.Val())
	}
}

// compareLog compares an entry of a log that has size entries with the article and its sets.
func (l *look) compareLog(f record.Fields, up, down bool, score *redis.FloatCmd, size int64) {
	k, topic, there, value := key.VoteLog(forum.UserID(l.on.id)), l.on.text, is(score), "nothing"
	if there {
		value = record.FormatScore(score.Val())
	}
	if f["kind"] != string(forum.Article) {
		if there {
			l.add(RuleVoteLog, k, drop(k, topic), "%q, which is not an article, is at %s", topic, value)
		}
		return
	}
	want, known := forum.VoteNone, up || down || l.s.Now() < f.Time("created")+forum.VotingWindow // later they may have expired
	switch {
	case up:
		want = forum.VoteUp
	case down:
		want = forum.VoteDown
	}
	at, said := record.UnpackVote(score.Val())
	formed := at > 0 && float64(record.PackVote(at, said)) == score.Val()
	voted := f.Time("voted")
	sound := formed && (at <= voted || voted == 0 && (up || down)) // without a time, the topic has a finding
	switch {
	case there && sound && (said == want || !known):
		return
	case !there && (want == forum.VoteNone || size >= forum.VoteLog): // displaced by newer ones
		return
	case !known:
		want = said
	}
	repair := drop(k, topic)
	if voted > 0 && (known || formed) { // the next vote is later, and will replace it
		repair.do = func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.Do(ctx, "zadd", k, record.PackVote(voted, want), topic)
			pipe.ZRemRangeByRank(ctx, k, 0, -1-forum.VoteLog)
		}
	}
	l.add(RuleVoteLog, k, repair, "topic %s is at %s; its voter sets have %s, the latest vote is at %q", topic, value, want,
		f["voted"])
}
