package fsck

import (
	"fmt"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// noted is the number of ann's notification of something, and what it says.
func (x *checkSite) noted(subject string) (seq, says string) {
	x.t.Helper()
	h := x.hash(key.Note(x.ann.ID))
	if h[subject] == "" {
		x.t.Fatalf("ann's notifications = %v; want one of %s", h, subject)
	}
	return h[subject], h[h[subject]]
}

// ofRoot is the number of ann's notification of bob's comment on her topic.
func (x *checkSite) ofRoot() string {
	seq, _ := x.noted("c" + key.Itoa(x.root))
	return seq
}

// says has ann's notification of bob's comment say something else.
func (x *checkSite) says(reason forum.NotificationReason, actor forum.UserID, subject string) {
	x.t.Helper()
	seq := x.ofRoot()
	x.do("HDEL", key.Note(x.ann.ID), "c"+key.Itoa(x.root))
	x.do("HSET", key.Note(x.ann.ID), seq, fmt.Sprintf("%s %d %s 5", reason, actor, subject), subject, seq)
}

var noteBreaks = []siteBreak{
	{"a notification that says nothing", RuleNoteEntry,
		func(x *checkSite) { x.do("HDEL", key.Note(x.ann.ID), x.ofRoot()) }, mended},
	{"a notification of another form", RuleNoteEntry,
		func(x *checkSite) { x.do("HSET", key.Note(x.ann.ID), x.ofRoot(), "REPLY to you") }, mended},
	{"a notification for a reason of its own", RuleNoteEntry,
		func(x *checkSite) { x.says("PRAISE", x.bob.ID, "c"+key.Itoa(x.root)) }, mended},
	{"a notification not found by its subject", RuleNoteEntry,
		func(x *checkSite) { x.do("HDEL", key.Note(x.ann.ID), "c"+key.Itoa(x.root)) }, mended},
	{"a notification that is not listed", RuleNoteEntry,
		func(x *checkSite) { x.do("ZREM", key.Notes(x.ann.ID), x.ofRoot()) }, mended},
	{"a notification in a wrong place", RuleNoteEntry,
		func(x *checkSite) { x.do("ZADD", key.Notes(x.ann.ID), 99, x.ofRoot()) }, mended},
	{"a notification of no number", RuleNoteEntry, func(x *checkSite) { x.do("ZADD", key.Notes(x.ann.ID), 3, "x") },
		mended},
	{"a subject of no notification", RuleNoteEntry, func(x *checkSite) { x.do("HSET", key.Note(x.ann.ID), "c512", 99) },
		mended},
	{"nothing unread", RuleNoteEntry, func(x *checkSite) { x.do("ZADD", key.Unread(x.ann.ID), 99, 99) }, mended},
	{"a notification of nothing", RuleNoteSubject,
		func(x *checkSite) { x.says(forum.NotifyMention, x.bob.ID, "c9999872") }, mended},
	{"a notification of what somebody else did", RuleNoteSubject,
		func(x *checkSite) { x.says(forum.NotifyComment, x.mod.ID, "c"+key.Itoa(x.root)) }, mended},
	{"a reply to nobody", RuleNoteSubject,
		func(x *checkSite) { x.says(forum.NotifyReply, x.bob.ID, "c"+key.Itoa(x.root)) }, mended},
	{"a follower who is nobody", RuleNoteSubject,
		func(x *checkSite) { x.says(forum.NotifyFollow, nobody, "f"+key.Itoa(nobody)) }, mended},
	{"a notification of what one did oneself", RuleNoteSubject,
		func(x *checkSite) { x.says(forum.NotifyMention, x.ann.ID, "t"+key.Itoa(x.thread)) }, mended},
	{"a number that was not given out", RuleNoteNumber,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "noteSeq", 1) }, mended},
	{"marked at no time", RuleNoteNumber,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), record.ReadsField, "often") }, mended},
	{"gone at no time", RuleNoteNumber, func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "noteFloor", "long ago") },
		mended},
	{"more notifications than are kept", RuleNoteCap, func(x *checkSite) {
		x.Store = x.process(store.WithCaps(store.Caps{Bookmarks: forum.MaxBookmarks, Marks: forum.MaxReadMarks, Notes: 2}))
	}, mended},
	{"notifications of nobody", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", key.Notes(nobody), 1, 1) }, mended},
	{"notifications of a deleted user", RuleOrphanKey,
		func(x *checkSite) { x.do("HSET", key.Note(x.eve), "1", "FOLLOW 512 f512 5") }, mended},
	{"something to tell without a task", RuleNotify,
		func(x *checkSite) { x.do("HSET", key.Comment(x.second), "tell", record.NotifyAll) }, mended},
	{"a topic to tell of without a task", RuleNotify,
		func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "tell", key.Itoa(x.bob.ID)) }, mended},
	{"somebody who was not told", RuleNotified, func(x *checkSite) {
		h := x.hash(key.Comment(x.root))
		x.do("HSET", key.Comment(x.root), "told", h["told"]+" "+key.Itoa(x.mod.ID))
	}, mended},
	{"a task that tells of nothing", RuleTaskName,
		func(x *checkSite) { x.plantTask(record.NotifyTask(forum.Subject{Comment: 9_999_872})) }, mended},
	{"a task that has nothing to tell", RuleTaskName,
		func(x *checkSite) { x.plantTask(record.NotifyTask(forum.Subject{Comment: x.root})) }, mended},
	{"a task that tells of what is elsewhere", RuleTaskName,
		func(x *checkSite) { x.plantTask("n:f" + key.Itoa(x.ann.ID)) }, mended},
}
