package pipeline

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// ErrNotReplicated is the error of a write that was executed, but that no replica has acknowledged in time.
// It is lost if its master fails now. To repeat the call with the same idempotency key is safe.
var ErrNotReplicated = errors.New("the write was executed, but not yet replicated")

// Replication is a hook that makes a pipeline with a script that writes wait, on the same connection, until a
// replica has acknowledged the write. In a cluster it must be a hook of the nodes' clients.
type Replication struct {
	// Timeout is how long to wait for the replica.
	Timeout time.Duration

	// skips are the scripts that do not wait; nil until they are known.
	skips atomic.Pointer[map[string]bool]
}

// replicas is how many replicas must acknowledge a write.
const replicas = 1

// DialHook implements redis.Hook.
func (*Replication) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook. Scripts are always sent in pipelines.
func (*Replication) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

// ProcessPipelineHook implements redis.Hook.
func (h *Replication) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if !h.waits(cmds) {
			return next(ctx, cmds)
		}
		wait := redis.NewIntCmd(ctx, "wait", replicas, h.Timeout.Milliseconds())
		all := make([]redis.Cmder, 0, len(cmds)+1)
		err := next(ctx, append(append(all, cmds...), wait))
		if wait.Err() == nil && wait.Val() >= replicas {
			return err
		}
		for _, cmd := range cmds {
			if h.writes(cmd) && (cmd.Err() == nil || IsNil(cmd.Err())) {
				cmd.SetErr(ErrNotReplicated)
				err = ErrNotReplicated
			}
		}
		return err
	}
}

func (h *Replication) waits(cmds []redis.Cmder) bool {
	for _, cmd := range cmds {
		if h.writes(cmd) {
			return true
		}
	}
	return false
}

// writes reports whether a command is a script that must be replicated.
func (h *Replication) writes(cmd redis.Cmder) bool {
	skips, sc := h.skips.Load(), scriptOf(cmd)
	return skips != nil && sc != "" && !(*skips)[sc]
}
