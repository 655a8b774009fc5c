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

// table loads values by key through a dataloader, whose batches go out with those
// of all other tables of the response. What a resolver asks for at once is one key
// of the dataloader, which costs much for each; a key that was asked already is not
// asked again. The dataloader is made with the first request: most responses need few.
type table[K comparable, V any] struct {
	d *dispatcher
	// read queues the reads of some keys and returns what gives their values, in order.
	read func(*store.Read, []K) func() ([]V, error)
	// long, if not nil, notes that long texts are read with some keys.
	long func(*texts, []K)

	mu     sync.Mutex
	slots  map[K]slot[K, V]
	loader *dataloader.Loader[*request[K, V], []V]
	queue  queue
}

// request is the keys that one call has asked for first.
type request[K comparable, V any] struct {
	keys  []K
	batch *batch
	thunk dataloader.Thunk[[]V]
}

// slot is where the value of a key will be.
type slot[K comparable, V any] struct {
	of *request[K, V]
	at int
}

func (t *table[K, V]) init(d *dispatcher, read func(*store.Read, []K) func() ([]V, error)) {
	t.d, t.read = d, read
}

// ask asks for keys without waiting for them, and gives the slots of their values.
func (t *table[K, V]) ask(ctx context.Context, keys []K) []slot[K, V] {
	if len(keys) == 0 {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.loader == nil {
		t.open()
	}
	if t.slots == nil {
		t.slots = make(map[K]slot[K, V], len(keys))
	}
	slots := make([]slot[K, V], len(keys))
	var fresh *request[K, V]
	for i, k := range keys {
		s, ok := t.slots[k]
		if !ok {
			if fresh == nil {
				fresh = &request[K, V]{keys: make([]K, 0, len(keys)-i)}
			}
			s = slot[K, V]{fresh, len(fresh.keys)}
			fresh.keys = append(fresh.keys, k)
			t.slots[k] = s
		}
		slots[i] = s
	}
	if fresh != nil {
		// In this order: whoever sends what was noted must find it.
		fresh.thunk = t.loader.Load(ctx, fresh)
		fresh.batch = t.d.note(ctx, &t.queue)
	}
	return slots
}

func (t *table[K, V]) open() {
	t.loader = dataloader.NewBatchedLoader(t.load,
		dataloader.WithInputCapacity[*request[K, V], []V](inputs),
		dataloader.WithWait[*request[K, V], []V](time.Hour)) // the dispatcher sends, never a timer
	t.queue.flush = t.loader.Flush
	t.d.add(&t.queue)
}

// inputs is how many requests a batch holds before it makes room for more.
const inputs = 32

// load is what dataloader calls with the requests that go out together.
func (t *table[K, V]) load(_ context.Context, requests []*request[K, V]) []*dataloader.Result[[]V] {
	var keys []K
	for _, r := range requests {
		keys = append(keys, r.keys...)
	}
	d := t.d
	d.mu.Lock()
	w := d.wave
	values := t.read(w.read, keys)
	if t.long != nil {
		t.long(&w.texts, keys)
	}
	t.queue.queued += int64(len(requests))
	d.cond.Broadcast()
	d.mu.Unlock()
	<-w.sent
	results := make([]*dataloader.Result[[]V], len(requests))
	found, err := values()
	for i, r := range requests {
		results[i] = &dataloader.Result[[]V]{Error: err}
		if err == nil {
			results[i].Data, found = found[:len(r.keys)], found[len(r.keys):]
		}
	}
	return results
}

// many loads keys; there is one value and one error per key. The error slice is
// nil when nothing failed.
func (t *table[K, V]) many(ctx context.Context, keys []K) ([]V, []error) {
	slots := t.ask(ctx, keys)
	if breadth.Running(ctx) && slices.ContainsFunc(slots, func(s slot[K, V]) bool { return !s.of.batch.come.Load() }) {
		if err := breadth.Wait(ctx); err != nil {
			return make([]V, len(keys)), slices.Repeat([]error{err}, len(keys))
		}
	}
	values := make([]V, len(keys))
	var errs []error
	var last *request[K, V]
	var found []V
	var err error
	for i, s := range slots {
		if s.of != last {
			last = s.of
			found, err = s.of.thunk()
		}
		if err != nil {
			errs = addError(errs, len(keys), i, err)
			continue
		}
		values[i] = found[s.at]
	}
	return values, errs
}

// one loads one key.
func (t *table[K, V]) one(ctx context.Context, key K) (V, error) {
	values, errs := t.many(ctx, []K{key})
	return values[0], at(errs, 0)
}

// put sets the value of a key without reading it.
func (t *table[K, V]) put(key K, value V) {
	r := &request[K, V]{keys: []K{key}, batch: &batch{}, thunk: func() ([]V, error) { return []V{value}, nil }}
	r.batch.come.Store(true)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.slots == nil {
		t.slots = map[K]slot[K, V]{}
	}
	t.slots[key] = slot[K, V]{r, 0}
}

// forget has every key read anew.
func (t *table[K, V]) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.slots = nil
}
