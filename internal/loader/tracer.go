package loader

import (
	"context"

	"github.com/graph-gophers/dataloader/v7"
)

// tracer traces nothing. Unlike the library's own no-op tracer, it does not allocate a function for each key.
type tracer[K comparable, V any] struct {
	load  dataloader.TraceLoadFinishFunc[V]
	many  dataloader.TraceLoadManyFinishFunc[V]
	batch dataloader.TraceBatchFinishFunc[V]
}

func newTracer[K comparable, V any]() dataloader.Tracer[K, V] {
	return &tracer[K, V]{
		load:  func(dataloader.Thunk[V]) {},
		many:  func(dataloader.ThunkMany[V]) {},
		batch: func([]*dataloader.Result[V]) {},
	}
}

// TraceLoad implements dataloader.Tracer.
func (t *tracer[K, V]) TraceLoad(ctx context.Context, _ K) (context.Context, dataloader.TraceLoadFinishFunc[V]) {
	return ctx, t.load
}

// TraceLoadMany implements dataloader.Tracer.
func (t *tracer[K, V]) TraceLoadMany(ctx context.Context, _ []K) (
	context.Context, dataloader.TraceLoadManyFinishFunc[V],
) {
	return ctx, t.many
}

// TraceBatch implements dataloader.Tracer.
func (t *tracer[K, V]) TraceBatch(ctx context.Context, _ []K) (context.Context, dataloader.TraceBatchFinishFunc[V]) {
	return ctx, t.batch
}
