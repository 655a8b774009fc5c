package store

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/redis/go-redis/v9"
)

// RetryAfter is after how many seconds what failed because of Redis may be tried again.
// Most failures are the restart of a process, which takes about as long.
const RetryAfter = 1

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
	return errors.As(err, &network) || broken(err) || errors.Is(err, redis.ErrClosed) || errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrPoolExhausted)
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

// refusedNow reports whether err is Redis's refusal of a command for a time.
func refusedNow(err error) bool {
	var reply redis.Error
	return errors.As(err, &reply) && refused(reply)
}

// broken reports whether a connection broke while it was in use. Timeouts are none.
func broken(err error) bool {
	for _, cause := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED} {
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

// readScripts change nothing.
var readScripts = scriptSet(homePage, homeSources, listPage, listSources)

// sideScripts change only what the server keeps for itself, and no data.
var sideScripts = scriptSet(rateTake, sessionTouch)

// scriptSet is a set of scripts by what their commands name: the hash, or the text.
func scriptSet(scripts ...*script) map[string]bool {
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

// onlyReads reports whether a command changes nothing.
func onlyReads(cmd redis.Cmder) bool {
	return reads[cmd.Name()] || readOnly[cmd.Name()] || readScripts[scriptOf(cmd)]
}

// mayHaveChanged reports whether a command that was sent changed data, as far as is known.
func mayHaveChanged(cmd redis.Cmder) bool {
	if onlyReads(cmd) || sideScripts[scriptOf(cmd)] || cmd.Name() == "multi" || cmd.Name() == "exec" {
		return false
	}
	return cmd.Err() == nil || isNil(cmd.Err()) || !unsent(cmd.Err())
}

// repeatHook sends reads once more whose connection broke, as when Redis is started again.
// A command that may change something is never sent again.
type repeatHook struct{}

// DialHook implements redis.Hook.
func (repeatHook) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook.
func (repeatHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		if err == nil || !broken(err) || ctx.Err() != nil || !onlyReads(cmd) {
			return err
		}
		cmd.SetErr(nil)
		return next(ctx, cmd)
	}
}

// ProcessPipelineHook implements redis.Hook.
func (repeatHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		if err == nil || !broken(err) || ctx.Err() != nil {
			return err
		}
		for _, cmd := range cmds {
			if !onlyReads(cmd) {
				return err
			}
		}
		for _, cmd := range cmds {
			cmd.SetErr(nil)
		}
		return next(ctx, cmds)
	}
}
