package httpserver

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"agora/internal/httpserver/live"
)

func cached(o *Options) { o.Cache = true }

func TestAgesOfAnswers(t *testing.T) {
	s := newServer(t, cached)
	for _, tt := range []struct{ query, want string }{
		{"{ __typename }", "public, max-age=300"},
		{"{ __schema { queryType { name } } }", "public, max-age=300"},
		{"{ site { name } }", "public, max-age=60"},
		{"{ categories(first: 3) { nodes { name } pageInfo { hasNextPage } } }", "public, max-age=60"},
		{"{ tags(first: 3) { edges { node { name } } } tabs { nodes { name } } }", "public, max-age=60"},
		{"{ site { name } front { topics(first: 1) { nodes { id } } } }", "public, max-age=5"},
		{"{ categories(first: 3) { nodes { timeline { topics(first: 1) { nodes { id } } } } } }", "public, max-age=5"},
		{"query { site { ...F } } fragment F on Site { name __typename }", "public, max-age=60"},
		{"{ site { name } ...F } fragment F on Query { front { order } }", "public, max-age=5"},
		{"{ topic(by: {number: 1}) { title } }", "public, max-age=5"},
		{`{ viewer { user { login } } }`, "no-cache"},
		{`{ front { topics(first: 1) { nodes { viewerHasBookmarked } } } }`, "no-cache"},
		{`{ categories(first: 1) { nodes { name ... @include(if: false) { viewerIsFollowing } } } }`, "no-cache"},
		{`{ user(by: {login: "x"}) { followsViewer } }`, "no-cache"},
		{`{ node(id: "x") { id } }`, "no-store"},
		{`{ nothing }`, "no-store"},
		{`mutation { logout(input: {}) { errors { code } } }`, "no-store"},
	} {
		w := s.do("GET", "/graphql?query="+url.QueryEscape(tt.query), "")
		if got := w.Header().Get("Cache-Control"); got != tt.want {
			t.Errorf("%s: Cache-Control %s; want %s (%.200s)", tt.query, got, tt.want, w.Body)
		}
	}
}

func TestOnlyAnonymousAnswersAreShared(t *testing.T) {
	const target = "/graphql?query=%7B__typename%7D"
	w := newLiveWire(t, func(o *Options, _ *live.Connections) { cached(o) })
	_, token := w.member("ann")
	first := w.do("GET", target, "")
	vary := strings.Split(strings.Join(first.Header()["Vary"], ", "), ", ")
	for _, name := range []string{
		"Accept", "Authorization", "Accept-Encoding", "Cookie", "Origin", TraceHeader, CostHeader,
	} {
		if !slices.Contains(vary, name) {
			t.Errorf("Vary %v; want %s, too", vary, name)
		}
	}
	for _, tt := range []struct{ header, want string }{
		{"Authorization: Bearer " + token, "no-store"},
		{"Authorization: Bearer x", "no-store"},
		{"Cookie: a=b", "no-cache"},
		{CostHeader + ": 1", "no-store"},
		{TraceHeader + ": 1", "no-cache"},
		{"If-None-Match: " + first.Header().Get("ETag"), "public, max-age=300"},
		{"Accept: text/event-stream", "no-store"},
	} {
		got := w.do("GET", target, "", tt.header)
		if got.Header().Get("Cache-Control") != tt.want {
			t.Errorf("%.30s: status %d, %v; want Cache-Control %s", tt.header, got.Code, got.Header(), tt.want)
		}
	}
	if got := w.do("GET", target, "", "If-None-Match: "+first.Header().Get("ETag")); got.Code != 304 {
		t.Errorf("the same again: status %d; want 304", got.Code)
	}
	if got := w.do("HEAD", target, "").Header().Get("Cache-Control"); got != "public, max-age=300" {
		t.Errorf("HEAD: Cache-Control %s; want that of GET", got)
	}
	if got := w.post("{ __typename }").Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("POST: Cache-Control %s; want no-store", got)
	}
}
