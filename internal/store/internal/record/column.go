package record

import (
	"cmp"

	"agora/internal/forum"
)

// Column is one field of a hash, and how it is set in an object of type T.
type Column[T any] struct {
	Name string
	Set  func(o *T, value string)
}

// Columns are the fields of an object that readers see. What some readers only need comes last: the text of a post, the
// counts of a user.
type Columns[T any] struct {
	All    []Column[T]
	Basics int // how many of them are forum.Basics
}

// columns returns the columns of an object, given the basics and the others.
func columns[T any](basics []Column[T], others ...Column[T]) Columns[T] {
	return Columns[T]{append(basics, others...), len(basics)}
}

// of returns the columns of a part.
func (c Columns[T]) of(p forum.Part) []Column[T] {
	if p == forum.Everything {
		return c.All
	}
	return c.All[:c.Basics]
}

// TopicColumns are the fields of a topic that readers see.
var TopicColumns = columns([]Column[forum.Topic]{
	{"state", func(t *forum.Topic, v string) { t.State = forum.TopicState(v) }},
	{"author", func(t *forum.Topic, v string) { t.AuthorID = forum.UserID(Atoi(v)) }},
	{"kind", func(t *forum.Topic, v string) { t.Kind = forum.TopicKind(v) }},
	{"title", func(t *forum.Topic, v string) { t.Title = v }},
	{"format", func(t *forum.Topic, v string) { t.Format = forum.ContentFormat(v) }},
	{"link", func(t *forum.Topic, v string) { t.Link = v }},
	{"category", func(t *forum.Topic, v string) { t.CategoryID = forum.CategoryID(Atoi(v)) }},
	{"created", func(t *forum.Topic, v string) { t.CreatedAt = forum.Time(Atoi(v)) }},
	{"edited", func(t *forum.Topic, v string) { t.EditedAt = forum.Time(Atoi(v)) }},
	{"deleted", func(t *forum.Topic, v string) { t.DeletedAt = forum.Time(Atoi(v)) }},
	{"active", func(t *forum.Topic, v string) { t.LastActiveAt = forum.Time(Atoi(v)) }},
	{"clicks", func(t *forum.Topic, v string) { t.ClickCount = int(Atoi(v)) }},
	{"comments", func(t *forum.Topic, v string) { t.CommentCount = int(Atoi(v)) }},
	{"up", func(t *forum.Topic, v string) { t.Upvotes = int(Atoi(v)) }},
	{"down", func(t *forum.Topic, v string) { t.Downvotes = int(Atoi(v)) }},
	{"tags", func(t *forum.Topic, v string) { t.Tags = DecodeTags(v) }},
	{"day", func(t *forum.Topic, v string) { t.Day = forum.Day(Atoi(v)) }},
	{"dayComments", func(t *forum.Topic, v string) { t.DayComments = int(Atoi(v)) }},
	{"dayBefore", func(t *forum.Topic, v string) { t.DayBefore = int(Atoi(v)) }},
	{"mentions", func(t *forum.Topic, v string) { t.Mentions = DecodeMentions(v) }},
	{"revision", func(t *forum.Topic, v string) { t.Revision = int(Atoi(v)) }},
	{"editor", func(t *forum.Topic, v string) { t.EditorID = forum.UserID(Atoi(v)) }},
	{"revised", func(t *forum.Topic, v string) { t.Since = forum.Time(Atoi(v)) }},
	{"hidden", func(t *forum.Topic, v string) { t.HiddenAt = forum.Time(Atoi(v)) }},
},
	Column[forum.Topic]{"content", func(t *forum.Topic, v string) { t.Content = v }},
)

// CommentColumns are the fields of a comment that readers see.
var CommentColumns = columns([]Column[forum.Comment]{
	{"topic", func(c *forum.Comment, v string) { c.TopicID = forum.TopicID(Atoi(v)) }},
	{"deleted", func(c *forum.Comment, v string) { c.DeletedAt = forum.Time(Atoi(v)) }},
	{"author", func(c *forum.Comment, v string) { c.WriterID = forum.UserID(Atoi(v)); c.AuthorID = c.WriterID }},
	{"parent", func(c *forum.Comment, v string) { c.ParentID = forum.CommentID(Atoi(v)) }},
	{"depth", func(c *forum.Comment, v string) { c.Depth = int(Atoi(v)) }},
	{"floor", func(c *forum.Comment, v string) { c.Number = int(Atoi(v)) }},
	{"format", func(c *forum.Comment, v string) { c.Format = forum.ContentFormat(v) }},
	{"created", func(c *forum.Comment, v string) { c.CreatedAt = forum.Time(Atoi(v)) }},
	{"edited", func(c *forum.Comment, v string) { c.EditedAt = forum.Time(Atoi(v)) }},
	{"replies", func(c *forum.Comment, v string) { c.ReplyCount = int(Atoi(v)) }},
	{"mentions", func(c *forum.Comment, v string) { c.Mentions = DecodeMentions(v) }},
	{"up", func(c *forum.Comment, v string) { c.Upvotes = int(Atoi(v)) }},
	{"down", func(c *forum.Comment, v string) { c.Downvotes = int(Atoi(v)) }},
	{"revision", func(c *forum.Comment, v string) { c.Revision = int(Atoi(v)) }},
	{"editor", func(c *forum.Comment, v string) { c.EditorID = forum.UserID(Atoi(v)) }},
	{"revised", func(c *forum.Comment, v string) { c.Since = forum.Time(Atoi(v)) }},
	{"state", func(c *forum.Comment, v string) {
		c.State = cmp.Or(forum.CommentState(v), forum.CommentOpen)
		c.Unlisted = c.State == forum.CommentHeld
	}},
	{"hidden", func(c *forum.Comment, v string) { c.HiddenAt = forum.Time(Atoi(v)) }},
},
	Column[forum.Comment]{"content", func(c *forum.Comment, v string) { c.Content = v }},
)

// CategoryColumns are the fields of a category that readers see.
var CategoryColumns = columns([]Column[forum.Category]{
	{"name", func(c *forum.Category, v string) { c.Name = v }},
	{"description", func(c *forum.Category, v string) { c.Description = v }},
	{"position", func(c *forum.Category, v string) { c.Position = int(Atoi(v)) }},
})

// TagColumns are the fields of a tag that readers see.
var TagColumns = columns([]Column[forum.Tag]{
	{"name", func(t *forum.Tag, v string) { t.Name = v }},
})

// TabColumns are the fields of a tab that readers see.
var TabColumns = columns([]Column[forum.Tab]{
	{"name", func(t *forum.Tab, v string) { t.Name = v }},
	{"categories", func(t *forum.Tab, v string) { t.CategoryCount = int(Atoi(v)) }},
	{"position", func(t *forum.Tab, v string) { t.Position = int(Atoi(v)) }},
})

// ListColumns are the fields of a list of users that readers see.
var ListColumns = columns([]Column[forum.UserList]{
	{"owner", func(l *forum.UserList, v string) { l.OwnerID = forum.UserID(Atoi(v)) }},
	{"name", func(l *forum.UserList, v string) { l.Name = v }},
})

// UserColumns are the fields of a user that readers see.
var UserColumns = columns([]Column[forum.User]{
	{"state", func(u *forum.User, v string) { u.Active = v == UserActive }},
	{"login", func(u *forum.User, v string) { u.Login = v }},
	{"fold", func(u *forum.User, v string) { u.LoginFold = v }},
	{"name", func(u *forum.User, v string) { u.Name = v }},
	{"role", func(u *forum.User, v string) { u.Role = forum.Role(v) }},
	{"created", func(u *forum.User, v string) { u.CreatedAt = forum.Time(Atoi(v)) }},
	{"bio", func(u *forum.User, v string) { u.Bio = v }},
	{"website", func(u *forum.User, v string) { u.Website = v }},
	{"avatar", func(u *forum.User, v string) { u.AvatarURL = v }},
	{"oldFold", func(u *forum.User, v string) { u.OldFold = v }},
	{"ban", func(u *forum.User, v string) { u.Ban.Scope = forum.BanScope(v) }},
	{"banUntil", func(u *forum.User, v string) { u.Ban.Until = forum.Time(Atoi(v)) }},
	{"banReason", func(u *forum.User, v string) { u.Ban.Reason = forum.Reason(v) }},
	{"banAct", func(u *forum.User, v string) { u.Ban.Act = forum.ActID(Atoi(v)) }},
	{"moderates", func(u *forum.User, v string) { u.Moderates = ParseIDs[forum.CategoryID](v) }},
})

// Decode sets all columns from a hash.
func Decode[T any](o *T, columns Columns[T], f Fields) *T {
	for _, c := range columns.All {
		c.Set(o, f[c.Name])
	}
	return o
}

// DecodeTopic returns a topic, or nil if it does not exist.
func DecodeTopic(id forum.TopicID, f Fields) *forum.Topic {
	if f["state"] == "" {
		return nil
	}
	return Decode(&forum.Topic{ID: id}, TopicColumns, f)
}

// DecodeComment returns a comment, or nil if it does not exist. The author of a tombstone is the ghost.
func DecodeComment(id forum.CommentID, f Fields) *forum.Comment {
	if f["topic"] == "" {
		return nil
	}
	c := Decode(&forum.Comment{ID: id}, CommentColumns, f)
	EndComment(c)
	return c
}

// EndComment makes a comment whose fields were set a tombstone if it is deleted.
func EndComment(c *forum.Comment) {
	if c.DeletedAt != 0 {
		c.State, c.AuthorID, c.HiddenAt = forum.CommentDeleted, 0, 0
	}
}

// DecodeCategory returns a category, or nil if it does not exist.
func DecodeCategory(id forum.CategoryID, f Fields) *forum.Category {
	if f["name"] == "" {
		return nil
	}
	return Decode(&forum.Category{ID: id}, CategoryColumns, f)
}

// DecodeTab returns a tab, or nil if it does not exist.
func DecodeTab(id forum.TabID, f Fields) *forum.Tab {
	if f["name"] == "" {
		return nil
	}
	return Decode(&forum.Tab{ID: id}, TabColumns, f)
}

// DecodeTag returns a tag, or nil if it does not exist.
func DecodeTag(id forum.TagID, f Fields) *forum.Tag {
	if f["name"] == "" {
		return nil
	}
	return Decode(&forum.Tag{ID: id}, TagColumns, f)
}
