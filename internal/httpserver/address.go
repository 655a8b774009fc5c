package httpserver

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"agora/internal/httpserver/limit"
)

// Proxies are the networks that are trusted to name a client's address.
type Proxies []netip.Prefix

// ParseProxies reads networks and addresses separated by commas, such as
// "10.0.0.0/8, 127.0.0.1, ::1".
func ParseProxies(list string) (Proxies, error) {
	var p Proxies
	for entry := range strings.SplitSeq(list, ",") {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		network, err := parseNetwork(entry)
		if err != nil {
			return nil, fmt.Errorf("trusted proxy %q: want an address, or a network such as 10.0.0.0/8", entry)
		}
		p = append(p, network)
	}
	return p, nil
}

func parseNetwork(s string) (netip.Prefix, error) {
	if !strings.Contains(s, "/") {
		a, err := netip.ParseAddr(s)
		if err != nil {
			return netip.Prefix{}, err
		}
		a = plain(a)
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	n, err := netip.ParsePrefix(s)
	if err != nil {
		return netip.Prefix{}, err
	}
	if n.Addr().Is4In6() {
		// The prefix of the address within ::ffff:0:0/96; a wider one is no network of IPv4.
		n = netip.PrefixFrom(n.Addr().Unmap(), n.Bits()-96)
		if !n.IsValid() {
			return netip.Prefix{}, fmt.Errorf("%s is wider than IPv4", s)
		}
	}
	return n.Masked(), nil
}

// Client returns the address of the client that sent the request: the other end of the connection, or, if that is one
// of the proxies, the last address in X-Forwarded-For that is not. Anything before that address, or before an entry
// that is not an address, may be forged. The header Forwarded (RFC 7239) is not read, so that a client cannot set one
// header while the proxy overwrites the other. The result is invalid if the other end has no address, as with a unix
// socket.
func (p Proxies) Client(r *http.Request) netip.Addr {
	client, ok := parseHop(r.RemoteAddr)
	if !ok {
		return netip.Addr{}
	}
	forwarded := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	for p.has(client) && forwarded != "" {
		comma := strings.LastIndexByte(forwarded, ',')
		hop, ok := parseHop(strings.Trim(forwarded[comma+1:], " \t"))
		if !ok {
			break
		}
		client, forwarded = hop, forwarded[:max(comma, 0)]
	}
	return client
}

// sent reports whether one of the proxies sent a request.
func (p Proxies) sent(r *http.Request) bool {
	from, ok := parseHop(r.RemoteAddr)
	return ok && p.has(from)
}

// LimitConnections returns a listener that accepts as many connections as the limits allow; those of proxies are not
// counted. m, which may be nil, counts the refused ones.
func LimitConnections(l net.Listener, limits limit.Limits, proxies Proxies, m *Metrics) net.Listener {
	return limit.Connections(l, limits, proxies.ofConn, m.refused)
}

// ofConn returns the address of the other end of a connection; false if it has none, or is a proxy.
func (p Proxies) ofConn(c net.Conn) (netip.Addr, bool) {
	address, ok := parseHop(c.RemoteAddr().String())
	return address, ok && !p.has(address)
}

func (p Proxies) has(a netip.Addr) bool {
	for _, network := range p {
		if network.Contains(a) {
			return true
		}
	}
	return false
}

// parseHop parses an address with or without a port: 192.0.2.1, 192.0.2.1:80, 2001:db8::1, [2001:db8::1],
// [2001:db8::1]:80.
func parseHop(s string) (netip.Addr, bool) {
	if with, err := netip.ParseAddrPort(s); err == nil {
		return plain(with.Addr()), true
	}
	if inner, ok := strings.CutPrefix(s, "["); ok {
		if s, ok = strings.CutSuffix(inner, "]"); !ok || !strings.Contains(s, ":") {
			return netip.Addr{}, false
		}
	}
	a, err := netip.ParseAddr(s)
	return plain(a), err == nil
}

// plain returns an address without zone, and as IPv4 if it is an IPv4 address in IPv6 form: two spellings of one
// address are one client.
func plain(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }
