package record

import (
	"cmp"
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/script"
)

// CommentState is the state of a comment that the indexes need.
type CommentState struct {
	ID       forum.CommentID
	Rev      int64
	Live     bool // it is read and counted, and its topic is public
	Deleted  bool // it or its topic is deleted, for good
	Created  forum.Time
	Author   forum.UserID
	Notified []forum.UserID // users who may have a notification of it
	Withheld Withheld       // why these notifications are withheld
	TopicRev int64          // the revision of its topic
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

// ParseCommentState returns the state of a comment of a topic, given the fields of script.CommentStateFields.
func ParseCommentState(id forum.CommentID, f Fields, topic TopicState) CommentState {
	return NewCommentState(id, script.ReadCommentState(Values(f, script.CommentStateFields)), topic)
}

// NewCommentState returns the state of a comment of a topic, with these fields.
func NewCommentState(id forum.CommentID, of script.CommentState, topic TopicState) CommentState {
	state := cmp.Or(forum.CommentState(of.State), forum.CommentOpen)
	host := forum.TopicHidden
	if topic.Listed {
		host = forum.TopicOpen
	} else if topic.Deleted {
		host = forum.TopicDeleted
	}
	c := CommentState{
		ID:       id,
		Rev:      of.Rev,
		Live:     of.Deleted == "" && state.Live() && topic.Public,
		Deleted:  of.Deleted != "" || topic.Deleted,
		Created:  of.Created,
		Author:   of.Author,
		Notified: ParseIDs[forum.UserID](of.Told + " " + of.Tell),
		Withheld: CommentWithheld(Fields{"deleted": of.Deleted, "state": of.State}, host),
		TopicRev: topic.Rev,
	}
	if of.Up != "" || of.Down != "" {
		c.Votes = &CommentVotes{Rev: of.Votes, Net: int(Atoi(of.Up) - Atoi(of.Down) - of.Own)}
	}
	return c
}
