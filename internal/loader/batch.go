package loader

import (
	"context"
	"time"

	"github.com/graph-gophers/dataloader/v7"

	"agora/internal/store"
)

// loading is an object of the response, and what the dataloader returns for its id.
type loading[O, T any] struct {
	of     *T
	result dataloader.Thunk[*O]
}

// batch is a call of a dataloader's batch function, which returns the results when done is closed.
type batch[ID comparable, O any] struct {
	ids     []ID
	results []*dataloader.Result[*O]
	done    chan struct{}
}

// load has the next batch read an object.
func (h *handles[ID, O, T]) load(o *T) {
	if h.loader == nil {
		h.batches = make(chan *batch[ID, O])
		h.loader = dataloader.NewBatchedLoader(h.batch,
			dataloader.WithCache[ID, *O](&dataloader.NoCache[ID, *O]{}), // all is asked first
			dataloader.WithInputCapacity[ID, *O](inputs),
			dataloader.WithTracer(newTracer[ID, *O]()),
			dataloader.WithWait[ID, *O](time.Hour)) // the dispatcher sends, never a timer
	}
	if len(h.due) == 0 {
		h.d.objects = append(h.d.objects, h)
	}
	h.due = append(h.due, loading[O, T]{o, h.loader.Load(h.d.ctx, *h.members(o).id)})
}

// inputs is how many keys a batch holds before it grows.
const inputs = 64

// batch is the batch function. The dispatcher reads the objects, on its own goroutine: the client's deep calls would
// run on the small stack of a new one.
func (h *handles[ID, O, T]) batch(_ context.Context, ids []ID) []*dataloader.Result[*O] {
	b := &batch[ID, O]{ids, make([]*dataloader.Result[*O], len(ids)), make(chan struct{})}
	h.batches <- b
	<-b.done
	return b.results
}

// flush has the dataloader call the batch function.
func (h *handles[ID, O, T]) flush() {
	h.loader.Flush()
	h.sent = <-h.batches
	all := make([]dataloader.Result[*O], len(h.sent.ids))
	for i := range all {
		all[i].Error = errNotRead
		h.sent.results[i] = &all[i]
	}
}

// queue implements queuer.
func (h *handles[ID, O, T]) queue(r *store.Read) (take func()) {
	h.flush()
	read := h.read(r, h.sent.ids)
	return func() {
		found, errs := read()
		for i, o := range found {
			*h.sent.results[i] = dataloader.Result[*O]{Data: o, Error: at(errs, i)}
		}
	}
}

// end implements objects.
func (h *handles[ID, O, T]) end(read bool) {
	if h.sent == nil {
		h.flush()
	}
	close(h.sent.done)
	h.sent = nil
	for _, l := range h.due {
		found, err := l.result()
		switch k := h.members(l.of).handle; {
		case !read:
			k.status = statusUnread
		case err != nil:
			h.fail(k, err)
		default:
			h.take(l.of, found)
		}
	}
	h.due = nil
}
