package forum

import (
	"slices"
	"strconv"
)

// Comment is a reply to a topic or to another comment.
type Comment struct {
	Handle
	ID      CommentID
	TopicID TopicID
	// AuthorID is 0, the ghost, in a tombstone.
	AuthorID UserID
	// ParentID is 0 for a reply to the topic itself.
	ParentID CommentID
	Depth    int
	// Number is the comment number: the position in the topic in order of posting, from 1.
	Number     int
	Content    string
	Format     ContentFormat
	CreatedAt  Time
	EditedAt   Time
	DeletedAt  Time
	ReplyCount int
	Mentions   Mentions
	Upvotes    int
	Downvotes  int
}

// Votes returns the vote counts of the comment. Voting closes only when the comment is deleted.
func (c *Comment) Votes(Time) VoteSummary {
	return VoteSummary{Comment: c.ID, Up: c.Upvotes, Down: c.Downvotes, Open: c.DeletedAt == 0}
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
}

// Mentions are the users mentioned in a text, in order, without duplicates.
type Mentions []Mention

// Others reports whether anyone other than the user than is mentioned.
func (ms Mentions) Others(than UserID) bool {
	return slices.ContainsFunc(ms, func(m Mention) bool { return m.User != than })
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
