package notify

import (
	"context"
	"fmt"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/script"
)

// A comment on a topic that users watch leaves a task in the topic's slot. The mutation notifies the first
// WatchersAtOnce of them with its indexes; if there are more, a worker goes through all, TaskPass in a pass. What
// decides is in the watcher's slot: note_add refuses whoever does not watch the topic any more, and the end of
// watching, which follows the topic's deletion, marks what it notified of as read. The deletion of a comment arms the
// task again, which then marks the notifications about it as read.

// watchTask notifies watchers of a comment that was just posted.
type watchTask struct {
	s     *Store
	on    forum.TopicID
	about forum.CommentID
	task  engine.Task
	notes []Note
	whole bool // there are no other watchers
}

// watching returns the part of a mutation that notifies those who watch the topic of a comment that was just posted;
// none if token is "0".
func (s *Store) watching(w Notice, token string, watchers []string) []engine.Part {
	if token == "0" {
		return nil
	}
	ids := record.ParseIDs[forum.UserID](strings.Join(watchers, " "))
	most := s.engine.Limits.WatchersAtOnce
	return []engine.Part{&watchTask{s: s, on: w.Posted.ID, about: w.Subject.Comment, whole: len(ids) <= most,
		notes: w.watchNotes(ids[:min(len(ids), most)]),
		task:  engine.Task{Partition: w.Subject.Partition(), Name: record.WatchTask(w.Subject.Comment), Token: token}}}
}

// Announcing returns the parts of a mutation that notify users of a comment that was just posted. Those who watch its
// topic come after the stronger reasons.
func (s *Store) Announcing(w Notice, token, watchToken string, watchers []string) []engine.Part {
	return append(s.Notifying(w, token), s.watching(w, watchToken, watchers)...)
}

// watchNotes returns the notifications of watchers whom nothing else notifies.
func (w Notice) watchNotes(watchers []forum.UserID) []Note {
	known := map[forum.UserID]bool{w.Author: true}
	for _, n := range w.notes() {
		known[n.To] = true
	}
	var notes []Note
	for _, id := range watchers {
		if !known[id] {
			notes = append(notes, Note{id, forum.NotifyWatch, w.Author, w.Subject, w.Created, w.Posted, w.Seen})
		}
	}
	return notes
}

// Queue queues the notifications.
func (t *watchTask) Queue(ctx context.Context, b *pipeline.Batch) {
	for _, n := range t.notes {
		n.Queue(ctx, b, t.s.engine.Limits.Notifications, t.s.engine.Now())
	}
}

// Written ends the task, unless there are other watchers, or the comment was deleted or hidden meanwhile.
func (t *watchTask) Written() {
	call := script.WatchDone{Comment: key.Comment(t.about), Topic: key.Topic(t.on), Task: t.task.Key(),
		Due:  t.task.Due(),
		Name: t.task.Name}
	if t.whole {
		call.Token = t.task.Token
	}
	t.s.engine.Later(engine.Cleanup{Then: func(ctx context.Context, b *pipeline.Batch) {
		call.Now = t.s.engine.Now()
		b.Run(ctx, call)
	}})
}

// runWatch is one pass of the task: it notifies the watchers after cursor, or marks their notifications of a deleted
// comment as read.
func (s *Store) runWatch(ctx context.Context, id forum.CommentID, cursor string) (next string, done bool, err error) {
	after, err := record.ParseWatchCursor(cursor)
	if err != nil {
		return "", false, err
	}
	at, err := record.LocateComment(ctx, s.engine.Client, id)
	if err != nil {
		return "", false, err
	}
	r := s.engine.Read(ctx)
	about := QueueRecipients(ctx, r.Batch, forum.Subject{Comment: id}, at)
	watchers := key.Watchers(at.Topic)
	page := listing.On(r).Page(listing.List{Name: watchers, Key: watchers},
		forum.Window{Count: engine.TaskPass, After: after, Uncounted: true})
	if err := r.Exec(); err != nil {
		return "", false, fmt.Errorf("watchers of topic %d: %w", at.Topic, err)
	}
	rows, err := page()
	if err != nil {
		return "", false, err
	}
	users := make([]forum.UserID, len(rows.Rows))
	for i, row := range rows.Rows {
		users[i] = forum.UserID(row.ID)
	}
	s.engine.Step("watch_tell")
	if err := s.tellWatchers(ctx, about, users); err != nil {
		return "", false, fmt.Errorf("notify watchers of topic %d: %w", at.Topic, err)
	}
	if len(users) < engine.TaskPass {
		return "", true, nil
	}
	return record.WatchCursor(rows.Rows[len(users)-1].Position), false, nil
}

// tellWatchers notifies watchers, or gives back what was withheld from them, unless the comment or its topic was
// deleted or hidden; if that happens afterwards, whoever did it may have marked the notifications as read before they
// were added.
func (s *Store) tellWatchers(ctx context.Context, about *recipients, users []forum.UserID) error {
	w, why, err := about.posted()
	if err != nil {
		return err
	}
	b := s.engine.Client.Batch()
	if why == record.Shown {
		for _, n := range w.watchNotes(users) {
			n.Queue(ctx, b, s.engine.Limits.Notifications, s.engine.Now())
		}
		if err := b.Exec(ctx); err != nil {
			return err
		}
		if about, err = s.readRecipients(ctx, about.subject); err != nil {
			return err
		}
		if _, why, err = about.posted(); err != nil || why == record.Shown {
			return err
		}
		b = s.engine.Client.Batch()
	}
	s.QueueSeen(ctx, b, users, about.subject, why, about.seen)
	if b.Len() == 0 {
		return nil
	}
	return b.Exec(ctx)
}
