package store

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
)

// noteView is a user's notifications as their keys say.
type noteView struct {
	id          forum.UserID
	all, unread []redis.Z
	says        map[string]string
	f           fields // of the user
	notes       []*noteRow
}

// noteRow is one that is well formed, with what it is about.
type noteRow struct {
	*forum.Notification
	seq string
	is  func() fields // of the subject: a comment, topic or user
	of  func() fields // of the comment's parent or topic, which makes it the user's concern
}

func (v *noteView) on() subject { return subject{kind: onNotes, id: int64(v.id)} }

// inspectNotes looks at the notifications of all users.
func (c *checker) inspectNotes(ctx context.Context) error {
	for p := range forum.Partitions {
		err := groups(toIDs[forum.UserID](c.keys.users[p]), func(ids []forum.UserID) error { return c.inspectNotesOf(ctx, ids) })
		if err != nil {
			return err
		}
	}
	return nil
}

// inspectNotesOf looks at the notifications of users of one partition.
func (c *checker) inspectNotesOf(ctx context.Context, ids []forum.UserID) error {
	r := c.readAtOnce(ctx)
	var views []*noteView
	var after []func()
	for _, id := range ids {
		v := &noteView{id: id}
		all, unread := r.next().ZRangeWithScores(ctx, notesKey(id), 0, -1), r.next().ZRangeWithScores(ctx, unreadKey(id), 0, -1)
		says, hash := r.next().HGetAll(ctx, noteKey(id)), r.hmget(userKey(id), []string{"state", "noteSeq", "noteFloor", readsField})
		views = append(views, v)
		after = append(after, func() { v.all, v.unread, v.says, v.f = all.Val(), unread.Val(), says.Val(), hash() })
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, v := range views {
		after[i]()
		c.judgeNotes(v)
	}
	return c.inspectAbout(ctx, views)
}

// noteLooks is how notifications and those who tell are looked at by themselves.
func (c *checker) noteLooks() []look {
	return []look{
		{onNotes, each(func(ctx context.Context, on subject) error {
			return c.inspectNotesOf(ctx, []forum.UserID{forum.UserID(on.id)})
		})},
		{onTelling, func(ctx context.Context, on []subject) error {
			return groups(on, func(on []subject) error { return c.inspectTellings(ctx, on) })
		}},
	}
}

// judgeNotes compares the three keys of a user's notifications with each other.
func (c *checker) judgeNotes(v *noteView) {
	if v.f["state"] != userActive {
		for key, n := range map[string]int{notesKey(v.id): len(v.all), unreadKey(v.id): len(v.unread), noteKey(v.id): len(v.says)} {
			if n > 0 {
				c.add(v.on(), RuleOrphanKey, key, c.remove(key), "%d entries, but user %d is %q", n, v.id, v.f["state"])
			}
		}
		return
	}
	listed, named, last := scores(v.all), map[string]bool{}, int64(0)
	for _, z := range v.all {
		seq := z.Member.(string)
		n, ok := parseNote(v.says[seq])
		switch number, err := strconv.ParseInt(seq, 10, 64); {
		case err != nil || number < 1 || strconv.FormatInt(number, 10) != seq || z.Score != float64(number):
			c.add(v.on(), RuleNoteEntry, notesKey(v.id), v.drop(seq), "%q stands at %s", seq, formatScore(z.Score))
		case !ok || v.says[encodeSubject(n.Subject)] != seq:
			c.add(v.on(), RuleNoteEntry, noteKey(v.id), v.drop(seq), "%s says %q", seq, v.says[seq])
		default:
			n.OwnerID, n.Seq, last = v.id, number, max(last, number)
			v.notes = append(v.notes, &noteRow{Notification: n, seq: seq})
			named[seq], named[encodeSubject(n.Subject)] = true, true
		}
	}
	for name, value := range v.says {
		if _, told := listed[name]; !named[name] && !told {
			c.add(v.on(), RuleNoteEntry, noteKey(v.id), v.drop(name), "%q is %q, and no notification", name, value)
		}
	}
	for _, z := range v.unread {
		if at, there := listed[z.Member.(string)]; !there || at != z.Score {
			c.add(v.on(), RuleNoteEntry, unreadKey(v.id), v.drop(z.Member.(string)), "%q is unread at %s", z.Member, formatScore(z.Score))
		}
	}
	c.judgeNoteNumbers(v, last)
}

// judgeNoteNumbers looks at how many there are and what was given out.
func (c *checker) judgeNoteNumbers(v *noteView, last int64) {
	key := userKey(v.id)
	if !v.f.wholeOrNone("noteSeq", 1) || int64(v.f.int("noteSeq")) < last {
		raise := set(key, "noteSeq", last)
		raise.watch = append(raise.watch, notesKey(v.id))
		c.add(v.on(), RuleNoteNumber, key, raise, "the last number is %q; one is %d", v.f["noteSeq"], last)
	}
	forget := func(field string) fix {
		return fix{watch: []string{key}, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, key, field) }}
	}
	if !v.f.wholeOrNone("noteFloor", 1) {
		c.add(v.on(), RuleNoteNumber, key, forget("noteFloor"), "the newest that went is of %q", v.f["noteFloor"])
	}
	if _, ok := parseReads(v.f[readsField]); !ok {
		c.add(v.on(), RuleNoteNumber, key, forget(readsField), "they were last marked as read %q", v.f[readsField])
	}
	if over := len(v.notes) - c.s.notes; over > 0 {
		cut, floor := fix{watch: v.keys()}, v.f.time("noteFloor")
		for _, n := range v.notes[:over] {
			floor = max(floor, n.CreatedAt)
		}
		cut.do = func(ctx context.Context, pipe redis.Pipeliner) {
			for _, n := range v.notes[:over] {
				v.drop(n.seq).do(ctx, pipe)
			}
			pipe.HSet(ctx, key, "noteFloor", int64(floor))
		}
		c.add(v.on(), RuleNoteCap, notesKey(v.id), cut, "%d notifications; the most are %d", len(v.notes), c.s.notes)
	}
}

func (v *noteView) keys() []string {
	return []string{userKey(v.id), notesKey(v.id), unreadKey(v.id), noteKey(v.id)}
}

// drop takes a notification out of all keys, or what stands in one of them without the others.
func (v *noteView) drop(name string) fix {
	return fix{watch: v.keys(), do: func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.ZRem(ctx, notesKey(v.id), name)
		pipe.ZRem(ctx, unreadKey(v.id), name)
		if n, ok := parseNote(v.says[name]); ok && v.says[encodeSubject(n.Subject)] == name {
			pipe.HDel(ctx, noteKey(v.id), encodeSubject(n.Subject))
		}
		pipe.HDel(ctx, noteKey(v.id), name)
	}}
}

// inspectAbout compares notifications with what they are about.
func (c *checker) inspectAbout(ctx context.Context, views []*noteView) error {
	r := c.read(ctx)
	names := []string{"author", "parent", "topic", "state"}
	for _, v := range views {
		for _, n := range v.notes {
			key := userKey(n.Subject.User)
			if n.Subject.User == 0 {
				key = subjectKey(n.Subject)
			}
			n.is = r.hmget(key, names)
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, v := range views {
		for _, n := range v.notes {
			switch f := n.is(); n.Reason {
			case forum.NotifyReply:
				n.of = r.hmget(commentKey(forum.CommentID(f.int("parent"))), names)
			case forum.NotifyComment:
				n.of = r.hmget(topicKey(forum.TopicID(f.int("topic"))), names)
			}
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, v := range views {
		for _, n := range v.notes {
			if f := n.is(); !n.holds(f) {
				c.add(v.on(), RuleNoteSubject, noteKey(v.id), v.drop(n.seq), "%s says %q; of that the author is %q, the state %q", n.seq, v.says[n.seq], f["author"], f["state"])
			}
		}
	}
	return nil
}

// holds tells whether the notification is of what there is. Whoever is mentioned may not
// be any more.
func (n *noteRow) holds(f fields) bool {
	switch {
	case n.ActorID == n.OwnerID:
		return false
	case n.Reason == forum.NotifyFollow:
		return isAuthor(f["state"])
	case n.of != nil && n.of()["author"] != itoa(n.OwnerID):
		return false
	}
	return f["author"] == itoa(n.ActorID)
}

// tellingView is what a comment or topic has told, or is to tell.
type tellingView struct {
	of     subject
	what   forum.Subject
	f      fields
	waits  bool // there is the task
	to     []forum.UserID
	has    []*redis.BoolCmd // the notification
	states []func() fields  // of the users
}

// tellingOf is the subject of a comment or topic that tells.
func tellingOf(s forum.Subject) subject { return subject{kind: onTelling, text: encodeSubject(s)} }

// inspectTellings looks at whom comments and topics have told, and at those that are to tell.
func (c *checker) inspectTellings(ctx context.Context, on []subject) error {
	r := c.read(ctx)
	views := make([]*tellingView, len(on))
	after := make([]func(), len(on))
	for i, s := range on {
		v := &tellingView{of: s}
		v.what, _ = parseSubject(s.text)
		hash := r.hmget(v.key(), []string{"tell", "told", "created", "armed"})
		task := r.next().Exists(ctx, v.task())
		views[i], after[i] = v, func() { v.f, v.waits = hash(), task.Val() > 0 }
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, v := range views {
		after[i]()
		for _, id := range parseIDs[forum.UserID](v.f["told"]) {
			// In this order: whatever has gone is older than the floor.
			v.to, v.has = append(v.to, id), append(v.has, r.next().HExists(ctx, noteKey(id), v.of.text))
			v.states = append(v.states, r.hmget(userKey(id), []string{"state", "noteFloor"}))
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, v := range views {
		c.judgeTelling(v)
	}
	return nil
}

func (v *tellingView) partition() forum.Partition { return v.what.Partition() }
func (v *tellingView) key() string                { return subjectKey(v.what) }
func (v *tellingView) task() string               { return taskKey(v.partition(), "n:"+v.of.text) }

func (c *checker) judgeTelling(v *tellingView) {
	if v.waits {
		return // the task's matter; it goes by what is there
	}
	if tell := v.f["tell"]; tell != "" {
		c.add(v.of, RuleTell, v.key(), c.arm(v, tell, v.f["told"]), "is to tell %q, and there is no task", tell)
		return
	}
	var lost, left []forum.UserID
	for i, id := range v.to {
		f := v.states[i]()
		if f["state"] == userActive && !v.has[i].Val() && f.time("noteFloor") < v.f.time("created") {
			lost = append(lost, id)
		} else {
			left = append(left, id)
		}
	}
	if len(lost) > 0 {
		c.add(v.of, RuleTold, v.key(), c.arm(v, joinIDs(lost), joinIDs(left)), "has told %q; of these %q have no notification of it", v.f["told"], joinIDs(lost))
	}
}

// arm leaves what is to be told to a task.
func (c *checker) arm(v *tellingView, tell, told string) fix {
	due, name := dueKey(v.partition()), "n:"+v.of.text
	return fix{watch: []string{v.key(), v.task(), due}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		n := v.f.int("armed") + 1
		pipe.HSet(ctx, v.key(), "armed", n, "tell", tell)
		if told == "" {
			pipe.HDel(ctx, v.key(), "told")
		} else {
			pipe.HSet(ctx, v.key(), "told", told)
		}
		pipe.HSet(ctx, v.task(), "n", 1000*n, "attempts", 0, "cursor", "")
		pipe.ZAdd(ctx, due, redis.Z{Score: float64(c.s.Now()), Member: name})
	}}
}

// joinIDs writes ids as parseIDs reads them.
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

// tellings are the topics and comments that told somebody, or are to.
func tellings(topics []*topicView) []subject {
	var on []subject
	for _, t := range topics {
		if t.f["tell"]+t.f["told"] != "" {
			on = append(on, tellingOf(forum.Subject{Topic: t.id}))
		}
		for _, m := range t.comments {
			if m.tells {
				on = append(on, tellingOf(forum.Subject{Comment: m.id}))
			}
		}
	}
	return on
}
