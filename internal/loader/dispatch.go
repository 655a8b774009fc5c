package loader

import (
	"context"
	"slices"
	"sync"

	"agora/breadth"
	"agora/internal/store"
	"agora/internal/store/listing"
)

// dispatcher sends the queued reads of all loaders of a response in one pipeline when the executor calls Dispatch.
// One resolver of a response runs at a time, and none while a pipeline is in progress.
type dispatcher struct {
	ctx    context.Context
	store  *store.Store
	memory *listing.Memory // nil for a response that reads all objects
	known  []forgetter     // what has read anything
	tables []queuer        // with keys queued since the last pipeline
	ends   queuer          // is queued before all others; nil if nothing is
	due    []batched       // dataloaders with keys queued since the last pipeline
	level  *level          // the pipeline in progress, or nil
}

// queuer adds its queued reads to a pipeline, and returns the function that takes their replies.
type queuer interface {
	queue(r *store.Read) (take func())
}

// forgetter drops what it has read.
type forgetter interface{ forget() }

// batched is a dataloader.
type batched interface {
	// flush calls the dataloader's batch function.
	flush()
	// finish waits for the values of the batch. read is false if the batch was not read; its values are then loaded
	// again when next requested.
	finish(read bool)
}

// level is one pipeline: everything requested until no resolver of the response could continue. The batch functions
// of dataloaders join it, each on its own goroutine. When all have joined, the dispatcher sends it.
type level struct {
	d       *dispatcher
	due     []batched      // whose batch functions join
	open    sync.WaitGroup // batch functions that have not joined yet
	mu      sync.Mutex
	joined  []reads
	takes   []func()
	read    chan struct{} // is closed when the replies were taken, or will not come
	failure any           // of a panic
}

// reads are the reads of one batch function.
type reads struct {
	order int
	queue func(*store.Read) (take func())
}

// Dispatch sends all queued reads in one pipeline, and returns when the replies have arrived or failed. It implements
// breadth.Loads.
func (d *dispatcher) Dispatch() {
	lv := d.collect()
	lv.send()
	lv.finish(lv.failure == nil)
	if lv.failure != nil {
		panic(lv.failure)
	}
}

// collect has all batch functions join a new level.
func (d *dispatcher) collect() *level {
	lv := &level{d: d, due: d.due, read: make(chan struct{})}
	d.level, d.due = lv, nil
	lv.open.Add(len(lv.due))
	for _, b := range lv.due {
		b.flush()
	}
	lv.open.Wait()
	d.level = nil
	return lv
}

// finish ends all batches of the level.
func (lv *level) finish(read bool) {
	close(lv.read)
	for _, b := range lv.due {
		b.finish(read)
	}
}

// join adds the reads of a batch function; their order is their position in the pipeline. The batch function then waits
// for read. It does not send: the client's deep calls would run on the small stack of a new goroutine.
func (lv *level) join(r reads) {
	lv.mu.Lock()
	lv.joined = append(lv.joined, r)
	lv.mu.Unlock()
	lv.open.Done()
}

// send sends the pipeline and takes the replies.
func (lv *level) send() {
	defer func() { lv.failure = recover() }()
	d := lv.d
	slices.SortFunc(lv.joined, func(a, b reads) int { return a.order - b.order })
	r := d.store.Read(d.ctx)
	r.Charge(func(work int) error { return breadth.MeterFrom(d.ctx).Charge(work, 0) })
	if d.ends != nil { // what is read with it may not be older
		lv.takes = append(lv.takes, r.Part(func() func() { return d.ends.queue(r) }))
		d.ends = nil
	}
	lv.queue(r)
	for _, q := range d.tables {
		lv.takes = append(lv.takes, r.Part(func() func() { return q.queue(r) }))
	}
	d.tables = d.tables[:0]
	r.Exec() // each result carries the error
	lv.take()
}

// queue queues the reads of all batch functions, in their order.
func (lv *level) queue(r *store.Read) {
	for _, j := range lv.joined {
		lv.takes = append(lv.takes, r.Part(func() func() { return j.queue(r) }))
	}
}

// take takes the replies.
func (lv *level) take() {
	for _, f := range lv.takes {
		f()
	}
}

// Close implements breadth.Loads. It ends the batches that were queued but not sent.
func (d *dispatcher) Close() {
	due := d.due
	d.due = nil
	for _, b := range due {
		b.flush()
		b.finish(false)
	}
}
