package pipeline

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/redis/go-redis/v9"
)

// refusals begin the errors by which Redis refuses commands for a time: it is a replica,
// reads its data, is full, cannot save them, or is busy.
var refusals = []string{
	"READONLY", "LOADING", "OOM", "MISCONF", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS", "BUSY", "max number of clients reached",
}

// Unavailable reports whether err is a failure of Redis, or of the way to it, that may be
// over when the same is tried again: Redis is away or slow, or it refuses commands for a
// time. Other errors are faults of this program. The end of the caller's own context counts
// as slow; look at that first.
func Unavailable(err error) bool {
	if err == nil {
		return false
	}
	var reply redis.Error
	if errors.As(err, &reply) {
		return refused(reply)
	}
	var network net.Error // timeouts too
	return errors.As(err, &network) || broken(err) || errors.Is(err, redis.ErrClosed) ||
		errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrPoolExhausted)
}

// refused reports whether Redis has refused a command for a time. What a script calls is
// refused in the script's own error: "OOM …" since Redis 7, "ERR Error running script …: -OOM …"
// before.
func refused(reply redis.Error) bool {
	text := strings.TrimPrefix(reply.Error(), "ERR ")
	_, inner, inScript := strings.Cut(text, ": -")
	for _, word := range refusals {
		if strings.HasPrefix(text, word) || inScript && strings.HasPrefix(inner, word) {
			return true
		}
	}
	return false
}

// Answered reports whether err is an error that Redis answered, such as WRONGTYPE: other
// commands may succeed.
func Answered(err error) bool {
	var reply redis.Error
	return errors.As(err, &reply)
}

// RefusedNow reports whether err is Redis's refusal of a command for a time.
func RefusedNow(err error) bool {
	var reply redis.Error
	return errors.As(err, &reply) && refused(reply)
}

// broken reports whether a connection broke while it was in use. Timeouts are none.
func broken(err error) bool {
	for _, cause := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE,
		syscall.ECONNABORTED} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}

// unsent reports whether a command that failed was certainly not executed.
func unsent(err error) bool {
	var reply redis.Error
	var network *net.OpError
	return errors.As(err, &reply) || errors.As(err, &network) && network.Op == "dial" ||
		errors.Is(err, redis.ErrClosed) || errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrPoolExhausted)
}

// readOnly are the commands that change nothing, besides those in reads.
var readOnly = map[string]bool{
	"hkeys": true, "hlen": true, "info": true, "mget": true, "ping": true, "pttl": true, "scard": true, "sismember": true, "smembers": true,
	"time": true, "ttl": true, "type": true, "xlen": true, "xrange": true, "xrevrange": true, "zmscore": true, "zrangebylex": true,
	"zrank": true, "zrevrangebylex": true, "zrevrangebyscore": true, "zrevrank": true,
}

// effects know what commands change.
type effects struct{ readOnly, volatile map[string]bool }

// scriptSet is a set of scripts by what their commands name: the hash, or the text.
func scriptSet(scripts []*Script) map[string]bool {
	set := map[string]bool{}
	for _, sc := range scripts {
		set[sc.sha], set[sc.text] = true, true
	}
	return set
}

// scriptOf is what names the script of a command; "" if it runs none.
func scriptOf(cmd redis.Cmder) string {
	args := cmd.Args()
	if name := cmd.Name(); name != "evalsha" && name != "eval" || len(args) < 2 {
		return ""
	}
	text, _ := args[1].(string)
	return text
}

// Reads reports whether a command by its name, in lower case, changes nothing.
func Reads(name string) bool { return reads[name] || readOnly[name] }

// onlyReads reports whether a command changes nothing.
func (e effects) onlyReads(cmd redis.Cmder) bool {
	return Reads(cmd.Name()) || e.readOnly[scriptOf(cmd)]
}

// OnlyReads reports whether a command changes nothing.
func (c *Client) OnlyReads(cmd redis.Cmder) bool { return c.effects.onlyReads(cmd) }

// mayHaveChanged reports whether a command that was sent changed data, as far as is known.
func (e effects) mayHaveChanged(cmd redis.Cmder) bool {
	if e.onlyReads(cmd) || e.volatile[scriptOf(cmd)] || cmd.Name() == "multi" || cmd.Name() == "exec" {
		return false
	}
	return cmd.Err() == nil || IsNil(cmd.Err()) || !unsent(cmd.Err())
}

// repeatHook sends reads once more whose connection broke, as when Redis is started again.
// A command that may change something is never sent again.
type repeatHook struct{ effects }

// DialHook implements redis.Hook.
func (repeatHook) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook.
func (h repeatHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		if err == nil || !broken(err) || ctx.Err() != nil || !h.onlyReads(cmd) {
			return err
		}
		cmd.SetErr(nil)
		return next(ctx, cmd)
	}
}

// ProcessPipelineHook implements redis.Hook.
func (h repeatHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		if err == nil || !broken(err) || ctx.Err() != nil {
			return err
		}
		for _, cmd := range cmds {
			if !h.onlyReads(cmd) {
				return err
			}
		}
		for _, cmd := range cmds {
			cmd.SetErr(nil)
		}
		return next(ctx, cmds)
	}
}
