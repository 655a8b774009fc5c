package httpserver

import (
	"net"
	"net/http"
	"strings"
	"testing"
)

// oneConn is a connection from an address.
type oneConn struct {
	net.Conn
	from string
}

// RemoteAddr implements net.Conn.
func (c oneConn) RemoteAddr() net.Addr {
	a, err := net.ResolveTCPAddr("tcp", c.from)
	if err != nil {
		panic(err)
	}
	return a
}

// connQueue is a listener of connections that a test makes.
type connQueue chan net.Conn

// Accept implements net.Listener.
func (q connQueue) Accept() (net.Conn, error) {
	c, ok := <-q
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

// Close implements net.Listener.
func (q connQueue) Close() error { return nil }

// Addr implements net.Listener.
func (q connQueue) Addr() net.Addr { return nil }

func TestConnectionsOfOneAddressAreBounded(t *testing.T) {
	proxies, err := ParseProxies("10.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	queue := make(connQueue, 1)
	l := LimitConnections(queue, 2, proxies)
	accepted := make(chan net.Conn)
	go func() { // ends with the queue
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	t.Cleanup(func() { close(queue) })
	// dial gives both ends of a connection; ours is nil when it is refused.
	dial := func(from string) (ours net.Conn, status int) {
		t.Helper()
		client, server := net.Pipe()
		t.Cleanup(func() { client.Close() })
		queue <- oneConn{server, from}
		answered := make(chan int, 1)
		go func() { // ends with the answer, or the test
			s, _ := statusOf(client)
			answered <- s
		}()
		select {
		case c := <-accepted:
			return c, 0
		case s := <-answered:
			return nil, s
		}
	}
	for _, tt := range []struct {
		from    string
		refused bool
	}{
		{"192.0.2.1:1", false},
		{"192.0.2.1:2", false},
		{"192.0.2.1:3", true},
		{"[::ffff:192.0.2.1]:4", true},
		{"192.0.2.2:1", false},
		{"[2001:db8:0:1::1]:1", false},
		{"[2001:db8:0:1::2]:1", false},
		{"[2001:db8:0:1:ffff::3]:1", true},
		{"[2001:db8:0:2::1]:1", false},
		{"10.1.2.3:1", false},
		{"10.1.2.3:2", false},
		{"10.1.2.3:3", false},
	} {
		c, status := dial(tt.from)
		if tt.refused != (c == nil) || tt.refused && status != http.StatusServiceUnavailable {
			t.Errorf("%s: accepted: %v, status %d; want refused: %v", tt.from, c != nil, status, tt.refused)
		}
		if tt.from == "192.0.2.2:1" {
			c.Close()
			c.Close()
		}
	}
	for range 2 {
		if c, _ := dial("192.0.2.2:1"); c == nil {
			t.Error("refused though others were closed")
		}
	}
	if c, _ := dial("192.0.2.2:1"); c != nil {
		t.Error("one closed twice counts twice")
	}
}

// statusOf reads the status of an answer.
func statusOf(c net.Conn) (status int, err error) {
	b := make([]byte, 4096)
	n, err := c.Read(b)
	if err != nil {
		return 0, err
	}
	if !strings.HasPrefix(string(b[:n]), "HTTP/1.1 503 ") {
		return 0, nil
	}
	return http.StatusServiceUnavailable, nil
}
