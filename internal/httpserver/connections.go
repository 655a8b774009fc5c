package httpserver

import (
	"io"
	"net"
	"net/netip"
	"sync"
	"time"
)

// refusedConnection is what a connection too many is told.
const refusedConnection = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nRetry-After: 1\r\n" +
	"Connection: close\r\nContent-Length: 41\r\n\r\nToo many connections from this address.\r\n"

// LimitConnections has a listener take at most so many connections of one address at a
// time; those of proxies are not counted, and networks of IPv6 of 64 bits are one address.
// More are closed at once, with status 503.
func LimitConnections(l net.Listener, most int, proxies Proxies) net.Listener {
	return &limitedListener{Listener: l, most: most, proxies: proxies, open: map[netip.Addr]int{}}
}

type limitedListener struct {
	net.Listener
	most    int
	proxies Proxies

	mu   sync.Mutex
	open map[netip.Addr]int
}

// Accept implements net.Listener.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address, ok := parseHop(conn.RemoteAddr().String())
		if !ok || l.proxies.has(address) {
			return conn, nil
		}
		address = networkOf(address)
		if l.admit(address) {
			return &limitedConn{Conn: conn, gone: sync.OnceFunc(func() { l.dismiss(address) })}, nil
		}
		// It fits into the buffer of the system; whether it arrives is nobody's concern.
		conn.SetWriteDeadline(time.Now().Add(time.Second))
		io.WriteString(conn, refusedConnection)
		conn.Close()
	}
}

func (l *limitedListener) admit(address netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[address] >= l.most {
		return false
	}
	l.open[address]++
	return true
}

func (l *limitedListener) dismiss(address netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[address]--; l.open[address] == 0 {
		delete(l.open, address)
	}
}

// limitedConn is a connection that is counted until it is closed.
type limitedConn struct {
	net.Conn
	gone func()
}

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	c.gone()
	return c.Conn.Close()
}
