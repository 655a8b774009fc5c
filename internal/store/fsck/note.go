package fsck

import (
	"maps"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// noteView is a user's notifications as read from their keys.
type noteView struct {
	id          forum.UserID
	all, unread []redis.Z
	values      map[string]string
	f           record.Fields         // of the user
	notes       []*forum.Notification // the well-formed ones
	withheld    map[string]record.WithheldNote
}

// notes checks the notifications of a user.
func (l *look) notes() {
	v := &noteView{id: forum.UserID(l.on.id)}
	r := l.atOnce(v.id.Partition())
	all, unread, values := r.zset(key.Notes(v.id)), r.zset(key.Unread(v.id)), r.hash(key.Note(v.id))
	hash := r.hmget(key.User(v.id), []string{"state", "noteSeq", "noteFloor", record.ReadsField})
	l.wait()
	v.all, v.unread, v.values, v.f = all.Val(), unread.Val(), values.Val(), hash()
	if v.f["state"] != catalogue.UserActive {
		return
	}
	l.noteEntries(v)
	l.noteNumbers(v)
	each(l, v.notes, func(l *look, n *forum.Notification) {
		l.noteSubject(v, n)
		l.noteUnread(v, n)
	})
}

// noteEntries compares the three keys of a user's notifications with each other.
func (l *look) noteEntries(v *noteView) {
	listed, named := scores(v.all), map[string]bool{}
	for _, z := range v.all {
		seq := z.Member.(string)
		n, ok := record.ParseNote(v.values[seq])
		switch number, err := strconv.ParseInt(seq, 10, 64); {
		case err != nil || number < 1 || strconv.FormatInt(number, 10) != seq || z.Score != float64(number):
			l.add(RuleNoteEntry, key.Notes(v.id), v.drop(seq), "%q is at %s", seq, record.FormatScore(z.Score))
		case !ok || v.values[record.EncodeSubject(n.Subject)] != seq:
			l.add(RuleNoteEntry, key.Note(v.id), v.drop(seq), "%s is %q", seq, v.values[seq])
		default:
			n.OwnerID, n.Seq = v.id, number
			v.notes = append(v.notes, n)
			named[seq], named[record.EncodeSubject(n.Subject)] = true, true
		}
	}
	for name, value := range v.values {
		if _, isListed := listed[name]; !named[name] && !isListed && name != record.WithheldField {
			l.add(RuleNoteEntry, key.Note(v.id), v.drop(name), "%q is %q, but belongs to no notification", name, value)
		}
	}
	v.withheld = record.ParseWithheld(v.values[record.WithheldField])
	for seq := range v.withheld {
		if _, there := listed[seq]; !there {
			l.add(RuleNoteEntry, key.Note(v.id), v.withhold(seq, record.WithheldNote{}),
				"%q is withheld, but is no notification", seq)
		}
	}
	for _, z := range v.unread {
		if at, there := listed[z.Member.(string)]; !there || at != z.Score {
			l.add(RuleNoteEntry, key.Unread(v.id), v.drop(z.Member.(string)), "%q is unread at %s", z.Member,
				record.FormatScore(z.Score))
		}
	}
}

// noteNumbers checks the numbers, times and cap of notifications.
func (l *look) noteNumbers(v *noteView) {
	k, last, most := key.User(v.id), int64(0), l.repairer.Caps().Notes
	for _, n := range v.notes {
		last = max(last, n.Seq)
	}
	if !v.f.IsWholeOrNone("noteSeq", 1) || int64(v.f.Int("noteSeq")) < last {
		l.add(RuleNoteNumber, k, set(k, "noteSeq", last).given(key.Notes(v.id)), "the last number is %q; one is %d",
			v.f["noteSeq"], last)
	}
	if !v.f.IsWholeOrNone("noteFloor", 1) {
		l.add(RuleNoteNumber, k, unset(k, "noteFloor"), "the newest dropped one is of %q", v.f["noteFloor"])
	}
	if _, _, ok := record.ParseReads(v.f[record.ReadsField]); !ok {
		l.add(RuleNoteNumber, k, unset(k, record.ReadsField), "last marked as read at %q", v.f[record.ReadsField])
	}
	if over := len(v.notes) - most; over > 0 {
		watermark, cut := v.f.Time("noteFloor"), []fix{}
		for _, n := range v.notes[:over] {
			watermark = max(watermark, n.CreatedAt)
			cut = append(cut, v.drop(strconv.FormatInt(n.Seq, 10)))
		}
		cut = append(cut, set(k, "noteFloor", int64(watermark)))
		l.add(RuleNoteCap, key.Notes(v.id), all(cut...), "%d notifications; the maximum is %d", len(v.notes), most)
	}
}

// drop returns a fix that removes a notification from all keys, or an entry that is in only some of them.
func (v *noteView) drop(name string) fix {
	names := []string{name}
	if n, ok := record.ParseNote(v.values[name]); ok && v.values[record.EncodeSubject(n.Subject)] == name {
		names = append(names, record.EncodeSubject(n.Subject))
	}
	return all(drop(key.Notes(v.id), name), drop(key.Unread(v.id), name), unset(key.Note(v.id), names...)).
		given(key.User(v.id))
}

// withhold returns a fix that changes what is known of a notification.
func (v *noteView) withhold(seq string, want record.WithheldNote) fix {
	left := maps.Clone(v.withheld)
	if delete(left, seq); want.Why != record.DeletedSubject && want != (record.WithheldNote{Why: record.Shown}) {
		left[seq] = want
	}
	return set(key.Note(v.id), record.WithheldField, record.EncodeWithheld(left))
}

// noteSubject compares a notification with its subject.
func (l *look) noteSubject(v *noteView, n *forum.Notification) {
	k := key.User(n.Subject.User)
	if n.Subject.User == 0 {
		k = key.Subject(n.Subject)
	}
	f := l.fetch(k, "author", "parent", "topic", "state", "by", "member", "kind")
	var replied string // what was commented on, which the user wrote
	switch n.Reason {
	case forum.NotifyReply:
		replied = key.Comment(forum.CommentID(f.Int("parent")))
	case forum.NotifyComment:
		replied = key.Topic(forum.TopicID(f.Int("topic")))
	}
	author := key.Itoa(n.OwnerID)
	if replied != "" {
		author = l.fetch(replied, "author")["author"]
	}
	if !holds(n, f) || author != key.Itoa(n.OwnerID) && n.Subject.Act == 0 {
		seq := strconv.FormatInt(n.Seq, 10)
		l.add(RuleNoteSubject, key.Note(v.id), v.drop(seq), "%s is %q; its subject has author %q, state %q", seq, v.values[seq],
			f["author"], f["state"])
	}
}

// holds reports whether a notification agrees with its subject. A mention may have been edited out since.
func holds(n *forum.Notification, f record.Fields) bool {
	kind := forum.ActKind(f["kind"])
	switch {
	case n.Subject.Act != 0 && n.Reason == forum.NotifyReport:
		return f["by"] == key.Itoa(n.ActorID) && (kind == forum.ActUphold || kind == forum.ActDismiss)
	case n.Subject.Act != 0:
		return f["by"] == key.Itoa(n.ActorID) && f["member"] == key.Itoa(n.OwnerID) && kind.Reason() == n.Reason
	case n.ActorID == n.OwnerID:
		return false
	case n.Reason == forum.NotifyFollow:
		return isAuthor(f["state"])
	case n.Reason == forum.NotifyWatch: // it may be watched no more
		return f["author"] == key.Itoa(n.ActorID) && f["topic"] == key.Itoa(n.Watched)
	}
	return f["author"] == key.Itoa(n.ActorID)
}

// notify checks the sent and pending notifications of a comment or topic.
func (l *look) notify() {
	of, _ := record.ParseSubject(l.on.text)
	k := key.Subject(of)
	hash, task := l.hmget(k, []string{"tell", "told", "created", "armed"}), key.Task(of.Partition(), record.NotifyTask(of))
	waits := l.exists(task)
	l.wait()
	f := hash()
	switch pending := f["tell"]; {
	case exists(waits): // the task follows the data
		return
	case pending != "":
		l.add(RuleNotify, k, l.arm(of, f, pending, f["told"]), "has %q to notify, but no task", pending)
		return
	}
	var lost, left []string
	each(l, record.ParseIDs[forum.UserID](f["told"]), func(l *look, id forum.UserID) {
		// Read in this order, so that what has been dropped is older than the watermark.
		note, user := l.field(key.Note(id), l.on.text), l.hmget(key.User(id), []string{"state", "noteFloor"})
		l.wait()
		if u := user(); u["state"] == catalogue.UserActive && !is(note) && u.Time("noteFloor") < f.Time("created") {
			lost = append(lost, key.Itoa(id))
		} else {
			left = append(left, key.Itoa(id))
		}
	})
	if len(lost) > 0 {
		l.add(RuleNotified, k, l.arm(of, f, strings.Join(lost, " "), strings.Join(left, " ")),
			"has notified %q; of these, %q lack the notification", f["told"], lost)
	}
}

// arm returns a fix that creates a task for pending notifications of a subject with fields f.
func (l *look) arm(of forum.Subject, f record.Fields, pending, notified string) fix {
	k, name, due, n := key.Subject(of), record.NotifyTask(of), key.Due(of.Partition()), f.Int("armed")+1
	return all(set(k, "armed", n, "tell", pending, "told", notified),
		command("hset", key.Task(of.Partition(), name), "n", 1000*n, "attempts", 0, "cursor", ""),
		put(due, name, float64(l.s.Engine.Now())))
}

// notifyTarget is the target for the notifications of a topic or comment.
func notifyTarget(of forum.Subject) target {
	return target{kind: onNotify, text: record.EncodeSubject(of)}
}
