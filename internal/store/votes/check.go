package votes

import (
	"regexp"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// The rules of this package.
const (
	// RuleVotesEntry: voters are active or deleted users, and are in their set by id. Repair sets
	// their scores, and removes members that are no users.
	RuleVotesEntry check.Rule = "votes-entry"
	// RuleVoteLog: for each article, the vote log of an active user agrees with the article's sets
	// while these exist, unless a task will update it or newer votes have displaced it. Entries are
	// no later than the last vote on the article. The log has no other topics, and at most VoteLog
	// entries. Repair follows the sets.
	RuleVoteLog check.Rule = "vote-log"
	// RuleKarma: the karma of an active user is the votes on the topics of the profile, and on live comments in open
	// topics, up minus down, without the user's own; what is counted of each comment is recorded with the revision of
	// its votes. Repair sets them.
	RuleKarma check.Rule = "karma"
	// RuleOwnVote: a topic or comment records the vote of its author, as long as the votes exist. Repair follows these.
	RuleOwnVote check.Rule = "own-vote"
)

// The kinds of targets: an entry of a set of voters, an entry of a log, the karma of a user, and a comment in it or a
// field of what is counted.
const (
	onVoter   check.Kind = "voter"
	onLogged  check.Kind = "logged"
	onKarma   check.Kind = "karma"
	onCounted check.Kind = "counted"
)

// checks are the checks of votes.
type checks struct{ *Store }

// Checks returns what is checked of votes, logs of votes and karma.
func (s *Store) Checks() check.Subject {
	c := checks{s}
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){
			onVoter: c.voter, onLogged: c.logged, onKarma: c.karma, onCounted: c.counted,
		},
		Entries: map[check.Kind]func(*check.Look, check.Entry){onVoter: c.vote},
		With: map[check.Kind]func(check.Target) ([]check.Target, []check.List){
			check.OnUser: func(on check.Target) ([]check.Target, []check.List) {
				log, karma := key.VoteLog(forum.UserID(on.ID)), key.Karma(forum.UserID(on.ID))
				return []check.Target{{Kind: onKarma, ID: on.ID}}, []check.List{
					{Key: log, On: check.Target{Kind: onLogged, ID: on.ID}},
					{Key: karma, Hash: true, On: check.Target{Kind: onCounted, Key: karma}}}
			},
			check.OnComment: func(on check.Target) ([]check.Target, []check.List) {
				return []check.Target{{Kind: onCounted, ID: on.ID}}, voters(key.Comment(forum.CommentID(on.ID)), 0)
			},
			check.OnTopic: func(on check.Target) ([]check.Target, []check.List) {
				return nil, voters(key.Topic(forum.TopicID(on.ID)), on.ID)
			},
		},
		Lags:  []check.Kind{onLogged},
		Swept: []check.Rule{RuleKarma},
		Tasks: map[record.TaskKind]check.Task{
			record.TaskVote: c.task,
		},
	}
}

var voteCursor = regexp.MustCompile(`^[1-9][0-9]{0,15} (UP|DOWN|NONE)$`)

// task checks a task that logs a vote. Its cursor agrees with the sets, as long as these exist. The task is read before
// the votes, because a vote in between changes its cursor.
func (c checks) task(l *check.Look, is record.Task) func() check.Work {
	k := key.Topic(is.Topic)
	topic, voter := l.Fields(k, []string{"kind", "created", "voted"}), l.Field(key.User(is.User), "state")
	up, down := l.Score(key.Upvoters(k), key.Itoa(is.User)), l.Score(key.Downvoters(k), key.Itoa(is.User))
	return func() check.Work {
		t, vote := topic(), forum.VoteNone
		switch {
		case check.Is(up):
			vote = forum.VoteUp
		case check.Is(down):
			vote = forum.VoteDown
		}
		over := c.engine.Now() >= t.Time("created")+forum.VotingWindow
		return check.Work{
			Left: t["kind"] == string(forum.Article) && check.IsAuthor(voter.Val()),
			Cursor: func(cursor string) bool {
				return voteCursor.MatchString(cursor) && (over || strings.HasSuffix(cursor, " "+string(vote)))
			},
			Start: key.Itoa(max(t.Time("voted"), 1)) + " " + string(vote),
		}
	}
}

// voters returns the sets of those who voted on a topic or, if that is 0, a comment.
func voters(k string, topic int64) []check.List {
	lists := check.Sets(onVoter, key.Upvoters(k), key.Downvoters(k))
	for i := range lists {
		lists[i].On.ID = topic
	}
	return lists
}

// vote checks a voter, and on an article the voter's log.
func (c checks) vote(l *check.Look, e check.Entry) {
	id, _ := forum.ParseID[forum.UserID](e.Name)
	topic := key.Itoa(l.On.ID)
	logged, state := l.Score(key.VoteLog(id), topic), l.Field(key.User(id), "state")
	subject := l.Fields(l.On.Key[:strings.LastIndexByte(l.On.Key, ':')], []string{"kind", "author"})
	l.Wait()
	f := subject()
	switch {
	case len(f) == 0: // the votes have a finding
	case !check.IsAuthor(state.Val()) || e.Score != float64(id):
		c.voter(l)
	case f["kind"] == string(forum.Article) && !check.Is(logged) && state.Val() == catalogue.UserActive:
		l.Examine(check.Target{Kind: onLogged, ID: int64(id), Text: topic})
	}
}

// voter checks an entry of a set of voters.
func (c checks) voter(l *check.Look) {
	k, name := l.On.Key, l.On.Text
	id, err := forum.ParseID[forum.UserID](name)
	at, state := l.Score(k, name), l.Field(key.User(id), "state")
	l.Wait()
	switch {
	case !check.Is(at):
	case err != nil || !check.IsAuthor(state.Val()):
		l.Add(RuleVotesEntry, k, check.Drop(k, name), "%q is not a user", name)
	case at.Val() != float64(id):
		l.Add(RuleVotesEntry, k, check.Put(k, name, float64(id)), "user %s is at %s", name,
			record.FormatScore(at.Val()))
	}
}

// logged compares an entry of a user's log with the sets of its article. A log is written after the sets and before its
// task is deleted, so the topic is read before the log. A vote in between changes the topic, which records the time of
// the vote.
func (c checks) logged(l *check.Look) {
	user, topic := forum.UserID(l.On.ID), l.On.Text
	id, _ := forum.ParseID[forum.TopicID](topic)
	article := l.Fields(key.Topic(id), []string{"kind", "created", "voted"})
	up, down := l.Score(key.Upvoters(key.Topic(id)), key.Itoa(user)), l.Score(key.Downvoters(key.Topic(id)),
		key.Itoa(user))
	task := l.Exists(key.Task(id.Partition(), record.VoteTask(id, user)))
	l.Wait()
	k := key.VoteLog(user)
	at, size, state := l.Score(k, topic), l.Size(k), l.Field(key.User(user), "state")
	l.Wait()
	switch {
	case state.Val() != catalogue.UserActive || check.Is(up) && check.Is(down): // the user or the topic has a finding
	case task.Val() > 0:
		l.Postpone()
	default:
		c.compareLog(l, article(), check.Is(up), check.Is(down), at, size.Val())
	}
}

// compareLog compares an entry of a log that has size entries with the article and its sets.
func (c checks) compareLog(l *check.Look, f record.Fields, up, down bool, score *redis.FloatCmd, size int64) {
	k, topic, there, value := key.VoteLog(forum.UserID(l.On.ID)), l.On.Text, check.Is(score), "nothing"
	if there {
		value = record.FormatScore(score.Val())
	}
	if f["kind"] != string(forum.Article) {
		if there {
			l.Add(RuleVoteLog, k, check.Drop(k, topic), "%q, which is not an article, is at %s", topic, value)
		}
		return
	}
	want, known := forum.VoteNone, up || down ||
		c.engine.Now() < f.Time("created")+forum.VotingWindow // later they may have expired
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
	repair := check.Drop(k, topic)
	if voted > 0 && (known || formed) { // the next vote is later, and will replace it
		repair = check.All(check.Command("zadd", k, record.PackVote(voted, want), topic),
			check.Command("zremrangebyrank", k, 0, -1-forum.VoteLog))
	}
	l.Add(RuleVoteLog, k, repair, "topic %s is at %s; its voter sets have %s, the latest vote is at %q", topic, value,
		want, f["voted"])
}
