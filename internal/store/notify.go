package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Posting a comment or topic leaves a task that notifies users. The mutation does the task with its
// indexes; the notifications follow from stored data only, so that any process can do it again
// (docs/architecture/social.md, "Notifications").

// notice is a comment or topic, as far as notifications depend on it.
type notice struct {
	subject  forum.Subject
	author   forum.UserID
	created  forum.Time
	mentions forum.Mentions
	// answered and host are the authors of a comment's parent and of its topic; 0 for none.
	answered, host forum.UserID
	// posted is where a comment was posted, unless it is an edit that notifies.
	posted MarkedTopic
}

// notes returns its notifications: each user gets one, for the strongest reason.
func (w notice) notes() []note {
	if w.author == 0 {
		return nil
	}
	var notes []note
	known := map[forum.UserID]bool{0: true, w.author: true}
	add := func(to forum.UserID, reason forum.NotificationReason) {
		if !known[to] {
			known[to] = true
			notes = append(notes, note{to, reason, w.author, w.subject, w.created, w.posted})
		}
	}
	add(w.answered, forum.NotifyReply)
	for _, m := range w.mentions {
		add(m.User, forum.NotifyMention)
	}
	add(w.host, forum.NotifyComment)
	return notes
}

// notifyTask is a task that notifies users of a comment or topic, with its results.
type notifyTask struct {
	s     *Store
	task  claimedTask
	key   string // the key of the comment or topic
	topic string // the key of that topic, or of the comment's topic
	notes []note
	added []*redis.Cmd
	// removed is whether the comment or topic is deleted: no user is notified any more, and existing
	// notifications are marked as read.
	removed bool
}

// notifying returns the part of a mutation that does the task of what was just posted; none if token is "0".
func (s *Store) notifying(w notice, token string) []part {
	if token == "0" {
		return nil
	}
	topic := key.Subject(w.subject)
	if w.posted.ID != 0 {
		topic = key.Topic(w.posted.ID)
	}
	return []part{&notifyTask{s: s, key: key.Subject(w.subject), topic: topic, notes: w.notes(),
		task: claimedTask{partition: w.subject.Partition(), name: record.NotifyTask(w.subject), token: token}}}
}

// Queue queues the notifications.
func (t *notifyTask) Queue(ctx context.Context, b *pipeline.Batch) {
	for _, n := range t.notes {
		t.added = append(t.added, n.queue(ctx, b, t.s.caps.Notes))
	}
}

// Written records that the task is done, as finish does.
func (t *notifyTask) Written() {
	t.s.cleanLater(cleanup{partition: t.task.partition, ended: t.ended()})
}

// ended returns the end of the task, with the users who now have a notification.
func (t *notifyTask) ended() script.NotifyDoneEnded {
	done := script.NotifyDoneEnded{
		Subject: t.key, Task: t.task.key(), Due: t.task.due(), Topic: t.topic,
		Token: t.task.token, Name: t.task.name, Removed: t.removed,
	}
	for i, cmd := range t.added {
		if got, err := cmd.Int(); err == nil && got != noteRefused {
			done.Users += key.Itoa(t.notes[i].to) + " "
		}
	}
	return done
}

// notifyNow does the task that an edit has left, if any, with what was read after the edit. The edit is
// done even if the caller stops waiting; any process can finish the task.
func (s *Store) notifyNow(ctx context.Context, task claimedTask, about *recipients) {
	if task.token == "" || task.token == "0" {
		return
	}
	t, err := s.deliver(context.WithoutCancel(ctx), task, about)
	if err == nil {
		t.Written()
		return
	}
	s.log.Warn("task is left to a worker", "task", task.name, "error", err)
}

// runNotifyTask runs the task.
func (s *Store) runNotifyTask(ctx context.Context, task claimedTask, subject forum.Subject) error {
	t, err := s.notify(ctx, task, subject)
	if err != nil {
		return err
	}
	s.step("notify_done")
	b := s.rdb.Batch()
	b.Run(ctx, script.NotifyDone{Now: s.Now(), Ended: []script.NotifyDoneEnded{t.ended()}})
	return b.Exec(ctx)
}

// notify notifies the users whom a comment or topic concerns in its current state.
func (s *Store) notify(ctx context.Context, task claimedTask, subject forum.Subject) (*notifyTask, error) {
	about, err := s.readRecipients(ctx, subject)
	if err != nil {
		return nil, fmt.Errorf("recipients of %s: %w", key.Subject(subject), err)
	}
	return s.deliver(ctx, task, about)
}

// deliver adds the notifications of a comment or topic, or marks them as read if it is deleted.
func (s *Store) deliver(ctx context.Context, task claimedTask, about *recipients) (*notifyTask, error) {
	t := &notifyTask{s: s, task: task, key: key.Subject(about.subject), topic: about.topic}
	notes, notified, err := about.notes()
	if err != nil {
		return nil, fmt.Errorf("recipients of %s: %w", t.key, err)
	}
	s.step("note_add")
	b := s.rdb.Batch()
	if t.removed = about.removed; t.removed {
		s.queueSeen(ctx, b, notified, about.subject)
	} else {
		t.notes = notes
		t.Queue(ctx, b)
	}
	if b.Len() == 0 {
		return t, nil
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("notify recipients of %s: %w", t.key, err)
	}
	return t, nil
}

// queueSeen queues marking users' notifications of a deleted subject as read.
func (s *Store) queueSeen(ctx context.Context, b *pipeline.Batch, users []forum.UserID, deleted forum.Subject) {
	for _, id := range users {
		b.Run(ctx, script.NoteSeen{
			User: key.User(id), Unread: key.Unread(id), Notes: key.Note(id),
			Now: s.Now(), Subjects: []string{record.EncodeSubject(deleted)},
		})
	}
}

// recipients are the fields that decide who is notified of a comment or topic, read in one pipeline.
type recipients struct {
	subject  forum.Subject
	topic    string // the key of that topic, or of the comment's topic
	hash     func() (record.Fields, error)
	host     *redis.SliceCmd
	answered *redis.StringCmd
	removed  bool // set by notes: it or its topic was deleted
}

var (
	recipientFields = []string{"author", "created", "edited", "deleted", "state", "mentions", "tell", "told",
		"topic", "floor"}
	hostFields = []string{"author", "state"}
)

// queueRecipients queues reading the recipients of a subject; at is the location of a comment.
func queueRecipients(ctx context.Context, b *pipeline.Batch, subject forum.Subject, at commentLocation) *recipients {
	c := &recipients{subject: subject, topic: key.Subject(subject),
		hash: record.TryGet(ctx, b, key.Subject(subject), recipientFields...)}
	if at.topic != 0 {
		c.topic = key.Topic(at.topic)
		c.answered = b.HGet(ctx, key.Comment(at.parent), "author")
		c.host = b.HMGet(ctx, c.topic, hostFields...)
	}
	return c
}

// posted returns the comment or topic, and whether it or its topic is deleted.
func (c *recipients) posted() (w notice, deleted bool, err error) {
	f, err := c.hash()
	if err != nil {
		return w, false, err
	}
	state := forum.TopicState(cmp.Or(f["state"], string(forum.TopicOpen))) // comments have the same names for theirs
	deleted = f["deleted"] != "" || !state.Listed()
	w = notice{subject: c.subject, author: forum.UserID(f.Int("author")), created: f.Time("created"),
		mentions: catalogue.DecodeMentions(f["mentions"])}
	if c.host != nil {
		if err := pipeline.FirstError([]redis.Cmder{c.answered, c.host}); err != nil {
			return w, false, err
		}
		host := record.HMGet(hostFields, c.host)
		deleted = deleted || !forum.TopicState(host["state"]).Listed()
		w.answered, w.host = forum.UserID(record.Atoi(c.answered.Val())), forum.UserID(record.Atoi(host["author"]))
		w.posted = MarkedTopic{forum.TopicID(f.Int("topic")), int64(f.Int("floor"))}
	}
	return w, deleted, nil
}

// notes returns the notifications that remain to be added. If the subject is deleted there are none, and
// notified are the users who may have one.
func (c *recipients) notes() (notes []note, notified []forum.UserID, err error) {
	w, deleted, err := c.posted()
	f, _ := c.hash()
	if err != nil || f["tell"] == "" {
		return nil, nil, err
	}
	to := record.ParseIDs[forum.UserID](f["tell"])
	if c.removed = deleted; c.removed {
		notified = append(to, record.ParseIDs[forum.UserID](f["told"])...)
		for _, n := range w.notes() {
			notified = append(notified, n.to)
		}
		slices.Sort(notified)
		return nil, slices.Compact(notified), nil
	}
	if f["tell"] == record.NotifyAll {
		return w.notes(), nil, nil
	}
	// Users whom an edit mentioned first: they are notified as of the edit, whatever they have read.
	w.created, w.posted = max(w.created, f.Time("edited")), MarkedTopic{}
	return slices.DeleteFunc(w.notes(), func(n note) bool { return !slices.Contains(to, n.to) }), nil, nil
}

// readRecipients reads the recipients of a comment or topic.
func (s *Store) readRecipients(ctx context.Context, subject forum.Subject) (*recipients, error) {
	var at commentLocation
	if subject.Comment != 0 {
		var err error
		if at, err = s.locateComment(ctx, subject.Comment); err != nil && forum.CodeOf(err) != forum.CodeNotFound {
			return nil, err
		}
	}
	b := s.rdb.Batch()
	c := queueRecipients(ctx, b, subject, at)
	return c, b.Exec(ctx)
}

// approved returns the task that notifies users of what was held, nil if there is none; about was read after it was
// approved.
func (s *Store) approved(task claimedTask, about *recipients) []part {
	notes, _, err := about.notes()
	if task.token == "0" || err != nil || about.removed {
		return nil
	}
	return []part{&notifyTask{s: s, task: task, key: key.Subject(about.subject), topic: about.topic, notes: notes}}
}
