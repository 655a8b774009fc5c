package notify

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/script"
)

// Posting a comment or topic leaves a task that notifies users. The mutation does the task with its
// indexes; the notifications follow from stored data only, so that any process can do it again
// (docs/architecture/social.md, "Notifications").

// Notice is a comment or topic, as far as notifications depend on it.
type Notice struct {
	Subject  forum.Subject
	Author   forum.UserID
	Created  forum.Time
	Mentions forum.Mentions
	// Answered and host are the authors of a comment's parent and of its topic; 0 for none.
	Answered, Host forum.UserID
	// Posted is where a comment was posted, unless it is an edit that notifies.
	Posted listing.MarkedTopic
	// Seen are the revisions that were read; none of a comment that was never hidden, or of what was just posted.
	Seen record.Revisions
}

// notes returns its notifications: each user gets one, for the strongest reason. It may mention others no longer.
func (w Notice) notes(others ...forum.UserID) []Note {
	if w.Author == 0 {
		return nil
	}
	var notes []Note
	known := map[forum.UserID]bool{0: true, w.Author: true}
	add := func(to forum.UserID, reason forum.NotificationReason) {
		if !known[to] {
			known[to] = true
			notes = append(notes, Note{to, reason, w.Author, w.Subject, w.Created, w.Posted, w.Seen})
		}
	}
	add(w.Answered, forum.NotifyReply)
	for _, m := range w.Mentions.Direct() {
		add(m.User, forum.NotifyMention)
	}
	add(w.Host, forum.NotifyComment)
	for _, id := range others {
		add(id, forum.NotifyMention)
	}
	return notes
}

// notifyTask is a task that notifies users of a comment or topic, with its results.
type notifyTask struct {
	s     *Store
	task  engine.Task
	key   string // the key of the comment or topic
	topic string // the key of that topic, or of the comment's topic
	notes []Note
	users []forum.UserID // of the commands added
	added []*redis.Cmd
	// removed is whether the comment or topic is deleted or hidden: no user is notified any more, and existing
	// notifications are withheld.
	removed bool
}

// Notifying returns the part of a mutation that does the task of what was just posted; none if token is "0".
func (s *Store) Notifying(w Notice, token string) []engine.Part {
	if token == "0" {
		return nil
	}
	topic := key.Subject(w.Subject)
	if w.Posted.ID != 0 {
		topic = key.Topic(w.Posted.ID)
	}
	return []engine.Part{&notifyTask{s: s, key: key.Subject(w.Subject), topic: topic, notes: w.notes(),
		task: engine.Task{Partition: w.Subject.Partition(), Name: record.NotifyTask(w.Subject), Token: token}}}
}

// Queue queues the notifications.
func (t *notifyTask) Queue(ctx context.Context, b *pipeline.Batch) {
	for _, n := range t.notes {
		t.users = append(t.users, n.To)
		t.added = append(t.added, n.Queue(ctx, b, t.s.engine.Limits.Notifications, t.s.engine.Now()))
	}
}

// Written records that the task is done, as finish does.
func (t *notifyTask) Written() {
	t.s.engine.Later(engine.Cleanup{Partition: t.task.Partition, Ended: t.ended()})
}

// ended returns the end of the task, with the users who now have a notification.
func (t *notifyTask) ended() script.NotifyDoneEnded {
	done := script.NotifyDoneEnded{
		Subject: t.key, Task: t.task.Key(), Due: t.task.Due(), Topic: t.topic,
		Token: t.task.Token, Name: t.task.Name, Removed: t.removed,
	}
	for i, cmd := range t.added {
		if got, err := cmd.Int(); err == nil && got != NoteRefused {
			done.Users += key.Itoa(t.users[i]) + " "
		}
	}
	return done
}

// NotifyNow does the task that an edit has left, if any, with what was read after the edit. The edit is
// done even if the caller stops waiting; any process can finish the task.
func (s *Store) NotifyNow(ctx context.Context, task engine.Task, about *recipients) {
	if task.Token == "" || task.Token == "0" {
		return
	}
	t, err := s.deliver(context.WithoutCancel(ctx), task, about)
	if err == nil {
		t.Written()
		return
	}
	s.engine.Log.Warn("task is left to a worker", "task", task.Name, "error", err)
}

// runNotifyTask runs the task.
func (s *Store) runNotifyTask(ctx context.Context, task engine.Task, subject forum.Subject) error {
	t, err := s.notify(ctx, task, subject)
	if err != nil {
		return err
	}
	s.engine.Step("notify_done")
	b := s.engine.Client.Batch()
	b.Run(ctx, script.NotifyDone{Now: s.engine.Now(), Ended: []script.NotifyDoneEnded{t.ended()}})
	return b.Exec(ctx)
}

// notify notifies the users whom a comment or topic concerns in its current state.
func (s *Store) notify(ctx context.Context, task engine.Task, subject forum.Subject) (*notifyTask, error) {
	about, err := s.readRecipients(ctx, subject)
	if err != nil {
		return nil, fmt.Errorf("recipients of %s: %w", key.Subject(subject), err)
	}
	return s.deliver(ctx, task, about)
}

// deliver adds the notifications of a comment or topic, or marks them as read if it is deleted.
func (s *Store) deliver(ctx context.Context, task engine.Task, about *recipients) (*notifyTask, error) {
	t := &notifyTask{s: s, task: task, key: key.Subject(about.subject), topic: about.topic}
	notes, notified, err := about.notes()
	if err != nil {
		return nil, fmt.Errorf("recipients of %s: %w", t.key, err)
	}
	s.engine.Step("note_add")
	b := s.engine.Client.Batch()
	if t.removed = about.removed; t.removed {
		t.users, t.added = notified, s.QueueSeen(ctx, b, notified, about.subject, about.why, about.seen)
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

// QueueSeen queues saying of users' notifications of a subject why they are withheld. The results are NoteRefused of
// those who have none.
func (s *Store) QueueSeen(ctx context.Context, b *pipeline.Batch, users []forum.UserID, of forum.Subject,
	why record.Withheld, seen record.Revisions) []*redis.Cmd {
	said := make([]*redis.Cmd, len(users))
	for i, id := range users {
		said[i] = b.Run(ctx, script.NoteSeen{
			User: key.User(id), Unread: key.Unread(id), Notes: key.Note(id),
			Now: s.engine.Now(), Why: string(why), CommentRev: seen.Comment, TopicRev: seen.Topic,
			Subjects: []string{record.EncodeSubject(of)},
		})
	}
	return said
}

// recipients are the fields that decide who is notified of a comment or topic, read in one pipeline.
type recipients struct {
	subject  forum.Subject
	topic    string // the key of that topic, or of the comment's topic
	hash     func() (record.Fields, error)
	host     func() (record.Fields, error) // of a comment's topic; nil for a topic
	answered *redis.StringCmd
	removed  bool // set by notes: it or its topic was deleted or hidden
	why      record.Withheld
	seen     record.Revisions // set by posted
}

var (
	recipientFields = []string{"author", "created", "edited", "deleted", "state", "mentions", "tell", "told",
		"topic", "floor", "rev"}
	hostFields = []string{"author", "state", "rev"}
)

// QueueRecipients queues reading the recipients of a subject; at is the location of a comment.
func QueueRecipients(ctx context.Context, b *pipeline.Batch, subject forum.Subject,
	at record.CommentLocation) *recipients {
	c := &recipients{subject: subject, topic: key.Subject(subject),
		hash: record.TryGet(ctx, b, key.Subject(subject), recipientFields...)}
	if at.Topic != 0 {
		c.topic = key.Topic(at.Topic)
		c.answered = b.HGet(ctx, key.Comment(at.Parent), "author")
		c.host = record.TryGet(ctx, b, c.topic, hostFields...)
	}
	return c
}

// posted returns the comment or topic, and why notifications of it are withheld.
func (c *recipients) posted() (w Notice, why record.Withheld, err error) {
	f, err := c.hash()
	if err != nil {
		return w, "", err
	}
	why, c.seen = record.TopicWithheld(forum.TopicState(f["state"])), record.Revisions{Topic: int64(f.Int("rev"))}
	w = Notice{Subject: c.subject, Author: forum.UserID(f.Int("author")), Created: f.Time("created"),
		Mentions: catalogue.DecodeMentions(f["mentions"])}
	if c.host != nil {
		host, failed := c.host()
		if err := cmp.Or(pipeline.FirstError([]redis.Cmder{c.answered}), failed); err != nil {
			return w, "", err
		}
		c.seen = record.Revisions{Comment: int64(f.Int("rev")), Topic: int64(host.Int("rev"))}
		why = record.CommentWithheld(f, forum.TopicState(host["state"]))
		w.Answered, w.Host = forum.UserID(record.Atoi(c.answered.Val())), forum.UserID(record.Atoi(host["author"]))
		w.Posted = listing.MarkedTopic{ID: forum.TopicID(f.Int("topic")), Number: int64(f.Int("floor"))}
	}
	if c.seen.Comment != record.CommentPosted {
		w.Seen = c.seen
	}
	return w, why, nil
}

// notes returns the notifications that remain to be added. If the subject is deleted there are none, and
// notified are the users who may have one.
func (c *recipients) notes() (notes []Note, notified []forum.UserID, err error) {
	w, why, err := c.posted()
	f, _ := c.hash()
	if err != nil || f["tell"] == "" {
		return nil, nil, err
	}
	to := record.ParseIDs[forum.UserID](f["tell"])
	if c.why, c.removed = why, why != record.Shown; c.removed {
		notified = append(to, record.ParseIDs[forum.UserID](f["told"])...)
		for _, n := range w.notes() {
			notified = append(notified, n.To)
		}
		slices.Sort(notified)
		return nil, slices.Compact(notified), nil
	}
	if f["tell"] == record.NotifyAll {
		return w.notes(), nil, nil
	}
	// An edit mentions some of them, or no longer. They are notified as of the edit, whatever they have read.
	w.Created, w.Posted = max(w.Created, f.Time("edited")), listing.MarkedTopic{}
	return slices.DeleteFunc(w.notes(to...), func(n Note) bool { return !slices.Contains(to, n.To) }), nil, nil
}

// readRecipients reads the recipients of a comment or topic.
func (s *Store) readRecipients(ctx context.Context, subject forum.Subject) (*recipients, error) {
	var at record.CommentLocation
	if subject.Comment != 0 {
		var err error
		if at, err = record.LocateComment(ctx, s.engine.Client,
			subject.Comment); err != nil && forum.CodeOf(err) != forum.CodeNotFound {
			return nil, err
		}
	}
	b := s.engine.Client.Batch()
	c := QueueRecipients(ctx, b, subject, at)
	return c, b.Exec(ctx)
}

// Approved returns the task that notifies users of what was held, nil if there is none; about was read after it was
// approved.
func (s *Store) Approved(task engine.Task, about *recipients) []engine.Part {
	notes, _, err := about.notes()
	if task.Token == "0" || err != nil || about.removed {
		return nil
	}
	return []engine.Part{&notifyTask{s: s, task: task, key: key.Subject(about.subject), topic: about.topic,
		notes: notes}}
}
