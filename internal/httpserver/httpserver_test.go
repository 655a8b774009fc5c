package httpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql/introspection"
	"github.com/redis/go-redis/v9"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/store"
	"agora/internal/test/gqltext"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// server is the handler of all routes over its own Redis.
type server struct {
	http.Handler
	t     testing.TB
	redis redis.UniversalClient
	store *store.Store
	live  *live.Connections
	log   *bytes.Buffer
}

const testSchema = "type Query { served: Boolean }"

// newServer returns a server; change changes options.
func newServer(t testing.TB, change func(*Options)) *server {
	t.Helper()
	s := &server{t: t, redis: redistest.New(t), log: &bytes.Buffer{}}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	data := must.Do(store.Open(
		context.Background(),
		store.Over(s.redis),
		store.Layout{},
		store.WithClock(redistest.NewClock().Now),
		store.WithLog(log),
	))(t)
	t.Cleanup(data.Close)
	s.store = data
	o := Options{
		Resolver: &graph.Resolver{Store: data, Hasher: auth.NewHasher(1, auth.Cheap()), SiteName: "Agora", Log: log},
		Schema:   testSchema,
		Log:      log,
		// Its files take long to unzip.
		HidePlayground: true,
	}
	if change != nil {
		change(&o)
	}
	if o.Live == nil {
		o.Live = live.New()
	}
	s.live = o.Live
	s.Handler = New(o)
	return s
}

// do sends a request with headers passed as "Name: value".
func (s *server) do(method, target, body string, headers ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

const isJSON = "Content-Type: application/json"

// post sends a document.
func (s *server) post(document string, headers ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	body := must.Do(json.Marshal(map[string]string{"query": document}))(s.t)
	return s.do("POST", "/graphql", string(body), append(headers, isJSON)...)
}

// codeOf returns the code of the first error of an answer.
func (s *server) codeOf(w *httptest.ResponseRecorder) string {
	s.t.Helper()
	var answer struct {
		Errors []struct{ Extensions struct{ Code string } }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		s.t.Fatalf("answer is no JSON: %v: %s", err, w.Body)
	}
	if len(answer.Errors) == 0 {
		return ""
	}
	return answer.Errors[0].Extensions.Code
}

func TestRoutes(t *testing.T) {
	s := newServer(t, func(o *Options) { o.Durable, o.HidePlayground = true, false })
	tests := []struct {
		method, path string
		status       int
		typ, body    string
	}{
		{"GET", "/schema.graphql", 200, "text/plain", testSchema},
		{"GET", "/healthz", 200, "text/plain", "ok\n"},
		{"GET", "/readyz", 200, "application/json", `"durable":true`},
		{"GET", "/readyz", 200, "application/json", `"redis":"ok"`},
		{"GET", "/readyz", 200, "application/json", `"deadTasks":0`},
		{"GET", "/", 302, "text/html", "/playground"},
		{"GET", "/playground", 200, "text/html", "<html"},
		{"GET", "/nothing/here", 404, "", ""},
		{"GET", "/graphql/more", 404, "", ""},
		{"GET", "/../schema.graphqls", 307, "", ""},
		{"POST", "/healthz", 405, "", ""},
		{"DELETE", "/graphql", 405, "application/json", "METHOD_NOT_ALLOWED"},
	}
	for _, tt := range tests {
		w := s.do(tt.method, tt.path, "")
		if w.Code != tt.status || !strings.HasPrefix(w.Header().Get("Content-Type"), tt.typ) ||
			!strings.Contains(w.Body.String(), tt.body) {
			t.Errorf(
				"%s %s: status %d, %s, %.200q; want %d, %s, %q",
				tt.method,
				tt.path,
				w.Code,
				w.Header().Get("Content-Type"),
				w.Body,
				tt.status,
				tt.typ,
				tt.body,
			)
		}
	}
}

func TestReadyNeedsRedis(t *testing.T) {
	s := newServer(t, nil)
	if w := s.do("GET", "/readyz", ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"durable":false`) {
		t.Errorf("/readyz with Redis: status %d, %s; want 200 and durable false", w.Code, w.Body)
	}
	must.OK(t, s.redis.Close())
	w := s.do("GET", "/readyz", "")
	if w.Code != http.StatusServiceUnavailable || strings.Contains(w.Body.String(), "closed") {
		t.Errorf("/readyz without Redis: status %d, %s; want 503 and nothing internal", w.Code, w.Body)
	}
	if w := s.do("GET", "/healthz", ""); w.Code != 200 {
		t.Errorf("/healthz without Redis: status %d; want 200, the process itself is well", w.Code)
	}
}

func TestTraceIsShownWhenAskedFor(t *testing.T) {
	tests := []struct {
		name    string
		always  bool
		headers []string
		want    bool
	}{
		{"not asked for", false, nil, false},
		{"by header", false, []string{TraceHeader + ": 1"}, true},
		{"header with another value", false, []string{TraceHeader + ": 0"}, false},
		{"always", true, nil, true},
	}
	for _, tt := range tests {
		s := newServer(t, func(o *Options) { o.AlwaysTrace = tt.always })
		for _, query := range []string{"{ site { userCount } }", "{ topic(by: {number: 1}) { id } }"} {
			body := s.post(query, tt.headers...).Body.String()
			if got := strings.Contains(body, `"roundTrips":`); got != tt.want {
				t.Errorf("%s, %s: extensions.redis shown = %v; want %v (%s)", tt.name, query, got, tt.want, body)
			}
		}
	}
	s := newServer(t, nil)
	if body := s.post("{ site { userCount } }", TraceHeader+": 1").Body.String(); !strings.Contains(
		body,
		`"roundTrips":1`,
	) ||
		!strings.Contains(body, `"commands":256`) {
		t.Errorf("trace of one sum over 256 partitions: %s; want 1 round trip and 256 commands", body)
	}
	query := "{ front { topics(first: 10) { nodes { id title } } } }"
	if body := s.post(query, TraceHeader+": 1").Body.String(); !strings.Contains(body, `"cost":{"values":23}`) {
		t.Errorf("trace: %s; want 23 values: two for each of ten topics, and front, topics and nodes", body)
	}
}

func TestBadTokensAreRefused(t *testing.T) {
	s := newServer(t, nil)
	token := must.Do(auth.NewToken(257))(t)
	for _, header := range []string{"Bearer x", "Basic eDp4", "Bearer " + token.String()} {
		w := s.post("{ site { name } }", "Authorization: "+header)
		if w.Code != 401 || s.codeOf(w) != "UNAUTHENTICATED" ||
			w.Header().Get("WWW-Authenticate") != `Bearer error="invalid_token"` {
			t.Errorf(
				"Authorization %q: status %d, %s, WWW-Authenticate %q; want 401, UNAUTHENTICATED and Bearer",
				header,
				w.Code,
				w.Body,
				w.Header().Get("WWW-Authenticate"),
			)
		}
		if strings.Contains(s.log.String(), strings.TrimPrefix(header, "Bearer ")) {
			t.Errorf("the log holds the token: %s", s.log)
		}
	}
}

func TestGET(t *testing.T) {
	s := newServer(t, nil)
	get := func(query string) *httptest.ResponseRecorder {
		return s.do("GET", "/graphql?query="+url.QueryEscape(query), "")
	}
	if w := get("{ site { name } }"); w.Code != 200 || !strings.Contains(w.Body.String(), `"name":"Agora"`) {
		t.Errorf("query by GET: status %d, %s; want 200 and the answer", w.Code, w.Body)
	}
	w := get(
		`mutation { register(input: {login: "ann", email: "ann@example.com", password: "a good password"}) { token } }`,
	)
	if w.Code < 400 || strings.Contains(w.Body.String(), "agora_") {
		t.Errorf("mutation by GET: status %d, %s; want it refused", w.Code, w.Body)
	}
	if got := s.codeOf(get(gqltext.Nested(limit.Defaults().Depth + 1))); got != "TOO_DEEP" {
		t.Errorf("a deep query by GET: code %q; want TOO_DEEP", got)
	}
}

func TestIntrospectionIsWithinTheLimits(t *testing.T) {
	s := newServer(t, nil)
	w := s.post(introspection.Query)
	if w.Code != 200 || s.codeOf(w) != "" || !strings.Contains(w.Body.String(), `"name":"TopicConnection"`) {
		t.Errorf("introspection: status %d, %.500s; want the schema", w.Code, w.Body)
	}
}

func TestServerHasTimeouts(t *testing.T) {
	s := Server(http.NotFoundHandler())
	for name, d := range map[string]int64{"ReadHeaderTimeout": int64(s.ReadHeaderTimeout),
		"ReadTimeout": int64(s.ReadTimeout), "WriteTimeout": int64(s.WriteTimeout),
		"IdleTimeout": int64(s.IdleTimeout), "MaxHeaderBytes": int64(s.MaxHeaderBytes)} {
		if d <= 0 {
			t.Errorf("%s = %d; want a bound", name, d)
		}
	}
	if s.Handler == nil {
		t.Error("the server has no handler")
	}
}

// broken is a body that ends in an error, as if the client had disconnected.
type broken struct{ io.Reader }

func (b broken) Read(p []byte) (int, error) {
	if n, err := b.Reader.Read(p); err == nil {
		return n, nil
	}
	return 0, io.ErrUnexpectedEOF
}

func TestBodyThatCannotBeRead(t *testing.T) {
	s := newServer(t, nil)
	r := httptest.NewRequest("POST", "/graphql", broken{strings.NewReader(`{"query": "{ site`)})
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != 400 || s.codeOf(w) != "BAD_USER_INPUT" {
		t.Errorf("half a body: status %d, %s; want 400 BAD_USER_INPUT", w.Code, w.Body)
	}
}
