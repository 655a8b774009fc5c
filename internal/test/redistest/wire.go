package redistest

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// Wire connects a client to its Redis, and lets a test cut the connection. The zero Wire passes everything on. It is
// safe for concurrent use.
type Wire struct {
	mu    sync.Mutex
	conns map[*wireConn]struct{}
	// refuse, if not nil, makes a write for which it returns true fail, with its connection.
	refuse func([]byte) bool
	// delay, if not nil, returns how long an answer is on its way.
	delay func() time.Duration
}

// ClientOver opens a client as Client does, over a wire.
func (s *Server) ClientOver(t testing.TB, w *Wire) redis.UniversalClient {
	o := s.Options
	dial := redis.NewDialer(&o)
	o.Dialer = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		c := &wireConn{Conn: conn, wire: w, silent: make(chan struct{}), closed: make(chan struct{})}
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.conns == nil {
			w.conns = map[*wireConn]struct{}{}
		}
		w.conns[c] = struct{}{}
		return c, nil
	}
	c := redis.NewClient(&o)
	c.AddHook(Hook(slotHook))
	t.Cleanup(func() { c.Close() })
	return c
}

// CutListeners breaks the connections that have subscribed to channels, and returns their number.
func (w *Wire) CutListeners() int {
	return w.each(func(c *wireConn) { c.Conn.Close() })
}

// MuteListeners makes the connections that have subscribed to channels silent, as if the network in between had
// failed: writes are lost, and nothing arrives.
func (w *Wire) MuteListeners() int {
	return w.each(func(c *wireConn) { c.mute() })
}

// HoldListeners makes what arrives on the connections that have subscribed to channels wait until release is called,
// and returns their number.
func (w *Wire) HoldListeners() (n int, release func()) {
	held := make(chan struct{})
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.conns {
		if c.listens {
			c.held = held
			n++
		}
	}
	return n, sync.OnceFunc(func() { close(held) })
}

// Delay makes answers arrive later, by what delay returns, except on connections that have subscribed to channels.
func (w *Wire) Delay(delay func() time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.delay = delay
}

// Refuse makes writes fail, with their connections, for which is returns true; nil for none.
func (w *Wire) Refuse(is func([]byte) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refuse = is
}

func (w *Wire) each(do func(*wireConn)) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.conns {
		if c.listens {
			do(c)
			c.listens = false
			n++
		}
	}
	return n
}

// wireConn is a connection over a wire.
type wireConn struct {
	net.Conn
	wire    *Wire
	listens bool          // it has subscribed; the wire's mu guards it
	held    chan struct{} // what arrives waits until it is closed, nil for not at all; the wire's mu guards it
	muting  sync.Once
	silent  chan struct{} // closed once nothing passes any more
	closing sync.Once
	closed  chan struct{}
}

var errWire = errors.New("the wire is cut")

func (c *wireConn) mute() { c.muting.Do(func() { close(c.silent) }) }

func (c *wireConn) isSilent() bool {
	select {
	case <-c.silent:
		return true
	default:
		return false
	}
}

// Write implements net.Conn.
func (c *wireConn) Write(p []byte) (int, error) {
	c.wire.mu.Lock()
	if bytes.Contains(p, []byte("\r\nsubscribe\r\n")) {
		c.listens = true
	}
	refused := c.wire.refuse != nil && c.wire.refuse(p)
	c.wire.mu.Unlock()
	switch {
	case refused:
		c.Conn.Close()
		return 0, errWire
	case c.isSilent():
		return len(p), nil
	}
	return c.Conn.Write(p)
}

// Read implements net.Conn.
func (c *wireConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.isSilent() {
		<-c.closed
		return 0, net.ErrClosed
	}
	c.wait()
	return n, err
}

// wait waits as long as what has arrived is still on its way.
func (c *wireConn) wait() {
	c.wire.mu.Lock()
	held, delay := c.held, c.wire.delay
	listens := c.listens
	c.wire.mu.Unlock()
	if held != nil {
		select {
		case <-held:
		case <-c.closed:
		}
	}
	if delay != nil && !listens {
		select {
		case <-time.After(delay()):
		case <-c.closed:
		}
	}
}

// Close implements net.Conn.
func (c *wireConn) Close() error {
	c.closing.Do(func() { close(c.closed) })
	c.wire.mu.Lock()
	delete(c.wire.conns, c)
	c.wire.mu.Unlock()
	return c.Conn.Close()
}
