package record

import "agora/internal/forum"

// CommentState is what the indexes need to know of a comment.
type CommentState struct {
	ID       forum.CommentID
	Rev      int64
	Live     bool // neither it nor its topic is deleted
	Created  forum.Time
	Author   forum.UserID
	Notified []forum.UserID // who may have a notification of it
}

// Revisions of a comment's entry in its author's list: deletion is for good,
// whether of the comment or of its topic.
const (
	CommentLive    = 1
	CommentDeleted = 2
)
