package store

import (
	"math/bits"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// filler reads objects of one type into themselves.
type filler[T any] struct {
	columns []record.Column[T]
	names   []any                       // of the columns
	key     func(b []byte, o *T) []byte // appends the key of an object
	handle  func(*T) *forum.Handle
	// exists tells, after reading, whether there is such an object.
	exists func(*T) bool
}

func newFiller[T any](columns []record.Column[T], key func([]byte, *T) []byte, handle func(*T) *forum.Handle, exists func(*T) bool) *filler[T] {
	f := &filler[T]{columns, make([]any, len(columns)), key, handle, exists}
	for i, c := range columns {
		f.names[i] = c.Name
	}
	return f
}

var (
	topicFiller = newFiller(record.TopicColumns,
		func(b []byte, t *forum.Topic) []byte { return key.AppendTopic(b, t.ID) },
		func(t *forum.Topic) *forum.Handle { return &t.Handle },
		func(t *forum.Topic) bool { return t.State != "" })
	commentFiller = newFiller(record.CommentColumns,
		func(b []byte, c *forum.Comment) []byte { return key.AppendComment(b, c.ID) },
		func(c *forum.Comment) *forum.Handle { return &c.Handle },
		func(c *forum.Comment) bool { return c.TopicID != 0 })
	categoryFiller = newFiller(record.CategoryColumns,
		func(b []byte, c *forum.Category) []byte { return append(b, key.Category(c.ID)...) },
		func(c *forum.Category) *forum.Handle { return &c.Handle },
		func(c *forum.Category) bool { return c.Name != "" })
	userFiller = newFiller(record.UserColumns,
		func(b []byte, u *forum.User) []byte { return key.AppendUser(b, u.ID) },
		func(u *forum.User) *forum.Handle { return &u.Handle },
		func(u *forum.User) bool { return u.Active })
	tagFiller = newFiller(record.TagColumns,
		func(b []byte, t *forum.Tag) []byte { return append(b, key.Tag(t.ID)...) },
		func(t *forum.Tag) *forum.Handle { return &t.Handle },
		func(t *forum.Tag) bool { return t.Name != "" })
	listFiller = newFiller(record.ListColumns,
		func(b []byte, l *forum.UserList) []byte { return key.AppendList(b, l.ID) },
		func(l *forum.UserList) *forum.Handle { return &l.Handle },
		func(l *forum.UserList) bool { return l.OwnerID != 0 })
	tabFiller = newFiller(record.TabColumns,
		func(b []byte, t *forum.Tab) []byte { return append(b, key.Tab(t.ID)...) },
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
			f.columns[bit].Set(o, values[n])
			n++
		}
	}
	h.Known |= asked
	if !f.exists(o) {
		h.Status = forum.Absent
	}
}
