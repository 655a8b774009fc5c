package notify

import (
	"maps"
	"strconv"
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
	// RuleNoteEntry: each notification of a user is at its number, is well formed and is found by its subject; there
	// are no other entries; the unread ones are among them. Repair deletes what does not agree.
	RuleNoteEntry check.Rule = "note-entry"
	// RuleNoteNumber: no number is larger than the last one assigned, and the time of dropped
	// notifications is valid. Repair raises the first and deletes the second.
	RuleNoteNumber check.Rule = "note-number"
	// RuleNoteSubject: a notification is about an existing object of its actor that concerns an
	// object of the user, unless it is a mention. Repair deletes it.
	RuleNoteSubject check.Rule = "note-subject"
	// RuleNoteUnread: what unread notifications are about is there, and that of withheld ones is not; neither is known
	// of later revisions than there are. Repair corrects it.
	RuleNoteUnread check.Rule = "note-unread"
	// RuleNotify: the pending notifications of a comment or topic have a task. Repair creates it.
	RuleNotify check.Rule = "notify"
	// RuleNotified: a user whom a comment or topic has notified has the notification, unless it was
	// dropped with others as old, or the account was deleted. Repair sends it again.
	RuleNotified check.Rule = "notified"
)

// The kinds of targets: a user's notifications, and what was and is to be sent of a topic or comment.
const (
	onNotes  check.Kind = "notes"
	onNotify check.Kind = "notify"
)

// checks are the checks of notifications.
type checks struct{ *Store }

// Checks returns what is checked of notifications.
func (s *Store) Checks() check.Subject {
	c := checks{s}
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){onNotes: c.notes, onNotify: c.notify},
		With: map[check.Kind]func(check.Target) ([]check.Target, []check.List){
			check.OnUser: func(on check.Target) ([]check.Target, []check.List) {
				return []check.Target{{Kind: onNotes, ID: on.ID}}, nil
			},
		},
		Tasks: map[record.TaskKind]check.Task{
			record.TaskNotify: check.TaskOf(check.TaskSubject, "tell", check.Present, nil),
			record.TaskWatch:  check.TaskOf(check.TaskSubject, "topic", check.Present, check.Parsed(record.ParseWatchCursor)),
		},
	}
}

// Checked returns the target for what was and is to be sent of a topic or comment.
func Checked(of forum.Subject) check.Target {
	return check.Target{Kind: onNotify, Text: record.EncodeSubject(of)}
}

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
func (c checks) notes(l *check.Look) {
	v := &noteView{id: forum.UserID(l.On.ID)}
	r := l.AtOnce(v.id.Partition())
	all, unread, values := r.ZSet(key.Notes(v.id)), r.ZSet(key.Unread(v.id)), r.Hash(key.Note(v.id))
	hash := r.Fields(key.User(v.id), []string{"state", "noteSeq", "noteFloor", record.ReadsField})
	l.Wait()
	v.all, v.unread, v.values, v.f = all.Val(), unread.Val(), values.Val(), hash()
	if v.f["state"] != catalogue.UserActive {
		return
	}
	c.noteEntries(l, v)
	c.noteNumbers(l, v)
	check.Each(l, v.notes, func(l *check.Look, n *forum.Notification) {
		c.noteSubject(l, v, n)
		c.noteUnread(l, v, n)
	})
}

// noteEntries compares the three keys of a user's notifications with each other.
func (c checks) noteEntries(l *check.Look, v *noteView) {
	sound, names := map[string]float64{}, map[string]bool{} // by number and by subject
	for _, z := range v.all {
		seq := z.Member.(string)
		number := record.Atoi(seq)
		n, ok := record.ParseNote(v.values[seq])
		names[seq] = true
		if ok && number > 0 && key.Itoa(number) == seq && z.Score == float64(number) &&
			v.values[record.EncodeSubject(n.Subject)] == seq {
			n.OwnerID, n.Seq = v.id, number
			v.notes = append(v.notes, n)
			sound[seq], sound[record.EncodeSubject(n.Subject)] = z.Score, z.Score
		}
	}
	for name := range v.values {
		names[name] = name != record.WithheldField
	}
	for _, z := range v.unread {
		seq := z.Member.(string)
		names[seq] = true
		if at, ok := sound[seq]; ok && at != z.Score {
			l.Add(RuleNoteEntry, key.Unread(v.id), v.drop(seq), "%q is unread at %s", seq, record.FormatScore(z.Score))
		}
	}
	for name, is := range names {
		if _, ok := sound[name]; is && !ok {
			l.Add(RuleNoteEntry, key.Note(v.id), v.drop(name), "%q, which is %q, belongs to no notification", name,
				v.values[name])
		}
	}
	v.withheld = record.ParseWithheld(v.values[record.WithheldField])
	for seq := range v.withheld {
		if !names[seq] {
			l.Add(RuleNoteEntry, key.Note(v.id), v.withhold(seq, record.WithheldNote{}),
				"%q is withheld, but is no notification", seq)
		}
	}
}

// noteNumbers checks the numbers, times and cap of notifications.
func (c checks) noteNumbers(l *check.Look, v *noteView) {
	k, last, most := key.User(v.id), int64(0), c.engine.Limits.Notifications
	for _, n := range v.notes {
		last = max(last, n.Seq)
	}
	if !v.f.IsWholeOrNone("noteSeq", 1) || int64(v.f.Int("noteSeq")) < last {
		l.Add(RuleNoteNumber, k, check.Set(k, "noteSeq", last).Given(key.Notes(v.id)),
			"the last number is %q; one is %d", v.f["noteSeq"], last)
	}
	if !v.f.IsWholeOrNone("noteFloor", 1) {
		l.Add(RuleNoteNumber, k, check.Unset(k, "noteFloor"), "the newest dropped one is of %q", v.f["noteFloor"])
	}
	if _, _, ok := record.ParseReads(v.f[record.ReadsField]); !ok {
		l.Add(RuleNoteNumber, k, check.Unset(k, record.ReadsField), "last marked as read at %q", v.f[record.ReadsField])
	}
	watermark, cut := v.f.Time("noteFloor"), []check.Fix{}
	for _, n := range v.notes[:max(0, len(v.notes)-most)] {
		watermark = max(watermark, n.CreatedAt)
		cut = append(cut, v.drop(strconv.FormatInt(n.Seq, 10)))
	}
	cut = append(cut, check.Set(k, "noteFloor", int64(watermark)))
	l.AtMost(key.Notes(v.id), len(v.notes), most, check.All(cut...))
}

// drop returns a fix that removes a notification from all keys, or an entry that is in only some of them.
func (v *noteView) drop(name string) check.Fix {
	names := []string{name}
	if n, ok := record.ParseNote(v.values[name]); ok && v.values[record.EncodeSubject(n.Subject)] == name {
		names = append(names, record.EncodeSubject(n.Subject))
	}
	return check.All(check.Drop(key.Notes(v.id), name), check.Drop(key.Unread(v.id), name),
		check.Unset(key.Note(v.id), names...)).
		Given(key.User(v.id))
}

// withhold returns a fix that changes what is known of a notification.
func (v *noteView) withhold(seq string, want record.WithheldNote) check.Fix {
	left := maps.Clone(v.withheld)
	if delete(left, seq); want.Why != record.DeletedSubject && want != (record.WithheldNote{Why: record.Shown}) {
		left[seq] = want
	}
	return check.Set(key.Note(v.id), record.WithheldField, record.EncodeWithheld(left))
}

// noteSubject compares a notification with its subject.
func (c checks) noteSubject(l *check.Look, v *noteView, n *forum.Notification) {
	k := key.User(n.Subject.User)
	if n.Subject.User == 0 {
		k = key.Subject(n.Subject)
	}
	f := l.Fetch(k, "author", "parent", "topic", "state", "by", "member", "kind")
	var replied string // what was commented on, which the user wrote
	switch n.Reason {
	case forum.NotifyReply:
		replied = key.Comment(forum.CommentID(f.Int("parent")))
	case forum.NotifyComment:
		replied = key.Topic(forum.TopicID(f.Int("topic")))
	}
	author := key.Itoa(n.OwnerID)
	if replied != "" {
		author = l.Fetch(replied, "author")["author"]
	}
	if !holds(n, f) || author != key.Itoa(n.OwnerID) && n.Subject.Act == 0 {
		seq := strconv.FormatInt(n.Seq, 10)
		l.Add(RuleNoteSubject, key.Note(v.id), v.drop(seq), "%s is %q; its subject has author %q, state %q", seq,
			v.values[seq], f["author"], f["state"])
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
		return check.IsAuthor(f["state"])
	case n.Reason == forum.NotifyWatch: // it may be watched no more
		return f["author"] == key.Itoa(n.ActorID) && f["topic"] == key.Itoa(n.Watched)
	}
	return f["author"] == key.Itoa(n.ActorID)
}

// notify checks the sent and pending notifications of a comment or topic.
func (c checks) notify(l *check.Look) {
	of, _ := record.ParseSubject(l.On.Text)
	k := key.Subject(of)
	hash, task := l.Fields(k, []string{"tell", "told", "created", "armed"}), key.Task(of.Partition(),
		record.NotifyTask(of))
	waits := l.Exists(task)
	l.Wait()
	f := hash()
	switch pending := f["tell"]; {
	case check.Exists(waits): // the task follows the data
		return
	case pending != "":
		l.Add(RuleNotify, k, c.arm(l, of, f, pending, f["told"]), "has %q to notify, but no task", pending)
		return
	}
	var lost, left []string
	check.Each(l, record.ParseIDs[forum.UserID](f["told"]), func(l *check.Look, id forum.UserID) {
		// Read in this order, so that what has been dropped is older than the watermark.
		note, user := l.Field(key.Note(id), l.On.Text), l.Fields(key.User(id), []string{"state", "noteFloor"})
		l.Wait()
		if u := user(); u["state"] == catalogue.UserActive && !check.Is(note) &&
			u.Time("noteFloor") < f.Time("created") {
			lost = append(lost, key.Itoa(id))
		} else {
			left = append(left, key.Itoa(id))
		}
	})
	if len(lost) > 0 {
		l.Add(RuleNotified, k, c.arm(l, of, f, strings.Join(lost, " "), strings.Join(left, " ")),
			"has notified %q; of these, %q lack the notification", f["told"], lost)
	}
}

// arm returns a fix that creates a task for pending notifications of a subject with fields f.
func (c checks) arm(l *check.Look, of forum.Subject, f record.Fields, pending, notified string) check.Fix {
	k, name, due, n := key.Subject(of), record.NotifyTask(of), key.Due(of.Partition()), f.Int("armed")+1
	return check.All(check.Set(k, "armed", n, "tell", pending, "told", notified),
		check.Command("hset", key.Task(of.Partition(), name), "n", 1000*n, "attempts", 0, "cursor", ""),
		check.Put(due, name, float64(c.engine.Now())))
}
