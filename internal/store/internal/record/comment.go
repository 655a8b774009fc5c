package record

import "agora/internal/forum"

// CommentState is the state of a comment that the indexes need.
type CommentState struct {
	ID       forum.CommentID
	Rev      int64
	Live     bool // neither it nor its topic is deleted
	Created  forum.Time
	Author   forum.UserID
	Notified []forum.UserID // users who may have a notification of it
}

// Revisions of a comment's entry in its author's list. Deletion is permanent, whether of the comment or of
// its topic.
const (
	CommentLive    = 1
	CommentDeleted = 2
)
