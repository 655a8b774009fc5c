package httpserver

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/store"
	"agora/internal/test/must"
)

const acceptEvents = "Accept: text/event-stream"

// streamClient is the client's end of a stream.
type streamClient struct {
	t      testing.TB
	resp   *http.Response
	r      *bufio.Reader
	cancel context.CancelFunc
}

// ask sends a request with headers passed as "Name: value" and waits for the header of the answer.
func (w *liveWire) ask(method, target, body string, headers ...string) *streamClient {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	r := must.Do(http.NewRequestWithContext(ctx, method, w.url+target, strings.NewReader(body)))(w.t)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	transport := &http.Transport{}
	w.t.Cleanup(transport.CloseIdleConnections)
	resp, err := transport.RoundTrip(r)
	if err != nil {
		cancel()
		w.t.Fatalf("%s %s: %v", method, target, err)
	}
	w.t.Cleanup(func() { cancel(); resp.Body.Close() })
	return &streamClient{w.t, resp, bufio.NewReader(resp.Body), cancel}
}

// stream requests a stream by POST.
func (w *liveWire) stream(document string, headers ...string) *streamClient {
	w.t.Helper()
	return w.ask("POST", "/graphql", bodyOf(document), append(headers, isJSON, acceptEvents)...)
}

func byGet(document string) string { return "/graphql?query=" + url.QueryEscape(document) }

// wantStream checks the header of an answer.
func (c *streamClient) wantStream() {
	c.t.Helper()
	h := c.resp.Header
	if c.resp.StatusCode != 200 || h.Get("Content-Type") != "text/event-stream; charset=utf-8" ||
		h.Get("Cache-Control") != "no-store" ||
		h.Get("X-Accel-Buffering") != "no" ||
		h.Get("Content-Encoding") != "" {
		c.t.Errorf("status %d, header %v; want 200 and that of a stream", c.resp.StatusCode, h)
	}
}

// want checks the next bytes.
func (c *streamClient) want(text string) {
	c.t.Helper()
	got := make([]byte, len(text))
	n, err := io.ReadFull(c.r, got)
	if string(got[:n]) != text {
		c.t.Errorf("got %q, %v; want %q", got[:n], err, text)
	}
}

// wantEnd checks that the answer ends correctly, after what has been read.
func (c *streamClient) wantEnd() {
	c.t.Helper()
	rest, err := io.ReadAll(c.r)
	if len(rest) > 0 || err != nil {
		c.t.Errorf("at the end %q, %v; want nothing more", rest, err)
	}
}

const completed = "event: complete\ndata:\n\n"

func nextOf(data string) string { return "event: next\ndata: {\"data\":" + data + "}\n\n" }

func TestStreamsOfSubscriptions(t *testing.T) {
	w := newLiveWire(t, nil)
	for _, c := range []*streamClient{
		w.stream(onTicks),
		w.ask("GET", byGet(onTicks), "", acceptEvents),
		w.ask("GET", byGet(onTicks), "", "Accept: application/json, text/event-stream, multipart/mixed", "Last-Event-ID: 7"),
	} {
		c.wantStream()
		w.tick("", "one")
		c.want(nextOf(`{"ticks":"one"}`))
		w.tick("", "two\nlines")
		c.want(nextOf(`{"ticks":"two\nlines"}`))
		w.end("")
		c.want(completed)
		c.wantEnd()
	}
}

func TestStreamsOfOneResult(t *testing.T) {
	w := newLiveWire(t, nil)
	for _, c := range []*streamClient{w.stream("{ word }"), w.ask("GET", byGet("{ word }"), "", acceptEvents)} {
		c.wantStream()
		c.want(nextOf(`{"word":"word"}`) + completed)
		c.wantEnd()
	}
	c := w.stream("mutation { say }")
	c.wantStream()
	c.want(nextOf(`{"say":"say"}`) + completed)
	c = w.ask("POST", "/graphql", bodyOf("{ word }"), isJSON, "Accept: application/json, text/event-stream")
	c.want(`{"data":{"word":"word"}}`)
	c.wantEnd()
}

func TestStreamsReportErrors(t *testing.T) {
	w := newLiveWire(t, nil)
	for _, tt := range []struct{ body, code string }{
		{bodyOf("{"), "GRAPHQL_PARSE_FAILED"},
		{bodyOf("{ nothing }"), "GRAPHQL_VALIDATION_FAILED"},
		{bodyOf("subscription { gone }"), "NOT_FOUND"},
		{`{"documentId":"x"}`, "PERSISTED_QUERY_NOT_FOUND"},
		{xyzzy, "BAD_USER_INPUT"},
	} {
		c := w.ask("POST", "/graphql", tt.body, isJSON, acceptEvents)
		c.wantStream()
		text, err := io.ReadAll(c.r)
		if err != nil || !strings.HasPrefix(string(text), `event: next`+"\ndata: {\"errors\":[") ||
			!strings.HasSuffix(string(text), "}\n\n"+completed) ||
			!strings.Contains(string(text), `"code":"`+tt.code+`"`) || strings.Contains(string(text), xyzzy) ||
			strings.Contains(string(text), `"data":`) {
			t.Errorf("%s: %s, %v; want one result with %s", tt.body, text, err, tt.code)
		}
	}
	small := limit.Defaults()
	small.Body, small.Live = 100, 0
	w = newLiveWire(t, func(o *Options, _ *live.Connections) { o.Limits = &small })
	for _, tt := range []struct {
		method, target, body string
		headers              []string
		status               int
	}{
		{"GET", byGet("mutation { say }"), "", nil, 405},
		{"DELETE", "/graphql", "", nil, 405},
		{"HEAD", byGet(onTicks), "", nil, 406},
		{"POST", "/graphql", bodyOf(strings.Repeat(" ", 200)), []string{isJSON}, 413},
		{"POST", "/graphql", bodyOf(onTicks), []string{"Content-Type: text/plain"}, 415},
		{"GET", byGet(onTicks), "", []string{"Origin: https://evil.example"}, 403},
		{"GET", byGet(onTicks), "", []string{"Sec-Fetch-Site: cross-site"}, 403},
		{"POST", "/graphql", bodyOf(onTicks), []string{isJSON}, 503},
	} {
		c := w.ask(tt.method, tt.target, tt.body, append(tt.headers, acceptEvents)...)
		if c.resp.StatusCode != tt.status || !strings.HasPrefix(c.resp.Header.Get("Content-Type"), "application/json") {
			t.Errorf(
				"%s %s %.60s %v: status %d, %s; want %d in JSON",
				tt.method,
				tt.target,
				tt.body,
				tt.headers,
				c.resp.StatusCode,
				c.resp.Header.Get("Content-Type"),
				tt.status,
			)
		}
	}
}

// A stream outlives the deadlines of the server, and sends signs of life.
func TestStreamsSendSignsOfLife(t *testing.T) {
	w := newLiveWire(t, func(_ *Options, l *live.Connections) { l.Times.Comment = 5 * time.Millisecond })
	c := w.stream(onTicks)
	c.want(":\n\n:\n\n:\n\n")
	c.cancel()
	w.await(t, "the source is closed", func() bool { return len(w.open) == 0 })
}

// signInAgain is the stream for an invalid token, to the request "me".
const signInAgain = `event: next
data: {"errors":[{"message":"The token is malformed, expired or revoked.","extensions":{"code":"UNAUTHENTICATED","requestId":"me"}}]}

` + completed

const (
	asMe         = RequestIDHeader + ": me"
	withBadToken = "Authorization: Bearer " + xyzzy
)

// Clients retry after an error status. If they accept only a stream, a bad token gets one that ends for good.
func TestStreamsReportBadTokens(t *testing.T) {
	w := newLiveWire(t, nil)
	_, token := w.member("ann")
	for _, header := range []string{withBadToken, "Authorization: Basic eDp5",
		"Authorization: Bearer " + token[:len(token)-1]} {
		for _, c := range []*streamClient{w.stream(onTicks, header, asMe), w.stream("{ word }", header, asMe),
			w.ask("GET", byGet(onTicks), "", acceptEvents, header, asMe)} {
			c.wantStream()
			c.want(signInAgain)
			c.wantEnd()
			if got := c.resp.Header.Get("WWW-Authenticate"); got != "" {
				t.Errorf("%s: WWW-Authenticate %q; want none with status 200", header, got)
			}
		}
	}
	for _, tt := range []struct{ method, accept string }{
		{"POST", "text/event-stream, application/json"},
		{"GET", "text/event-stream, application/graphql-response+json;q=0.1"},
		{"GET", "text/event-stream, */*"},
		{"POST", "text/event-stream, multipart/mixed"},
		{"POST", "application/json"},
		{"POST", "image/png"},
		{"HEAD", "text/event-stream"},
		{"DELETE", "text/event-stream"},
	} {
		c := w.ask(tt.method, byGet(onTicks), "", "Accept: "+tt.accept, withBadToken)
		if h := c.resp.Header; c.resp.StatusCode != 401 || !strings.HasPrefix(h.Get("Content-Type"), "application/") ||
			h.Get("WWW-Authenticate") == "" {
			t.Errorf("%s, Accept %s: status %d, header %v; want 401 in JSON", tt.method, tt.accept, c.resp.StatusCode, h)
		}
	}
	if w.opened != 0 {
		t.Errorf("%d sources were opened; want none", w.opened)
	}
}

// Invalid tokens are in the log and the metrics, whatever the status.
func TestStreamsLogBadTokens(t *testing.T) {
	k := &wakes{watching: map[chan struct{}][]forum.UserID{}}
	w := newLiveWire(t, func(o *Options, l *live.Connections) {
		l.Watch = k.watch
		o.Metrics = NewMetrics(o.Resolver.Store, o.Log, time.Now)
	})
	ann, token := w.member("ann")
	note := func(got *httptest.ResponseRecorder, what string, wants ...string) {
		t.Helper()
		if got.Body.String() != signInAgain {
			t.Errorf("%s: got %q; want %q", what, got.Body, signInAgain)
		}
		metrics := w.do("GET", "/metrics", "").Body.String()
		for _, want := range wants {
			if !strings.Contains(w.log.String()+metrics, want) {
				t.Errorf("%s: the log and the metrics do not have %q: %s", what, want, w.log)
			}
		}
	}
	note(
		w.do("POST", "/graphql", bodyOf(onTicks), isJSON, acceptEvents, withBadToken, asMe),
		"bad from the first",
		"status=200",
		"codes=UNAUTHENTICATED\n",
		`agora_errors_total{code="UNAUTHENTICATED"} 1`+"\n",
		`agora_requests_total{kind="none",status="200"} 1`+"\n",
	)
	ended := make(chan *httptest.ResponseRecorder)
	go func() { // ends with the session
		ended <- w.do("POST", "/graphql", bodyOf(onTicks), isJSON, acceptEvents, "Authorization: Bearer "+token, asMe)
	}()
	w.await(t, "the source is open", func() bool { return w.opened == 1 })
	must.OK(t, w.options.Resolver.Store.Sessions.EndSession(t.Context(), ann.ID, ann.Session[:24]))
	k.wake(ann.ID)
	note(
		<-ended,
		"revoked later",
		"codes=UNAUTHENTICATED closed=4401\n",
		`agora_errors_total{code="UNAUTHENTICATED"} 2`+"\n",
		`agora_live_closes_total{code="4401",kind="stream"} 1`+"\n",
		`agora_live_results_total 2`+"\n",
	)
}

func TestStreamsEndWithTheirSession(t *testing.T) {
	data := func(w *liveWire) *store.Store { return w.options.Resolver.Store }
	for _, tt := range []struct {
		name string
		do   func(*liveWire, *wakes, *forum.Viewer) error
		want string
	}{
		{"expired", func(w *liveWire, _ *wakes, _ *forum.Viewer) error {
			w.live.Expire(data(w).Engine.Now() + forum.Time(time.Hour.Milliseconds()))
			return nil
		}, signInAgain},
		{"revoked", func(w *liveWire, k *wakes, v *forum.Viewer) error {
			defer k.wake(v.ID)
			return data(w).Sessions.EndSession(t.Context(), v.ID, v.Session[:24])
		}, signInAgain},
		{"account deleted", func(w *liveWire, k *wakes, v *forum.Viewer) error {
			defer k.wake(v.ID)
			return data(w).Accounts.DeleteAccount(t.Context(), v.ID, "hash of ann")
		}, signInAgain},
		{"other role, with which it is to come back", func(w *liveWire, k *wakes, v *forum.Viewer) error {
			defer k.wake(v.ID)
			return data(w).Accounts.SetRole(t.Context(), v.ID, forum.RoleModerator)
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, k := newWokenWire(t)
			ann, token := w.member("ann")
			header := "Authorization: Bearer " + token
			streams := []*streamClient{
				w.stream(onTicks, header, asMe),
				w.ask("GET", byGet(onTicks), "", header, asMe, "Accept: application/json, text/event-stream"),
			}
			stays := w.stream(onTicks)
			k.wake(ann.ID) // for nothing
			w.tick("", "one")
			for _, c := range streams {
				c.want(nextOf(`{"ticks":"one"}`))
			}
			must.OK(t, tt.do(w, k, ann))
			for _, c := range streams {
				c.want(tt.want)
				c.wantEnd()
			}
			w.tick("", "two")
			stays.want(nextOf(`{"ticks":"one"}`) + nextOf(`{"ticks":"two"}`))
		})
	}
}

// The server's own shutdown: sockets are asked to reconnect, streams end without complete, and new connections are
// refused.
func TestShutdownEndsLiveConnections(t *testing.T) {
	w := newLiveWire(t, nil)
	c, idle, s := w.connect(), w.dial(), w.stream(onTicks)
	c.subscribe("1", onTicks)
	c.subscribe("2", "{ wait }")
	c.wantQuiet()
	done := make(chan error, 1)
	go func() { done <- w.live.Shutdown(t.Context()) }() // ends with the connections
	c.wantClosed(1012)
	idle.wantClosed(1012)
	s.wantEnd()
	if err := <-done; err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if _, resp, err := w.try(); err == nil || resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a socket after Shutdown: %v; want 503", err)
	}
	if c := w.stream(onTicks); c.resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a stream after Shutdown: status %d; want 503", c.resp.StatusCode)
	}
}

// A client that does not answer the goodbye is disconnected.
func TestShutdownDoesNotWaitForSilentClients(t *testing.T) {
	w := newLiveWire(t, func(_ *Options, l *live.Connections) { l.Times.Write = time.Hour })
	w.live.Times.Close = 50 * time.Millisecond
	silent := w.connect()
	silent.subscribe("1", onTicks)
	silent.wantQuiet()
	w.stream(onTicks)
	for range 200 { // more than buffers hold: writing blocks
		w.tick("", strings.Repeat("x", 100<<10))
	}
	w.await(
		t,
		"the events are executed, or given up for slow clients",
		func() bool { return w.executions == 200 || len(w.open) == 0 },
	)
	if err := w.live.Shutdown(t.Context()); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
}
