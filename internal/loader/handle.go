package loader

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/graph-gophers/dataloader/v7"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store"
)

// handles are the objects of one type in a response, one for each id. At first they know only their ids. The fields
// needed of all objects of a level are read together, into the objects themselves, by the batch function of a
// dataloader. A key is a run of objects that were asked for together: the executor asks for those of a whole level, and
// a key for each id costs a channel, a request and a closure. An object is loaded again only for fields that it lacks.
type handles[ID ~int64, T any] struct {
	d      *dispatcher
	order  int // of the reads in a pipeline
	all    map[ID]*T
	loader *dataloader.Loader[run, []*T] // nil until needed
	due    []*T                          // the objects of the next batch
	last   dataloader.Thunk[[]*T]        // of the last run of due

	id     func(*T) ID
	name   func(*T, ID) // sets the id of a new object
	handle func(*T) *forum.Handle
	base   forum.Fields // fields that are always read
	fill   func(*store.Read, []*T) func()
	// check, if not nil, sets the final status of an object that was just read, depending on whether the viewer may
	// see it.
	check func(*T)
	// alias, for types with aliases, sets a to the known fields of the object that it stands for.
	alias func(a, of *T)
	// long is the field that may be long, or nil.
	long *longText[T]
}

// run is the key of objects that are loaded together: their places in the batch.
type run struct{ from, to int }

// fewRuns is how many keys a batch holds before it grows.
const fewRuns = 4

// load adds the objects of due from a place on to the next batch of the dataloader.
func (h *handles[ID, T]) load(from int) {
	if h.loader == nil {
		h.loader = dataloader.NewBatchedLoader(h.batch,
			dataloader.WithCache[run, []*T](&dataloader.NoCache[run, []*T]{}), // named is the cache
			dataloader.WithInputCapacity[run, []*T](fewRuns),
			dataloader.WithTracer(newTracer[run, []*T]()),
			dataloader.WithWait[run, []*T](time.Hour)) // the dispatcher sends, never a timer
	}
	if from == 0 {
		h.d.due = append(h.d.due, h)
	}
	h.last = h.loader.Load(h.d.ctx, run{from, len(h.due)})
}

// batch is the batch function: it reads the requested fields of the objects of these runs, which are all of due, in the
// pipeline of the level.
func (h *handles[ID, T]) batch(_ context.Context, runs []run) []*dataloader.Result[[]*T] {
	due := h.due
	results := make([]*dataloader.Result[[]*T], len(runs))
	for i, r := range runs {
		results[i] = &dataloader.Result[[]*T]{Data: due[r.from:r.to]} // the handles have the errors, if any
	}
	if lv := h.d.level; lv != nil {
		lv.join(reads{h.order, func(t *texts) { h.texts(t, due) }, func(r *store.Read) func() { return h.queue(r, due) }})
	}
	return results
}

func (h *handles[ID, T]) flush() { h.loader.Flush() }

// finish implements batched. It sets the final status of the objects that were read. It waits once: a dataloader sets
// the value of the last run of a batch after all others.
func (h *handles[ID, T]) finish(read bool) {
	h.last()
	for _, o := range h.due {
		switch k := h.handle(o); {
		case !read:
			k.Asked = 0
		case k.Failure == nil && h.check != nil:
			h.check(o)
		}
	}
	h.due, h.last = nil, nil
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

// ask queues the wanted fields of the objects for the next pipeline. It reports whether there is anything to wait
// for.
func (h *handles[ID, T]) ask(objs []*T, want forum.Fields) bool {
	wait, from := false, len(h.due)
	for i, o := range objs {
		k := h.handle(o)
		lacks := k.Lacks(want | h.base)
		if lacks == 0 {
			continue
		}
		if k.Alias {
			o = h.one(h.id(o))
			k = h.handle(o)
			if lacks = k.Lacks(want | h.base); lacks == 0 {
				continue
			}
		}
		if k.Asked == 0 {
			if len(h.due) == from {
				h.due = slices.Grow(h.due, len(objs)-i)
			}
			h.due = append(h.due, o)
		}
		k.Asked |= lacks
		wait = true
	}
	if len(h.due) > from {
		h.load(from)
	}
	return wait
}

// need returns when the wanted fields of the objects are known, if the objects exist. A field is read once, also for
// all aliases.
func (h *handles[ID, T]) need(ctx context.Context, objs []*T, want forum.Fields) {
	if h.alias == nil {
		h.read(ctx, objs, want)
		return
	}
	due := make([]*T, 0, len(objs))
	for _, o := range objs {
		switch k := h.handle(o); {
		case k.Lacks(want|h.base) == 0:
		case k.Alias:
			due = append(due, h.one(h.id(o)))
		default:
			due = append(due, o)
		}
	}
	h.read(ctx, due, want)
	for _, o := range objs {
		if k := h.handle(o); k.Alias && k.Lacks(want|h.base) != 0 {
			h.alias(o, h.one(h.id(o)))
		}
	}
}

// read waits once. Fields that are missing then, because reading panicked, have failed.
func (h *handles[ID, T]) read(ctx context.Context, objs []*T, want forum.Fields) {
	if !h.ask(objs, want) {
		return
	}
	err := breadth.Wait(ctx)
	if err == nil {
		err = errNotRead
	}
	for _, o := range objs {
		if k := h.handle(o); k.Lacks(want|h.base) != 0 {
			k.Status, k.Failure = forum.Failed, err
		}
	}
}

var errNotRead = errors.New("an object was requested but not read")

// texts adds the long texts that are due.
func (h *handles[ID, T]) texts(t *texts, due []*T) {
	if h.long == nil {
		return
	}
	for _, o := range due {
		if k := h.handle(o); k.Asked&h.long.field != 0 {
			subject, text := h.long.of(o)
			t.asked = append(t.asked, asked{subject: subject, handle: k, field: h.long.field, text: text})
		}
	}
}

// queue adds the reads of objects to a pipeline. The function it returns takes the replies. An object is read by one
// HMGET of the fields that the operation selects and the rules need. On the front page that is half of what HGETALL
// returns, see docs/performance.md.
func (h *handles[ID, T]) queue(r *store.Read, due []*T) func() {
	nothing := func(o *T) bool { return h.handle(o).Asked == 0 } // but a text that was left out
	if slices.ContainsFunc(due, nothing) {
		due = slices.DeleteFunc(slices.Clone(due), nothing)
	}
	return h.fill(r, due)
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
	base := forum.TopicBase
	if l.viewer != nil && len(l.viewer.Moderates) > 0 { // it depends on the category what the viewer sees
		base |= forum.TopicFieldCategory
	}
	l.topicHandles = handles[forum.TopicID, forum.Topic]{
		d: d, order: orderTopics,
		base: base, fill: (*store.Read).FillTopics,
		id:     func(t *forum.Topic) forum.TopicID { return t.ID },
		name:   func(t *forum.Topic, id forum.TopicID) { t.ID, t.Status = id, forum.Named },
		handle: func(t *forum.Topic) *forum.Handle { return &t.Handle },
		check: func(t *forum.Topic) {
			if t.Status == forum.Named && !t.VisibleTo(l.viewer) {
				t.Status = forum.Absent
			}
		},
		long: &longText[forum.Topic]{
			field: forum.TopicFieldContent,
			of:    func(t *forum.Topic) (forum.Subject, *string) { return forum.Subject{Topic: t.ID}, &t.Content },
		},
		alias: func(a, of *forum.Topic) {
			*a = *of
			if a.Alias = true; a.Status == forum.Named && !a.State.Listed() {
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
		d: d, order: orderComments,
		base: forum.CommentBase, fill: (*store.Read).FillComments,
		id:     func(c *forum.Comment) forum.CommentID { return c.ID },
		name:   func(c *forum.Comment, id forum.CommentID) { c.ID, c.Status = id, forum.Named },
		handle: func(c *forum.Comment) *forum.Handle { return &c.Handle },
		long: &longText[forum.Comment]{
			field: forum.CommentFieldContent,
			of:    func(c *forum.Comment) (forum.Subject, *string) { return forum.Subject{Comment: c.ID}, &c.Content },
		},
	}
	l.categoryHandles = handles[forum.CategoryID, forum.Category]{
		d: d, order: orderCategories,
		base: forum.CategoryAll, fill: (*store.Read).FillCategories,
		id:     func(c *forum.Category) forum.CategoryID { return c.ID },
		name:   func(c *forum.Category, id forum.CategoryID) { c.ID, c.Status = id, forum.Named },
		handle: func(c *forum.Category) *forum.Handle { return &c.Handle },
	}
	l.tabHandles = handles[forum.TabID, forum.Tab]{
		d: d, order: orderTabs,
		base: forum.TabAll, fill: (*store.Read).FillTabs,
		id:     func(t *forum.Tab) forum.TabID { return t.ID },
		name:   func(t *forum.Tab, id forum.TabID) { t.ID, t.Status = id, forum.Named },
		handle: func(t *forum.Tab) *forum.Handle { return &t.Handle },
	}
	l.tagHandles = handles[forum.TagID, forum.Tag]{
		d: d, order: orderTags,
		base: forum.TagAll, fill: (*store.Read).FillTags,
		id:     func(t *forum.Tag) forum.TagID { return t.ID },
		name:   func(t *forum.Tag, id forum.TagID) { t.ID, t.Status = id, forum.Named },
		handle: func(t *forum.Tag) *forum.Handle { return &t.Handle },
		check:  nameTag,
	}
}
