package connection

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/pipeline"
	"agora/internal/turns"
)

// turnHook pauses the turn of a caller while it waits for Redis: go-redis writes commands and parses replies on the
// caller's goroutine, which takes a processor, but it waits there, too. It is a hook of each client that has
// connections: in a cluster, of the nodes' clients.
//
// A connection does not know its caller. It learns it from the deadline that the client sets before it
// writes and reads: that is the deadline of the context, and each call has a deadline of its own.
type turnHook struct {
	// timeout is how long the client waits for a reply; 0 if the context limits that.
	timeout time.Duration
	// forks is set for the nodes of a cluster, whose pipelines are sent side by side: each then has a turn of its own.
	forks bool
	calls *calls
}

// calls are the calls whose deadlines no connection has yet been given, by these, in Unix ns.
type calls struct {
	mu sync.Mutex
	by map[int64]*call
}

// pauseTurns makes a client that has no connection yet pause the turns of its callers.
func pauseTurns(c *redis.Client, forks bool) {
	timeout := c.Options().ReadTimeout
	if forks {
		timeout = 0
	}
	c.AddHook(turnHook{max(0, timeout), forks, &calls{by: map[int64]*call{}}})
}

// DialHook implements redis.Hook.
func (h turnHook) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		nc, err := next(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: nc, calls: h.calls}
		if raw, ok := nc.(syscall.Conn); ok {
			return &plainConn{c, raw}, nil
		}
		return c, nil
	}
}

// ProcessHook implements redis.Hook.
func (h turnHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		return h.call(ctx, []redis.Cmder{cmd}, func(ctx context.Context) error { return next(ctx, cmd) })
	}
}

// ProcessPipelineHook implements redis.Hook.
func (h turnHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		return h.call(ctx, cmds, func(ctx context.Context) error { return next(ctx, cmds) })
	}
}

// call sends commands. Those that set up a connection for others belong to the call of these.
func (h turnHook) call(ctx context.Context, cmds []redis.Cmder, send func(context.Context) error) error {
	if ctx.Value(callKey{}) != nil {
		return send(ctx)
	}
	turn := turns.From(ctx)
	if h.forks {
		turn = turn.Fork()
		defer turn.End()
	} else {
		defer turn.Resume(ctx)
	}
	if turn == nil {
		return send(ctx)
	}
	done, err := turn.Send(ctx, pipeline.Time(ctx, cmds))
	if err != nil {
		for _, cmd := range cmds {
			cmd.SetErr(err)
		}
		return err
	}
	c := &call{Context: ctx, calls: h.calls, turn: turn, arrived: sync.OnceFunc(done)}
	if h.timeout > 0 {
		c.timeout = pipelineTimeout(h.timeout, len(cmds)) - margin
	}
	defer c.end()
	return send(c)
}

// margin is how much earlier a call's deadline is than the client's own, which is computed before it.
const margin = 20 * time.Millisecond

// unlimited is the deadline of calls without one.
const unlimited = 24 * time.Hour

// call is the context of one command or pipeline.
type call struct {
	context.Context
	calls   *calls
	turn    *turns.Turn
	timeout time.Duration // 0 if only the context limits it
	arrived func()        // is called when replies arrive, and at the end
	given   []int64       // the deadlines returned; calls.mu guards it
}

type callKey struct{}

// Value returns the call itself for callKey.
func (c *call) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// Deadline implements context.Context. It returns until when the client waits from now on, which no other call does.
func (c *call) Deadline() (time.Time, bool) {
	until, limited := c.Context.Deadline()
	if own := time.Now().Add(c.timeout); c.timeout > 0 && (!limited || own.Before(until)) {
		until = own
	} else if !limited {
		until = time.Now().Add(unlimited)
	}
	c.calls.mu.Lock()
	defer c.calls.mu.Unlock()
	for c.calls.by[until.UnixNano()] != nil {
		until = until.Add(-time.Nanosecond)
	}
	at := until.UnixNano()
	c.calls.by[at] = c
	c.given = append(c.given, at)
	return until, true
}

// end is called when the replies have been parsed.
func (c *call) end() {
	c.arrived()
	c.calls.mu.Lock()
	defer c.calls.mu.Unlock()
	for _, at := range c.given {
		delete(c.calls.by, at)
	}
	c.Context, c.turn = context.Background(), nil // a connection may keep the call until it is used again
}

// take returns the call with a deadline, or nil.
func (c *calls) take(until time.Time) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := until.UnixNano()
	found := c.by[at]
	delete(c.by, at)
	return found
}

// conn is a connection to Redis that pauses the turn of its caller while it is read.
type conn struct {
	net.Conn
	calls *calls
	call  atomic.Pointer[call] // for which it is used; nil if none is known
}

// SetWriteDeadline implements net.Conn.
func (c *conn) SetWriteDeadline(until time.Time) error {
	c.call.Store(c.calls.take(until))
	return c.Conn.SetWriteDeadline(until)
}

// SetReadDeadline implements net.Conn.
func (c *conn) SetReadDeadline(until time.Time) error {
	c.call.Store(c.calls.take(until))
	return c.Conn.SetReadDeadline(until)
}

// Read implements net.Conn. If nothing has arrived in time, it looks once more: this process may have been too busy to
// see what Redis has sent.
func (c *conn) Read(p []byte) (int, error) { return c.read(p, c.late) }

func (c *conn) read(p []byte, late func([]byte) (int, error)) (int, error) {
	if of := c.call.Load(); of != nil {
		of.turn.Pause()
		defer func() {
			of.arrived()
			of.turn.Resume(of.Context)
		}()
	}
	n, err := c.Conn.Read(p)
	if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) {
		if n, again := late(p); n > 0 {
			return n, again
		}
	}
	return n, err
}

// lateTime is how long late reads may take on a connection that cannot be read without waiting.
const lateTime = 100 * time.Millisecond

// late reads what has arrived after the deadline has passed.
func (c *conn) late(p []byte) (int, error) {
	if err := c.Conn.SetReadDeadline(time.Now().Add(lateTime)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

// plainConn is a connection without TLS: the client looks at its socket before it uses it again.
type plainConn struct {
	*conn
	raw syscall.Conn
}

// SyscallConn implements syscall.Conn.
func (c *plainConn) SyscallConn() (syscall.RawConn, error) { return c.raw.SyscallConn() }

// Read implements net.Conn.
func (c *plainConn) Read(p []byte) (int, error) { return c.read(p, c.late) }

// late reads what has arrived after the deadline has passed, and waits for nothing.
func (c *plainConn) late(p []byte) (n int, err error) {
	if err := c.Conn.SetReadDeadline(time.Time{}); err != nil {
		return 0, err
	}
	// A client that goes on reading must not wait without end.
	defer c.Conn.SetReadDeadline(time.Unix(1, 0))
	raw, err := c.raw.SyscallConn()
	if err != nil {
		return 0, err
	}
	if failed := raw.Read(func(fd uintptr) bool {
		n, err = syscall.Read(int(fd), p)
		return true
	}); failed != nil {
		return 0, failed
	}
	return max(0, n), err
}
