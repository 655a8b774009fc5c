package record

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/near"
	"agora/internal/store/internal/pipeline"
)

// Filler fills objects of one type with their fields.
type Filler[T any] struct {
	columns Columns[T]
	names   []any                       // of the columns
	key     func(b []byte, o *T) []byte // appends the key of an object
	handle  func(*T) *forum.Handle
	// exists reports, after reading, whether there is such an object.
	exists func(*T) bool
	// whole is set for types whose hash has little else.
	whole bool
	// name, for types whose basics processes may keep in memory, names an object there: scripts tell when they change.
	name func(*T) near.Name
}

// NewFiller returns a filler for objects whose columns are in a hash.
func NewFiller[T any](columns Columns[T], key func([]byte, *T) []byte, handle func(*T) *forum.Handle,
	exists func(*T) bool) *Filler[T] {
	f := &Filler[T]{columns: columns, names: make([]any, len(columns.All)), key: key, handle: handle, exists: exists}
	for i, c := range columns.All {
		f.names[i] = c.Name
	}
	return f
}

// keeping lets processes keep the basics of objects in memory.
func (f *Filler[T]) keeping(name func(*T) near.Name) *Filler[T] {
	f.name = name
	return f
}

// allOf has the hash of objects read whole.
func (f *Filler[T]) allOf() *Filler[T] {
	f.whole = true
	return f
}

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
		func(c *forum.Category) bool { return c.Name != "" }).allOf().
		keeping(func(c *forum.Category) near.Name { return near.Name{Kind: near.Category, ID: int64(c.ID)} })
	UserFiller = NewFiller(UserColumns,
		func(b []byte, u *forum.User) []byte { return key.AppendUser(b, u.ID) },
		func(u *forum.User) *forum.Handle { return &u.Handle },
		func(u *forum.User) bool { return u.Active }).allOf().
		keeping(func(u *forum.User) near.Name { return near.Name{Kind: near.User, ID: int64(u.ID)} })
	TagFiller = NewFiller(TagColumns,
		func(b []byte, t *forum.Tag) []byte { return append(b, key.Tag(t.ID)...) },
		func(t *forum.Tag) *forum.Handle { return &t.Handle },
		func(t *forum.Tag) bool { return t.Name != "" }).allOf()
	ListFiller = NewFiller(ListColumns,
		func(b []byte, l *forum.UserList) []byte { return key.AppendList(b, l.ID) },
		func(l *forum.UserList) *forum.Handle { return &l.Handle },
		func(l *forum.UserList) bool { return l.OwnerID != 0 }).allOf()
	TabFiller = NewFiller(TabColumns,
		func(b []byte, t *forum.Tab) []byte { return append(b, key.Tab(t.ID)...) },
		func(t *forum.Tab) *forum.Handle { return &t.Handle },
		func(t *forum.Tab) bool { return t.Name != "" }).allOf().
		keeping(func(t *forum.Tab) near.Name { return near.Name{Kind: near.Tab, ID: int64(t.ID)} })
)

// Fill queues the reads and returns a function that sets the results, or the error of the pipeline. If c is not nil,
// objects that it keeps are filled from it at once, and what is read of others is kept in it.
func (f *Filler[T]) Fill(ctx context.Context, b *pipeline.Batch, objs []*T, c *near.Cache) func(error) {
	if c == nil || f.name == nil {
		return f.read(ctx, b, objs, func(int, []string) {})
	}
	objs, marks := f.recall(c, objs)
	if len(objs) == 0 {
		return func(error) {}
	}
	return f.read(ctx, b, objs, func(i int, values []string) {
		c.Put(f.name(objs[i]), marks[i], values[:f.columns.Basics:f.columns.Basics])
	})
}

// recall fills those objects that are kept and of which no more is asked for, and returns the others with their marks.
func (f *Filler[T]) recall(c *near.Cache, objs []*T) (missing []*T, marks []near.Mark) {
	missing, marks = make([]*T, 0, len(objs)), make([]near.Mark, 0, len(objs))
	for _, o := range objs {
		name := f.name(o)
		if len(f.columns.of(f.handle(o).Asked)) > f.columns.Basics {
			missing, marks = append(missing, o), append(marks, c.Mark(name))
			continue
		}
		if kept, mark, ok := c.Get(name); ok {
			f.set(o, kept, nil)
		} else {
			missing, marks = append(missing, o), append(marks, mark)
		}
	}
	return missing, marks
}

// read queues the reads of all objects. For each that was read and exists, keep is called with its place and what was
// read.
func (f *Filler[T]) read(ctx context.Context, b *pipeline.Batch, objs []*T,
	keep func(i int, values []string)) func(error) {
	if f.whole {
		return f.readAll(ctx, b, objs, keep)
	}
	m := pipeline.TakeBuffer(len(objs), (2+len(f.names))*len(objs))
	for _, o := range objs {
		m.Keys = f.key(m.Keys, o)
		m.Ends = append(m.Ends, len(m.Keys))
	}
	keys, begin := string(m.Keys), 0
	for i, o := range objs {
		from := len(m.Args)
		m.Args = append(m.Args, "hmget", keys[begin:m.Ends[i]])
		begin = m.Ends[i]
		m.Args = append(m.Args, f.names[:len(f.columns.of(f.handle(o).Asked))]...)
		// A StringSliceCmd reads the reply like a SliceCmd, with nil as "", and without a pointer for each
		// value.
		m.Cmds[i] = *redis.NewStringSliceCmd(ctx, m.Args[from:len(m.Args):len(m.Args)]...)
		m.Refs = append(m.Refs, &m.Cmds[i])
	}
	b.BatchProcess(ctx, m.Refs...)
	return func(err error) {
		for i, o := range objs {
			values := m.Cmds[i].Val()
			if f.set(o, values, ownError(&m.Cmds[i], len(values) > 0, err)) {
				keep(i, values)
			}
		}
		m.Free()
	}
}

// readAll is read by HGETALL.
func (f *Filler[T]) readAll(ctx context.Context, b *pipeline.Batch, objs []*T,
	keep func(i int, values []string)) func(error) {
	cmds := make([]*redis.MapStringStringCmd, len(objs))
	for i, o := range objs {
		cmds[i] = b.HGetAll(ctx, string(f.key(nil, o)))
	}
	return func(err error) {
		for i, o := range objs {
			hash, values := cmds[i].Val(), make([]string, len(f.columns.All))
			for n, c := range f.columns.All {
				values[n] = hash[c.Name]
			}
			if f.set(o, values, ownError(cmds[i], hash != nil, err)) {
				keep(i, values)
			}
		}
	}
}

// ownError returns the error of a pipeline as far as it concerns a command that has been answered or not.
func ownError(cmd redis.Cmder, answered bool, err error) error {
	if pipeline.Unavailable(err) && answered && cmd.Err() == nil {
		return nil // others are away
	}
	return err
}

// set sets what was asked of an object. It reports whether it was read, and the object exists.
func (f *Filler[T]) set(o *T, values []string, err error) bool {
	h := f.handle(o)
	asked := h.Asked
	h.Asked = forum.Nothing
	columns := f.columns.of(asked)
	switch {
	case err != nil:
		h.Status, h.Failure = forum.Failed, err
		return false
	case len(values) == len(columns):
		for i, c := range columns {
			c.Set(o, values[i])
		}
	}
	h.Known = max(h.Known, asked)
	if !f.exists(o) {
		h.Status = forum.Absent
		return false
	}
	return len(values) == len(columns)
}
