package fsck

import (
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// noteUnread compares whether a notification is unread or withheld with what it is about.
func (l *look) noteUnread(v *noteView, n *forum.Notification) {
	seq := strconv.FormatInt(n.Seq, 10)
	held := v.withheld[seq].Why
	withheld := held != "" && held != record.Shown
	unread := false
	for _, z := range v.unread {
		unread = unread || z.Member == seq
	}
	if !unread && !withheld {
		return
	}
	want := l.whyWithheld(n)
	if wrong := unread && want != record.Shown || withheld && (unread || held != want); !wrong || l.noteChanges(n) {
		return
	}
	mark := drop(key.Unread(v.id), seq)
	if want == record.Shown {
		mark = put(key.Unread(v.id), seq, float64(n.Seq))
	}
	l.add(RuleNoteUnread, key.Note(v.id), all(mark, v.withhold(seq, want)).given(key.User(v.id)),
		"%s is unread: %t, withheld as %q; what it is about wants %q", seq, unread, held, want)
}

// whyWithheld returns why a notification that is not read must be withheld.
func (l *look) whyWithheld(n *forum.Notification) record.Withheld {
	in := func(set, member string) bool {
		score := l.score(set, member)
		l.wait()
		return is(score)
	}
	switch {
	case n.Subject.Act != 0 || n.Subject.User != 0 && in(key.Followers(n.OwnerID), key.Itoa(n.ActorID)):
		return record.Shown
	case n.Subject.User != 0:
		return record.HiddenSubject
	case n.Subject.Topic != 0:
		return record.TopicWithheld(forum.TopicState(l.fetch(key.Topic(n.Subject.Topic), "state")["state"]))
	}
	if n.Reason == forum.NotifyWatch && !in(key.Watching(n.OwnerID), key.Itoa(n.Watched)) {
		return record.DeletedSubject
	}
	f := l.fetch(key.Comment(n.Subject.Comment), "deleted", "state", "topic")
	topic := l.fetch(key.Topic(forum.TopicID(f.Int("topic"))), "state")
	return record.CommentWithheld(f, forum.TopicState(topic["state"]))
}

// noteChanges reports whether what a notification is about has changed, and unfinished work will say so of it.
func (l *look) noteChanges(n *forum.Notification) bool {
	tasks, marks := []string{}, map[string]string{}
	task := func(p forum.Partition, name string) { tasks = append(tasks, key.Task(p, name)) }
	topic := n.Subject.Topic
	switch {
	case n.Subject.User != 0:
		task(n.ActorID.Partition(), record.Edge{From: n.ActorID, Kind: record.FollowUser, To: int64(n.OwnerID)}.Task())
		task(n.ActorID.Partition(), record.AccountCleanupTask(n.ActorID))
	case n.Subject.Comment != 0:
		topic = forum.TopicID(l.fetch(key.Comment(n.Subject.Comment), "topic").Int("topic"))
		marks["c:"+key.Itoa(n.Subject.Comment)] = key.Dirty(n.Subject.Partition())
		task(n.Subject.Partition(), record.WatchTask(n.Subject.Comment))
	}
	if topic != 0 {
		marks["t:"+key.Itoa(topic)] = key.Dirty(topic.Partition())
		task(n.Subject.Partition(), record.NotifyTask(n.Subject))
		task(topic.Partition(), record.RetractTask(topic))
	}
	pending := false
	for _, name := range tasks {
		waits := l.exists(name)
		l.wait()
		pending = pending || exists(waits)
	}
	for name, list := range marks {
		score := l.score(list, name)
		l.wait()
		pending = pending || is(score)
	}
	return pending
}
