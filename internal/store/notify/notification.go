package notify

import (
	"context"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/script"
)

// NoteRef identifies a notification by its owner and number.
type NoteRef struct {
	Owner forum.UserID
	Seq   int64
}

// NotificationList is the list of a user's notifications, latest first; the ids are their
// numbers.
func NotificationList(owner forum.UserID, unreadOnly bool) listing.List {
	list := listing.LatestFirst(key.Notes(owner))
	if unreadOnly {
		list = listing.LatestFirst(key.Unread(owner))
	}
	list.Notes = owner
	return list
}

// Notifications reads notifications, and for each whether it is read.
func (r Read) Notifications(refs []NoteRef) func() ([]*forum.Notification, error) {
	values := make([]*redis.StringCmd, len(refs))
	unread := make([]*redis.FloatCmd, len(refs))
	for i, ref := range refs {
		seq := strconv.FormatInt(ref.Seq, 10)
		values[i] = r.read.Batch.HGet(r.read.Ctx, key.Note(ref.Owner), seq)
		unread[i] = r.read.Batch.ZScore(r.read.Ctx, key.Unread(ref.Owner), seq)
	}
	return func() ([]*forum.Notification, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		notes := make([]*forum.Notification, len(refs))
		for i, ref := range refs {
			if n, ok := record.ParseNote(values[i].Val()); ok {
				n.OwnerID, n.Seq, n.IsRead = ref.Owner, ref.Seq, unread[i].Err() != nil
				notes[i] = n
			}
		}
		return notes, nil
	}
}

// MarkNotification marks one of a user's notifications as read; it is idempotent. It returns NOT_FOUND at
// notificationId.
func (s *Store) MarkNotification(ctx context.Context, owner forum.UserID, seq int64) error {
	number := strconv.FormatInt(seq, 10)
	n, err := s.engine.Client.Run(ctx, s.noteRead(owner, &number)).Int()
	if err != nil {
		return fmt.Errorf("mark notification %d of user %d: %w", seq, owner, err)
	}
	if n < 0 {
		return forum.NotFound(forum.Path("notificationId"), "notification")
	}
	return nil
}

// MarkNotifications marks all current notifications of a user as read.
func (s *Store) MarkNotifications(ctx context.Context, owner forum.UserID) error {
	if err := s.engine.Client.Run(ctx, s.noteRead(owner, nil)).Err(); err != nil {
		return fmt.Errorf("mark the notifications of user %d: %w", owner, err)
	}
	return nil
}

// noteRead returns the call that marks a user's notification with that number as read, or all if it is nil.
func (s *Store) noteRead(owner forum.UserID, number *string) script.NoteRead {
	return script.NoteRead{
		User: key.User(owner), Unread: key.Unread(owner), Notes: key.Note(owner), Now: s.engine.Now(),
		Seq: number,
	}
}

// Note is a notification to add for a user.
type Note struct {
	To      forum.UserID
	Reason  forum.NotificationReason
	Actor   forum.UserID
	Subject forum.Subject
	Created forum.Time
	// Posted is where the comment was just posted: whoever has read the topic that far has read it.
	Posted listing.MarkedTopic
	// Seen are the revisions of what it is about that were read, as Notice says.
	Seen record.Revisions
}

// The results of note_add.
const (
	NoteRefused = 0 // the user is deleted or in a block with the actor, or it comes too late
	NoteAdded   = 1
	NoteKnown   = 2 // the user already had it
)

// Queue queues adding the notification. It is idempotent and may come late; kept is the number of
// notifications that a user keeps.
func (n Note) Queue(ctx context.Context, b *pipeline.Batch, kept int, now forum.Time) *redis.Cmd {
	call := script.NoteAdd{
		User: key.User(n.To), Numbers: key.Notes(n.To), Unread: key.Unread(n.To), Notes: key.Note(n.To),
		Blocked: key.Blocked(n.To), Blockers: key.Blockers(n.To),
		Subject: record.EncodeSubject(n.Subject), Reason: string(n.Reason), Actor: n.Actor,
		Created: n.Created, Most: int64(kept), Now: now, CommentRev: n.Seen.Comment, TopicRev: n.Seen.Topic,
	}
	if n.Reason == forum.NotifyFollow {
		call.Marks, call.Sources = key.Marks(n.To), key.Followers(n.To)
	}
	if n.Posted.ID != 0 {
		if n.Reason == forum.NotifyWatch {
			call.Reason = record.WatchReason(n.Posted.ID)
		}
		mark := string(listing.TopicMark(n.Posted.ID))
		call.Marks, call.Sources, call.Mark, call.Number = key.Marks(n.To), key.Watching(n.To), &mark, &n.Posted.Number
	}
	return b.Run(ctx, call)
}
