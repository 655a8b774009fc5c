package record

import (
	"strconv"

	"agora/internal/forum"
)

// CommentState is the state of a comment that the indexes need.
type CommentState struct {
	ID       forum.CommentID
	Rev      int64
	Live     bool // neither it nor its topic is deleted
	Created  forum.Time
	Author   forum.UserID
	Notified []forum.UserID // users who may have a notification of it
	// Votes is nil if no one ever voted on it.
	Votes *CommentVotes
}

// CommentVotes are the votes on a comment as its author's karma counts them.
type CommentVotes struct {
	// Rev rises with each vote.
	Rev int64
	// Net is the number of votes of others than the author, up minus down.
	Net int
}

// CommentVoteFields are the fields of a comment that ParseVotes needs.
var CommentVoteFields = []string{"up", "down", "own", "votes"}

// ParseVotes returns the votes on a comment.
func ParseVotes(f Fields) *CommentVotes {
	if f["up"] == "" && f["down"] == "" {
		return nil
	}
	return &CommentVotes{Rev: int64(f.Int("votes")), Net: f.Int("up") - f.Int("down") - f.Int("own")}
}

// Final is the revision of the votes on a deleted comment, which no longer count.
const Final = 1 << 52

// Karma returns what the author's karma counts: nothing once the comment is deleted, or its topic.
func (c CommentState) Karma() CommentVotes {
	if !c.Live {
		return CommentVotes{Rev: Final}
	}
	return *c.Votes
}

// VotesRev returns the revision of its votes for the removal of its dirty mark.
func (c CommentState) VotesRev() string {
	if c.Votes == nil || c.Votes.Rev == 0 {
		return ""
	}
	return strconv.FormatInt(c.Votes.Rev, 10)
}

// Revisions of a comment's entry in its author's list. Deletion is permanent, whether of the comment or of
// its topic.
const (
	CommentLive    = 1
	CommentDeleted = 2
)
