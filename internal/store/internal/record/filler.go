package record

import (
	"context"
	"math/bits"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/near"
	"agora/internal/store/internal/pipeline"
)

// Filler fills objects of one type with their fields.
type Filler[T any] struct {
	columns []Column[T]
	names   []any                       // of the columns
	key     func(b []byte, o *T) []byte // appends the key of an object
	handle  func(*T) *forum.Handle
	// exists reports, after reading, whether there is such an object.
	exists func(*T) bool
	// seldom are the fields that processes may keep in memory, because scripts tell when they change; none without name.
	seldom forum.Fields
	// name names an object there.
	name func(*T) near.Name
}

// NewFiller returns a filler for objects whose columns are in a hash.
func NewFiller[T any](columns []Column[T], key func([]byte, *T) []byte, handle func(*T) *forum.Handle,
	exists func(*T) bool) *Filler[T] {
	f := &Filler[T]{columns: columns, names: make([]any, len(columns)), key: key, handle: handle, exists: exists}
	for i, c := range columns {
		f.names[i] = c.Name
	}
	return f
}

// keeping adds the fields that processes may keep in memory.
func (f *Filler[T]) keeping(seldom forum.Fields, name func(*T) near.Name) *Filler[T] {
	f.seldom, f.name = seldom, name
	return f
}

// userSeldom are the fields of a user that seldom change: all but the counts.
const userSeldom = forum.UserAll &^ (forum.UserFieldTopics | forum.UserFieldFollowers | forum.UserFieldFollowing |
	forum.UserFieldKarma)

// The fillers of all kinds of objects.
var (
	TopicFiller = NewFiller(TopicColumns,
		func(b []byte, t *forum.Topic) []byte { return key.AppendTopic(b, t.ID) },
		func(t *forum.Topic) *forum.Handle { return &t.Handle },
		func(t *forum.Topic) bool { return t.State != "" })
	CommentFiller = NewFiller(CommentColumns,
		func(b []byte, c *forum.Comment) []byte { return key.AppendComment(b, c.ID) },
		func(c *forum.Comment) *forum.Handle { return &c.Handle },
		func(c *forum.Comment) bool { return c.TopicID != 0 })
	CategoryFiller = NewFiller(CategoryColumns,
		func(b []byte, c *forum.Category) []byte { return append(b, key.Category(c.ID)...) },
		func(c *forum.Category) *forum.Handle { return &c.Handle },
		func(c *forum.Category) bool { return c.Name != "" }).
		keeping(forum.CategoryAll, func(c *forum.Category) near.Name {
			return near.Name{Kind: near.Category, ID: int64(c.ID)}
		})
	UserFiller = NewFiller(UserColumns,
		func(b []byte, u *forum.User) []byte { return key.AppendUser(b, u.ID) },
		func(u *forum.User) *forum.Handle { return &u.Handle },
		func(u *forum.User) bool { return u.Active }).
		keeping(userSeldom, func(u *forum.User) near.Name { return near.Name{Kind: near.User, ID: int64(u.ID)} })
	TagFiller = NewFiller(TagColumns,
		func(b []byte, t *forum.Tag) []byte { return append(b, key.Tag(t.ID)...) },
		func(t *forum.Tag) *forum.Handle { return &t.Handle },
		func(t *forum.Tag) bool { return t.Name != "" })
	ListFiller = NewFiller(ListColumns,
		func(b []byte, l *forum.UserList) []byte { return key.AppendList(b, l.ID) },
		func(l *forum.UserList) *forum.Handle { return &l.Handle },
		func(l *forum.UserList) bool { return l.OwnerID != 0 })
	TabFiller = NewFiller(TabColumns,
		func(b []byte, t *forum.Tab) []byte { return append(b, key.Tab(t.ID)...) },
		func(t *forum.Tab) *forum.Handle { return &t.Handle },
		func(t *forum.Tab) bool { return t.Name != "" }).
		keeping(forum.TabAll, func(t *forum.Tab) near.Name { return near.Name{Kind: near.Tab, ID: int64(t.ID)} })
)

// Fill queues the reads and returns a function that sets the results, or the error of the pipeline. If c is not nil,
// objects that it keeps are filled from it at once, and what is read of others is kept in it.
func (f *Filler[T]) Fill(ctx context.Context, b *pipeline.Batch, objs []*T, c *near.Cache) func(error) {
	if c == nil || f.seldom == 0 {
		return f.read(ctx, b, objs, func(*T, int, forum.Fields, []string) {})
	}
	objs, marks := f.recall(c, objs)
	if len(objs) == 0 {
		return func(error) {}
	}
	return f.read(ctx, b, objs, func(o *T, i int, read forum.Fields, values []string) {
		if read&f.seldom != 0 {
			kept := near.Object{Known: read, Values: values}
			c.Put(f.name(o), marks[i], near.Object{Known: read & f.seldom, Values: kept.Of(read & f.seldom)})
		}
	})
}

// recall fills those objects whose requested fields are kept, and returns the others with their marks.
func (f *Filler[T]) recall(c *near.Cache, objs []*T) (missing []*T, marks []near.Mark) {
	missing, marks = make([]*T, 0, len(objs)), make([]near.Mark, 0, len(objs))
	for _, o := range objs {
		name, asked := f.name(o), f.handle(o).Asked
		if asked&^f.seldom != 0 {
			missing, marks = append(missing, o), append(marks, c.Mark(name))
			continue
		}
		kept, mark, ok := c.Get(name, asked)
		if !ok {
			missing, marks = append(missing, o), append(marks, mark)
			continue
		}
		f.set(o, kept.Of(asked), nil)
	}
	return missing, marks
}

// read queues the reads of all objects. For each that was read and exists, keep is called with what was read.
func (f *Filler[T]) read(ctx context.Context, b *pipeline.Batch, objs []*T,
	keep func(o *T, i int, read forum.Fields, values []string)) func(error) {
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
		// A StringSliceCmd reads the reply like a SliceCmd, with nil as "", and without a pointer for each
		// value.
		m.Cmds[i] = *redis.NewStringSliceCmd(ctx, m.Args[from:len(m.Args):len(m.Args)]...)
		m.Refs = append(m.Refs, &m.Cmds[i])
	}
	b.BatchProcess(ctx, m.Refs...)
	return func(err error) {
		for i, o := range objs {
			read, failed := f.handle(o).Asked, err
			if pipeline.Unavailable(err) && len(m.Cmds[i].Val()) > 0 && m.Cmds[i].Err() == nil {
				failed = nil // others are away
			}
			if f.set(o, m.Cmds[i].Val(), failed) {
				keep(o, i, read, m.Cmds[i].Val())
			}
		}
		m.Free()
	}
}

// set sets the requested fields of an object. It reports whether they were read, and the object exists.
func (f *Filler[T]) set(o *T, values []string, err error) bool {
	h := f.handle(o)
	asked := h.Asked
	h.Asked = 0
	if err != nil {
		h.Status, h.Failure = forum.Failed, err
		return false
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
		return false
	}
	return n > 0
}
