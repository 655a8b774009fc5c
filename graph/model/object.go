package model

import (
	"agora/internal/forum"
)

// Node is any object that has a global id.
type Node interface{ IsNode() }

// Votable is a topic or a comment.
type Votable interface {
	Node
	Votes(now forum.Time) forum.VoteSummary
}

// Followable is a user, category or tag.
type Followable interface {
	Node
	IsFollowable()
}

// Viewer is the private side of the signed-in user.
type Viewer struct{ UserID forum.UserID }

// IsNode marks what has a global id and can be fetched by it.
func (*Viewer) IsNode() {}

// ID is the viewer's id, which differs from the user's.
func (v *Viewer) ID() ViewerID { return ViewerID(v.UserID) }

// Session is one place where the viewer is signed in.
type Session struct {
	forum.Session
	// IsCurrent reports whether the present request came through it.
	IsCurrent bool
}

// IsNode marks what has a global id and can be fetched by it.
func (*Session) IsNode() {}

// ID is the session's global id; the token cannot be made from it.
func (s *Session) ID() string { return SessionID(s.User, s.Digest) }

// LastSeenAt is when it was last used.
func (s *Session) LastSeenAt() forum.Time { return s.SeenAt }

// ExpiresAt is when it ends by itself.
func (s *Session) ExpiresAt() forum.Time { return s.EndsAt }

// UserAgent is the header at sign-in, if one was sent.
func (s *Session) UserAgent() *string {
	if s.Session.UserAgent == "" {
		return nil
	}
	return &s.Session.UserAgent
}

// Site is the facts of the installation that need no read.
type Site struct{ Name, TimeZone string }

// VotingWindowSeconds is how long an article takes votes.
func (*Site) VotingWindowSeconds() int { return int(forum.VotingWindow / 1000) }

// SecondsPerVote is what a vote weighs in the order SCORE.
func (*Site) SecondsPerVote() int { return forum.VoteWeight }

// VoteSummary is the votes on one subject.
type VoteSummary struct {
	forum.VoteSummary
}

// SubjectID is the global id of the topic or comment.
func (s *VoteSummary) SubjectID() string {
	if s.Topic != 0 {
		return numberID(TypeTopic, s.Topic)
	}
	return numberID(TypeComment, s.Comment)
}

// IsOpen reports whether a vote would be taken now.
func (s *VoteSummary) IsOpen() bool { return s.Open }

// connection is one page of a list. Cursors are bound to the list's name.
type connection struct {
	list string
	page forum.Page
}

// Rows is the page.
func (c *connection) Rows() forum.Page { return c.page }

// Cursor is the cursor of one of the page's rows; "" on a bare page.
func (c *connection) Cursor(row int) string {
	if c.page.Rows[row].Member == "" {
		return ""
	}
	return c.page.Rows[row].Cursor(c.list)
}

// PageInfo tells where the page stands.
func (c *connection) PageInfo() *PageInfo { return &PageInfo{c} }

// PageInfo tells where a page stands.
type PageInfo struct{ of *connection }

// HasNextPage reports whether more follows.
func (i *PageInfo) HasNextPage() bool { return i.of.page.HasNext() }

// HasPreviousPage reports whether something precedes.
func (i *PageInfo) HasPreviousPage() bool { return i.of.page.HasPrevious() }

// StartCursor is the cursor of the first row; nil if there is none.
func (i *PageInfo) StartCursor() *string { return i.cursor(0) }

// EndCursor is the cursor of the last row; nil if there is none.
func (i *PageInfo) EndCursor() *string { return i.cursor(len(i.of.page.Rows) - 1) }

func (i *PageInfo) cursor(row int) *string {
	if len(i.of.page.Rows) == 0 {
		return nil
	}
	c := i.of.Cursor(row)
	return &c
}

// TotalCount is the length of the whole list.
func (c *connection) TotalCount() int { return c.page.Total }

// TotalCount is the length of the whole timeline; nil where nobody counts.
func (c *TopicConnection) TotalCount() *int {
	if !c.Timeline.Counted() {
		return nil
	}
	return &c.page.Total
}

// TopicConnection is a page of topics.
type TopicConnection struct {
	connection
	// Timeline is whose page it is.
	Timeline forum.Timeline
}

// AsOf is when the snapshot was taken; 0 in live orders.
func (c *TopicConnection) AsOf() forum.Time { return c.page.AsOf }

// Edge is one of the page's rows, where its topic stands.
func (c *TopicConnection) Edge(row int, node *forum.Topic) *TopicEdge {
	return &TopicEdge{Cursor: c.connection.Cursor(row), Node: node, of: c, row: row}
}

// TopicEdge is a topic's place in a timeline.
type TopicEdge struct {
	Cursor string
	Node   *forum.Topic
	of     *TopicConnection
	row    int
}

// Rank is the place in the whole timeline, from 1; nil where nobody counts.
func (e *TopicEdge) Rank() *int {
	if !e.of.Timeline.Counted() {
		return nil
	}
	rank := e.of.page.Start + e.row + 1
	return &rank
}

// Score is the number that it is sorted by.
func (e *TopicEdge) Score() float64 {
	return forum.Explain(e.of.Timeline.Order, e.of.page.Rows[e.row]).Score()
}

// Explanation tells why it stands where it does.
func (e *TopicEdge) Explanation() *RankExplanation {
	return &RankExplanation{Explanation: forum.Explain(e.of.Timeline.Order, e.of.page.Rows[e.row]), Edge: e}
}

// RankExplanation tells why a topic stands where it does.
type RankExplanation struct {
	forum.Explanation
	// Edge is the topic's place.
	Edge *TopicEdge
}

// VotesToPass is how many votes would lift the topic above the one before it, as far as
// its own present votes allow it to be told; nil where none would.
func (e *RankExplanation) VotesToPass(now forum.Time) *int {
	of, row, node := e.Edge.of, e.Edge.row, e.Edge.Node
	before := of.page.Lead
	if row > 0 {
		before = &of.page.Rows[row-1]
	}
	votes := node.Votes(now)
	if before == nil || of.Timeline.Direction != forum.Descending || !votes.Open {
		return nil
	}
	return forum.VotesToPass(of.Timeline.Order, of.page.Rows[row], *before, votes.Net())
}

// CommentConnection is a page of comments.
type CommentConnection struct{ connection }

// CategoryConnection is a page of categories.
type CategoryConnection struct{ connection }

// TabConnection is a page of tabs.
type TabConnection struct{ connection }

// UserConnection is a page of users.
type UserConnection struct {
	connection
	timed bool // the list stands by times, in microseconds
}

// Edge is one of the page's rows, where its user stands.
func (c *UserConnection) Edge(row int, node *forum.User) *UserEdge {
	e := &UserEdge{Cursor: c.Cursor(row), Node: node}
	if c.timed {
		e.Since = forum.Time(c.page.Rows[row].Score / 1000)
	}
	return e
}

// UserEdge is a user's place in a list.
type UserEdge struct {
	Cursor string
	Node   *forum.User
	// Since is when the user came to the list; 0 where that is not kept.
	Since forum.Time
}

// UserListConnection is a page of lists of users.
type UserListConnection struct{ connection }

// NewTopicConnection makes the connection of a page of the timeline.
func NewTopicConnection(t forum.Timeline, p forum.Page) *TopicConnection {
	return &TopicConnection{connection{t.Name(), p}, t}
}

// NewUserConnection makes the connection of a page of the list.
func NewUserConnection(list string, p forum.Page) *UserConnection {
	return &UserConnection{connection{list, p}, false}
}

// NewTimedUserConnection makes the connection of a page of a list that stands by the
// times at which users came to it.
func NewTimedUserConnection(list string, p forum.Page) *UserConnection {
	return &UserConnection{connection{list, p}, true}
}

// NewUserListConnection makes the connection of a page of the list.
func NewUserListConnection(list string, p forum.Page) *UserListConnection {
	return &UserListConnection{connection{list, p}}
}

// NewCommentConnection makes the connection of a page of the list.
func NewCommentConnection(list string, p forum.Page) *CommentConnection {
	return &CommentConnection{connection{list, p}}
}

// NewCategoryConnection makes the connection of a page of the list.
func NewCategoryConnection(list string, p forum.Page) *CategoryConnection {
	return &CategoryConnection{connection{list, p}}
}

// NewTabConnection makes the connection of a page of the list.
func NewTabConnection(list string, p forum.Page) *TabConnection {
	return &TabConnection{connection{list, p}}
}
