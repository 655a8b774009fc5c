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
// kinds together, in one pipeline, when the gate says that the level is complete.
// There is never more than one pipeline of a response under way, so that what is
// asked meanwhile gathers for the next.
type dispatcher struct {
	ctx   context.Context
	store *store.Store
	gate  *Gate
	asked atomic.Int64 // keys asked so far, of all loaders

	mu      sync.Mutex
	cond    *sync.Cond
	running bool
	wave    *wave
	next    *batch // keys asked now go out with it
	loaders []*queue
}

// batch tells whether the keys that went out together have come.
type batch struct{ come atomic.Bool }

// wave is one pipeline.
type wave struct {
	read *store.Read
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
	d := &dispatcher{ctx: ctx, store: s, gate: newGate(), next: &batch{}}
	d.cond = sync.NewCond(&d.mu)
	return d
}

// note counts a key that was not in the cache, and starts the goroutine that
// sends; it ends when nothing is left to send.
func (d *dispatcher) note(q *queue) *batch {
	d.asked.Add(1)
	d.mu.Lock()
	defer d.mu.Unlock()
	q.asked++
	if !d.running {
		d.running = true
		go d.run()
	}
	return d.next
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
		sent := d.next
		d.next = &batch{}
		waiters := d.gate.waiters()
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
		w.read.Exec() // each result bears the error
		sent.come.Store(true)
		d.gate.wake(waiters...) // before they run: they are about to ask for more
		close(w.sent)
	}
}

const (
	// patience is how long the dispatcher waits for a level to be complete after
	// the last key was asked. It is a safety net: a resolver that was expected and
	// never began, because its arguments were refused, must not hold up the others.
	patience = 5 * time.Millisecond
	// quietYields and quietTime are what must do where nobody tells the gate what
	// to expect: so many turns for all other goroutines, and so long, without a
	// new key.
	quietYields = 64
	quietTime   = 100 * time.Microsecond
)

// settle returns when the level is complete.
func (d *dispatcher) settle() {
	g := d.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.used {
		g.mu.Unlock()
		d.yield()
		g.mu.Lock()
		return
	}
	for !g.complete() {
		asked := d.asked.Load()
		late := false
		timer := time.AfterFunc(patience, func() {
			g.mu.Lock()
			late = true
			g.mu.Unlock()
			g.change.Broadcast()
		})
		for !g.complete() && !late {
			g.change.Wait()
		}
		timer.Stop()
		if late && d.asked.Load() == asked {
			return
		}
	}
}

// yield returns when nobody has asked for a moment.
func (d *dispatcher) yield() {
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
	gate  *Gate
	cache *cache[K, V]
}

// newTable makes a table. read queues the reads of some keys and returns what
// gives their values, in order.
func newTable[K comparable, V any](d *dispatcher, read func(*store.Read, []K) func() ([]V, error)) *table[K, V] {
	q := &queue{}
	load := func(_ context.Context, keys []K) []*dataloader.Result[V] {
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
	t := &table[K, V]{gate: d.gate, cache: &cache[K, V]{entries: map[K]entry[V]{}}}
	t.cache.miss = func() *batch { return d.note(q) }
	t.Loader = dataloader.NewBatchedLoader(load,
		dataloader.WithCache[K, V](t.cache),
		dataloader.WithWait[K, V](time.Hour)) // the dispatcher sends, never a timer
	q.flush = t.Flush
	d.loaders = append(d.loaders, q)
	return t
}

// ask asks for keys without waiting for them.
func (t *table[K, V]) ask(ctx context.Context, keys []K) []dataloader.Thunk[V] {
	thunks := make([]dataloader.Thunk[V], len(keys))
	for i, k := range keys {
		thunks[i] = t.Load(ctx, k)
	}
	return thunks
}

// many loads keys; there is one value and one error per key. The error slice is
// nil when nothing failed.
func (t *table[K, V]) many(ctx context.Context, keys []K) ([]V, []error) {
	thunks := t.ask(ctx, keys)
	if t.cache.pending(keys) {
		if w := t.gate.wait(ctx); w != nil {
			defer t.gate.wake(w)
		}
	}
	values := make([]V, len(keys))
	var errs []error
	for i, thunk := range thunks {
		v, err := thunk()
		values[i] = v
		errs = addError(errs, len(keys), i, err)
	}
	return values, errs
}

// one loads one key.
func (t *table[K, V]) one(ctx context.Context, key K) (V, error) {
	values, errs := t.many(ctx, []K{key})
	return values[0], at(errs, 0)
}

// cache is dataloader's cache for one response. It tells when a key is asked
// for the first time, and which keys have not come yet.
type cache[K comparable, V any] struct {
	mu      sync.Mutex
	entries map[K]entry[V]
	miss    func() *batch
}

type entry[V any] struct {
	thunk dataloader.Thunk[V]
	batch *batch
}

// pending tells whether one of the keys has not come yet.
func (c *cache[K, V]) pending(keys []K) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		if e, ok := c.entries[k]; ok && !e.batch.come.Load() {
			return true
		}
	}
	return false
}

// Get implements dataloader.Cache.
func (c *cache[K, V]) Get(_ context.Context, key K) (dataloader.Thunk[V], bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	return e.thunk, ok
}

// Set implements dataloader.Cache; it is called when a key is put into a batch.
func (c *cache[K, V]) Set(_ context.Context, key K, t dataloader.Thunk[V]) {
	b := c.miss()
	c.mu.Lock()
	c.entries[key] = entry[V]{t, b}
	c.mu.Unlock()
}

// Delete implements dataloader.Cache.
func (c *cache[K, V]) Delete(_ context.Context, key K) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.entries[key]
	delete(c.entries, key)
	return ok
}

// Clear implements dataloader.Cache.
func (c *cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.entries)
}
