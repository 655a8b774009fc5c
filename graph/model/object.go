package model

import (
	"cmp"
	"strconv"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
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

// Viewer is the private data of the signed-in user.
type Viewer struct{ UserID forum.UserID }

// IsNode marks a type with a global id, by which it can be fetched.
func (*Viewer) IsNode() {}

// ID is the viewer's id, which differs from the user's.
func (v *Viewer) ID() ViewerID { return ViewerID(v.UserID) }

// Session is one sign-in of the viewer.
type Session struct {
	forum.Session
	// IsCurrent reports whether the present request uses it.
	IsCurrent bool
}

// IsNode marks a type with a global id, by which it can be fetched.
func (*Session) IsNode() {}

// ID is the session's global id; the token cannot be derived from it.
func (s *Session) ID() string { return SessionID(s.User, s.Digest) }

// LastSeenAt is when it was last used.
func (s *Session) LastSeenAt() forum.Time { return s.SeenAt }

// ExpiresAt is when it expires.
func (s *Session) ExpiresAt() forum.Time { return s.EndsAt }

// UserAgent is the header at sign-in, if one was sent.
func (s *Session) UserAgent() *string {
	if s.Session.UserAgent == "" {
		return nil
	}
	return &s.Session.UserAgent
}

// APIToken is an API token of the viewer.
type APIToken struct{ forum.APIToken }

// IsNode marks a type with a global id, by which it can be fetched.
func (*APIToken) IsNode() {}

// ID is the token's global id; the secret cannot be derived from it.
func (t *APIToken) ID() string { return TokenID(t.User, t.Digest) }

// LastUsedAt is when it was last used, or nil.
func (t *APIToken) LastUsedAt() *forum.Time { return someTime(t.SeenAt) }

// ExpiresAt is when it ends even if it is used, or nil.
func (t *APIToken) ExpiresAt() *forum.Time { return someTime(t.EndsAt) }

// someTime returns a time, or nil for 0.
func someTime(t forum.Time) *forum.Time {
	if t == 0 {
		return nil
	}
	return &t
}

// Ban is a ban in force.
type Ban struct {
	forum.Ban
	// Act is the entry of the moderation log.
	Act *forum.Act
}

// Note is the moderator's remark, or nil.
func (b *Ban) Note() *string {
	if b.Act.Note == "" {
		return nil
	}
	return &b.Act.Note
}

// CreatedAt is when it was imposed.
func (b *Ban) CreatedAt() forum.Time { return b.Act.CreatedAt }

// Preview is a text that is not posted.
type Preview struct {
	Content  string
	Format   forum.ContentFormat
	Mentions forum.Mentions
}

// VoteSummary is the votes on one subject.
type VoteSummary struct {
	forum.VoteSummary
}

// SubjectID is the global id of the topic or comment.
func (s *VoteSummary) SubjectID() string {
	if s.Topic != 0 {
		return globalid.OfNumber(globalid.Topic, s.Topic)
	}
	return globalid.OfNumber(globalid.Comment, s.Comment)
}

// IsOpen reports whether a vote would be accepted now.
func (s *VoteSummary) IsOpen() bool { return s.Open }

// connection is one page of a list. Cursors are bound to the list's name.
type connection struct {
	list string
	page *forum.Page
}

// Rows is the page.
func (c *connection) Rows() *forum.Page { return c.page }

// Cursor is the cursor of one of the page's rows; "" on a bare page.
func (c *connection) Cursor(row int) string {
	if c.page.Rows[row].Member == "" {
		return ""
	}
	if c.page.Examined != nil {
		return c.page.Examined.At[row].Cursor(c.list)
	}
	if row < c.page.Pinned {
		return forum.PinPosition(row).Cursor(c.list)
	}
	if c.page.Walk != 0 {
		at := forum.Position{Score: float64(c.page.Walk), Member: strconv.Itoa(c.page.Place(row))}
		return at.Cursor(c.list)
	}
	return c.page.Rows[row].Cursor(c.list)
}

// PageInfo returns the position of the page.
func (c *connection) PageInfo() *PageInfo { return &PageInfo{c} }

// PageInfo is the position of a page.
type PageInfo struct{ of *connection }

// HasNextPage reports whether more rows follow.
func (i *PageInfo) HasNextPage() bool { return i.of.page.HasNext() }

// HasPreviousPage reports whether rows precede.
func (i *PageInfo) HasPreviousPage() bool { return i.of.page.HasPrevious() }

// StartCursor is the cursor of the first row, or nil if the page is empty; of a page of some kinds, of the first topic
// that was examined.
func (i *PageInfo) StartCursor() *string {
	if e := i.of.page.Examined; e != nil {
		return i.position(e.First)
	}
	return i.cursor(0)
}

// EndCursor is the cursor of the last row, or nil if the page is empty; of a page of some kinds, of the last topic that
// was examined for it.
func (i *PageInfo) EndCursor() *string {
	if e := i.of.page.Examined; e != nil {
		return i.position(e.Last)
	}
	return i.cursor(len(i.of.page.Rows) - 1)
}

func (i *PageInfo) position(p *forum.Position) *string {
	if p == nil {
		return nil
	}
	c := p.Cursor(i.of.list)
	return &c
}

func (i *PageInfo) cursor(row int) *string {
	if len(i.of.page.Rows) == 0 {
		return nil
	}
	c := i.of.Cursor(row)
	return &c
}

// TotalCount is the length of the whole list.
func (c *connection) TotalCount() int { return cmp.Or(c.page.All, c.page.Total) - c.page.Hidden }

// TotalCount is the length of the whole timeline, or nil if it is not counted.
func (c *TopicConnection) TotalCount() *int {
	if !c.Timeline.Counted() {
		return nil
	}
	total := c.connection.TotalCount()
	return &total
}

// TopicConnection is a page of topics.
type TopicConnection struct {
	connection
	// Timeline is the timeline of the page.
	Timeline forum.Timeline
	// HideBlocked leaves out the topics of users whom the viewer has blocked.
	HideBlocked bool
}

// AsOf is when the snapshot was taken; 0 in live orders.
func (c *TopicConnection) AsOf() forum.Time { return c.page.AsOf }

// Edge returns the edge of one of the page's rows.
func (c *TopicConnection) Edge(row int, node *loader.Topic) *TopicEdge {
	return &TopicEdge{Cursor: c.connection.Cursor(row), Node: node, of: c, row: row}
}

// TopicEdge is a topic's position in a timeline.
type TopicEdge struct {
	Cursor string
	Node   *loader.Topic
	of     *TopicConnection
	row    int
}

// Rank is the position in the whole timeline, from 1, or nil if it is not counted, or not known of a pinned topic.
func (e *TopicEdge) Rank() *int {
	place := e.of.page.Place(e.row)
	if !e.of.Timeline.Counted() || place < 0 {
		return nil
	}
	rank := place + 1
	return &rank
}

// IsPinned reports whether it stands there because it is pinned.
func (e *TopicEdge) IsPinned() bool { return e.row < e.of.page.Pinned }

// Score is the number that it is sorted by.
func (e *TopicEdge) Score() float64 {
	return forum.Explain(e.of.Timeline.Order, e.of.page.Rows[e.row]).Score()
}

// Explanation explains the position.
func (e *TopicEdge) Explanation() *RankExplanation {
	return &RankExplanation{Explanation: forum.Explain(e.of.Timeline.Order, e.of.page.Rows[e.row]), Edge: e}
}

// RankExplanation explains the position of a topic.
type RankExplanation struct {
	forum.Explanation
	// Edge is the topic's position.
	Edge *TopicEdge
}

// VotesToPass is how many up-votes would lift the topic above the one before it, as far as the topic's own votes
// show; nil if no number would.
func (e *RankExplanation) VotesToPass(now forum.Time) *int {
	of, row, node := e.Edge.of, e.Edge.row, e.Edge.Node
	before := of.page.Preceding
	if of.page.Places != nil {
		before = nil // until it is found
	}
	for i := range of.page.Rows {
		if place := of.page.Place(row); place > 0 && of.page.Place(i) == place-1 {
			before = &of.page.Rows[i]
		}
	}
	votes := node.Votes(now)
	if before == nil || of.Timeline.Direction != forum.Descending || !votes.Open {
		return nil
	}
	return forum.VotesToPass(of.Timeline.Order, of.page.Rows[row], *before, votes.Net())
}

// CommentConnection is a page of comments.
type CommentConnection struct {
	connection
	// HideBlocked leaves out the comments of users whom the viewer has blocked.
	HideBlocked bool
}

// CategoryConnection is a page of categories.
type CategoryConnection struct{ connection }

// TabConnection is a page of tabs.
type TabConnection struct{ connection }

// TagConnection is a page of tags.
type TagConnection struct{ connection }

// NewTagConnection returns the connection of a page of the list.
func NewTagConnection(list string, p *forum.Page) *TagConnection {
	return &TagConnection{connection{list, p}}
}

// UserConnection is a page of users.
type UserConnection struct {
	connection
	timed bool // the list is sorted by times, in microseconds
}

// Edge returns the edge of one of the page's rows.
func (c *UserConnection) Edge(row int, node *loader.User) *UserEdge {
	e := &UserEdge{Cursor: c.Cursor(row), Node: node}
	if c.timed {
		e.Since = forum.Time(c.page.Rows[row].Score / 1000)
	}
	return e
}

// UserEdge is a user's position in a list.
type UserEdge struct {
	Cursor string
	Node   *loader.User
	// Since is when the user was added to the list; 0 if that is not stored.
	Since forum.Time
}

// UserListConnection is a page of lists of users.
type UserListConnection struct{ connection }

// NewTopicConnection returns the connection of a page of the timeline.
func NewTopicConnection(t forum.Timeline, p *forum.Page) *TopicConnection {
	return &TopicConnection{connection: connection{PageName(t, p.Walk != 0), p}, Timeline: t}
}

// PageName returns what the cursors of a timeline's pages are bound to.
func PageName(t forum.Timeline, fixed bool) string {
	if fixed {
		return t.Name() + ":fixed"
	}
	return t.Name()
}

// NewUserConnection returns the connection of a page of the list.
func NewUserConnection(list string, p *forum.Page) *UserConnection {
	return &UserConnection{connection{list, p}, false}
}

// NewTimedUserConnection returns the connection of a page of a list that is sorted by the times at which users were
// added.
func NewTimedUserConnection(list string, p *forum.Page) *UserConnection {
	return &UserConnection{connection{list, p}, true}
}

// NewUserListConnection returns the connection of a page of the list.
func NewUserListConnection(list string, p *forum.Page) *UserListConnection {
	return &UserListConnection{connection{list, p}}
}

// NewCommentConnection returns the connection of a page of the list.
func NewCommentConnection(list string, p *forum.Page) *CommentConnection {
	return &CommentConnection{connection: connection{list, p}}
}

// NewCategoryConnection returns the connection of a page of the list.
func NewCategoryConnection(list string, p *forum.Page) *CategoryConnection {
	return &CategoryConnection{connection{list, p}}
}

// NewTabConnection returns the connection of a page of the list.
func NewTabConnection(list string, p *forum.Page) *TabConnection {
	return &TabConnection{connection{list, p}}
}
