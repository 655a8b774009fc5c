package notify

import (
	"slices"
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"

	"github.com/redis/go-redis/v9"
)

// noteUnread compares whether a notification is unread or withheld, and as of which revisions, with what it is about.
// Scripts ignore earlier revisions, so also those that follow a fail-over in which the known ones were lost.
func (c checks) noteUnread(l *check.Look, v *noteView, n *forum.Notification) {
	seq := strconv.FormatInt(n.Seq, 10)
	held := v.withheld[seq]
	withheld := held.Why != "" && held.Why != record.Shown
	unread := slices.ContainsFunc(v.unread, func(z redis.Z) bool { return z.Member == seq })
	if !unread && !withheld {
		return
	}
	want := c.whyWithheld(l, n)
	later := held.Of.Comment > want.Of.Comment || held.Of.Topic > want.Of.Topic
	wrong := unread && want.Why != record.Shown || withheld && (unread || held.Why != want.Why)
	if !later && !wrong || c.noteChanges(l, n) {
		return
	}
	mark := check.Drop(key.Unread(v.id), seq)
	if want.Why == record.Shown {
		mark = check.Put(key.Unread(v.id), seq, float64(n.Seq))
	}
	l.Add(RuleNoteUnread, key.Note(v.id), check.All(mark, v.withhold(seq, want)).Given(key.User(v.id)),
		"%s is unread: %t, withheld as %q; what it is about wants %q; known of later revisions: %t", seq, unread, held.Why,
		want.Why, later)
}

// whyWithheld returns why a notification that is not read must be withheld, as of the present revisions.
func (c checks) whyWithheld(l *check.Look, n *forum.Notification) (want record.WithheldNote) {
	in := func(set, member string) bool {
		score := l.Score(set, member)
		l.Wait()
		return check.Is(score)
	}
	switch {
	case n.Subject.Act != 0 || n.Subject.User != 0 && in(key.Followers(n.OwnerID), key.Itoa(n.ActorID)):
		want.Why = record.Shown
	case n.Subject.User != 0:
		want.Why = record.HiddenSubject
	case n.Subject.Topic != 0:
		topic := l.Fetch(key.Topic(n.Subject.Topic), "state", "rev")
		want.Why, want.Of.Topic = record.TopicWithheld(forum.TopicState(topic["state"])), int64(topic.Int("rev"))
	case n.Reason == forum.NotifyWatch && !in(key.Watching(n.OwnerID), key.Itoa(n.Watched)):
		want.Why = record.DeletedSubject
	default:
		f := l.Fetch(key.Comment(n.Subject.Comment), "deleted", "state", "topic", "rev")
		topic := l.Fetch(key.Topic(forum.TopicID(f.Int("topic"))), "state", "rev")
		want.Why = record.CommentWithheld(f, forum.TopicState(topic["state"]))
		want.Of = record.Revisions{Comment: int64(f.Int("rev")), Topic: int64(topic.Int("rev"))}
	}
	return want
}

// noteChanges reports whether what a notification is about has changed, and unfinished work will say so of it.
func (c checks) noteChanges(l *check.Look, n *forum.Notification) bool {
	var tasks []*redis.IntCmd
	var marks []*redis.FloatCmd
	task := func(p forum.Partition, name string) { tasks = append(tasks, l.Exists(key.Task(p, name))) }
	topic := n.Subject.Topic
	switch {
	case n.Subject.User != 0:
		task(n.ActorID.Partition(), record.Edge{From: n.ActorID, Kind: record.FollowUser, To: int64(n.OwnerID)}.Task())
		task(n.ActorID.Partition(), record.AccountCleanupTask(n.ActorID))
	case n.Subject.Comment != 0:
		topic = forum.TopicID(l.Fetch(key.Comment(n.Subject.Comment), "topic").Int("topic"))
		marks = append(marks, l.Score(key.Dirty(n.Subject.Partition()), "c:"+key.Itoa(n.Subject.Comment)))
		task(n.Subject.Partition(), record.WatchTask(n.Subject.Comment))
	}
	if topic != 0 {
		marks = append(marks, l.Score(key.Dirty(topic.Partition()), "t:"+key.Itoa(topic)))
		task(n.Subject.Partition(), record.NotifyTask(n.Subject))
		task(topic.Partition(), record.RetractTask(topic))
	}
	l.Wait()
	return slices.ContainsFunc(tasks, check.Exists) || check.Count(marks) > 0
}
