package loader

import (
	"context"
	"slices"
	"time"

	"github.com/graph-gophers/dataloader/v7"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/homes"
	"agora/internal/store/listing"
)

// timelinePage is the key of a page of a timeline: of one of the lists that it is read or merged from, of a snapshot,
// or of a home. Equal windows of a response are the same pointer.
type timelinePage struct {
	list     listing.List
	snapshot snapshotKey
	home     forum.UserID
	window   *forum.Window
}

// timelineRead is what was read for a page of a timeline.
type timelineRead struct {
	page *forum.Page     // nil if the snapshot does not exist
	part *homes.HomePart // of a home
}

// timelinePages loads pages of timelines through a dataloader.
type timelinePages struct {
	d      *dispatcher
	loader *dataloader.Loader[timelinePage, timelineRead] // nil until needed
	cache  pageCache
}

// inputs is how many keys a batch holds before it grows.
const inputs = 64

// pageCache is the dataloader's cache. It also records the batch of each page, so that no caller waits for a page
// that was already read.
type pageCache struct {
	pages map[timelinePage]cachedPage
	batch int // number of batches sent
	// due are the pages of the next batch.
	due []dataloader.Thunk[timelineRead]
}

// cachedPage is a requested page.
type cachedPage struct {
	thunk dataloader.Thunk[timelineRead]
	batch int // the batch that reads it
}

// Get implements dataloader.Cache.
func (c *pageCache) Get(_ context.Context, key timelinePage) (dataloader.Thunk[timelineRead], bool) {
	p, ok := c.pages[key]
	return p.thunk, ok
}

// Set implements dataloader.Cache.
func (c *pageCache) Set(_ context.Context, key timelinePage, thunk dataloader.Thunk[timelineRead]) {
	if c.pages == nil {
		c.pages = map[timelinePage]cachedPage{}
	}
	c.pages[key] = cachedPage{thunk, c.batch}
	c.due = append(c.due, thunk)
}

// Delete implements dataloader.Cache.
func (c *pageCache) Delete(_ context.Context, key timelinePage) bool {
	_, ok := c.pages[key]
	delete(c.pages, key)
	return ok
}

// Clear implements dataloader.Cache.
func (c *pageCache) Clear() { c.pages = nil }

// awaits reports whether a page has not been read yet.
func (c *pageCache) awaits(key timelinePage) bool { return c.pages[key].batch == c.batch }

// many loads pages and returns one value and one error per key. The error slice is nil if nothing failed.
func (p *timelinePages) many(ctx context.Context, keys []timelinePage) ([]timelineRead, []error) {
	if len(keys) == 0 {
		return nil, nil
	}
	if p.loader == nil {
		p.loader = dataloader.NewBatchedLoader(p.batch,
			dataloader.WithCache[timelinePage, timelineRead](&p.cache),
			dataloader.WithInputCapacity[timelinePage, timelineRead](inputs),
			dataloader.WithTracer(newTracer[timelinePage, timelineRead]()),
			dataloader.WithWait[timelinePage, timelineRead](time.Hour)) // the dispatcher sends, never a timer
	}
	idle := len(p.cache.due) == 0
	thunks := make([]dataloader.Thunk[timelineRead], len(keys))
	for i, k := range keys {
		thunks[i] = p.loader.Load(p.d.ctx, k)
	}
	if idle && len(p.cache.due) > 0 {
		p.d.due = append(p.d.due, p)
	}
	if slices.ContainsFunc(keys, p.cache.awaits) {
		if err := breadth.Wait(ctx); err != nil {
			none := timelineRead{page: &forum.Page{}}
			return slices.Repeat([]timelineRead{none}, len(keys)), slices.Repeat([]error{err}, len(keys))
		}
	}
	reads := make([]timelineRead, len(keys))
	var errs []error
	for i, thunk := range thunks {
		var err error
		if reads[i], err = thunk(); reads[i].page == nil && err != nil {
			reads[i].page = &forum.Page{}
		}
		errs = addError(errs, len(keys), i, err)
	}
	return reads, errs
}

// batch is the batch function: it reads pages in the pipeline of the level.
func (p *timelinePages) batch(_ context.Context, keys []timelinePage) []*dataloader.Result[timelineRead] {
	results := make([]*dataloader.Result[timelineRead], len(keys))
	for i := range results {
		results[i] = &dataloader.Result[timelineRead]{Error: errNotRead}
	}
	lv := p.d.level
	if lv == nil {
		return results
	}
	lv.join(reads{order: orderPages, queue: func(r *store.Read) func() {
		gets := make([]func() (timelineRead, error), len(keys))
		for i, k := range keys {
			gets[i] = k.read(r)
		}
		return func() {
			for i, get := range gets {
				results[i].Data, results[i].Error = get()
			}
		}
	}})
	return results
}

// read queues the read of the page, and returns a function that returns it.
func (k timelinePage) read(r *store.Read) func() (timelineRead, error) {
	switch {
	case k.home != 0:
		get := r.Homes.HomePart(k.home, *k.window)
		return func() (read timelineRead, err error) {
			read.part, err = get()
			return read, err
		}
	case k.snapshot.number != 0 && k.window.Walk:
		get := r.Homes.WalkPage(k.snapshot.timeline, k.snapshot.number, *k.window)
		return func() (read timelineRead, err error) {
			read.page, err = get()
			return read, err
		}
	case k.snapshot.number != 0:
		get := r.Listing.SnapshotPage(k.snapshot.timeline, k.snapshot.number, *k.window)
		return func() (read timelineRead, err error) {
			read.page, err = get()
			return read, err
		}
	}
	get := r.Listing.Page(k.list, *k.window)
	return func() (timelineRead, error) {
		page, err := get()
		return timelineRead{page: &page}, err
	}
}

func (p *timelinePages) flush() {
	p.cache.batch++
	p.loader.Flush()
}

// finish implements batched. many takes the values.
func (p *timelinePages) finish(read bool) {
	due := p.cache.due
	p.cache.due = nil
	if read {
		return
	}
	for _, thunk := range due {
		_, _ = thunk() // the batch function has returned
	}
	p.forget()
}

// forget drops all pages, so that they are read again.
func (p *timelinePages) forget() {
	if p.loader != nil {
		p.loader.ClearAll()
	}
}
