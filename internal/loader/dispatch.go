package loader

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/graph-gophers/dataloader/v7"

	"agora/internal/store"
)

// dispatcher decides when the reads that resolvers have asked for go out: all
// kinds together, in one pipeline, when nobody has asked for more for a moment.
// There is never more than one pipeline of a response under way, so that what is
// asked meanwhile gathers for the next.
type dispatcher struct {
	ctx   context.Context
	store *store.Store
	asked atomic.Int64 // keys asked so far, of all loaders

	mu      sync.Mutex
	cond    *sync.Cond
	running bool
	wave    *wave
	loaders []*queue
}

// wave is one pipeline.
type wave struct {
	read *store.Read
	err  error
	sent chan struct{}
}

// queue tells how many keys of one loader have been asked, and how many have
// come to a pipeline.
type queue struct {
	flush  func()
	asked  int64
	queued int64
}

func newDispatcher(ctx context.Context, s *store.Store) *dispatcher {
	d := &dispatcher{ctx: ctx, store: s}
	d.cond = sync.NewCond(&d.mu)
	return d
}

// note counts a key that was not in the cache, and starts the goroutine that
// sends; it ends when nothing is left to send.
func (d *dispatcher) note(q *queue) {
	d.asked.Add(1)
	d.mu.Lock()
	defer d.mu.Unlock()
	q.asked++
	if !d.running {
		d.running = true
		go d.run()
	}
}

func (d *dispatcher) run() {
	for {
		d.settle()
		d.mu.Lock()
		var due []*queue
		for _, q := range d.loaders {
			if q.asked > q.queued {
				due = append(due, q)
			}
		}
		if len(due) == 0 {
			d.running = false
			d.mu.Unlock()
			return
		}
		w := &wave{read: d.store.Read(d.ctx), sent: make(chan struct{})}
		d.wave = w
		asked := make([]int64, len(due))
		for i, q := range due {
			asked[i] = q.asked
		}
		d.mu.Unlock()
		for _, q := range due {
			q.flush()
		}
		d.mu.Lock()
		for i, q := range due {
			for q.queued < asked[i] {
				d.cond.Wait()
			}
		}
		d.wave = nil
		d.mu.Unlock()
		w.err = w.read.Exec()
		close(w.sent)
	}
}

const (
	// quietYields is how often the dispatcher lets all runnable goroutines run
	// before it believes that no resolver is about to ask.
	quietYields = 64
	// quietTime is how long at least nobody must have asked: a resolver may be
	// at work on another core.
	quietTime = 100 * time.Microsecond
)

// settle returns when nobody has asked for a moment. gqlgen runs the fields of
// nested lists in goroutines of their own, so the next level is complete only
// when they have all had their turn.
func (d *dispatcher) settle() {
	asked, yields, since := d.asked.Load(), 0, time.Now()
	for yields < quietYields || time.Since(since) < quietTime {
		runtime.Gosched()
		if now := d.asked.Load(); now != asked {
			asked, yields, since = now, 0, time.Now()
			continue
		}
		yields++
	}
}

// table is a dataloader whose batches go out with those of all other tables of
// the response.
type table[K comparable, V any] struct {
	*dataloader.Loader[K, V]
	cache *cache[K, V]
}

// newTable makes a table. read queues the reads of some keys and returns what
// gives their values, in order.
func newTable[K comparable, V any](d *dispatcher, read func(*store.Read, []K) func() ([]V, error)) *table[K, V] {
	q := &queue{}
	batch := func(_ context.Context, keys []K) []*dataloader.Result[V] {
		d.mu.Lock()
		w := d.wave
		values := read(w.read, keys)
		q.queued += int64(len(keys))
		d.cond.Broadcast()
		d.mu.Unlock()
		<-w.sent
		results := make([]*dataloader.Result[V], len(keys))
		found, err := values()
		for i := range keys {
			if err != nil {
				results[i] = &dataloader.Result[V]{Error: err}
			} else {
				results[i] = &dataloader.Result[V]{Data: found[i]}
			}
		}
		return results
	}
	t := &table[K, V]{cache: &cache[K, V]{thunks: map[K]dataloader.Thunk[V]{}}}
	t.cache.miss = func() { d.note(q) }
	t.Loader = dataloader.NewBatchedLoader(batch,
		dataloader.WithCache[K, V](t.cache),
		dataloader.WithWait[K, V](time.Hour)) // the dispatcher sends, never a timer
	q.flush = t.Flush
	d.loaders = append(d.loaders, q)
	return t
}

// many loads keys; there is one value and one error per key. The error slice is
// nil when nothing failed.
func (t *table[K, V]) many(ctx context.Context, keys []K) ([]V, []error) {
	thunks := make([]dataloader.Thunk[V], len(keys))
	for i, k := range keys {
		thunks[i] = t.Load(ctx, k)
	}
	values := make([]V, len(keys))
	var errs []error
	for i, thunk := range thunks {
		v, err := thunk()
		values[i] = v
		if err != nil {
			if errs == nil {
				errs = make([]error, len(keys))
			}
			errs[i] = err
		}
	}
	return values, errs
}

// cache is dataloader's cache for one response. It tells when a key is asked
// for the first time.
type cache[K comparable, V any] struct {
	mu     sync.Mutex
	thunks map[K]dataloader.Thunk[V]
	miss   func()
}

// Get implements dataloader.Cache.
func (c *cache[K, V]) Get(_ context.Context, key K) (dataloader.Thunk[V], bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.thunks[key]
	return t, ok
}

// Set implements dataloader.Cache; it is called when a key is put into a batch.
func (c *cache[K, V]) Set(_ context.Context, key K, t dataloader.Thunk[V]) {
	c.mu.Lock()
	c.thunks[key] = t
	c.mu.Unlock()
	c.miss()
}

// Delete implements dataloader.Cache.
func (c *cache[K, V]) Delete(_ context.Context, key K) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.thunks[key]
	delete(c.thunks, key)
	return ok
}

// Clear implements dataloader.Cache.
func (c *cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.thunks)
}
