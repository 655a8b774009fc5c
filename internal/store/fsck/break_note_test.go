package fsck

import (
	"fmt"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/notify"
)

// noted returns the number of ann's notification of a subject, and its value.
func (x *checkSite) noted(subject string) (seq, value string) {
	x.t.Helper()
	h := x.hash(key.Note(x.ann.ID))
	if h[subject] == "" {
		x.t.Fatalf("ann's notifications = %v; want one of %s", h, subject)
	}
	return h[subject], h[h[subject]]
}

// ofRoot returns the number of ann's notification of bob's comment on her topic.
func (x *checkSite) ofRoot() string {
	seq, _ := x.noted("c" + key.Itoa(x.root))
	return seq
}

// knowOfRoot leaves the same notification unread as of these revisions of the comment and its topic.
func (x *checkSite) knowOfRoot(revisions string) {
	x.t.Helper()
	x.do("ZADD", key.Unread(x.ann.ID), x.ofRoot(), x.ofRoot())
	x.do("HSET", key.Note(x.ann.ID), record.WithheldField, x.ofRoot()+":0:"+revisions)
}

// rewriteNote replaces ann's notification of bob's comment.
func (x *checkSite) rewriteNote(reason forum.NotificationReason, actor forum.UserID, subject string) {
	x.t.Helper()
	seq := x.ofRoot()
	x.do("HDEL", key.Note(x.ann.ID), "c"+key.Itoa(x.root))
	x.do("HSET", key.Note(x.ann.ID), seq, fmt.Sprintf("%s %d %s 5", reason, actor, subject), subject, seq)
}

var noteBreaks = []siteBreak{
	{"an empty notification", notify.RuleNoteEntry,
		func(x *checkSite) { x.do("HDEL", key.Note(x.ann.ID), x.ofRoot()) }, fixed},
	{"a malformed notification", notify.RuleNoteEntry,
		func(x *checkSite) { x.do("HSET", key.Note(x.ann.ID), x.ofRoot(), "REPLY to you") }, fixed},
	{"a notification with an unknown reason", notify.RuleNoteEntry,
		func(x *checkSite) { x.rewriteNote("PRAISE", x.bob.ID, "c"+key.Itoa(x.root)) }, fixed},
	{"a notification not found by its subject", notify.RuleNoteEntry,
		func(x *checkSite) { x.do("HDEL", key.Note(x.ann.ID), "c"+key.Itoa(x.root)) }, fixed},
	{"an unlisted notification", notify.RuleNoteEntry,
		func(x *checkSite) { x.do("ZREM", key.Notes(x.ann.ID), x.ofRoot()) }, fixed},
	{"a notification at the wrong number", notify.RuleNoteEntry,
		func(x *checkSite) { x.do("ZADD", key.Notes(x.ann.ID), 99, x.ofRoot()) }, fixed},
	{"a notification without a number", notify.RuleNoteEntry,
		func(x *checkSite) { x.do("ZADD", key.Notes(x.ann.ID), 3, "x") }, fixed},
	{"a subject without a notification", notify.RuleNoteEntry,
		func(x *checkSite) { x.do("HSET", key.Note(x.ann.ID), "c512", 99) },
		fixed},
	{"an unread entry without a notification", notify.RuleNoteEntry,
		func(x *checkSite) { x.do("ZADD", key.Unread(x.ann.ID), 99, 99) }, fixed},
	{"a withheld entry without a notification", notify.RuleNoteEntry,
		func(x *checkSite) { x.do("HSET", key.Note(x.ann.ID), "withheld", "99:1") }, fixed},
	{"a notification withheld though its comment is there", notify.RuleNoteUnread,
		func(x *checkSite) {
			x.do("ZREM", key.Unread(x.ann.ID), x.ofRoot())
			x.do("HSET", key.Note(x.ann.ID), "withheld", x.ofRoot()+":1")
		}, fixed},
	{"a notification unread and withheld", notify.RuleNoteUnread,
		func(x *checkSite) {
			x.do("ZADD", key.Unread(x.ann.ID), x.ofRoot(), x.ofRoot())
			x.do("HSET", key.Note(x.ann.ID), "withheld", x.ofRoot()+":2")
		}, fixed},
	{"a notification of a comment at a later revision", notify.RuleNoteUnread,
		func(x *checkSite) { x.knowOfRoot("99:0") }, fixed},
	{"a notification of a topic at a later revision", notify.RuleNoteUnread,
		func(x *checkSite) { x.knowOfRoot("0:99") }, fixed},
	{"an unread notification of a follower who has left", notify.RuleNoteUnread,
		func(x *checkSite) {
			who := key.Itoa(x.friend) // who has never followed ann
			x.do("HSET", key.Note(x.ann.ID), "1000", "FOLLOW "+who+" f"+who+" 1", "f"+who, "1000")
			x.do("ZADD", key.Notes(x.ann.ID), 1000, 1000)
			x.do("ZADD", key.Unread(x.ann.ID), 1000, 1000)
			x.do("HSET", key.User(x.ann.ID), "noteSeq", 1000)
		}, fixed},
	{"a notification of a missing object", notify.RuleNoteSubject,
		func(x *checkSite) { x.rewriteNote(forum.NotifyMention, x.bob.ID, "c9999872") }, fixed},
	{"a notification with the wrong actor", notify.RuleNoteSubject,
		func(x *checkSite) { x.rewriteNote(forum.NotifyComment, x.mod.ID, "c"+key.Itoa(x.root)) }, fixed},
	{"a reply to another user", notify.RuleNoteSubject,
		func(x *checkSite) { x.rewriteNote(forum.NotifyReply, x.bob.ID, "c"+key.Itoa(x.root)) }, fixed},
	{"a follower who does not exist", notify.RuleNoteSubject,
		func(x *checkSite) { x.rewriteNote(forum.NotifyFollow, noUser, "f"+key.Itoa(noUser)) }, fixed},
	{"a notification of the user's own action", notify.RuleNoteSubject,
		func(x *checkSite) { x.rewriteNote(forum.NotifyMention, x.ann.ID, "t"+key.Itoa(x.thread)) }, fixed},
	{"a number that was not assigned", notify.RuleNoteNumber,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "noteSeq", 1) }, fixed},
	{"marked as read without a time", notify.RuleNoteNumber,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), record.ReadsField, "often") }, fixed},
	{"dropped without a time", notify.RuleNoteNumber,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "noteFloor", "long ago") },
		fixed},
	{"too many notifications", check.RuleCap, func(x *checkSite) {
		limits := forum.DefaultLimits
		limits.Notifications = 2
		x.Store = x.process(store.WithLimits(limits))
	}, fixed},
	{"notifications of a missing user", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.Notes(noUser), 1, 1) }, fixed},
	{"notifications of a deleted user", check.RuleOrphanKey,
		func(x *checkSite) { x.do("HSET", key.Note(x.eve), "1", "FOLLOW 512 f512 5") }, fixed},
	{"a pending notification without a task", notify.RuleNotify,
		func(x *checkSite) { x.do("HSET", key.Comment(x.second), "tell", record.NotifyAll) }, fixed},
	{"a topic's pending notification without a task", notify.RuleNotify,
		func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "tell", key.Itoa(x.bob.ID)) }, fixed},
	{"a user who was not notified", notify.RuleNotified, func(x *checkSite) {
		h := x.hash(key.Comment(x.root))
		x.do("HSET", key.Comment(x.root), "told", h["told"]+" "+key.Itoa(x.mod.ID))
	}, fixed},
	{"a notify task of a missing object", RuleTaskName,
		func(x *checkSite) { x.plantTask(record.NotifyTask(forum.Subject{Comment: 9_999_872})) }, fixed},
	{"a notify task without users", RuleTaskName,
		func(x *checkSite) { x.plantTask(record.NotifyTask(forum.Subject{Comment: x.root})) }, fixed},
	{"a notify task in another partition", RuleTaskName,
		func(x *checkSite) { x.plantTask("n:f" + key.Itoa(x.ann.ID)) }, fixed},
}
