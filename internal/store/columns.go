package store

import (
	"math/bits"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/pipeline"
)

// column is one field of a hash, and where it goes in an object of type T. Columns
// stand in the order of the bits of the type's forum.Fields.
type column[T any] struct {
	name string
	set  func(o *T, value string)
}

var topicColumns = []column[forum.Topic]{
	{"state", func(t *forum.Topic, v string) { t.State = forum.TopicState(v) }},
	{"author", func(t *forum.Topic, v string) { t.AuthorID = forum.UserID(whole(v)) }},
	{"kind", func(t *forum.Topic, v string) { t.Kind = forum.TopicKind(v) }},
	{"title", func(t *forum.Topic, v string) { t.Title = v }},
	{"content", func(t *forum.Topic, v string) { t.Content = v }},
	{"format", func(t *forum.Topic, v string) { t.Format = forum.ContentFormat(v) }},
	{"link", func(t *forum.Topic, v string) { t.Link = v }},
	{"category", func(t *forum.Topic, v string) { t.CategoryID = forum.CategoryID(whole(v)) }},
	{"created", func(t *forum.Topic, v string) { t.CreatedAt = forum.Time(whole(v)) }},
	{"edited", func(t *forum.Topic, v string) { t.EditedAt = forum.Time(whole(v)) }},
	{"deleted", func(t *forum.Topic, v string) { t.DeletedAt = forum.Time(whole(v)) }},
	{"active", func(t *forum.Topic, v string) { t.LastActiveAt = forum.Time(whole(v)) }},
	{"clicks", func(t *forum.Topic, v string) { t.ClickCount = int(whole(v)) }},
	{"comments", func(t *forum.Topic, v string) { t.CommentCount = int(whole(v)) }},
	{"up", func(t *forum.Topic, v string) { t.Upvotes = int(whole(v)) }},
	{"down", func(t *forum.Topic, v string) { t.Downvotes = int(whole(v)) }},
	{"tags", func(t *forum.Topic, v string) { t.Tags = decodeTags(v) }},
	{"day", func(t *forum.Topic, v string) { t.Day = forum.Day(whole(v)) }},
	{"dayComments", func(t *forum.Topic, v string) { t.DayComments = int(whole(v)) }},
	{"dayBefore", func(t *forum.Topic, v string) { t.DayBefore = int(whole(v)) }},
	{"mentions", func(t *forum.Topic, v string) { t.Mentions = decodeMentions(v) }},
}

var commentColumns = []column[forum.Comment]{
	{"topic", func(c *forum.Comment, v string) { c.TopicID = forum.TopicID(whole(v)) }},
	{"deleted", func(c *forum.Comment, v string) { c.DeletedAt = forum.Time(whole(v)) }},
	{"author", func(c *forum.Comment, v string) { c.AuthorID = forum.UserID(whole(v)) }},
	{"parent", func(c *forum.Comment, v string) { c.ParentID = forum.CommentID(whole(v)) }},
	{"depth", func(c *forum.Comment, v string) { c.Depth = int(whole(v)) }},
	{"floor", func(c *forum.Comment, v string) { c.Number = int(whole(v)) }},
	{"content", func(c *forum.Comment, v string) { c.Content = v }},
	{"format", func(c *forum.Comment, v string) { c.Format = forum.ContentFormat(v) }},
	{"created", func(c *forum.Comment, v string) { c.CreatedAt = forum.Time(whole(v)) }},
	{"edited", func(c *forum.Comment, v string) { c.EditedAt = forum.Time(whole(v)) }},
	{"replies", func(c *forum.Comment, v string) { c.ReplyCount = int(whole(v)) }},
	{"mentions", func(c *forum.Comment, v string) { c.Mentions = decodeMentions(v) }},
	{"up", func(c *forum.Comment, v string) { c.Upvotes = int(whole(v)) }},
	{"down", func(c *forum.Comment, v string) { c.Downvotes = int(whole(v)) }},
}

var categoryColumns = []column[forum.Category]{
	{"name", func(c *forum.Category, v string) { c.Name = v }},
	{"description", func(c *forum.Category, v string) { c.Description = v }},
}

var tagColumns = []column[forum.Tag]{
	{"name", func(t *forum.Tag, v string) { t.Name = v }},
}

var tabColumns = []column[forum.Tab]{
	{"name", func(t *forum.Tab, v string) { t.Name = v }},
	{"categories", func(t *forum.Tab, v string) { t.CategoryCount = int(whole(v)) }},
}

var listColumns = []column[forum.UserList]{
	{"owner", func(l *forum.UserList, v string) { l.OwnerID = forum.UserID(whole(v)) }},
	{"name", func(l *forum.UserList, v string) { l.Name = v }},
}

var userColumns = []column[forum.User]{
	{"state", func(u *forum.User, v string) { u.Active = v == userActive }},
	{"login", func(u *forum.User, v string) { u.Login = v }},
	{"fold", func(u *forum.User, v string) { u.LoginFold = v }},
	{"name", func(u *forum.User, v string) { u.Name = v }},
	{"role", func(u *forum.User, v string) { u.Role = forum.Role(v) }},
	{"created", func(u *forum.User, v string) { u.CreatedAt = forum.Time(whole(v)) }},
	{"topics", func(u *forum.User, v string) { u.TopicCount = int(whole(v)) }},
	{"followers", func(u *forum.User, v string) { u.FollowerCount = int(whole(v)) }},
	{"following", func(u *forum.User, v string) { u.FollowingCount = int(whole(v)) }},
}

// whole reads a whole number; what is missing is 0.
func whole(v string) int64 {
	if v == "" {
		return 0
	}
	n, _ := strconv.ParseInt(v, 10, 64)
	return n
}

// decode sets all columns from a hash.
func decode[T any](o *T, columns []column[T], f fields) *T {
	for _, c := range columns {
		c.set(o, f[c.name])
	}
	return o
}

// filler reads objects of one type into themselves.
type filler[T any] struct {
	columns []column[T]
	names   []any                       // of the columns
	key     func(b []byte, o *T) []byte // appends the key of an object
	handle  func(*T) *forum.Handle
	// exists tells, after reading, whether there is such an object.
	exists func(*T) bool
}

func newFiller[T any](columns []column[T], key func([]byte, *T) []byte, handle func(*T) *forum.Handle, exists func(*T) bool) *filler[T] {
	f := &filler[T]{columns, make([]any, len(columns)), key, handle, exists}
	for i, c := range columns {
		f.names[i] = c.name
	}
	return f
}

var (
	topicFiller = newFiller(topicColumns,
		func(b []byte, t *forum.Topic) []byte { return appendTopic(b, t.ID) },
		func(t *forum.Topic) *forum.Handle { return &t.Handle },
		func(t *forum.Topic) bool { return t.State != "" })
	commentFiller = newFiller(commentColumns,
		func(b []byte, c *forum.Comment) []byte { return appendComment(b, c.ID) },
		func(c *forum.Comment) *forum.Handle { return &c.Handle },
		func(c *forum.Comment) bool { return c.TopicID != 0 })
	categoryFiller = newFiller(categoryColumns,
		func(b []byte, c *forum.Category) []byte { return append(b, categoryKey(c.ID)...) },
		func(c *forum.Category) *forum.Handle { return &c.Handle },
		func(c *forum.Category) bool { return c.Name != "" })
	userFiller = newFiller(userColumns,
		func(b []byte, u *forum.User) []byte { return appendUser(b, u.ID) },
		func(u *forum.User) *forum.Handle { return &u.Handle },
		func(u *forum.User) bool { return u.Active })
	tagFiller = newFiller(tagColumns,
		func(b []byte, t *forum.Tag) []byte { return append(b, tagKey(t.ID)...) },
		func(t *forum.Tag) *forum.Handle { return &t.Handle },
		func(t *forum.Tag) bool { return t.Name != "" })
	listFiller = newFiller(listColumns,
		func(b []byte, l *forum.UserList) []byte { return appendList(b, l.ID) },
		func(l *forum.UserList) *forum.Handle { return &l.Handle },
		func(l *forum.UserList) bool { return l.OwnerID != 0 })
	tabFiller = newFiller(tabColumns,
		func(b []byte, t *forum.Tab) []byte { return append(b, tabKey(t.ID)...) },
		func(t *forum.Tab) *forum.Handle { return &t.Handle },
		func(t *forum.Tab) bool { return t.Name != "" })
)

// FillTopics reads of each topic the fields that its handle asks for, by one HMGET.
// The first time TopicBase must be among them.
func (r *Read) FillTopics(ts []*forum.Topic) func() { return topicFiller.fill(r, ts) }

// FillComments is FillTopics for comments, with CommentBase. The author of a
// tombstone is the ghost.
func (r *Read) FillComments(cs []*forum.Comment) func() {
	filled := commentFiller.fill(r, cs)
	return func() {
		filled()
		for _, c := range cs {
			if c.DeletedAt != 0 {
				c.AuthorID = 0
			}
		}
	}
}

// FillUsers is FillTopics for users, with UserBase: whoever is not active is absent.
func (r *Read) FillUsers(us []*forum.User) func() { return userFiller.fill(r, us) }

// FillCategories is FillTopics for categories.
func (r *Read) FillCategories(cs []*forum.Category) func() { return categoryFiller.fill(r, cs) }

// FillTabs is FillTopics for tabs.
func (r *Read) FillTabs(ts []*forum.Tab) func() { return tabFiller.fill(r, ts) }

// FillTags is FillTopics for tags.
func (r *Read) FillTags(ts []*forum.Tag) func() { return tagFiller.fill(r, ts) }

// Users reads active users. The hash holds secrets that never leave the store,
// so it is read field by field.
func (r *Read) Users(ids []forum.UserID) func() ([]*forum.User, error) {
	users := make([]*forum.User, len(ids))
	for i, id := range ids {
		users[i] = &forum.User{ID: id, Handle: forum.Handle{Status: forum.Named, Asked: forum.UserAll}}
	}
	filled := r.FillUsers(users)
	return func() ([]*forum.User, error) {
		if r.err != nil {
			return nil, r.err
		}
		filled()
		for i, u := range users {
			if u.Handle = (forum.Handle{}); !u.Active {
				users[i] = nil
			}
		}
		return users, nil
	}
}

// fill queues the reads; what it returns sets what they gave.
func (f *filler[T]) fill(r *Read, objs []*T) func() {
	all := 0
	for _, o := range objs {
		all += 2 + bits.OnesCount32(uint32(f.handle(o).Asked))
	}
	m := pipeline.TakeBuffer(len(objs), all)
	for _, o := range objs {
		m.Keys = f.key(m.Keys, o)
		m.Ends = append(m.Ends, len(m.Keys))
	}
	keys, begin := string(m.Keys), 0
	for i, o := range objs {
		from := len(m.Args)
		m.Args = append(m.Args, "hmget", keys[begin:m.Ends[i]])
		begin = m.Ends[i]
		asked := f.handle(o).Asked
		for bit, name := range f.names {
			if asked&(1<<bit) != 0 {
				m.Args = append(m.Args, name)
			}
		}
		// A StringSliceCmd reads the reply as a SliceCmd does, with nil as "", and
		// without a pointer for each value.
		m.Cmds[i] = *redis.NewStringSliceCmd(r.ctx, m.Args[from:len(m.Args):len(m.Args)]...)
		m.Refs = append(m.Refs, &m.Cmds[i])
	}
	r.b.BatchProcess(r.ctx, m.Refs...)
	return func() {
		for i, o := range objs {
			f.set(o, m.Cmds[i].Val(), r.err)
		}
		m.Free()
	}
}

func (f *filler[T]) set(o *T, values []string, err error) {
	h := f.handle(o)
	asked := h.Asked
	h.Asked = 0
	if err != nil {
		h.Status, h.Failure = forum.Failed, err
		return
	}
	n := 0
	for bit := range f.columns {
		if asked&(1<<bit) != 0 && n < len(values) {
			f.columns[bit].set(o, values[n])
			n++
		}
	}
	h.Known |= asked
	if !f.exists(o) {
		h.Status = forum.Absent
	}
}
