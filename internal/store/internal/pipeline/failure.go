package pipeline

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/redis/go-redis/v9"

	"agora/internal/turns"
)

// refusals are the prefixes of errors by which Redis refuses commands temporarily: it is a replica, is
// loading its data, is full, cannot save, or is busy.
var refusals = []string{
	"READONLY", "LOADING", "OOM", "MISCONF", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "MOVED", "ASK", "NOREPLICAS", "BUSY",
	"max number of clients reached",
}

// Unavailable reports whether err is a failure of Redis, or of the connection to it, that may not recur on
// a retry: Redis is away or slow, or it refuses commands temporarily. Other errors are faults of this
// program. The end of the caller's own context counts as slow; check that first.
func Unavailable(err error) bool {
	if err == nil {
		return false
	}
	var reply redis.Error
	if errors.As(err, &reply) {
		return refused(reply)
	}
	var network net.Error // includes timeouts
	return errors.As(err, &network) || broken(err) || errors.Is(err, ErrNotReplicated) || errors.Is(err, ErrReplica) || errors.Is(err, turns.ErrBusy) ||
		errors.Is(err, redis.ErrClosed) || errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrPoolExhausted)
}

// refused reports whether Redis has refused a command temporarily. The refusal of a command in a script is
// part of the script's error: "OOM …" since Redis 7, "ERR Error running script …: -OOM …" before.
func refused(reply redis.Error) bool {
	text := strings.TrimPrefix(reply.Error(), "ERR ")
	_, inner, inScript := strings.Cut(text, ": -")
	for _, word := range refusals {
		if strings.HasPrefix(text, word) || inScript && strings.HasPrefix(inner, word) {
			return true
		}
	}
	return refusedScript(reply)
}

// refusedScript reports whether a cluster has refused the first command of a script, because the slot is being
// moved or is not served.
func refusedScript(reply redis.Error) bool {
	return strings.Contains(reply.Error(), "access a non local key") ||
		strings.Contains(reply.Error(), "while the cluster is down")
}

// RefusedScript reports whether err says that a cluster did not execute a script, because its slot is being
// moved or is not served.
func RefusedScript(err error) bool {
	var reply redis.Error
	return errors.As(err, &reply) && refusedScript(reply)
}

// ErrReplica refuses a connection to a node of a cluster that is a replica: commands go to masters.
var ErrReplica = errors.New("the node is a replica")

// Answered reports whether err is an error reply of Redis, such as WRONGTYPE: other commands may succeed.
func Answered(err error) bool {
	var reply redis.Error
	return errors.As(err, &reply)
}

// RefusedNow reports whether err is a temporary refusal by Redis.
func RefusedNow(err error) bool {
	var reply redis.Error
	return errors.As(err, &reply) && refused(reply)
}

// broken reports whether a connection broke while it was in use. Timeouts do not count.
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
		errors.Is(err, redis.ErrClosed) || errors.Is(err, redis.ErrPoolTimeout) ||
		errors.Is(err, redis.ErrPoolExhausted) || errors.Is(err, ErrReplica)
}

// readOnly are the commands that change nothing, in addition to those in reads.
var readOnly = map[string]bool{
	"hkeys": true, "hlen": true, "info": true, "mget": true, "ping": true, "pttl": true, "publish": true, "scard": true,
	"sismember": true, "smembers": true, "time": true, "ttl": true, "type": true, "xlen": true, "xrange": true, "xrevrange": true, "zmscore": true, "zrangebylex": true,
	"zrank": true, "zrevrangebylex": true, "zrevrangebyscore": true, "zrevrank": true,
}

// effects knows what commands and scripts change.
type effects struct{ readOnly, volatile map[string]bool }

// scriptSet returns a set of scripts, in both forms, under both names that commands use: the hash and the
// text.
func scriptSet(scripts []*Script) map[string]bool {
	set := map[string]bool{}
	for _, sc := range scripts {
		for _, as := range []form{sc.alone(), sc.inCluster()} {
			set[as.sha], set[as.text] = true, true
		}
	}
	return set
}

// scriptOf returns the hash or text of a command's script; "" if it runs none.
func scriptOf(cmd redis.Cmder) string {
	args := cmd.Args()
	if name := cmd.Name(); name != "evalsha" && name != "eval" || len(args) < 2 {
		return ""
	}
	text, _ := args[1].(string)
	return text
}

// Reads reports whether the command with this name, in lower case, changes nothing.
func Reads(name string) bool { return reads[name] || readOnly[name] }

// onlyReads reports whether a command changes nothing.
func (e effects) onlyReads(cmd redis.Cmder) bool {
	return Reads(cmd.Name()) || e.readOnly[scriptOf(cmd)]
}

// OnlyReads reports whether a command changes nothing.
func (c *Client) OnlyReads(cmd redis.Cmder) bool { return c.effects.onlyReads(cmd) }

// mayHaveChanged reports whether a command that was sent may have changed data.
func (e effects) mayHaveChanged(cmd redis.Cmder) bool {
	if e.onlyReads(cmd) || e.volatile[scriptOf(cmd)] || cmd.Name() == "multi" || cmd.Name() == "exec" {
		return false
	}
	return cmd.Err() == nil || IsNil(cmd.Err()) || !unsent(cmd.Err())
}

// repeatHook retries reads once whose connection broke, as when Redis is restarted. A command that may
// change something is never retried.
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
		err := failAll(cmds, next(ctx, cmds))
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
		return failAll(cmds, next(ctx, cmds))
	}
}

// failAll makes err, with which a pipeline failed, the error of all of its commands if none has one, and returns it.
// The client leaves that out if Redis refused the connection by an error reply, as while it loads its data: the
// commands would look as if they had found nothing.
func failAll(cmds []redis.Cmder, err error) error {
	if err == nil {
		return nil
	}
	for _, cmd := range cmds {
		if cmd.Err() != nil {
			return err
		}
	}
	for _, cmd := range cmds {
		cmd.SetErr(err)
	}
	return err
}
