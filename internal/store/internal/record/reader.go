package record

import (
	"context"
	"time"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/objects"
	"agora/internal/store/internal/pipeline"
)

// Reader reads objects of one type, each whole, by one HGETALL. What it returns may be shared, so nobody may change it.
type Reader[ID ~int64, T any] struct {
	table *catalogue.Table[T]
	key   func(b []byte, id ID) []byte // appends the key of an object
	set   func(o *T, id ID)            // sets the id of a new object
	// exists reports, once an object was decoded, whether there is one.
	exists func(*T) bool
	// kind, for types that processes may keep in memory, is their kind there: scripts tell when they change. public
	// reports whether everybody may know that an object exists; others are not kept, so that memory tells nobody of
	// them. It is nil if all are public.
	kind   objects.Kind
	public func(*T) bool
}

// The readers of all types of objects.
var (
	TopicReader = &Reader[forum.TopicID, forum.Topic]{
		table: catalogue.Topic, key: key.AppendTopic,
		set:    func(t *forum.Topic, id forum.TopicID) { t.ID = id },
		exists: func(t *forum.Topic) bool { return t.State != "" },
		kind:   objects.Topic,
		public: func(t *forum.Topic) bool { return t.IsPublic() },
	}
	CommentReader = &Reader[forum.CommentID, forum.Comment]{
		table: catalogue.Comment, key: key.AppendComment,
		set:    func(c *forum.Comment, id forum.CommentID) { c.ID = id },
		exists: func(c *forum.Comment) bool { return c.TopicID != 0 },
		kind:   objects.Comment,
		public: func(c *forum.Comment) bool { return !c.Unlisted },
	}
	CategoryReader = &Reader[forum.CategoryID, forum.Category]{
		table:  catalogue.Category,
		key:    func(b []byte, id forum.CategoryID) []byte { return append(b, key.Category(id)...) },
		set:    func(c *forum.Category, id forum.CategoryID) { c.ID = id },
		exists: func(c *forum.Category) bool { return c.Name != "" },
		kind:   objects.Category,
	}
	UserReader = &Reader[forum.UserID, forum.User]{
		table: catalogue.User, key: key.AppendUser,
		set:    func(u *forum.User, id forum.UserID) { u.ID = id },
		exists: func(u *forum.User) bool { return u.Active },
		kind:   objects.User,
	}
	TagReader = &Reader[forum.TagID, forum.Tag]{
		table:  catalogue.Tag,
		key:    func(b []byte, id forum.TagID) []byte { return append(b, key.Tag(id)...) },
		set:    func(t *forum.Tag, id forum.TagID) { t.ID = id },
		exists: func(t *forum.Tag) bool { return t.Name != "" },
		kind:   objects.Tag,
	}
	ListReader = &Reader[forum.ListID, forum.UserList]{
		table: catalogue.UserList, key: key.AppendList,
		set:    func(l *forum.UserList, id forum.ListID) { l.ID = id },
		exists: func(l *forum.UserList) bool { return l.OwnerID != 0 },
	}
	TabReader = &Reader[forum.TabID, forum.Tab]{
		table:  catalogue.Tab,
		key:    func(b []byte, id forum.TabID) []byte { return append(b, key.Tab(id)...) },
		set:    func(t *forum.Tab, id forum.TabID) { t.ID = id },
		exists: func(t *forum.Tab) bool { return t.Name != "" },
		kind:   objects.Tab,
	}
)

// Kept returns an object that is in memory, or nil.
func (r *Reader[ID, T]) Kept(c *objects.Cache, id ID, now time.Time) *T {
	o, _ := c.Get(r.name(id), now).(*T)
	return o
}

func (r *Reader[ID, T]) name(id ID) objects.Name { return objects.Name{Kind: r.kind, ID: int64(id)} }

// Read queues the reads of objects. The function that it returns is called with the error of the pipeline, and returns
// the objects, nil for one that does not exist, and the errors of those that could not be read, nil if all could. What
// is read is kept in c, if that is not nil.
func (r *Reader[ID, T]) Read(ctx context.Context, b *pipeline.Batch, ids []ID,
	c *objects.Cache) func(error) ([]*T, []error) {
	var marks []objects.Mark
	if c != nil && r.kind != 0 {
		marks = make([]objects.Mark, len(ids))
		for i, id := range ids {
			marks[i] = c.Mark(r.name(id))
		}
	}
	read := r.send(ctx, b, ids)
	return func(err error) ([]*T, []error) {
		objs := make([]*T, len(ids))
		errs := read(err, func(i int, o *T, hash pipeline.Hash) {
			objs[i] = o
			if marks != nil && (r.public == nil || r.public(o)) {
				// The object's strings are in the buffer of the reply, which grew by doubling.
				c.Put(r.name(ids[i]), marks[i], o, 2*len(hash.Reply))
			}
		})
		return objs, errs
	}
}

// send queues the reads. The function that it returns calls found for each object that exists.
func (r *Reader[ID, T]) send(ctx context.Context, b *pipeline.Batch,
	ids []ID) func(err error, found func(i int, o *T, hash pipeline.Hash)) []error {
	var keys []byte
	ends := make([]int, len(ids))
	for i, id := range ids {
		keys = r.key(keys, id)
		ends[i] = len(keys)
	}
	all, names, begin := string(keys), make([]string, len(ids)), 0
	for i, end := range ends {
		names[i], begin = all[begin:end], end
	}
	hashes := b.Hashes(ctx, names)
	return func(err error, found func(int, *T, pipeline.Hash)) (errs []error) {
		for i, id := range ids {
			hash, own := hashes(i)
			if own == nil && err != nil && (!pipeline.Unavailable(err) || !hash.Read()) {
				own = err // unless only others are away
			}
			if own != nil {
				if errs == nil {
					errs = make([]error, len(ids))
				}
				errs[i] = own
				continue
			}
			if o := r.decode(id, hash); o != nil {
				found(i, o, hash)
			}
		}
		return errs
	}
}

// decode returns the object, or nil if there is none.
func (r *Reader[ID, T]) decode(id ID, hash pipeline.Hash) *T {
	o := new(T)
	r.set(o, id)
	r.table.Decode(o, hash.Each)
	if !r.exists(o) {
		return nil
	}
	return o
}
