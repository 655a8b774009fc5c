package model

import "agora/internal/forum"

// CommentAddedEvent tells that a comment was posted, or a RESET.
type CommentAddedEvent struct {
	EventID string
	Kind    forum.EventKind
	// CommentID is 0 on RESET.
	CommentID forum.CommentID
	// TopicID is where it was posted.
	TopicID forum.TopicID
}

// TopicUpdatedEvent tells that a topic changed.
type TopicUpdatedEvent struct {
	TopicID forum.TopicID
}

// TimelineUpdatedEvent tells that a timeline changed, or a RESET.
type TimelineUpdatedEvent struct {
	EventID  string
	Kind     forum.EventKind
	Timeline forum.Timeline
	// TopicID is nil on RESET.
	TopicID *forum.TopicID
	// CreatedAt is when the topic was posted.
	CreatedAt forum.Time
}

// NotificationAddedEvent is a notification that came or was marked as read, or a RESET.
type NotificationAddedEvent struct {
	EventID string
	Kind    forum.EventKind
	// OwnerID is whose notification it is, and Seq its number; 0 on RESET, and when several
	// were marked.
	OwnerID forum.UserID
	Seq     int64
	Viewer  *Viewer
}

// Position is the event's ID: whoever is told the next events of a topic after the same one
// is told the same.
func (e *CommentAddedEvent) Position() string {
	if e == nil {
		return ""
	}
	return e.EventID
}

// Position is the event's ID; "" for a snapshot, where it depends on when the subscription
// began what is told next.
func (e *TimelineUpdatedEvent) Position() string {
	if e == nil || e.Timeline.Snapshot() {
		return ""
	}
	return e.EventID
}

// Position is the event's ID.
func (e *NotificationAddedEvent) Position() string {
	if e == nil {
		return ""
	}
	return e.EventID
}
