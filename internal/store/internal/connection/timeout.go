package connection

import (
	"context"
	"net"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// DefaultTimeout is how long Redis may take to answer a command or a short pipeline.
	DefaultTimeout = 800 * time.Millisecond
	// embeddedTimeout is the same for the embedded store. It is slow only when this process gets no
	// processor, and then there is no other Redis to turn to.
	embeddedTimeout = 10 * time.Second
	// poolSize is how many connections there are to each server at most. Operations hold one while they wait for a
	// processor to parse what has arrived, so there are more than of package turns's operations of one network.
	poolSize = 256
	// bufferSize is the size of the two buffers of each, in bytes. Longer pipelines take more system calls.
	bufferSize = 16 << 10
	// bulkStep is how many commands of a pipeline add another timeout to its limit: Redis answers some
	// 10,000 commands per second on a busy machine.
	bulkStep = 250
	// bulkMost is the maximum number of timeouts that a pipeline may take.
	bulkMost = 20
)

// setTimeouts sets the timeouts and the protocol that the URL does not set, and disables retries: a command whose reply
// was lost may have been executed, and must not be executed twice.
func setTimeouts(o *redis.Options, timeout time.Duration) {
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	if o.Protocol == 0 { // looking for the push messages of RESP3, which nothing here uses, costs time
		o.Protocol = 2
	}
	o.MaxRetries = -1
	o.ContextTimeoutEnabled = true
	if o.PoolSize == 0 {
		o.PoolSize = poolSize
	}
	o.ReadBufferSize, o.WriteBufferSize = bufferSize, bufferSize
	if o.DialTimeout == 0 {
		o.DialTimeout = timeout * 3 / 8
	}
	if o.ReadTimeout == 0 {
		o.ReadTimeout = timeout
	}
	if o.WriteTimeout == 0 {
		o.WriteTimeout = timeout
	}
}

// pipelineTimeout returns how long a pipeline of n commands may take.
func pipelineTimeout(timeout time.Duration, n int) time.Duration {
	return timeout * time.Duration(min(1+n/bulkStep, bulkMost))
}

// bulkHook gives long pipelines more time. It must be the last hook, because what it sends passes no other
// hooks.
type bulkHook struct {
	bare    *redis.Client // without hooks, on the same connections
	timeout time.Duration
}

// newBulkHook returns a hook for a client that has no hooks yet, or nil if the client has no timeout.
func newBulkHook(c *redis.Client) redis.Hook {
	timeout := c.Options().ReadTimeout
	if timeout <= 0 {
		return nil
	}
	return &bulkHook{c.WithTimeout(timeout), timeout}
}

// settingUp marks the context of commands that set up a new connection: they must stay on that connection,
// because taking another one from the pool would deadlock.
type settingUp struct{}

// DialHook implements redis.Hook.
func (*bulkHook) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook implements redis.Hook.
func (*bulkHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

// ProcessPipelineHook implements redis.Hook.
func (h *bulkHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		timeout := pipelineTimeout(h.timeout, len(cmds))
		// replies to multi are read differently
		if timeout == h.timeout || cmds[0].Name() == "multi" || ctx.Value(settingUp{}) != nil {
			return next(ctx, cmds)
		}
		pipe := h.bare.WithTimeout(timeout).Pipeline()
		for _, cmd := range cmds {
			if err := pipe.Process(ctx, cmd); err != nil {
				return err
			}
		}
		_, err := pipe.Exec(ctx)
		return err
	}
}
