package record

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/near"
	"agora/internal/store/internal/pipeline"
)

// Filler reads objects of one type, each whole, by one HGETALL.
type Filler[T any] struct {
	table  *catalogue.Table[T]
	key    func(b []byte, o *T) []byte // appends the key of an object
	handle func(*T) *forum.Handle
	// exists reports, after reading, whether there is such an object.
	exists func(*T) bool
	// name, for types that processes may keep in memory, names an object there: scripts tell when they change.
	name func(*T) near.Name
}

// The fillers of all kinds of objects.
var (
	TopicFiller = &Filler[forum.Topic]{
		table:  catalogue.Topic,
		key:    func(b []byte, t *forum.Topic) []byte { return key.AppendTopic(b, t.ID) },
		handle: func(t *forum.Topic) *forum.Handle { return &t.Handle },
		exists: func(t *forum.Topic) bool { return t.State != "" },
	}
	CommentFiller = &Filler[forum.Comment]{
		table:  catalogue.Comment,
		key:    func(b []byte, c *forum.Comment) []byte { return key.AppendComment(b, c.ID) },
		handle: func(c *forum.Comment) *forum.Handle { return &c.Handle },
		exists: func(c *forum.Comment) bool { return c.TopicID != 0 },
	}
	CategoryFiller = &Filler[forum.Category]{
		table:  catalogue.Category,
		key:    func(b []byte, c *forum.Category) []byte { return append(b, key.Category(c.ID)...) },
		handle: func(c *forum.Category) *forum.Handle { return &c.Handle },
		exists: func(c *forum.Category) bool { return c.Name != "" },
		name:   func(c *forum.Category) near.Name { return near.Name{Kind: near.Category, ID: int64(c.ID)} },
	}
	UserFiller = &Filler[forum.User]{
		table:  catalogue.User,
		key:    func(b []byte, u *forum.User) []byte { return key.AppendUser(b, u.ID) },
		handle: func(u *forum.User) *forum.Handle { return &u.Handle },
		exists: func(u *forum.User) bool { return u.Active },
		name:   func(u *forum.User) near.Name { return near.Name{Kind: near.User, ID: int64(u.ID)} },
	}
	TagFiller = &Filler[forum.Tag]{
		table:  catalogue.Tag,
		key:    func(b []byte, t *forum.Tag) []byte { return append(b, key.Tag(t.ID)...) },
		handle: func(t *forum.Tag) *forum.Handle { return &t.Handle },
		exists: func(t *forum.Tag) bool { return t.Name != "" },
	}
	ListFiller = &Filler[forum.UserList]{
		table:  catalogue.List,
		key:    func(b []byte, l *forum.UserList) []byte { return key.AppendList(b, l.ID) },
		handle: func(l *forum.UserList) *forum.Handle { return &l.Handle },
		exists: func(l *forum.UserList) bool { return l.OwnerID != 0 },
	}
	TabFiller = &Filler[forum.Tab]{
		table:  catalogue.Tab,
		key:    func(b []byte, t *forum.Tab) []byte { return append(b, key.Tab(t.ID)...) },
		handle: func(t *forum.Tab) *forum.Handle { return &t.Handle },
		exists: func(t *forum.Tab) bool { return t.Name != "" },
		name:   func(t *forum.Tab) near.Name { return near.Name{Kind: near.Tab, ID: int64(t.ID)} },
	}
)

// Fill queues the reads and returns a function that sets the results, or the error of the pipeline. If c is not nil,
// objects that it keeps are filled from it at once, and what is read of others is kept in it.
func (f *Filler[T]) Fill(ctx context.Context, b *pipeline.Batch, objs []*T, c *near.Cache) func(error) {
	if c == nil || f.name == nil {
		return f.read(ctx, b, objs, func(int, string) {})
	}
	missing, marks := make([]*T, 0, len(objs)), make([]near.Mark, 0, len(objs))
	for _, o := range objs {
		kept, mark, ok := c.Get(f.name(o))
		if ok {
			f.set(o, pipeline.Hash{Reply: kept}, nil)
			continue
		}
		missing, marks = append(missing, o), append(marks, mark)
	}
	if len(missing) == 0 {
		return func(error) {}
	}
	return f.read(ctx, b, missing, func(i int, reply string) { c.Put(f.name(missing[i]), marks[i], reply) })
}

// read queues the reads of objects. For each that was read and exists, keep is called with its place and the reply.
func (f *Filler[T]) read(ctx context.Context, b *pipeline.Batch, objs []*T,
	keep func(i int, reply string)) func(error) {
	var keys []byte
	ends := make([]int, len(objs))
	for i, o := range objs {
		keys = f.key(keys, o)
		ends[i] = len(keys)
	}
	all, names, begin := string(keys), make([]string, len(objs)), 0
	for i, end := range ends {
		names[i], begin = all[begin:end], end
	}
	hashes := b.Hashes(ctx, names)
	return func(err error) {
		for i, o := range objs {
			hash, own := hashes(i)
			if own == nil && err != nil && (!pipeline.Unavailable(err) || !hash.Read()) {
				own = err // unless only others are away
			}
			if f.set(o, hash, own) {
				keep(i, hash.Reply)
			}
		}
	}
}

// set sets an object. It reports whether it was read, and exists.
func (f *Filler[T]) set(o *T, hash pipeline.Hash, err error) bool {
	h := f.handle(o)
	if err != nil {
		h.Status, h.Failure = forum.Failed, err
		return false
	}
	f.table.Decode(o, hash.Each)
	if h.Status = forum.Whole; !f.exists(o) {
		h.Status = forum.Absent
		return false
	}
	return true
}
