package httpserver

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"agora/internal/test/must"
)

// drained is a server whose shutdown is tested.
type drained struct {
	*http.Server
	drain    *Drain
	listener net.Listener
	ended    chan error // of Serve
}

func serveDrained(t *testing.T, h http.HandlerFunc) *drained {
	t.Helper()
	l := must.Do(net.Listen("tcp", "127.0.0.1:0"))(t)
	d := &Drain{}
	s := &drained{Server: Server(d.wrap(h)), drain: d, listener: l, ended: make(chan error, 1)}
	d.Watch(s.Server)
	go func() { s.ended <- s.Serve(l) }() // ends with the listener
	t.Cleanup(func() {
		s.Close()
		<-s.ended
	})
	return s
}

// end begins the shutdown and returns when the server drains; the result comes later.
func (s *drained) end(t *testing.T, ctx context.Context) <-chan error {
	t.Helper()
	result := make(chan error, 1)
	go func() { result <- s.drain.Shutdown(ctx, s.Server, s.listener) }() // ends with ctx at the latest
	for !s.drain.Draining() {
		if ctx.Err() != nil {
			t.Fatal("the server does not drain")
		}
	}
	return result
}

// connection is a client that controls what it sends when.
type connection struct {
	net.Conn
	t *testing.T
	r *bufio.Reader
}

func (s *drained) dial(t *testing.T) *connection {
	t.Helper()
	c := must.Do(net.Dial("tcp", s.listener.Addr().String()))(t)
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(20 * time.Second))
	return &connection{c, t, bufio.NewReader(c)}
}

func (c *connection) ask() {
	c.t.Helper()
	must.Do(io.WriteString(c, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))(c.t)
}

// answer reads a complete answer and reports whether the server closes the connection.
func (c *connection) answer() (status int, closes bool) {
	c.t.Helper()
	resp := must.Do(http.ReadResponse(c.r, nil))(c.t)
	must.Do(io.Copy(io.Discard, resp.Body))(c.t)
	return resp.StatusCode, resp.Close
}

// A request in progress is answered, and so is the next one on an open connection, which is the last on it; new
// connections are refused.
func TestDrainFailsNoRequest(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	s := serveDrained(t, func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-release
	})
	busy, idle := s.dial(t), s.dial(t)
	idle.ask()
	<-arrived
	release <- struct{}{}
	if status, closes := idle.answer(); status != 200 || closes {
		t.Fatalf("before the end: status %d, closes = %v; want 200, false", status, closes)
	}
	busy.ask()
	<-arrived
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	result := s.end(t, ctx)
	if c, err := net.Dial("tcp", s.listener.Addr().String()); err == nil {
		c.Close()
		t.Error("a new connection is accepted; want it refused")
	}
	idle.ask()
	<-arrived
	close(release)
	busy.answer()
	if status, closes := idle.answer(); status != 200 || !closes {
		t.Errorf("next request on an open connection: status %d, closes = %v; want 200, true", status, closes)
	}
	busy.ask()
	<-arrived
	if status, closes := busy.answer(); status != 200 || !closes {
		t.Errorf("next request after the one in progress: status %d, closes = %v; want 200, true", status, closes)
	}
	if err := <-result; err != nil {
		t.Errorf("Shutdown = %v; want nil", err)
	}
}

// A server stops although there are idle connections, or none.
func TestDrainDoesNotWaitForIdleConnections(t *testing.T) {
	for _, connections := range []int{0, 3} {
		s := serveDrained(t, func(http.ResponseWriter, *http.Request) {})
		for range connections {
			c := s.dial(t)
			c.ask()
			c.answer()
		}
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
		defer cancel()
		if err := <-s.end(t, ctx); err != nil {
			t.Errorf("%d idle connections: Shutdown = %v; want nil", connections, err)
		}
	}
}

// Requests that do not end in time are aborted.
func TestDrainEndsInTime(t *testing.T) {
	arrived := make(chan struct{})
	s := serveDrained(t, func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done() // the connection is closed
	})
	c := s.dial(t)
	c.ask()
	<-arrived
	ctx, cancel := context.WithCancel(t.Context())
	result := s.end(t, ctx)
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("Shutdown = %v; want %v", err, context.Canceled)
	}
	if _, err := c.r.ReadByte(); err == nil {
		t.Error("the request that hangs was answered; want its connection closed")
	}
}

func TestNilDrainNeverDrains(t *testing.T) {
	var d *Drain
	if d.Draining() {
		t.Error("Draining() of nil = true; want false")
	}
}
