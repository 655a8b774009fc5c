package limit

import (
	"io"
	"net"
	"net/netip"
	"sync"
	"time"
)

// refusedConnection is the answer on a refused connection.
const refusedConnection = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; " +
	"charset=utf-8\r\nRetry-After: 1\r\n" +
	"Connection: close\r\nContent-Length: 22\r\n\r\nToo many connections.\r\n"

// wideNetwork is how many times as many connections a 48-bit IPv6 network, which one site is assigned, may have open
// as a 64-bit one.
const wideNetwork = 4

// Connections makes a listener accept at most limits.Connections at a time, and limits.ConnectionsAddress of one
// address; address returns the address to count, if any. A 64-bit IPv6 network is one address, and a 48-bit one may
// have wideNetwork times as many. More are closed immediately, with status 503, and refused is called with the
// reason.
func Connections(
	l net.Listener, limits Limits, address func(net.Conn) (netip.Addr, bool), refused func(reason string),
) net.Listener {
	return &limitedListener{Listener: l, limits: limits, address: address, refused: refused, open: map[netip.Prefix]int{}}
}

type limitedListener struct {
	net.Listener
	limits  Limits
	address func(net.Conn) (netip.Addr, bool)
	refused func(reason string)

	mu   sync.Mutex
	all  int
	open map[netip.Prefix]int
}

// Accept implements net.Listener.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address, ok := l.address(conn)
		if !ok {
			return conn, nil
		}
		reason := l.admit(address)
		if reason == "" {
			return &limitedConn{Conn: conn, closed: sync.OnceFunc(func() { l.dismiss(address) })}, nil
		}
		l.refused(reason)
		// It fits into the system's buffer; it does not matter whether it arrives.
		conn.SetWriteDeadline(time.Now().Add(time.Second))
		io.WriteString(conn, refusedConnection)
		conn.Close()
	}
}

// Why connections are refused: too many in total, or of one address.
const (
	RefusedAll     = "all"
	RefusedAddress = "address"
)

// admit counts a connection, or returns why it is refused.
func (l *limitedListener) admit(address netip.Addr) (reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all >= l.limits.Connections {
		return RefusedAll
	}
	narrow, wide := networksOf(address)
	if l.open[narrow] >= l.limits.ConnectionsAddress ||
		wide != narrow && l.open[wide] >= wideNetwork*l.limits.ConnectionsAddress {
		return RefusedAddress
	}
	l.count(address, 1)
	return ""
}

func (l *limitedListener) dismiss(address netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count(address, -1)
}

// count adds n connections. The caller holds mu.
func (l *limitedListener) count(address netip.Addr, n int) {
	l.all += n
	narrow, wide := networksOf(address)
	networks := []netip.Prefix{narrow, wide}
	if wide == narrow {
		networks = networks[:1]
	}
	for _, network := range networks {
		if l.open[network] += n; l.open[network] == 0 {
			delete(l.open, network)
		}
	}
}

// networksOf returns the 64-bit and 48-bit networks of an IPv6 address, and an IPv4 address itself, twice.
func networksOf(address netip.Addr) (narrow, wide netip.Prefix) {
	if address.Is4() {
		p := netip.PrefixFrom(address, 32)
		return p, p
	}
	return netip.PrefixFrom(address, 64).Masked(), netip.PrefixFrom(address, 48).Masked()
}

// limitedConn is a connection that is counted until it is closed.
type limitedConn struct {
	net.Conn
	closed func()
}

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	c.closed()
	return c.Conn.Close()
}
