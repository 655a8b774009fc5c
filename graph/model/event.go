package model

import "agora/internal/forum"

// Events that one wake-up brings come together: More tells how many of them follow at
// once, so that what is selected beneath them can be read together.
type wave struct{ more int }

// InWave notes how many events of the same wake-up follow.
func (w *wave) InWave(more int) { w.more = more }

// CommentAddedEvent tells that a comment was posted, or a RESET.
type CommentAddedEvent struct {
	wave
	EventID string
	Kind    forum.EventKind
	// CommentID is 0 on RESET.
	CommentID forum.CommentID
	// TopicID is where it was posted.
	TopicID forum.TopicID
}

// TopicUpdatedEvent tells that a topic changed.
type TopicUpdatedEvent struct {
	wave
	TopicID forum.TopicID
}

// TimelineUpdatedEvent tells that a timeline changed, or a RESET.
type TimelineUpdatedEvent struct {
	wave
	EventID  string
	Kind     forum.EventKind
	Timeline forum.Timeline
	// TopicID is nil on RESET.
	TopicID *forum.TopicID
	// CreatedAt is when the topic was posted.
	CreatedAt forum.Time
}

// NotificationAddedEvent tells that a notification came, or a RESET.
type NotificationAddedEvent struct {
	wave
	EventID string
	Kind    forum.EventKind
	// OwnerID is whose notification it is, and Seq its number; 0 on RESET.
	OwnerID forum.UserID
	Seq     int64
}

// More is how many events of the same wake-up follow.
func (e *CommentAddedEvent) More() int {
	if e == nil {
		return 0
	}
	return e.more
}

// More is how many events of the same wake-up follow.
func (e *TimelineUpdatedEvent) More() int {
	if e == nil {
		return 0
	}
	return e.more
}

// More is how many events of the same wake-up follow.
func (e *NotificationAddedEvent) More() int {
	if e == nil {
		return 0
	}
	return e.more
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
