package httpserver

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"agora/internal/test/must"
)

func TestHosts(t *testing.T) {
	local := []string{
		"",
		"localhost",
		"LocalHost:8080",
		"localhost.",
		"app.localhost:3000",
		"127.0.0.1",
		"127.9.8.7:80",
		"[::1]",
		"[::1]:8080",
		"[::ffff:127.0.0.1]:80",
	}
	foreign := []string{
		"evil.example",
		"evil.example:8080",
		"localhost.evil.example",
		"evillocalhost",
		"192.0.2.1",
		"[2001:db8::1]:80",
		"127.0.0.1.evil.example",
		"0.0.0.0",
		":8080",
		"x y",
	}
	listed := []string{"forum.example.org", "FORUM.example.org.:443", "a.b.example.net", "192.0.2.7:80", "[2001:db8::7]"}
	near := []string{"example.org", "a.forum.example.org", "example.net", "aexample.net", "192.0.2.8"}
	const list = " forum.example.org., *.example.net ,192.0.2.7,[2001:DB8::7]"
	parse := func(list string) Hosts {
		return must.Do(ParseHosts(list))(t)
	}
	for _, tt := range []struct {
		name    string
		hosts   Hosts
		yes, no [][]string
	}{
		{"none listed", parse(""), [][]string{local, foreign, listed, near}, nil},
		{"none listed, on loopback", parse(" , ").Local(), [][]string{local}, [][]string{foreign, listed, near}},
		{"a list", parse(list), [][]string{local, listed}, [][]string{foreign, near}},
		{"a list, on loopback", parse(list).Local(), [][]string{local, listed}, [][]string{foreign, near}},
		{"every name, on loopback", parse("*").Local(), [][]string{local, foreign, listed, near}, nil},
	} {
		for i, lists := range [][][]string{tt.no, tt.yes} {
			for _, list := range lists {
				for _, host := range list {
					if got := tt.hosts.has(host); got != (i == 1) {
						t.Errorf("%s: %q is served: %v; want %v", tt.name, host, got, i == 1)
					}
				}
			}
		}
	}
	for _, list := range []string{"https://forum.example.org", "forum.example.org:443", "*,forum.example.org", "a b",
		"*example.org", "a.*.org", "bücher.example", "/"} {
		if h, err := ParseHosts(list); err == nil {
			t.Errorf("ParseHosts(%q) = %+v; want an error", list, h)
		}
	}
}

// A foreign name that was rebound to this machine returns nothing of value, on any route and by any method.
func TestForeignHostsAreRefused(t *testing.T) {
	s := newServer(t, func(o *Options) { o.Hosts, o.HidePlayground = Hosts{}.Local(), false })
	ask := func(method, path, host, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Host = host
		r.Header.Set("Origin", "http://evil.example")
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	for _, tt := range []struct {
		method, path, body string
		open               bool
	}{
		{"POST", "/graphql", bodyOf("{site{name}}"), false},
		{"GET", "/graphql?query={site{name}}", "", false},
		{"OPTIONS", "/graphql", "", false},
		{"GET", "/", "", false},
		{"GET", "/playground", "", false},
		{"GET", "/schema.graphql", "", false},
		{"GET", "/healthz", "", true},
		{"GET", "/readyz", "", true},
	} {
		w := ask(tt.method, tt.path, "evil.example", tt.body)
		if tt.open != (w.Code == http.StatusOK) ||
			!tt.open &&
				(w.Code != http.StatusMisdirectedRequest || !strings.Contains(w.Body.String(), "--hosts") ||
					s.codeOf(w) != "HOST_NOT_ALLOWED") {
			t.Errorf(
				"%s %s: status %d, %s; want it served: %v, else 421 and the flag",
				tt.method,
				tt.path,
				w.Code,
				w.Body,
				tt.open,
			)
		}
	}
	r := httptest.NewRequest("POST", "/graphql", strings.NewReader(bodyOf("{site{name}}")))
	r.Host = "localhost:8080"
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != http.StatusOK {
		t.Errorf("by a local name: status %d; want 200", w.Code)
	}
}
