package httpserver

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"agora/internal/httpserver/limit"
	"agora/internal/test/must"
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

// connQueue is a listener for connections that a test creates.
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

// connMaker creates connections to a listener.
type connMaker struct {
	t        *testing.T
	queue    connQueue
	accepted chan net.Conn
}

// limitedTo returns one for a listener with these limits in total and per address.
func limitedTo(t *testing.T, all, most int, proxies Proxies) connMaker {
	m := connMaker{t, make(connQueue, 1), make(chan net.Conn)}
	l := LimitConnections(m.queue, limit.Limits{Connections: all, ConnectionsAddress: most}, proxies, nil)
	go func() { // ends with the queue
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			m.accepted <- c
		}
	}()
	t.Cleanup(func() { close(m.queue) })
	return m
}

// dial returns the server's end of a connection; it is nil, with the status, if it was refused.
func (m connMaker) dial(from string) (server net.Conn, status int) {
	m.t.Helper()
	client, server := net.Pipe()
	m.t.Cleanup(func() { client.Close() })
	m.queue <- oneConn{server, from}
	answered := make(chan int, 1)
	go func() { // ends with the answer, or the test
		s, _ := statusOf(client)
		answered <- s
	}()
	select {
	case c := <-m.accepted:
		return c, 0
	case s := <-answered:
		return nil, s
	}
}

func TestConnectionsOfOneAddressAreBounded(t *testing.T) {
	proxies := must.Do(ParseProxies("10.0.0.0/8"))(t)
	m := limitedTo(t, 100, 2, proxies)
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
		{"[2001:db8:0:2::2]:1", false},
		{"[2001:db8:0:3::1]:1", false},
		{"[2001:db8:0:3::2]:1", false},
		{"[2001:db8:0:4::1]:1", false},
		{"[2001:db8:0:4::2]:1", false},
		{"[2001:db8:0:5::1]:1", true},
		{"[2001:db8:1:5::1]:1", false},
		{"10.1.2.3:1", false},
		{"10.1.2.3:2", false},
		{"10.1.2.3:3", false},
	} {
		c, status := m.dial(tt.from)
		if tt.refused != (c == nil) || tt.refused && status != http.StatusServiceUnavailable {
			t.Errorf("%s: accepted: %v, status %d; want refused: %v", tt.from, c != nil, status, tt.refused)
		}
	}
}

func TestConnectionsAreBounded(t *testing.T) {
	m := limitedTo(t, 3, 2, nil)
	var first net.Conn
	for _, from := range []string{"192.0.2.1:1", "192.0.2.2:1", "192.0.2.3:1"} {
		if first, _ = m.dial(from); first == nil {
			t.Errorf("%s was refused", from)
		}
	}
	if c, status := m.dial("192.0.2.4:1"); c != nil || status != http.StatusServiceUnavailable {
		t.Errorf("one too many: status %d; want 503", status)
	}
	first.Close()
	if c, _ := m.dial("192.0.2.4:1"); c == nil {
		t.Error("refused though another was closed")
	}
}

// Closing a connection makes room for one more, however often it is closed.
func TestClosedConnectionsMakeRoom(t *testing.T) {
	m := limitedTo(t, 100, 2, nil)
	first, _ := m.dial("192.0.2.2:1")
	m.dial("192.0.2.2:2")
	first.Close()
	first.Close()
	if c, _ := m.dial("192.0.2.2:3"); c == nil {
		t.Error("refused though another was closed")
	}
	if c, _ := m.dial("192.0.2.2:4"); c != nil {
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
