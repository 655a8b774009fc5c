package redistest

import (
	"context"
	"net"

	"github.com/redis/go-redis/v9"
)

// Hook is a redis.Hook that is called with what a client is about to send, a single command as a pipeline of one. It
// sends that with next, or fails it.
type Hook func(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error

// DialHook implements redis.Hook.
func (Hook) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook implements redis.Hook.
func (h Hook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		return h(ctx, []redis.Cmder{cmd}, func(ctx context.Context, _ []redis.Cmder) error { return next(ctx, cmd) })
	}
}

// ProcessPipelineHook implements redis.Hook.
func (h Hook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error { return h(ctx, cmds, next) }
}

// Fail fails commands that are not sent, or whose replies are lost.
func Fail(cmds []redis.Cmder, err error) error {
	for _, cmd := range cmds {
		cmd.SetErr(err)
	}
	return err
}
