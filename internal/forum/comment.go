package forum

import (
	"slices"
	"strconv"
)

// CommentState is the state of a comment.
type CommentState string

// The states of a comment.
const (
	CommentOpen CommentState = "OPEN"
	// CommentLocked accepts no replies, votes and edits, but by moderators.
	CommentLocked CommentState = "LOCKED"
	// CommentHidden was hidden by a moderator: a tombstone for all but its author and moderators.
	CommentHidden CommentState = "HIDDEN"
	// CommentHeld waits for a moderator, and has no number: only its author and moderators see it.
	CommentHeld CommentState = "HELD"
	// CommentDeleted is a tombstone.
	CommentDeleted CommentState = "DELETED"
)

// Live reports whether comments in this state count, and can be read by all who see their topic.
func (s CommentState) Live() bool { return s == CommentOpen || s == CommentLocked }

// Comment is a reply to a topic or to another comment.
type Comment struct {
	Revised
	ID      CommentID
	TopicID TopicID
	// State is DELETED in a tombstone that DeletedAt makes one.
	State CommentState
	// Unlisted is set for a comment that is held, or was when it was deleted.
	Unlisted bool
	// Tombstone is set if the viewer may see no more than where it is.
	Tombstone bool
	// WriterID is who wrote the comment, AuthorID who is shown as its author: 0, the ghost, in a tombstone.
	WriterID, AuthorID UserID
	// ParentID is 0 for a reply to the topic itself.
	ParentID CommentID
	Depth    int
	// Number is the comment number: the position in the topic in order of posting, from 1.
	Number int
	// Content and Long are as in Topic.
	Content   string
	Long      int
	Format    ContentFormat
	CreatedAt Time
	EditedAt  Time
	DeletedAt Time
	// HiddenAt is when a moderator hid the comment, or refused one that is held; 0 if none did.
	HiddenAt   Time
	ReplyCount int
	Mentions   Mentions
	Upvotes    int
	Downvotes  int
}

// VisibleTo reports whether the viewer, who may see its topic t, may see that there is the comment.
func (c *Comment) VisibleTo(v *Viewer, t *Topic) bool { return !c.Unlisted || c.wholeFor(v, t) }

// wholeFor reports whether the viewer is its author, or moderates it.
func (c *Comment) wholeFor(v *Viewer, t *Topic) bool {
	return v.Is(c.WriterID) || v.moderatorOf(t.CategoryID)
}

// ShownTo returns what the viewer may read of the comment: nothing but its place if it is hidden.
func (c *Comment) ShownTo(v *Viewer, t *Topic) *Comment {
	if c.Tombstone {
		return c // already
	}
	if c.State == CommentDeleted || c.State == CommentHidden && !c.wholeFor(v, t) {
		return c.AsTombstone()
	}
	return c
}

// AsTombstone returns nothing of the comment but its place.
func (c *Comment) AsTombstone() *Comment {
	left := *c
	left.Tombstone = true
	left.AuthorID, left.EditorID, left.Content, left.Long, left.Mentions, left.HiddenAt = 0, 0, "", 0, nil, 0
	return &left
}

// Votes returns the vote counts of the comment. Voting is open as long as the comment is.
func (c *Comment) Votes(Time) VoteSummary {
	return VoteSummary{Comment: c.ID, Up: c.Upvotes, Down: c.Downvotes, Open: c.State == CommentOpen}
}

// Position is the comment's position in lists of comments by number.
func (c *Comment) Position() Position {
	return Position{Score: float64(c.Number), Member: strconv.FormatInt(int64(c.ID), 10)}
}

// Mention is a user named by `@login` in a text.
type Mention struct {
	// Fold is the folded login, used for comparison.
	Fold string
	// User is the user who had that login when the text was written.
	User UserID
	// Quoted reports that only quotations in the text name the user, who is not notified of them.
	Quoted bool `json:",omitempty"` // see posts.NewTopic: keys cover mentions
}

// Mentions are the users named in a text, in order, without duplicates; those only in quotations come last.
type Mentions []Mention

// Direct returns those whom the text names outside quotations.
func (ms Mentions) Direct() Mentions {
	for i, m := range ms {
		if m.Quoted {
			return ms[:i]
		}
	}
	return ms
}

// Others reports whether anyone other than the user than is mentioned.
func (ms Mentions) Others(than UserID) bool {
	return slices.ContainsFunc(ms.Direct(), func(m Mention) bool { return m.User != than })
}

// CommentOrder is the order of a list of comments.
type CommentOrder string

// The orders of comments: two by number, which are live, and two by votes, which stay as they were
// when the first page was read.
const (
	Oldest            CommentOrder = "OLDEST"
	Newest            CommentOrder = "NEWEST"
	MostVoted         CommentOrder = "TOP"
	MostControversial CommentOrder = "CONTROVERSIAL"
)

// Ranked reports whether the order is by votes.
func (o CommentOrder) Ranked() bool { return o == MostVoted || o == MostControversial }
