package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Who writes a comment or topic leaves a task that tells whom it concerns. The mutation
// does it with its indexes; what is told is computed from what is stored, so that any
// process can do it again (docs/architecture/social.md, "Notifications").

// written is what is known of a comment or topic that somebody wrote.
type written struct {
	subject  forum.Subject
	author   forum.UserID
	created  forum.Time
	mentions forum.Mentions
	// answered and host are the authors of a comment's parent and of its topic; 0 if there
	// is none.
	answered, host forum.UserID
}

// notes are the notifications of it: each user gets one, for the strongest reason.
func (w written) notes() []note {
	if w.author == 0 {
		return nil
	}
	var notes []note
	known := map[forum.UserID]bool{0: true, w.author: true}
	add := func(to forum.UserID, reason forum.NotificationReason) {
		if !known[to] {
			known[to] = true
			notes = append(notes, note{to, reason, w.author, w.subject, w.created})
		}
	}
	add(w.answered, forum.NotifyReply)
	for _, m := range w.mentions {
		add(m.User, forum.NotifyMention)
	}
	add(w.host, forum.NotifyComment)
	return notes
}

// telling is a task that tells whom something concerns, and what came of it.
type notifyTask struct {
	task  claimedTask
	key   string // of the comment or topic
	topic string // the key of the topic that it is, or is on
	notes []note
	added []*redis.Cmd
	// gone is whether the comment or topic is gone: nobody is told any more, and what was
	// told is marked as read.
	removed bool
}

// telling is what a comment that was just posted has to tell.
func (in NewComment) notifyTask(by *forum.Viewer, made script.CommentCreateResult) *notifyTask {
	if made.Token == "0" {
		return nil
	}
	id := made.ID
	w := written{subject: forum.Subject{Comment: id}, author: by.ID, created: in.CreatedAt, mentions: in.Mentions,
		answered: made.Answered, host: made.Topic.Author}
	task := claimedTask{partition: id.Partition(), name: record.NotifyTask(forum.Subject{Comment: id}), token: made.Token}
	return &notifyTask{task: task, key: key.Comment(id), topic: key.Topic(in.Topic), notes: w.notes()}
}

// telling is what a topic that was just posted has to tell.
func (in NewTopic) notifyTask(id forum.TopicID, token string) *notifyTask {
	if token == "0" {
		return nil
	}
	w := written{subject: forum.Subject{Topic: id}, author: in.Author, created: in.CreatedAt, mentions: in.Mentions}
	task := claimedTask{partition: id.Partition(), name: record.NotifyTask(forum.Subject{Topic: id}), token: token}
	return &notifyTask{task: task, key: key.Topic(id), topic: key.Topic(id), notes: w.notes()}
}

// queue queues the notifications; kept is how many of a user are kept.
func (t *notifyTask) queue(ctx context.Context, b *pipeline.Batch, kept int) {
	if t == nil {
		return
	}
	for _, n := range t.notes {
		t.added = append(t.added, n.queue(ctx, b, kept))
	}
}

// end queues the end of the task, with those who have a notification now.
func (t *notifyTask) end(ctx context.Context, b *pipeline.Batch, now forum.Time) {
	done := script.NotifyDone{
		Subject: t.key, Task: t.task.key(), Due: t.task.due(), Topic: t.topic,
		Token: t.task.token, TaskName: t.task.name, Removed: t.removed, Now: now,
	}
	for i, cmd := range t.added {
		if got, err := cmd.Int(); err == nil && got != noteRefused {
			done.Users = append(done.Users, t.notes[i].to)
		}
	}
	b.Run(ctx, done)
}

// finishNotify notes that the task is done, as finish does.
func (s *Store) finishNotify(t *notifyTask) {
	if t != nil {
		s.cleanLater(cleanMark{notify: t})
	}
}

// notifyNow does the task that an edit has left, if there is one, with what was read after
// the edit. The edit is done, whether the caller waits on or not; any process can finish it.
func (s *Store) notifyNow(ctx context.Context, task claimedTask, about *concern) {
	if task.token == "" || task.token == "0" {
		return
	}
	t, err := s.deliver(context.WithoutCancel(ctx), task, about)
	if err == nil {
		s.finishNotify(t)
		return
	}
	s.log.Warn("task is left to a worker", "task", task.name, "error", err)
}

// runNotifyTask is a run of the task.
func (s *Store) runNotifyTask(ctx context.Context, task claimedTask, subject forum.Subject) error {
	t, err := s.notify(ctx, task, subject)
	if err != nil {
		return err
	}
	s.step("notify_done")
	b := s.rdb.Batch()
	t.end(ctx, b, s.Now())
	return b.Exec(ctx)
}

// tell tells whom a comment or topic concerns, as it is now.
func (s *Store) notify(ctx context.Context, task claimedTask, subject forum.Subject) (*notifyTask, error) {
	about, err := s.concerned(ctx, subject)
	if err != nil {
		return nil, fmt.Errorf("whom %s concerns: %w", key.Subject(subject), err)
	}
	return s.deliver(ctx, task, about)
}

// give gives the notifications of a comment or topic, or marks them as read if it is gone.
func (s *Store) deliver(ctx context.Context, task claimedTask, about *concern) (*notifyTask, error) {
	t := &notifyTask{task: task, key: key.Subject(about.subject), topic: about.topic}
	notes, told, err := about.notes()
	if err != nil {
		return nil, fmt.Errorf("whom %s concerns: %w", t.key, err)
	}
	s.step("note_add")
	b := s.rdb.Batch()
	if t.removed = about.removed; t.removed {
		s.queueSeen(ctx, b, told, about.subject)
	} else {
		t.notes = notes
		t.queue(ctx, b, s.caps.Notes)
	}
	if b.Len() == 0 {
		return t, nil
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("tell whom %s concerns: %w", t.key, err)
	}
	return t, nil
}

// queueSeen queues that users' notifications of something that is gone are marked as read.
func (s *Store) queueSeen(ctx context.Context, b *pipeline.Batch, users []forum.UserID, gone forum.Subject) {
	for _, id := range users {
		b.Run(ctx, script.NoteSeen{
			User: key.User(id), Unread: key.Unread(id), Notes: key.Note(id),
			Now: s.Now(), Subjects: []string{record.EncodeSubject(gone)},
		})
	}
}

// concern is what says whom a comment or topic concerns, read in one pipeline.
type concern struct {
	subject    forum.Subject
	topic      string // the key of the topic that it is, or is on
	hash, host *redis.SliceCmd
	answered   *redis.StringCmd
	removed    bool // after notes: it was deleted, or its topic
}

var (
	concernFields = []string{"author", "created", "edited", "deleted", "state", "mentions", "tell", "told"}
	hostFields    = []string{"author", "state"}
)

// queueConcern queues the reading of whom a subject concerns; at is where a comment stands.
func queueConcern(ctx context.Context, b *pipeline.Batch, subject forum.Subject, at commentLocation) *concern {
	c := &concern{subject: subject, topic: key.Subject(subject),
		hash: b.HMGet(ctx, key.Subject(subject), concernFields...)}
	if at.topic != 0 {
		c.topic = key.Topic(at.topic)
		c.answered = b.HGet(ctx, key.Comment(at.parent), "author")
		c.host = b.HMGet(ctx, c.topic, hostFields...)
	}
	return c
}

// notes are the notifications that are still to be given; of what is gone there are none,
// and told are those who may have one.
func (c *concern) notes() (notes []note, told []forum.UserID, err error) {
	if err := c.hash.Err(); err != nil {
		return nil, nil, err
	}
	f := record.HMGet(concernFields, c.hash)
	if f["tell"] == "" {
		return nil, nil, nil
	}
	c.removed = f["deleted"] != "" || f["state"] == string(forum.TopicDeleted)
	w := written{subject: c.subject, author: forum.UserID(f.Int("author")), created: f.Time("created"),
		mentions: record.DecodeMentions(f["mentions"])}
	if c.host != nil {
		if err := pipeline.FirstError([]redis.Cmder{c.answered, c.host}); err != nil {
			return nil, nil, err
		}
		host := record.HMGet(hostFields, c.host)
		c.removed = c.removed || host["state"] != string(forum.TopicOpen)
		w.answered, w.host = forum.UserID(record.Atoi(c.answered.Val())), forum.UserID(record.Atoi(host["author"]))
	}
	to := record.ParseIDs[forum.UserID](f["tell"])
	if c.removed {
		told = append(to, record.ParseIDs[forum.UserID](f["told"])...)
		for _, n := range w.notes() {
			told = append(told, n.to)
		}
		slices.Sort(told)
		return nil, slices.Compact(told), nil
	}
	if f["tell"] == record.NotifyAll {
		return w.notes(), nil, nil
	}
	// Some who came to be mentioned by an edit: that is when it happened.
	w.created = max(w.created, f.Time("edited"))
	return slices.DeleteFunc(w.notes(), func(n note) bool { return !slices.Contains(to, n.to) }), nil, nil
}

// concerned reads whom a comment or topic concerns.
func (s *Store) concerned(ctx context.Context, subject forum.Subject) (*concern, error) {
	var at commentLocation
	if subject.Comment != 0 {
		var err error
		if at, err = s.locateComment(ctx, subject.Comment); err != nil && forum.CodeOf(err) != forum.CodeNotFound {
			return nil, err
		}
	}
	b := s.rdb.Batch()
	c := queueConcern(ctx, b, subject, at)
	return c, b.Exec(ctx)
}
