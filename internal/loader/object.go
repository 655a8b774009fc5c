package loader

import (
	"context"

	"agora/internal/forum"
)

// The objects of a response. Until one is read, only its ID is known. What was read is shared by all responses, so
// nobody changes it: where this response shows something else, it has an object of its own.

// Topic is a topic in a response.
type Topic struct {
	handle
	ID forum.TopicID
	*forum.Topic
}

// Comment is a comment in a response.
type Comment struct {
	handle
	ID forum.CommentID
	*forum.Comment
}

// User is a user in a response.
type User struct {
	handle
	ID forum.UserID
	*forum.User
}

// Category is a category in a response.
type Category struct {
	handle
	ID forum.CategoryID
	*forum.Category
}

// Tab is a tab in a response.
type Tab struct {
	handle
	ID forum.TabID
	*forum.Tab
}

// Tag is a tag in a response.
type Tag struct {
	handle
	ID forum.TagID
	*forum.Tag
	// written is the tag as written in a topic, shown while the name is not stored yet; "" if the tag was not read from a
	// topic.
	written string
}

// UserList is a list of users in a response.
type UserList struct {
	handle
	ID forum.ListID
	*forum.UserList
}

// handle says what a response knows of an object.
type handle struct {
	status status
	// alias reports that this is a second handle of the object, with other rules: a list shows deleted topics to no
	// viewer.
	alias bool
	// covered reports, of a comment, that its topic was read too, or another in its place.
	covered bool
	failed  *error // why it could not be read, or nil
}

// status is the state of a handle.
type status uint8

const (
	// statusUnread is an object of which nothing but the id is known yet.
	statusUnread status = iota
	// statusRequested is one that the next pipeline reads.
	statusRequested
	// statusWhole is an object that was read.
	statusWhole
	// statusAbsent is one that does not exist or that the viewer may not see.
	statusAbsent
	// statusFailed is one that could not be read.
	statusFailed
)

// unread reports whether the object was not read yet.
func (h *handle) unread() bool { return h.status == statusUnread || h.status == statusRequested }

// failure returns the error of a failed read, or nil.
func (h *handle) failure() error {
	if h.failed == nil {
		return nil
	}
	return *h.failed
}

// Missing reports whether the object does not exist or the viewer may not see it.
func (h *handle) Missing() bool { return h.status == statusAbsent }

// members are the parts of an object of a response.
type members[ID, O any] struct {
	handle *handle
	id     *ID
	read   **O
}

func (t *Topic) members() members[forum.TopicID, forum.Topic] {
	return members[forum.TopicID, forum.Topic]{&t.handle, &t.ID, &t.Topic}
}

func (c *Comment) members() members[forum.CommentID, forum.Comment] {
	return members[forum.CommentID, forum.Comment]{&c.handle, &c.ID, &c.Comment}
}

func (u *User) members() members[forum.UserID, forum.User] {
	return members[forum.UserID, forum.User]{&u.handle, &u.ID, &u.User}
}

func (c *Category) members() members[forum.CategoryID, forum.Category] {
	return members[forum.CategoryID, forum.Category]{&c.handle, &c.ID, &c.Category}
}

func (t *Tab) members() members[forum.TabID, forum.Tab] {
	return members[forum.TabID, forum.Tab]{&t.handle, &t.ID, &t.Tab}
}

func (t *Tag) members() members[forum.TagID, forum.Tag] {
	return members[forum.TagID, forum.Tag]{&t.handle, &t.ID, &t.Tag}
}

func (l *UserList) members() members[forum.ListID, forum.UserList] {
	return members[forum.ListID, forum.UserList]{&l.handle, &l.ID, &l.UserList}
}

// AskTopics queues those topics for the next pipeline that were not read yet, and reports whether there is anything to
// wait for.
func (l *Loaders) AskTopics(ts []*Topic) bool { return l.topicHandles.ask(ts) }

// AskUsers is AskTopics for users.
func (l *Loaders) AskUsers(us []*User) bool { return l.userHandles.ask(us) }

// AskComments is AskTopics for comments.
func (l *Loaders) AskComments(cs []*Comment) bool { return l.commentHandles.ask(cs) }

// NeedTopics returns when the topics were read, with an error for each that could not be.
func (l *Loaders) NeedTopics(ctx context.Context, ts []*Topic) []error {
	return l.topicHandles.need(ctx, ts)
}

// NeedUsers is NeedTopics for users.
func (l *Loaders) NeedUsers(ctx context.Context, us []*User) []error {
	return l.userHandles.need(ctx, us)
}

// NeedCategories is NeedTopics for categories.
func (l *Loaders) NeedCategories(ctx context.Context, cs []*Category) []error {
	return l.categoryHandles.need(ctx, cs)
}

// NeedTabs is NeedTopics for tabs.
func (l *Loaders) NeedTabs(ctx context.Context, ts []*Tab) []error { return l.tabHandles.need(ctx, ts) }

// NeedTags is NeedTopics for tags.
func (l *Loaders) NeedTags(ctx context.Context, ts []*Tag) []error { return l.tagHandles.need(ctx, ts) }

// NeedUserLists is NeedTopics for lists of users.
func (l *Loaders) NeedUserLists(ctx context.Context, ls []*UserList) []error {
	return l.listHandles.need(ctx, ls)
}

// NeedComments is NeedTopics for comments. A comment is visible to everyone who can see its topic, unless it is held;
// of one that is hidden most see only where it is.
func (l *Loaders) NeedComments(ctx context.Context, cs []*Comment) []error {
	l.commentHandles.need(ctx, cs)
	var topics []*Topic
	for _, c := range cs {
		if c.covered || c.status != statusWhole && c.status != statusAbsent {
			continue
		}
		if t := l.topicBeside(c); t.unread() {
			topics = append(topics, t)
		}
	}
	l.topicHandles.need(ctx, topics)
	for _, c := range cs {
		if c.covered || c.status != statusWhole {
			c.covered = true
			continue
		}
		c.covered = true
		t := l.topicHandles.one(c.TopicID)
		if t.status != statusWhole {
			if c.status, c.failed = t.status, t.failed; c.failed != nil {
				l.commentHandles.failed = true
			}
			continue
		}
		if c.State.Live() && !c.Unlisted {
			continue
		}
		if c.Comment = c.ShownTo(l.viewer, t.Topic); !c.VisibleTo(l.viewer, t.Topic) {
			c.status = statusAbsent
		}
	}
	return l.commentHandles.failures(cs)
}

// topicBeside returns the topic that is read after a comment: its own. After one that does not exist, or that the
// viewer does not see though its topic is known already, it is one that does not exist, so that both take as many reads
// as one of a hidden topic.
func (l *Loaders) topicBeside(c *Comment) *Topic {
	none := forum.TopicID(c.ID) // a comment's id is no topic's
	if c.status == statusAbsent {
		return l.topicHandles.one(none)
	}
	t := l.topicHandles.one(c.TopicID)
	if t.status == statusUnread {
		l.topicHandles.keeps(t)
	}
	if t.status == statusAbsent || t.status == statusWhole && !c.VisibleTo(l.viewer, t.Topic) {
		return l.topicHandles.one(none)
	}
	return t
}
