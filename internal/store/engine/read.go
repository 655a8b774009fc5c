package engine

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/pipeline"
)

// Read is a set of reads that are sent as one pipeline, in one round trip. Its methods queue a read and
// return a function that returns the result after Exec. Reads of many ids return one entry per id, in
// order, nil where there is none. A Read is used once, by one goroutine.
type Read struct {
	Engine *Engine
	Batch  *pipeline.Batch
	Ctx    context.Context
	Err    error
	// failed are the errors of the commands, nil if no single one failed. They are kept because whoever takes a result
	// may free its commands.
	failed []error
	// Charge charges the work on what was read before it is done, as many units as a response's meter counts; nil if
	// nobody does. Its error fails what it was for.
	Charge func(work int) error
	// Optional are writes that Redis may refuse without failing the reads.
	Optional []redis.Cmder
}

// Read begins a set of reads. ctx bounds the round trip.
func (s *Engine) Read(ctx context.Context) *Read {
	return &Read{Engine: s, Batch: s.Client.ReadBatch(ctx), Ctx: ctx}
}

// ReadIn returns the reads that are queued on a pipeline, which the caller sends.
func (s *Engine) ReadIn(ctx context.Context, b *pipeline.Batch) *Read {
	return &Read{Engine: s, Batch: b, Ctx: ctx}
}

// FromReplicas returns a context in which replicas may serve what Read reads, if the store was connected for
// that. They lag behind their masters, usually by milliseconds.
func FromReplicas(ctx context.Context) context.Context { return pipeline.FromReplicas(ctx) }

// MayReadReplicas reports whether ctx was returned by FromReplicas.
func MayReadReplicas(ctx context.Context) bool { return pipeline.MayReadReplicas(ctx) }

// Part queues reads by queue. Their results, which the function that it returns takes, fail only if one of them
// does: in a cluster others may be away.
func (r *Read) Part(queue func() (take func())) (take func()) {
	from := r.Batch.Len()
	all := queue()
	to := r.Batch.Len()
	return func() {
		err := r.Err
		if r.failed != nil {
			r.Err = firstOf(r.failed[from:to])
		}
		all()
		r.Err = err
	}
}

// Exec sends what was queued. If it fails, all results are its error, except for those of Part.
func (r *Read) Exec() error {
	cmds := r.Batch.Cmds()
	if r.Err = r.Batch.Exec(r.Ctx); r.Err == nil {
		return nil
	}
	for _, cmd := range r.Optional {
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
		r.failed, r.Err = failed, first
	case r.Optional != nil: // only these were refused
		r.Err = nil
	}
	return r.Err
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

// Written is what a write has made or changed.
type Written struct {
	Topic    forum.TopicID
	Comment  forum.CommentID // 0 for a topic
	Author   forum.UserID
	Category forum.CategoryID // of a topic
}

// ReadBack adds reads to the last round trip of a write, of what its script has made or changed, for the answer to the
// mutation. They may not depend on what the round trip writes. What it returns is called once: sent is false if the
// reads have no replies, or may be out of date.
type ReadBack func(r *Read, of Written) (end func(sent bool))
