package store

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/pipeline"
)

// Read is a set of reads that are sent as one pipeline, in one round trip. Its methods queue a read and
// return a function that returns the result after Exec. Reads of many ids return one entry per id, in
// order, nil where there is none. A Read is used once, by one goroutine.
type Read struct {
	s   *Store
	b   *pipeline.Batch
	ctx context.Context
	err error
	// failed are the errors of the commands, nil if no single one failed. They are kept because whoever takes a result
	// may free its commands.
	failed []error
	// optional are writes that Redis may refuse without failing the reads.
	optional []redis.Cmder
}

// Read begins a set of reads. ctx bounds the round trip.
func (s *Store) Read(ctx context.Context) *Read {
	return &Read{s: s, b: s.rdb.ReadBatch(ctx), ctx: ctx}
}

// readIn returns the reads that are queued on a pipeline, which the caller sends.
func (s *Store) readIn(ctx context.Context, b *pipeline.Batch) *Read {
	return &Read{s: s, b: b, ctx: ctx}
}

// FromReplicas returns a context in which replicas may serve what Read reads, if the store was connected for
// that. They lag behind their masters, usually by milliseconds.
func FromReplicas(ctx context.Context) context.Context { return pipeline.FromReplicas(ctx) }

// MayReadReplicas reports whether ctx was returned by FromReplicas.
func MayReadReplicas(ctx context.Context) bool { return pipeline.MayReadReplicas(ctx) }

// Part queues reads by queue. Their results, which the function that it returns takes, fail only if one of them
// does: in a cluster others may be away.
func (r *Read) Part(queue func() (take func())) (take func()) {
	from := r.b.Len()
	all := queue()
	to := r.b.Len()
	return func() {
		err := r.err
		if r.failed != nil {
			r.err = firstOf(r.failed[from:to])
		}
		all()
		r.err = err
	}
}

// Exec sends what was queued. If it fails, all results are its error, except for those of Part.
func (r *Read) Exec() error {
	cmds := r.b.Cmds()
	if r.err = r.b.Exec(r.ctx); r.err == nil {
		return nil
	}
	for _, cmd := range r.optional {
		if pipeline.RefusedNow(cmd.Err()) {
			cmd.SetErr(nil)
		}
	}
	failed := make([]error, len(cmds))
	for i, cmd := range cmds {
		failed[i] = pipeline.UnlessNil(cmd.Err())
	}
	switch first := firstOf(failed); {
	case first != nil:
		r.failed, r.err = failed, first
	case r.optional != nil: // only these were refused
		r.err = nil
	}
	return r.err
}

// firstOf returns the first error that is not nil.
func firstOf(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
