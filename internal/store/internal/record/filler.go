package record

import (
	"context"
	"math/bits"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
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
}

// NewFiller returns a filler for objects whose columns are in a hash.
func NewFiller[T any](columns []Column[T], key func([]byte, *T) []byte, handle func(*T) *forum.Handle,
	exists func(*T) bool) *Filler[T] {
	f := &Filler[T]{columns, make([]any, len(columns)), key, handle, exists}
	for i, c := range columns {
		f.names[i] = c.Name
	}
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
		func(c *forum.Category) bool { return c.Name != "" })
	UserFiller = NewFiller(UserColumns,
		func(b []byte, u *forum.User) []byte { return key.AppendUser(b, u.ID) },
		func(u *forum.User) *forum.Handle { return &u.Handle },
		func(u *forum.User) bool { return u.Active })
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
		func(t *forum.Tab) bool { return t.Name != "" })
)

// Fill queues the reads and returns a function that sets the results, or the error of the pipeline.
func (f *Filler[T]) Fill(ctx context.Context, b *pipeline.Batch, objs []*T) func(error) {
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
			f.set(o, m.Cmds[i].Val(), err)
		}
		m.Free()
	}
}

func (f *Filler[T]) set(o *T, values []string, err error) {
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
