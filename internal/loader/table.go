package loader

import (
	"context"
	"slices"

	"agora/breadth"
	"agora/internal/store"
)

// table reads values by key in the pipeline of a level. Each key is read once in a response.
type table[K comparable, V any] struct {
	d *dispatcher
	// read queues the reads of keys and returns a function that returns their values, in order.
	read  func(*store.Read, []K) func() ([]V, error)
	cells map[K]*cell[V]
	// first is whether its reads come before all others of a pipeline; only one table has it.
	first bool
	// due are the keys to read with the next pipeline, into the cells of awaited.
	due     []K
	awaited []*cell[V]
}

// cell is the value of a key, once read.
type cell[V any] struct {
	value V
	err   error
	come  bool
}

func (t *table[K, V]) init(d *dispatcher, read func(*store.Read, []K) func() ([]V, error)) {
	t.d, t.read = d, read
}

// ask queues keys without waiting for them, and returns the cells of their values.
func (t *table[K, V]) ask(keys []K) []*cell[V] {
	if len(keys) == 0 {
		return nil
	}
	t.begin(len(keys))
	cells := make([]*cell[V], len(keys))
	var fresh []cell[V] // one allocation for all new ones
	for i, k := range keys {
		c, ok := t.cells[k]
		if !ok {
			if fresh == nil {
				fresh = make([]cell[V], len(keys)-i)
			}
			c, fresh = &fresh[0], fresh[1:]
			t.cells[k] = c
			if len(t.due) == 0 && t.first {
				t.d.ends = t
			} else if len(t.due) == 0 {
				t.d.tables = append(t.d.tables, t)
			}
			t.due, t.awaited = append(t.due, k), append(t.awaited, c)
		}
		cells[i] = c
	}
	return cells
}

// begin makes room for the cells of about n keys, unless there is some.
func (t *table[K, V]) begin(n int) {
	if t.cells == nil {
		t.cells = make(map[K]*cell[V], n)
		t.d.known = append(t.d.known, t)
	}
}

// queue implements queuer.
func (t *table[K, V]) queue(r *store.Read) func() {
	keys, cells := t.due, t.awaited
	take := t.into(r, keys, cells)
	t.due, t.awaited = nil, nil
	return func() {
		if err := take(); len(keys) > 1 && t.d.ctx.Err() == nil && store.Unavailable(err) {
			t.apart(keys, cells)
		}
	}
}

// into queues the reads of keys, and returns a function that puts their values into cells.
func (t *table[K, V]) into(r *store.Read, keys []K, cells []*cell[V]) func() error {
	values := t.read(r, keys)
	return func() error {
		found, err := values()
		for i, c := range cells {
			if c.come, c.err = true, err; err == nil {
				c.value = found[i]
			}
		}
		return err
	}
}

// apart reads keys that could not be read together because a part of Redis is away, in one more round trip: only those
// fail that are there.
func (t *table[K, V]) apart(keys []K, cells []*cell[V]) {
	r := t.d.store.Read(t.d.ctx)
	takes := make([]func(), len(keys))
	for i := range keys {
		takes[i] = r.Part(func() func() {
			take := t.into(r, keys[i:i+1], cells[i:i+1])
			return func() { _ = take() } // the cell has the error
		})
	}
	_ = r.Exec() // so do those of all
	for _, take := range takes {
		take()
	}
}

// many loads keys and returns one value and one error per key. The error slice is nil if nothing failed.
func (t *table[K, V]) many(ctx context.Context, keys []K) ([]V, []error) {
	cells := t.ask(keys)
	values := make([]V, len(keys))
	if slices.ContainsFunc(cells, func(c *cell[V]) bool { return !c.come }) {
		if err := breadth.Wait(ctx); err != nil {
			return values, slices.Repeat([]error{err}, len(keys))
		}
	}
	var errs []error
	for i, c := range cells {
		values[i] = c.value
		if !c.come {
			errs = addError(errs, len(keys), i, errNotRead)
		}
		errs = addError(errs, len(keys), i, c.err)
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
	t.begin(1)
	t.cells[key] = &cell[V]{value: value, come: true}
}

// forget drops all values, so that they are read again.
func (t *table[K, V]) forget() { t.cells = nil }
