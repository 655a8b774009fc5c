package httpserver

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "agora/internal/test/testseed"

	"agora/internal/test/must"
)

// from is a request over a connection from peer.
func from(peer string, forwarded ...string) *http.Request {
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = peer
	for _, f := range forwarded {
		r.Header.Add("X-Forwarded-For", f)
	}
	r.Header.Set("Forwarded", "for=203.0.113.99")
	r.Header.Set("X-Real-Ip", "203.0.113.98")
	return r
}

func TestClientAddress(t *testing.T) {
	const list = "10.0.0.0/8, 127.0.0.1,::1 , 2001:db8::/32"
	tests := []struct {
		name      string
		proxies   string
		peer      string
		forwarded []string
		want      string
	}{
		{"no proxies: the header counts for nothing", "", "10.0.0.1:80", []string{"192.0.2.1"}, "10.0.0.1"},
		{"the peer is no proxy", list, "198.51.100.1:80", []string{"192.0.2.1"}, "198.51.100.1"},
		{"a proxy without header", list, "10.0.0.1:80", nil, "10.0.0.1"},
		{"a proxy with an empty header", list, "10.0.0.1:80", []string{""}, "10.0.0.1"},
		{"one proxy", list, "10.0.0.1:80", []string{"192.0.2.1"}, "192.0.2.1"},
		{"what the client wrote itself does not count", list, "10.0.0.1:80", []string{"203.0.113.7, 192.0.2.1"}, "192.0.2.1"},
		{"not even when it names a proxy", list, "10.0.0.1:80", []string{"10.9.9.9, 192.0.2.1"}, "192.0.2.1"},
		{"a chain of proxies", list, "127.0.0.1:80", []string{"203.0.113.7,192.0.2.1,10.2.2.2,10.3.3.3"}, "192.0.2.1"},
		{"several headers are one list", list, "127.0.0.1:80", []string{"203.0.113.7", "192.0.2.1", "10.3.3.3"}, "192.0.2.1"},
		{"proxies only: the first of them", list, "127.0.0.1:80", []string{"10.1.1.1, 10.2.2.2"}, "10.1.1.1"},
		{"a word ends the walk", list, "127.0.0.1:80", []string{"192.0.2.1, unknown, 10.2.2.2"}, "10.2.2.2"},
		{"so does an empty entry", list, "127.0.0.1:80", []string{"192.0.2.1,,10.2.2.2"}, "10.2.2.2"},
		{"so does one at the end", list, "127.0.0.1:80", []string{"192.0.2.1,"}, "127.0.0.1"},
		{"so does a number that is no address", list, "127.0.0.1:80", []string{"192.0.2.1, 10.0.0.256"}, "127.0.0.1"},
		{"so does half a bracket", list, "127.0.0.1:80", []string{"192.0.2.1, [2001:db8::1"}, "127.0.0.1"},
		{"so does IPv4 in brackets", list, "127.0.0.1:80", []string{"[192.0.2.1]"}, "127.0.0.1"},
		{"ports are left out", list, "127.0.0.1:80", []string{"192.0.2.1:4711"}, "192.0.2.1"},
		{"IPv6", list, "[::1]:80", []string{"2001:db7::1"}, "2001:db7::1"},
		{"IPv6 in brackets", list, "[::1]:80", []string{"[2001:db7::1]"}, "2001:db7::1"},
		{"IPv6 with port", list, "[::1]:80", []string{"[2001:db7::1]:4711"}, "2001:db7::1"},
		{"IPv6 through a proxy of IPv6", list, "[2001:db8::5]:80", []string{"2001:db7::1, 2001:db8::6"}, "2001:db7::1"},
		{"a zone is left out", list, "[fe80::1%eth0]:80", nil, "fe80::1"},
		{"a zone in the header too", list, "[::1]:80", []string{"fe80::1%eth0"}, "fe80::1"},
		{"IPv4 within IPv6 is IPv4", list, "[::ffff:10.0.0.1]:80", []string{"::ffff:192.0.2.1"}, "192.0.2.1"},
		{"a proxy's zone does not matter", "fe80::1", "[fe80::1%eth0]:80", []string{"192.0.2.1"}, "192.0.2.1"},
		{"a network of IPv4 within IPv6", "::ffff:10.0.0.0/104", "10.1.2.3:80", []string{"192.0.2.1"}, "192.0.2.1"},
		{"a network is as wide as its prefix says", "10.1.2.3/8", "10.200.0.1:80", []string{"192.0.2.1"}, "192.0.2.1"},
		{"a unix socket has no address", list, "@", []string{"192.0.2.1"}, "invalid IP"},
		{"nor has nothing", list, "", []string{"192.0.2.1"}, "invalid IP"},
	}
	for _, tt := range tests {
		p, err := ParseProxies(tt.proxies)
		if err != nil {
			t.Errorf("ParseProxies(%q): %v", tt.proxies, err)
		}
		if got := p.Client(from(tt.peer, tt.forwarded...)).String(); got != tt.want {
			t.Errorf("%s: Client(%s, %q) = %s; want %s", tt.name, tt.peer, tt.forwarded, got, tt.want)
		}
	}
}

func TestParseProxiesNamesTheBadEntry(t *testing.T) {
	for _, bad := range []string{"localhost", "10.0.0.0/33", "10.0.0/8", "10.0.0.1:80", "fe80::1%eth0/64", "*",
		"::ffff:10.0.0.0/95", "10.0.0.1 10.0.0.2"} {
		if _, err := ParseProxies("127.0.0.1, " + bad); err == nil || !strings.Contains(err.Error(), `"`+bad+`"`) {
			t.Errorf("ParseProxies with %q: %v; want an error that names it", bad, err)
		}
	}
	for _, none := range []string{"", " ", ",", " , "} {
		if p, err := ParseProxies(none); err != nil || len(p) != 0 {
			t.Errorf("ParseProxies(%q) = %v, %v; want none", none, p, err)
		}
	}
}

// Whatever a client sends, its address is the one that the first proxy saw.
func TestAddressCannotBeForged(t *testing.T) {
	p := must.Do(ParseProxies("10.0.0.0/8"))(t)
	client := netip.MustParseAddr("192.0.2.1")
	rapid.Check(t, func(t *rapid.T) {
		entry := rapid.OneOf(
			rapid.String(),
			rapid.SampledFrom([]string{"10.0.0.7", "203.0.113.7", "", "[", "unknown", "::1", "10.0.0.7:1"}),
		)
		forged := rapid.SliceOf(entry).Draw(t, "forged")
		hops := append(slices.Clone(forged), client.String())
		for range rapid.IntRange(0, 3).Draw(t, "proxies") {
			hops = append(hops, "10.0.0.8")
		}
		if got := p.Client(from("10.0.0.9:1", strings.Join(hops,
			rapid.SampledFrom([]string{",", ", ", " ,\t"}).Draw(t, "comma")))); got != client {
			t.Fatalf("Client(%q) = %v; want %v", hops, got, client)
		}
		if got := p.Client(from("192.0.2.1:1", forged...)); got != client {
			t.Fatalf("Client of no proxy with %q = %v; want %v", forged, got, client)
		}
	})
}
