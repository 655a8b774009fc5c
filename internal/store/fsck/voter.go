package fsck

import (
	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// voters returns the sets of those who voted on a topic or comment.
func voters(k string, article int64, v *votesView) (lists []list) {
	if v.SetUp+v.SetDown == 0 {
		return nil
	}
	for _, side := range []string{key.Upvoters(k), key.Downvoters(k)} {
		lists = append(lists, list{key: side, on: target{kind: onVoter, key: side, id: article}, first: (*look).vote})
	}
	return lists
}

// vote checks a voter, and on an article the voter's log.
func (l *look) vote(e entry) {
	article := l.on.id
	id, _ := forum.ParseID[forum.UserID](e.name)
	logged, state := l.score(key.VoteLog(id), key.Itoa(forum.TopicID(article))), l.field(key.User(id), "state")
	l.wait()
	switch {
	case !isAuthor(state.Val()) || e.score != float64(id):
		l.voter()
	case article != 0 && !is(logged) && state.Val() == catalogue.UserActive:
		l.examine(target{kind: onLogged, id: int64(id), text: key.Itoa(forum.TopicID(article))})
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
	want, known := forum.VoteNone, up || down || l.s.Engine.Now() < f.Time("created")+forum.VotingWindow // later they may have expired
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
		repair = all(command("zadd", k, record.PackVote(voted, want), topic), command("zremrangebyrank", k, 0, -1-forum.VoteLog))
	}
	l.add(RuleVoteLog, k, repair, "topic %s is at %s; its voter sets have %s, the latest vote is at %q", topic, value, want,
		f["voted"])
}
