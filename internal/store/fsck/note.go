package fsck

import (
	"context"
	"strconv"

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
	f           record.Fields // of the user
	notes       []*noteRow
}

// noteRow is a well-formed notification with its subject.
type noteRow struct {
	*forum.Notification
	seq string
	is  func() record.Fields // of the subject: a comment, topic or user
	of  func() record.Fields // of the comment's parent or topic, which the user wrote
}

func (v *noteView) on() target { return target{kind: onNotes, id: int64(v.id)} }

// inspectNotes checks the notifications of all users.
func (c *checker) inspectNotes(ctx context.Context) error {
	for p := range forum.Partitions {
		err := groups(toIDs[forum.UserID](c.keys.users[p]),
			func(ids []forum.UserID) error { return c.inspectNotesOf(ctx, ids) })
		if err != nil {
			return err
		}
	}
	return nil
}

// inspectNotesOf checks the notifications of users of one partition.
func (c *checker) inspectNotesOf(ctx context.Context, ids []forum.UserID) error {
	r := c.readAtOnce(ctx)
	var views []*noteView
	var after []func()
	for _, id := range ids {
		v := &noteView{id: id}
		all, unread := r.next().ZRangeWithScores(ctx, key.Notes(id), 0, -1),
			r.next().ZRangeWithScores(ctx, key.Unread(id), 0, -1)
		values, hash := r.next().HGetAll(ctx, key.Note(id)),
			r.hmget(key.User(id), []string{"state", "noteSeq", "noteFloor", record.ReadsField})
		views = append(views, v)
		after = append(after, func() { v.all, v.unread, v.values, v.f = all.Val(), unread.Val(), values.Val(), hash() })
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, v := range views {
		after[i]()
		c.checkNotes(v)
	}
	return c.inspectAbout(ctx, views)
}

// noteInspections returns the inspections of single users' notifications, and of single comments
// and topics that notify users.
func (c *checker) noteInspections() []inspection {
	return []inspection{
		{onNotes, oneByOne(func(ctx context.Context, on target) error {
			return c.inspectNotesOf(ctx, []forum.UserID{forum.UserID(on.id)})
		})},
		{onNotify, func(ctx context.Context, on []target) error {
			return groups(on, func(on []target) error { return c.inspectNotify(ctx, on) })
		}},
	}
}

// checkNotes compares the three keys of a user's notifications with each other.
func (c *checker) checkNotes(v *noteView) {
	if v.f["state"] != catalogue.UserActive {
		for key, n := range map[string]int{key.Notes(v.id): len(v.all), key.Unread(v.id): len(v.unread),
			key.Note(v.id): len(v.values)} {
			if n > 0 {
				c.add(v.on(), RuleOrphanKey, key, remove(key), "%d entries, but user %d is %q", n, v.id, v.f["state"])
			}
		}
		return
	}
	listed, named, last := scores(v.all), map[string]bool{}, int64(0)
	for _, z := range v.all {
		seq := z.Member.(string)
		n, ok := record.ParseNote(v.values[seq])
		switch number, err := strconv.ParseInt(seq, 10, 64); {
		case err != nil || number < 1 || strconv.FormatInt(number, 10) != seq || z.Score != float64(number):
			c.add(v.on(), RuleNoteEntry, key.Notes(v.id), v.drop(seq), "%q is at %s", seq, record.FormatScore(z.Score))
		case !ok || v.values[record.EncodeSubject(n.Subject)] != seq:
			c.add(v.on(), RuleNoteEntry, key.Note(v.id), v.drop(seq), "%s is %q", seq, v.values[seq])
		default:
			n.OwnerID, n.Seq, last = v.id, number, max(last, number)
			v.notes = append(v.notes, &noteRow{Notification: n, seq: seq})
			named[seq], named[record.EncodeSubject(n.Subject)] = true, true
		}
	}
	for name, value := range v.values {
		if _, isListed := listed[name]; !named[name] && !isListed {
			c.add(v.on(), RuleNoteEntry, key.Note(v.id), v.drop(name), "%q is %q, but belongs to no notification", name, value)
		}
	}
	for _, z := range v.unread {
		if at, there := listed[z.Member.(string)]; !there || at != z.Score {
			c.add(v.on(), RuleNoteEntry, key.Unread(v.id), v.drop(z.Member.(string)), "%q is unread at %s", z.Member,
				record.FormatScore(z.Score))
		}
	}
	c.checkNoteNumbers(v, last)
}

// checkNoteNumbers checks the numbers, times and cap of notifications.
func (c *checker) checkNoteNumbers(v *noteView, last int64) {
	k := key.User(v.id)
	if !v.f.IsWholeOrNone("noteSeq", 1) || int64(v.f.Int("noteSeq")) < last {
		raise := set(k, "noteSeq", last)
		raise.watch = append(raise.watch, key.Notes(v.id))
		c.add(v.on(), RuleNoteNumber, k, raise, "the last number is %q; one is %d", v.f["noteSeq"], last)
	}
	forget := func(field string) fix {
		return fix{watch: []string{k},
			do: func(ctx context.Context, pipe redis.Pipeliner) { record.Remove(ctx, pipe, k, field) }}
	}
	if !v.f.IsWholeOrNone("noteFloor", 1) {
		c.add(v.on(), RuleNoteNumber, k, forget("noteFloor"), "the newest dropped one is of %q", v.f["noteFloor"])
	}
	if _, _, ok := record.ParseReads(v.f[record.ReadsField]); !ok {
		c.add(v.on(), RuleNoteNumber, k, forget(record.ReadsField), "last marked as read at %q",
			v.f[record.ReadsField])
	}
	if over := len(v.notes) - c.repairer.Caps().Notes; over > 0 {
		cut, watermark := fix{watch: v.keys()}, v.f.Time("noteFloor")
		for _, n := range v.notes[:over] {
			watermark = max(watermark, n.CreatedAt)
		}
		cut.do = func(ctx context.Context, pipe redis.Pipeliner) {
			for _, n := range v.notes[:over] {
				v.drop(n.seq).do(ctx, pipe)
			}
			record.Set(ctx, pipe, k, "noteFloor", int64(watermark))
		}
		c.add(v.on(), RuleNoteCap, key.Notes(v.id), cut, "%d notifications; the maximum is %d", len(v.notes),
			c.repairer.Caps().Notes)
	}
}

func (v *noteView) keys() []string {
	return []string{key.User(v.id), key.Notes(v.id), key.Unread(v.id), key.Note(v.id)}
}

// drop returns a fix that removes a notification from all keys, or an entry that is in only some of
// them.
func (v *noteView) drop(name string) fix {
	return fix{watch: v.keys(), do: func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.ZRem(ctx, key.Notes(v.id), name)
		pipe.ZRem(ctx, key.Unread(v.id), name)
		if n, ok := record.ParseNote(v.values[name]); ok && v.values[record.EncodeSubject(n.Subject)] == name {
			pipe.HDel(ctx, key.Note(v.id), record.EncodeSubject(n.Subject))
		}
		pipe.HDel(ctx, key.Note(v.id), name)
	}}
}

// inspectAbout compares notifications with their subjects.
func (c *checker) inspectAbout(ctx context.Context, views []*noteView) error {
	r := c.read(ctx)
	names := []string{"author", "parent", "topic", "state", "by", "member", "kind"}
	for _, v := range views {
		for _, n := range v.notes {
			k := key.User(n.Subject.User)
			if n.Subject.User == 0 {
				k = key.Subject(n.Subject)
			}
			n.is = r.hmget(k, names)
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, v := range views {
		for _, n := range v.notes {
			switch f := n.is(); n.Reason {
			case forum.NotifyReply:
				n.of = r.hmget(key.Comment(forum.CommentID(f.Int("parent"))), names)
			case forum.NotifyComment:
				n.of = r.hmget(key.Topic(forum.TopicID(f.Int("topic"))), names)
			}
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, v := range views {
		for _, n := range v.notes {
			if f := n.is(); !n.holds(f) {
				c.add(v.on(), RuleNoteSubject, key.Note(v.id), v.drop(n.seq),
					"%s is %q; its subject has author %q, state %q", n.seq, v.values[n.seq], f["author"], f["state"])
			}
		}
	}
	return nil
}

// holds reports whether the notification agrees with its subject. A mention may have been edited
// out since.
func (n *noteRow) holds(f record.Fields) bool {
	switch {
	case n.Subject.Act != 0:
		kind := forum.ActKind(f["kind"])
		if n.Reason == forum.NotifyReport {
			return f["by"] == key.Itoa(n.ActorID) && (kind == forum.ActUphold || kind == forum.ActDismiss)
		}
		return f["by"] == key.Itoa(n.ActorID) && f["member"] == key.Itoa(n.OwnerID) && kind.Reason() == n.Reason
	case n.ActorID == n.OwnerID:
		return false
	case n.Reason == forum.NotifyFollow:
		return isAuthor(f["state"])
	case n.Reason == forum.NotifyWatch: // it may be watched no more
		return f["author"] == key.Itoa(n.ActorID) && f["topic"] == key.Itoa(n.Watched)
	case n.of != nil && n.of()["author"] != key.Itoa(n.OwnerID):
		return false
	}
	return f["author"] == key.Itoa(n.ActorID)
}

// notifyView is a comment's or topic's sent and pending notifications.
type notifyView struct {
	of      target
	subject forum.Subject
	f       record.Fields
	waits   bool // it has a task
	to      []forum.UserID
	has     []*redis.BoolCmd       // the notification
	states  []func() record.Fields // of the users
}

// notifyTargetOf returns the target for a comment or topic that notifies users.
func notifyTargetOf(s forum.Subject) target {
	return target{kind: onNotify, text: record.EncodeSubject(s)}
}

// inspectNotify checks the sent and pending notifications of comments and topics.
func (c *checker) inspectNotify(ctx context.Context, on []target) error {
	r := c.read(ctx)
	views := make([]*notifyView, len(on))
	after := make([]func(), len(on))
	for i, s := range on {
		v := &notifyView{of: s}
		v.subject, _ = record.ParseSubject(s.text)
		hash := r.hmget(v.key(), []string{"tell", "told", "created", "armed"})
		task := r.next().Exists(ctx, v.task())
		views[i], after[i] = v, func() { v.f, v.waits = hash(), task.Val() > 0 }
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, v := range views {
		after[i]()
		for _, id := range record.ParseIDs[forum.UserID](v.f["told"]) {
			// Read in this order, so that what has been dropped is older than the watermark.
			v.to, v.has = append(v.to, id), append(v.has, r.next().HExists(ctx, key.Note(id), v.of.text))
			v.states = append(v.states, r.hmget(key.User(id), []string{"state", "noteFloor"}))
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, v := range views {
		c.checkNotify(v)
	}
	return nil
}

func (v *notifyView) partition() forum.Partition { return v.subject.Partition() }
func (v *notifyView) key() string                { return key.Subject(v.subject) }
func (v *notifyView) task() string               { return key.Task(v.partition(), record.NotifyTask(v.subject)) }

func (c *checker) checkNotify(v *notifyView) {
	if v.waits {
		return // the task follows the data
	}
	if pending := v.f["tell"]; pending != "" {
		c.add(v.of, RuleNotify, v.key(), c.arm(v, pending, v.f["told"]), "has %q to notify, but no task", pending)
		return
	}
	var lost, left []forum.UserID
	for i, id := range v.to {
		f := v.states[i]()
		if f["state"] == catalogue.UserActive && !v.has[i].Val() && f.Time("noteFloor") < v.f.Time("created") {
			lost = append(lost, id)
		} else {
			left = append(left, id)
		}
	}
	if len(lost) > 0 {
		c.add(v.of, RuleNotified, v.key(), c.arm(v, joinIDs(lost), joinIDs(left)),
			"has notified %q; of these, %q lack the notification", v.f["told"], joinIDs(lost))
	}
}

// arm returns a fix that creates a task for pending notifications.
func (c *checker) arm(v *notifyView, pending, notified string) fix {
	due, name := key.Due(v.partition()), record.NotifyTask(v.subject)
	return fix{watch: []string{v.key(), v.task(), due}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		n := v.f.Int("armed") + 1
		pipe.HSet(ctx, key.Internal(v.key()), "armed", n, "tell", pending)
		if notified == "" {
			pipe.HDel(ctx, key.Internal(v.key()), "told")
		} else {
			pipe.HSet(ctx, key.Internal(v.key()), "told", notified)
		}
		pipe.HSet(ctx, v.task(), "n", 1000*n, "attempts", 0, "cursor", "")
		pipe.ZAdd(ctx, due, redis.Z{Score: float64(c.s.Now()), Member: name})
	}}
}

// joinIDs formats ids as record.ParseIDs reads them.
func joinIDs(ids []forum.UserID) string {
	var b []byte
	for i, id := range ids {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(id), 10)
	}
	return string(b)
}

// notifyTargets returns the topics and comments with sent or pending notifications.
func notifyTargets(topics []*topicView) []target {
	var on []target
	for _, t := range topics {
		if t.f["tell"]+t.f["told"] != "" {
			on = append(on, notifyTargetOf(forum.Subject{Topic: t.id}))
		}
		for _, m := range t.comments {
			if m.notifies {
				on = append(on, notifyTargetOf(forum.Subject{Comment: m.ID}))
			}
		}
	}
	return on
}
