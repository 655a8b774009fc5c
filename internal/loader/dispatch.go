package loader

import (
	"context"

	"agora/breadth"
	"agora/internal/store"
	"agora/internal/store/listing"
)

// dispatcher sends the queued reads of all loaders of a response in one pipeline when the executor calls Dispatch.
// One resolver of a response runs at a time, and none while a pipeline is in progress.
type dispatcher struct {
	ctx     context.Context
	store   *store.Store
	memory  *listing.Memory // nil for a response that reads all objects
	known   []forgetter     // what has read anything
	ends    queuer          // is queued before all others; nil if nothing is
	objects []objects       // with keys queued since the last pipeline
	tables  []queuer        // likewise
}

// queuer adds its queued reads to a pipeline, and returns the function that takes their replies.
type queuer interface {
	queue(r *store.Read) (take func())
}

// objects are the objects of one type.
type objects interface {
	queuer
	// end ends the dataloader's batch. If it was not read, its objects are loaded again when next needed.
	end(read bool)
}

// forgetter drops what it has read.
type forgetter interface{ forget() }

// Dispatch sends all queued reads in one pipeline, and returns when the replies have arrived or failed. It implements
// breadth.Loads.
func (d *dispatcher) Dispatch() {
	sent, read := d.objects, false
	d.objects = nil
	defer func() { end(sent, read) }() // even if a read panics
	r := d.store.Read(d.ctx)
	r.Charge(func(work int) error { return breadth.MeterFrom(d.ctx).Charge(work, 0) })
	var takes []func()
	if first := d.ends; first != nil { // what is read with it may not be older
		d.ends = nil
		takes = append(takes, r.Part(func() func() { return first.queue(r) }))
	}
	takes = append(takes, queue(r, sent)...)
	takes = append(takes, queue(r, d.tables)...)
	d.tables = d.tables[:0]
	_ = r.Exec() // each result carries the error
	for _, take := range takes {
		take()
	}
	read = true
}

// queue queues reads, of which each fails on its own.
func queue[Q queuer](r *store.Read, all []Q) (takes []func()) {
	for _, q := range all {
		takes = append(takes, r.Part(func() func() { return q.queue(r) }))
	}
	return takes
}

// end ends batches.
func end(all []objects, read bool) {
	for _, o := range all {
		o.end(read)
	}
}

// Close implements breadth.Loads. It ends the batches that were queued but not sent.
func (d *dispatcher) Close() {
	end(d.objects, false)
	d.objects = nil
}
