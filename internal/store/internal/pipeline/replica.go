package pipeline

import (
	"context"

	"github.com/redis/go-redis/v9"
)

type replicaKey struct{}

// FromReplicas returns a context whose reads replicas may serve, which may lag behind their masters.
func FromReplicas(ctx context.Context) context.Context {
	return context.WithValue(ctx, replicaKey{}, true)
}

// MayReadReplicas reports whether ctx was returned by FromReplicas.
func MayReadReplicas(ctx context.Context) bool { return ctx.Value(replicaKey{}) != nil }

// ReadBatch returns an empty pipeline for reads. Replicas serve it if the context allows that and there are
// any, unless FromMasters is called; a read that fails there is repeated on its master.
func (c *Client) ReadBatch(ctx context.Context) *Batch {
	b := c.Batch()
	b.fromReplicas = c.replicas != nil && MayReadReplicas(ctx)
	return b
}

// FromMasters has masters serve the pipeline: it reads what may have been written just now.
func (b *Batch) FromMasters() { b.fromReplicas = false }

// queue returns the pipeline with which the queued commands are sent.
func (b *Batch) queue(ctx context.Context) redis.Pipeliner {
	if !b.fromReplicas {
		return b.Pipeliner
	}
	pipe := b.client.replicas.Pipeline()
	for _, cmd := range b.Cmds() {
		_ = pipe.Process(ctx, cmd) // only queues it
	}
	return pipe
}

// masterHook repeats on masters the reads that failed on replicas.
type masterHook struct {
	effects
	masters redis.Cmdable
}

// DialHook implements redis.Hook.
func (masterHook) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook. Reads are always sent in pipelines.
func (masterHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

// ProcessPipelineHook implements redis.Hook.
func (h masterHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		var again []redis.Cmder
		for _, cmd := range cmds {
			if Unavailable(cmd.Err()) && h.onlyReads(cmd) {
				again = append(again, cmd)
			}
		}
		if len(again) == 0 || ctx.Err() != nil {
			return err
		}
		pipe := h.masters.Pipeline()
		for _, cmd := range again {
			cmd.SetErr(nil)
			if err := pipe.Process(ctx, cmd); err != nil {
				return err
			}
		}
		_, _ = pipe.Exec(ctx) // each command has its own error
		return FirstError(cmds)
	}
}
