package httpserver

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"agora/graph"
	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

func TestUserAgent(t *testing.T) {
	tests := []struct{ name, header, want string }{
		{"none", "", ""},
		{"as it is", "Mozilla/5.0 (X11; Linux x86_64) Ünï/1.0", "Mozilla/5.0 (X11; Linux x86_64) Ünï/1.0"},
		{"spaces around", "  curl/8  ", "curl/8"},
		{"control characters", "a\x00b\x1b[2Jc\x7fd\u0085e", "ab[2Jcde"},
		{"line breaks", "a\r\nb\u2028c\u2029d", "abcd"},
		{"marks of direction and zero width", "a\u202eb\u200bc\u2066d\ufeffe", "abcde"},
		{"ill-formed", "a\xff\xfeb\xc3", "ab"},
		{"replacement character", "a\ufffdb", "ab"},
		{"256 characters", strings.Repeat("é", 256), strings.Repeat("é", 256)},
		{"257 characters", strings.Repeat("é", 257), strings.Repeat("é", 256)},
		{"counted after cleaning", strings.Repeat("x\x00", 300), strings.Repeat("x", 256)},
		{"cut at a space", strings.Repeat("x", 255) + " y", strings.Repeat("x", 255)},
	}
	for _, tt := range tests {
		if got := userAgent(tt.header); got != tt.want {
			t.Errorf("%s: userAgent(%.40q) = %.40q; want %.40q", tt.name, tt.header, got, tt.want)
		}
	}
}

// No answer is sniffed by a browser.
func TestNoRouteIsSniffed(t *testing.T) {
	s := must.Do(store.Open(t.Context(), store.Over(redistest.New(t)), store.Layout{}))(t)
	defer s.Close()
	o := Options{
		Resolver: &graph.Resolver{Store: s},
		Schema:   "type Query { a: Int }",
		Metrics:  NewMetrics(s, slog.Default(), time.Now),
		Log:      slog.Default(),
	}
	for name, handler := range map[string]http.Handler{"New": New(o), "NewOps": NewOps(o, Hosts{})} {
		for _, path := range []string{"/graphql", "/schema.graphql", "/", "/healthz", "/readyz", "/metrics", "/nowhere"} {
			w := httptest.NewRecorder()
			r := httptest.NewRequest("GET", "http://localhost"+path, nil)
			r.RemoteAddr = "192.0.2.1:1"
			handler.ServeHTTP(w, r)
			if got := w.Header()["X-Content-Type-Options"]; len(got) != 1 || got[0] != "nosniff" {
				t.Errorf("%s: GET %s, status %d, has X-Content-Type-Options %q; want nosniff", name, path, w.Code, got)
			}
		}
	}
}

func TestCallersAtAddresses(t *testing.T) {
	s := must.Do(store.Open(t.Context(), store.Over(redistest.New(t)), store.Layout{}))(t)
	defer s.Close()
	known := newAddresses(s.Engine.Pseudonym)
	hash := func(address string) string { return known.caller(netip.MustParseAddr(address), "").Address }
	one := hash("2001:db8:1:2::1")
	if len(one) != 16 || strings.Contains(one, "2001") {
		t.Errorf("Address = %q; want 16 digits that reveal nothing", one)
	}
	for _, s := range []string{"2001:db8:1:2::2", "2001:db8:1:2:ffff:ffff:ffff:ffff"} {
		if hash(s) != one {
			t.Errorf("the Address of %s differs from that of its network", s)
		}
	}
	seen := map[string]string{one: "2001:db8:1:2::1"}
	for _, s := range []string{"2001:db8:1:3::1", "192.0.2.1", "192.0.2.2"} {
		if other, ok := seen[hash(s)]; ok {
			t.Errorf("the Address of %s is that of %s", s, other)
		}
		seen[hash(s)] = s
	}
	networks := func(address string) []string { return known.caller(netip.MustParseAddr(address), "").Networks }
	home := networks("2001:db8:1:2::1")
	if len(home) != 2 || home[0] == home[1] || len(networks("192.0.2.1")) != 0 {
		t.Fatalf("Networks = %v, %v of IPv4; want two and none", home, networks("192.0.2.1"))
	}
	for address, want := range map[string][2]bool{
		"2001:db8:1:ff::1": {true, true}, "2001:db8:1:100::1": {false, true}, "2001:db8:2:2::1": {false, false},
	} {
		if got := networks(address); got[0] == home[0] != want[0] || got[1] == home[1] != want[1] {
			t.Errorf(
				"%s shares the networks of 56 and 48 bits: %t, %t; want %v",
				address,
				got[0] == home[0],
				got[1] == home[1],
				want,
			)
		}
	}
}
