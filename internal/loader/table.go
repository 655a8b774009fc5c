package loader

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/graph-gophers/dataloader/v7"

	"agora/internal/breadth"
	"agora/internal/store"
)

// table is a dataloader whose batches go out with those of all other tables of
// the response. It is made when the first key is asked: most responses need few.
type table[K comparable, V any] struct {
	d *dispatcher
	// read queues the reads of some keys and returns what gives their values, in order.
	read   func(*store.Read, []K) func() ([]V, error)
	once   sync.Once
	loader *dataloader.Loader[K, V]
	queue  queue
	cache  cache[K, V]
}

// inputs is how many keys a batch holds before it makes room for more.
const inputs = 32

func (t *table[K, V]) init(d *dispatcher, read func(*store.Read, []K) func() ([]V, error)) {
	t.d, t.read = d, read
}

func (t *table[K, V]) open() {
	t.once.Do(func() {
		t.cache.miss = func(ctx context.Context) *batch { return t.d.note(ctx, &t.queue) }
		t.loader = dataloader.NewBatchedLoader(t.batch,
			dataloader.WithCache[K, V](&t.cache),
			dataloader.WithInputCapacity[K, V](inputs),
			dataloader.WithWait[K, V](time.Hour)) // the dispatcher sends, never a timer
		t.queue.flush = t.loader.Flush
		t.d.add(&t.queue)
	})
}

// batch is what dataloader calls with the keys that go out together.
func (t *table[K, V]) batch(_ context.Context, keys []K) []*dataloader.Result[V] {
	d := t.d
	d.mu.Lock()
	w := d.wave
	values := t.read(w.read, keys)
	t.queue.queued += int64(len(keys))
	d.cond.Broadcast()
	d.mu.Unlock()
	<-w.sent
	results := make([]dataloader.Result[V], len(keys))
	refs := make([]*dataloader.Result[V], len(keys))
	found, err := values()
	for i := range keys {
		if refs[i] = &results[i]; err != nil {
			results[i].Error = err
		} else {
			results[i].Data = found[i]
		}
	}
	return refs
}

// load asks for a key. What was asked already is not asked of dataloader again,
// which would cost as much as the first time.
func (t *table[K, V]) load(ctx context.Context, key K) dataloader.Thunk[V] {
	t.open()
	if thunk, ok := t.cache.Get(ctx, key); ok {
		return thunk
	}
	return t.loader.Load(ctx, key)
}

// ask asks for keys without waiting for them.
func (t *table[K, V]) ask(ctx context.Context, keys []K) []dataloader.Thunk[V] {
	thunks := make([]dataloader.Thunk[V], len(keys))
	for i, k := range keys {
		thunks[i] = t.load(ctx, k)
	}
	return thunks
}

// many loads keys; there is one value and one error per key. The error slice is
// nil when nothing failed.
func (t *table[K, V]) many(ctx context.Context, keys []K) ([]V, []error) {
	if len(keys) == 0 {
		return nil, nil
	}
	thunks := t.ask(ctx, keys)
	if breadth.Running(ctx) && t.cache.pending(keys) {
		if err := breadth.Wait(ctx); err != nil {
			return make([]V, len(keys)), slices.Repeat([]error{err}, len(keys))
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

// forget has every key read anew.
func (t *table[K, V]) forget() { t.cache.Clear() }
