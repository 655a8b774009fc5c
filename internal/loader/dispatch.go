package loader

import (
	"context"
	"sync"

	"agora/internal/store"
)

// dispatcher sends what the loaders of a response were asked for: all kinds together, in
// one pipeline, when the executor says so. One resolver of a response runs at a time, and
// none while a pipeline is under way.
type dispatcher struct {
	ctx    context.Context
	store  *store.Store
	tables []queuer  // that were asked for something since the last pipeline
	due    []batched // dataloaders that were
	level  *level    // the pipeline under way; nil if none is
}

// queuer puts the reads that it was asked for into a pipeline, and returns what takes
// their replies.
type queuer interface {
	queue(r *store.Read) (take func())
}

// batched is a dataloader.
type batched interface {
	// flush has the dataloader call its batch function.
	flush()
	// settle waits for the values of the batch, which were read or not. What was not is
	// loaded again when it is next asked for.
	finish(read bool)
}

// level is one pipeline: the reads of everything that was asked for while no resolver of
// the response could go on. The batch functions of dataloaders join it, each on a goroutine
// of its own. When all have, the dispatcher sends.
type level struct {
	d       *dispatcher
	open    sync.WaitGroup // batch functions that have not joined yet
	mu      sync.Mutex
	joined  []reads
	take    []func()
	failure any // of a panic
}

// reads are those of one batch function.
type reads struct {
	order int
	queue func(*store.Read, *texts) (take func())
}

// Dispatch sends all that was asked for in one pipeline, and returns when it has
// come or failed. It implements breadth.Loads.
func (d *dispatcher) Dispatch() {
	lv := &level{d: d}
	due := d.due
	d.level, d.due = lv, nil
	lv.open.Add(len(due))
	for _, b := range due {
		b.flush()
	}
	lv.open.Wait()
	lv.send()
	d.level = nil
	for _, b := range due {
		b.finish(lv.failure == nil)
	}
	if lv.failure != nil {
		panic(lv.failure)
	}
}

// join adds the reads of a batch function, which stand in the pipeline by their order. It does
// not wait for the replies: what is read is taken into the values that the batch function
// returns, before anybody looks at them. Sending from here would run the client's deep calls
// on the small stack of a new goroutine, and wake each batch function once more.
func (lv *level) join(order int, queue func(*store.Read, *texts) (take func())) {
	lv.mu.Lock()
	lv.joined = append(lv.joined, reads{order, queue})
	lv.mu.Unlock()
	lv.open.Done()
}

// send sends the pipeline and has the replies taken.
func (lv *level) send() {
	defer func() { lv.failure = recover() }()
	d := lv.d
	r, t := d.store.Read(d.ctx), &texts{}
	for order := range kinds {
		for _, j := range lv.joined {
			if j.order == order {
				lv.take = append(lv.take, j.queue(r, t))
			}
		}
	}
	for _, q := range d.tables {
		lv.take = append(lv.take, q.queue(r))
	}
	d.tables = d.tables[:0]
	take := func() {
		for _, f := range lv.take {
			f()
		}
	}
	run := func() {
		r.Exec() // each result has the error
		take()
	}
	if err := t.during(d.ctx, d.store, run); err != nil && r.Refuse(err) {
		take()
	}
}

// Close implements breadth.Loads: it ends the batches that were begun and not sent.
func (d *dispatcher) Close() {
	due := d.due
	d.due = nil
	for _, b := range due {
		b.flush()
		b.finish(false)
	}
}
