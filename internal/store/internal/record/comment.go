package record

import (
	"cmp"
	"strconv"

	"agora/internal/forum"
)

// CommentState is the state of a comment that the indexes need.
type CommentState struct {
	ID       forum.CommentID
	Rev      int64
	Live     bool // it is read and counted, and its topic is listed
	Deleted  bool // it or its topic is deleted, for good
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

// Karma returns what the author's karma counts: nothing unless the comment is live.
func (c CommentState) Karma() CommentVotes {
	switch {
	case c.Deleted:
		return CommentVotes{Rev: Final}
	case !c.Live:
		return CommentVotes{Rev: c.Votes.Rev}
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

// CommentPosted is the revision of a comment that was just posted. It rises whenever the comment, or its topic, is
// hidden, restored or deleted: its author's list has it or not as of that revision.
const CommentPosted = 1

// CommentStateFields are the fields of a comment that ParseCommentState needs.
var CommentStateFields = append([]string{"rev", "author", "created", "deleted", "state", "told", "tell"},
	CommentVoteFields...)

// ParseCommentState returns the state of a comment of a topic.
func ParseCommentState(id forum.CommentID, f Fields, topic TopicState) CommentState {
	state := cmp.Or(forum.CommentState(f["state"]), forum.CommentOpen)
	return CommentState{
		ID:       id,
		Rev:      int64(f.Int("rev")),
		Live:     f["deleted"] == "" && state.Live() && topic.Listed,
		Deleted:  f["deleted"] != "" || topic.Deleted,
		Created:  f.Time("created"),
		Author:   forum.UserID(f.Int("author")),
		Votes:    ParseVotes(f),
		Notified: ParseIDs[forum.UserID](f["told"] + " " + f["tell"]),
	}
}
