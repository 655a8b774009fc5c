package loader

import (
	"context"
	"errors"
	"time"

	"github.com/graph-gophers/dataloader/v7"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store"
)

// handles are the objects of one type in a response, one for each id. At first they know only their ids. The objects
// that a level needs are read together, each whole and once, through a dataloader that is keyed by id.
type handles[ID ~int64, T any] struct {
	d      *dispatcher
	order  int // of the reads in a pipeline
	all    map[ID]*T
	loader *dataloader.Loader[ID, *T] // nil until needed
	due    []loading[T]               // what the next batch reads

	id     func(*T) ID
	name   func(*T, ID) // sets the id of a new object
	handle func(*T) *forum.Handle
	fill   func(*store.Read, []*T) func()
	// check, if not nil, sets the final status of an object that was read for the handle of, depending on whether the
	// viewer may see it.
	check func(read, of *T)
	// alias, for types with aliases, sets a to what is known of the object that it stands for.
	alias func(a, of *T)
}

// loading is a handle, and the object that the dataloader returns for it.
type loading[T any] struct {
	of     *T
	result dataloader.Thunk[*T]
}

// load has the next batch read an object.
func (h *handles[ID, T]) load(o *T) {
	if h.loader == nil {
		h.loader = dataloader.NewBatchedLoader(h.batch,
			dataloader.WithCache[ID, *T](&dataloader.NoCache[ID, *T]{}), // all is asked first
			dataloader.WithInputCapacity[ID, *T](inputs),
			dataloader.WithTracer(newTracer[ID, *T]()),
			dataloader.WithWait[ID, *T](time.Hour)) // the dispatcher sends, never a timer
	}
	if len(h.due) == 0 {
		h.d.due = append(h.d.due, h)
	}
	h.due = append(h.due, loading[T]{o, h.loader.Load(h.d.ctx, h.id(o))})
}

// batch is the batch function: it reads the objects with these ids in the pipeline of the level.
func (h *handles[ID, T]) batch(_ context.Context, ids []ID) []*dataloader.Result[*T] {
	lv, results := h.d.level, make([]*dataloader.Result[*T], len(ids))
	objs, read := make([]*T, len(ids)), make([]T, len(ids))
	for i, id := range ids {
		objs[i] = &read[i]
		h.name(objs[i], id)
		results[i] = &dataloader.Result[*T]{Data: objs[i], Error: errNotRead}
	}
	if lv == nil { // the response ends
		return results
	}
	lv.join(reads{h.order, func(r *store.Read) func() { return h.fill(r, objs) }})
	<-lv.read
	for i, o := range objs {
		results[i].Error = h.handle(o).Failure
	}
	return results
}

func (h *handles[ID, T]) flush() { h.loader.Flush() }

// finish implements batched. It takes the objects that were read.
func (h *handles[ID, T]) finish(read bool) {
	for _, l := range h.due {
		o, err := l.result()
		switch k := h.handle(l.of); {
		case !read:
			k.Status = forum.Named
		case err != nil:
			k.Status, k.Failure = forum.Failed, err
		default:
			if h.check != nil {
				h.check(o, l.of)
			}
			*l.of = *o
		}
	}
	h.due = nil
}

// named returns the objects with the ids, without reading anything.
func (h *handles[ID, T]) named(ids []ID) []*T {
	if h.all == nil {
		h.all = make(map[ID]*T, len(ids))
	}
	objs := make([]*T, len(ids))
	unknown := 0
	for i, id := range ids {
		o, ok := h.all[id]
		if objs[i] = o; !ok {
			h.all[id] = nil // counted once
			unknown++
		}
	}
	fresh := make([]T, unknown) // one allocation for all new ones
	for i, id := range ids {
		if objs[i] != nil {
			continue
		}
		o := h.all[id]
		if o == nil {
			o, fresh = &fresh[0], fresh[1:]
			h.name(o, id)
			h.all[id] = o
		}
		objs[i] = o
	}
	return objs
}

func (h *handles[ID, T]) one(id ID) *T {
	if o, ok := h.all[id]; ok {
		return o
	}
	return h.named([]ID{id})[0]
}

// ask queues those objects for the next pipeline that were not read yet. It reports whether there is anything to wait
// for.
func (h *handles[ID, T]) ask(objs []*T) bool {
	wait := false
	for _, o := range objs {
		k := h.handle(o)
		if k.Alias && k.Unread() {
			o = h.one(h.id(o))
			k = h.handle(o)
		}
		if k.Status == forum.Named {
			h.load(o)
			k.Status = forum.Requested
		}
		wait = wait || k.Status == forum.Requested
	}
	return wait
}

// need returns when the objects were read, if they exist. An object is read once, also for all aliases.
func (h *handles[ID, T]) need(ctx context.Context, objs []*T) {
	if h.ask(objs) {
		err := breadth.Wait(ctx)
		if err == nil {
			err = errNotRead // reading panicked
		}
		for _, o := range objs {
			if k := h.handle(h.itself(o)); k.Unread() {
				k.Status, k.Failure = forum.Failed, err
			}
		}
	}
	for _, o := range objs {
		if k := h.handle(o); k.Alias && k.Unread() {
			h.alias(o, h.one(h.id(o)))
		}
	}
}

// itself returns the object that an alias stands for, or the object.
func (h *handles[ID, T]) itself(o *T) *T {
	if h.handle(o).Alias {
		return h.one(h.id(o))
	}
	return o
}

var errNotRead = errors.New("an object was requested but not read")

// again forgets what was read of an object, so that it is read again, and returns it, or what it stands for.
func (h *handles[ID, T]) again(o *T) *T {
	of := h.itself(o)
	h.handle(of).Status = forum.Named
	if o != of {
		h.handle(o).Status = forum.Named
	}
	return o
}

// present returns the objects that were read, nil for those that do not exist.
func present[T any, P interface {
	*T
	Missing() bool
}](objs []P) []P {
	for i, o := range objs {
		if o.Missing() {
			objs[i] = nil
		}
	}
	return objs
}

// failures returns the reasons why objects could not be read, or nil if all could.
func failures[T any](objs []*T, handle func(*T) *forum.Handle) []error {
	var errs []error
	for i, o := range objs {
		if h := handle(o); h.Status == forum.Failed {
			errs = addError(errs, len(objs), i, h.Failure)
		}
	}
	return errs
}

// The order of the loaders' reads in a pipeline.
const (
	orderUsers = iota
	orderTopics
	orderComments
	orderCategories
	orderTabs
	orderTags
	orderLists
	orderPages
	kinds
)

func (l *Loaders) makeTopicHandles(d *dispatcher) {
	l.topicHandles = handles[forum.TopicID, forum.Topic]{
		d: d, order: orderTopics, fill: (*store.Read).FillTopics,
		id:     func(t *forum.Topic) forum.TopicID { return t.ID },
		name:   func(t *forum.Topic, id forum.TopicID) { t.ID, t.Status = id, forum.Named },
		handle: func(t *forum.Topic) *forum.Handle { return &t.Handle },
		check: func(t, _ *forum.Topic) {
			if t.Status == forum.Whole && !t.VisibleTo(l.viewer) {
				t.Status = forum.Absent
			}
			if n, ok := l.clicked[t.ID]; ok {
				t.ClickCount = n
			}
			l.countTopicVotes(t)
		},
		alias: func(a, of *forum.Topic) {
			*a = *of
			if a.Alias = true; a.Status == forum.Whole && !a.State.Listed() {
				a.Status = forum.Absent
			}
		},
	}
	l.listedHandles = handles[forum.TopicID, forum.Topic]{
		name: func(t *forum.Topic, id forum.TopicID) { t.ID, t.Status, t.Alias = id, forum.Named, true },
	}
}

func (l *Loaders) makeHandles(d *dispatcher) {
	l.makeTopicHandles(d)
	l.makeUserHandles(d)
	l.makeListHandles(d)
	l.commentHandles = handles[forum.CommentID, forum.Comment]{
		d: d, order: orderComments, fill: (*store.Read).FillComments,
		id:     func(c *forum.Comment) forum.CommentID { return c.ID },
		name:   func(c *forum.Comment, id forum.CommentID) { c.ID, c.Status = id, forum.Named },
		handle: func(c *forum.Comment) *forum.Handle { return &c.Handle },
		check: func(c, of *forum.Comment) {
			if of.Tombstone { // until its topic says so again
				c.MakeTombstone()
			}
			l.countVotes(c)
		},
	}
	l.categoryHandles = handles[forum.CategoryID, forum.Category]{
		d: d, order: orderCategories, fill: (*store.Read).FillCategories,
		id:     func(c *forum.Category) forum.CategoryID { return c.ID },
		name:   func(c *forum.Category, id forum.CategoryID) { c.ID, c.Status = id, forum.Named },
		handle: func(c *forum.Category) *forum.Handle { return &c.Handle },
	}
	l.tabHandles = handles[forum.TabID, forum.Tab]{
		d: d, order: orderTabs, fill: (*store.Read).FillTabs,
		id:     func(t *forum.Tab) forum.TabID { return t.ID },
		name:   func(t *forum.Tab, id forum.TabID) { t.ID, t.Status = id, forum.Named },
		handle: func(t *forum.Tab) *forum.Handle { return &t.Handle },
	}
	l.tagHandles = handles[forum.TagID, forum.Tag]{
		d: d, order: orderTags, fill: (*store.Read).FillTags,
		id:     func(t *forum.Tag) forum.TagID { return t.ID },
		name:   func(t *forum.Tag, id forum.TagID) { t.ID, t.Status = id, forum.Named },
		handle: func(t *forum.Tag) *forum.Handle { return &t.Handle },
		check: func(t, of *forum.Tag) {
			t.Written = of.Written
			nameTag(t)
		},
	}
}
