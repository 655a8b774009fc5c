package pipeline

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"agora/internal/turns"
)

// coalescer combines reads that many executions issue at about the same time, and sends equal reads once:
// while some are in flight, others wait for the next pipeline. It is for events, which many subscribers
// execute at the same moment.
type coalescer struct {
	rdb redis.Cmdable

	mu       sync.Mutex
	waiting  []*waiter
	inFlight int
}

// waiter is a batch of reads. Their results are written before done is closed.
type waiter struct {
	ctx  context.Context
	cmds []redis.Cmder
	done chan struct{}
}

const (
	// MaxInFlight is how many pipelines of coalesced reads are in flight at a time: while the reply of one
	// is read, Redis works on another.
	MaxInFlight = 2
	// maxCommands is the maximum number of commands of a pipeline, unless a single waiter has more.
	maxCommands = 1000
)

type coalesceKey struct{}

// Coalesced returns a context whose reads may be sent together with those of others. Usage counts each as
// if it had been sent alone.
func Coalesced(ctx context.Context) context.Context {
	return context.WithValue(ctx, coalesceKey{}, true)
}

// IsCoalesced reports whether ctx was returned by Coalesced.
func IsCoalesced(ctx context.Context) bool { return ctx.Value(coalesceKey{}) != nil }

// coalesces reports whether the batch may be sent together with others: it consists of reads only.
func (b *Batch) coalesces(ctx context.Context) bool {
	if !IsCoalesced(ctx) || b.Len() == 0 {
		return false
	}
	for _, cmd := range b.Cmds() {
		if !reads[cmd.Name()] {
			return false
		}
	}
	return true
}

// reads are the commands that may be sent once for several callers with the same read.
var reads = map[string]bool{
	"exists": true, "get": true, "getrange": true, "hexists": true, "hget": true, "hgetall": true, "hmget": true, "hstrlen": true, "strlen": true,
	"zcard": true, "zcount": true, "zlexcount": true, "zrange": true, "zrangebyscore": true, "zrevrange": true, "zscore": true,
}

// exec sends the reads of a batch, immediately or with others, and waits for them. If ctx is done it waits
// only for reads in flight.
func (c *coalescer) exec(ctx context.Context, b *Batch) error {
	c.mu.Lock()
	if c.inFlight < MaxInFlight {
		c.inFlight++
		c.mu.Unlock()
		defer c.done()
		return b.send(ctx)
	}
	w := &waiter{ctx: ctx, cmds: b.Cmds(), done: make(chan struct{})}
	c.waiting = append(c.waiting, w)
	c.mu.Unlock()
	var end func(error)
	if u := UsageFrom(ctx); u != nil {
		end = u.begin(w.cmds[0].Name(), len(w.cmds))
	}
	turns.From(ctx).Aside(ctx, func() { c.await(ctx, w) })
	err := FirstError(w.cmds)
	if end != nil {
		end(err)
	}
	return err
}

// await waits for a batch that others send.
func (c *coalescer) await(ctx context.Context, w *waiter) {
	select {
	case <-w.done:
		return
	case <-ctx.Done():
	}
	if !c.leave(w) {
		<-w.done // the results are being written
		return
	}
	for _, cmd := range w.cmds {
		cmd.SetErr(ctx.Err())
	}
}

// Waiting returns how many batches wait for a pipeline.
func (c *Client) Waiting() int {
	c.coalescer.mu.Lock()
	defer c.coalescer.mu.Unlock()
	return len(c.coalescer.waiting)
}

// leave removes a waiter that has not been sent yet. It reports whether it did.
func (c *coalescer) leave(w *waiter) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.waiting, w)
	if i < 0 {
		return false
	}
	c.waiting = slices.Delete(c.waiting, i, i+1)
	return true
}

// done sends the waiting batches after a pipeline has completed.
func (c *coalescer) done() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) == 0 {
		c.inFlight--
		return
	}
	go c.drain() // ends when no batch waits
}

// drain sends batches until none waits.
func (c *coalescer) drain() {
	for {
		some := c.take()
		if len(some) == 0 {
			return
		}
		c.send(some)
		for _, w := range some {
			close(w.done)
		}
	}
}

// take removes and returns as many waiting batches as fit into one pipeline. If none waits, it ends the
// pipeline's slot.
func (c *coalescer) take() []*waiter {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, size := 0, 0
	for n < len(c.waiting) && (n == 0 || size+len(c.waiting[n].cmds) <= maxCommands) {
		size += len(c.waiting[n].cmds)
		n++
	}
	some := slices.Clone(c.waiting[:n])
	c.waiting = slices.Delete(c.waiting, 0, n)
	if n == 0 {
		c.inFlight--
	}
	return some
}

// send sends all reads as one pipeline, in a turn of the first caller. It uses no caller's context: a caller that
// leaves does not affect the others. The client's own timeouts limit it.
func (c *coalescer) send(some []*waiter) {
	ctx, end := turns.Detach(context.Background(), some[0].ctx)
	defer end()
	pipe := c.rdb.Pipeline()
	first := map[commandKey]redis.Cmder{}
	same := map[redis.Cmder]redis.Cmder{}
	for _, w := range some {
		for _, cmd := range w.cmds {
			k := commandKeyOf(cmd)
			if asked := first[k]; asked != nil {
				same[cmd] = asked
				continue
			}
			first[k] = cmd
			_ = pipe.Process(ctx, cmd) // only queues it
		}
	}
	_, _ = pipe.Exec(ctx) // each command has its own error
	for cmd, from := range same {
		copyReply(cmd, from)
	}
}

// commandKey is equal for equal commands.
type commandKey struct {
	result reflect.Type
	line   string
}

func commandKeyOf(cmd redis.Cmder) commandKey {
	var line strings.Builder
	for _, arg := range cmd.Args() {
		text, is := arg.(string)
		if !is {
			text = fmt.Sprint(arg)
		}
		line.WriteString(strconv.Itoa(len(text)))
		line.WriteByte(':')
		line.WriteString(text)
	}
	return commandKey{reflect.TypeOf(cmd), line.String()}
}

// valued is a command with a result of some type.
type valued[T any] interface {
	redis.Cmder
	Val() T
	SetVal(T)
}

// copyReply copies the result of an equal command. No caller modifies results.
func copyReply(to, from redis.Cmder) {
	switch from := from.(type) {
	case *redis.MapStringStringCmd:
		copyReplyAs(to, from)
	case *redis.SliceCmd:
		copyReplyAs(to, from)
	case *redis.StringCmd:
		copyReplyAs(to, from)
	case *redis.RawCmd:
		copyReplyAs(to, from)
	case *redis.StringSliceCmd:
		copyReplyAs(to, from)
	case *redis.IntCmd:
		copyReplyAs(to, from)
	case *redis.FloatCmd:
		copyReplyAs(to, from)
	case *redis.BoolCmd:
		copyReplyAs(to, from)
	case *redis.ZSliceCmd:
		copyReplyAs(to, from)
	default:
		to.SetErr(fmt.Errorf("agora: the result of %s cannot be shared", from.Name()))
	}
}

func copyReplyAs[T any](to redis.Cmder, from valued[T]) {
	to.SetErr(from.Err())
	to.(interface{ SetVal(T) }).SetVal(from.Val())
}
