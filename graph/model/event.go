package model

import "agora/internal/forum"

// CommentAddedEvent reports that a comment was posted, or a RESET.
type CommentAddedEvent struct {
	EventID string
	Kind    forum.EventKind
	// CommentID is 0 on RESET.
	CommentID forum.CommentID
	// TopicID is where it was posted.
	TopicID forum.TopicID
}

// CommentsUpdatedEvent reports that a comment was posted or changed, or a RESET.
type CommentsUpdatedEvent struct {
	EventID string
	Kind    forum.EventKind
	// CommentID is nil on RESET.
	CommentID *forum.CommentID
	// TopicID is where it was posted.
	TopicID forum.TopicID
}

// TopicUpdatedEvent reports that a topic changed.
type TopicUpdatedEvent struct {
	TopicID forum.TopicID
}

// TimelineUpdatedEvent reports that a timeline changed, or a RESET.
type TimelineUpdatedEvent struct {
	EventID  string
	Kind     forum.EventKind
	Timeline forum.Timeline
	// TopicID is nil on RESET.
	TopicID *forum.TopicID
	// CreatedAt is when the topic was posted.
	CreatedAt forum.Time
}

// NotificationAddedEvent reports that a notification was added or marked as read, or a RESET.
type NotificationAddedEvent struct {
	EventID string
	Kind    forum.EventKind
	// OwnerID is the user notified, and Seq the number of the notification; 0 on RESET, and if several were marked.
	OwnerID forum.UserID
	Seq     int64
	Viewer  *Viewer
}

// Lost returns the RESET that takes the place of an event that cannot be read.
func (e *CommentAddedEvent) Lost() any {
	return &CommentAddedEvent{EventID: e.EventID, Kind: forum.EventReset, TopicID: e.TopicID}
}

// Lost is described at CommentAddedEvent.
func (e *CommentsUpdatedEvent) Lost() any {
	return &CommentsUpdatedEvent{EventID: e.EventID, Kind: forum.EventReset, TopicID: e.TopicID}
}

// Lost is described at CommentAddedEvent.
func (e *TimelineUpdatedEvent) Lost() any {
	return &TimelineUpdatedEvent{EventID: e.EventID, Kind: forum.EventReset, Timeline: e.Timeline}
}

// Lost is described at CommentAddedEvent.
func (e *NotificationAddedEvent) Lost() any {
	return &NotificationAddedEvent{EventID: e.EventID, Kind: forum.EventReset, OwnerID: e.OwnerID, Viewer: e.Viewer}
}

// Position is the event's ID. Subscribers of a topic that are at the same position receive the same events next.
func (e *CommentAddedEvent) Position() string {
	if e == nil {
		return ""
	}
	return e.EventID
}

// Position is the event's ID.
func (e *CommentsUpdatedEvent) Position() string {
	if e == nil {
		return ""
	}
	return e.EventID
}

// Position is the event's ID, or "" for a snapshot, whose next events depend on when the subscription began.
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
