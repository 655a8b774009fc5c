package httpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// watched is an observed handler with its log.
type watched struct {
	http.Handler
	log bytes.Buffer
}

// watch observes h; each request takes 1.5 s by the clock.
func watch(level slog.Level, quiet bool, h http.HandlerFunc) *watched {
	w, clock := &watched{}, redistest.NewClock()
	log := slog.New(LogRequestIDs(slog.NewJSONHandler(&w.log, &slog.HandlerOptions{Level: level})))
	w.Handler = observer{
		log:   log,
		now:   clock.Now,
		quiet: quiet,
	}.wrap(
		http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			clock.Advance(1500 * time.Millisecond)
			h(rw, r)
		}),
	)
	return w
}

// serve sends a request with the id and returns the answer.
func (w *watched) serve(id string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "/graphql", strings.NewReader("{}"))
	r.Header.Set(RequestIDHeader, id)
	rec := httptest.NewRecorder()
	w.ServeHTTP(rec, r)
	return rec
}

// lines are the lines of the log.
func (w *watched) lines(t *testing.T) []map[string]any {
	t.Helper()
	var lines []map[string]any
	for text := range strings.Lines(w.log.String()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("log line %q: %v", text, err)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestRequestIDs(t *testing.T) {
	var inside string
	w := watch(slog.LevelInfo, false, func(_ http.ResponseWriter, r *http.Request) { inside = RequestID(r.Context()) })
	tests := []struct {
		id   string
		kept bool
	}{
		{"a", true},
		{"0af7651916cd43dd8448eb211c80319c", true},
		{"Az_09.x-y", true},
		{strings.Repeat("a", 64), true},
		{strings.Repeat("a", 65), false},
		{"", false},
		{"a b", false},
		{"a\nlevel=ERROR", false},
		{`"quoted"`, false},
		{"<script>", false},
		{"é", false},
		{"a/b", false},
	}
	seen := map[string]bool{}
	for _, tt := range tests {
		got := w.serve(tt.id).Header().Get(RequestIDHeader)
		if (got == tt.id) != tt.kept || len(got) < 1 || !tt.kept && len(got) < 16 || got != inside || seen[got] {
			t.Errorf("request id %q: answered with %q, %q inside; want it kept = %v, or a new one", tt.id, got, inside, tt.kept)
		}
		seen[got] = true
	}
	for i, line := range w.lines(t) {
		if id, _ := line["request"].(string); !seen[id] {
			t.Errorf("line %d has the request id %q; want one of the answers", i, id)
		}
	}
	if got := RequestID(t.Context()); got != "" {
		t.Errorf("RequestID outside of a request = %q; want none", got)
	}
}

func TestRequestIsLogged(t *testing.T) {
	w := watch(slog.LevelInfo, false, func(rw http.ResponseWriter, r *http.Request) {
		c := CallFrom(r.Context())
		c.Operation("mutation", "Front", "0123456789abcdef0123")
		usage := store.UsageFrom(r.Context())
		usage.RoundTrips.Add(3)
		usage.Commands.Add(40)
		for _, code := range []string{"TIMEOUT", "FORBIDDEN", "TIMEOUT"} {
			c.Code(code)
		}
		rw.WriteHeader(http.StatusBadRequest)
		io.WriteString(rw, "12345")
	})
	w.serve("me")
	lines := w.lines(t)
	if len(lines) != 1 {
		t.Fatalf("%d lines logged; want 1: %s", len(lines), &w.log)
	}
	want := map[string]any{
		"msg": "request", "level": "INFO", "request": "me", "operation": "Front", "kind": "mutation",
		"document": "0123456789abcdef",
		"status":   400., "duration": 1.5e9, "bytes": 5., "roundTrips": 3., "commands": 40., "codes": "FORBIDDEN,TIMEOUT",
	}
	for name, value := range want {
		if lines[0][name] != value {
			t.Errorf("%s = %v; want %v", name, lines[0][name], value)
		}
	}
	if got := len(lines[0]); got != len(want)+1 { // and the time
		t.Errorf("the line has %d attributes; want %d: %v", got, len(want)+1, lines[0])
	}
}

// Values from clients stay within their line, and within bounds.
func TestOperationNameIsSafeToLog(t *testing.T) {
	var log bytes.Buffer
	o := observer{log: slog.New(slog.NewTextHandler(&log, nil)), now: time.Now}
	evil := "x\nlevel=ERROR msg=\"all is lost\"\x1b[2J" + strings.Repeat("y", 10_000)
	o.wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		CallFrom(r.Context()).Operation("query", evil, "")
	})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	if got := log.String(); strings.Count(got, "\n") != 1 || strings.Contains(got, "\x1b") || len(got) > 500 {
		t.Errorf("log = %q; want one short line without control characters", got)
	}
}

func TestLevelOfTheLine(t *testing.T) {
	tests := []struct {
		name   string
		quiet  bool
		status int
		code   string
		want   string
	}{
		{"success", false, 200, "", "INFO"},
		{"error of the client", false, 400, "BAD_USER_INPUT", "INFO"},
		{"error of the server", false, 503, "UNAVAILABLE", "WARN"},
		{"internal error beside data", false, 200, "INTERNAL_SERVER_ERROR", "WARN"},
		{"success, quiet", true, 200, "", "DEBUG"},
		{"error beside data, quiet", true, 200, "FORBIDDEN", "INFO"},
		{"error of the client, quiet", true, 400, "", "INFO"},
		{"error of the server, quiet", true, 500, "", "WARN"},
	}
	for _, tt := range tests {
		w := watch(slog.LevelDebug, tt.quiet, func(rw http.ResponseWriter, r *http.Request) {
			CallFrom(r.Context()).Code(tt.code)
			rw.WriteHeader(tt.status)
		})
		if tt.code == "" {
			w = watch(slog.LevelDebug, tt.quiet, func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(tt.status) })
		}
		w.serve("")
		if lines := w.lines(t); len(lines) != 1 || lines[0]["level"] != tt.want {
			t.Errorf("%s: logged %s; want one line of level %s", tt.name, &w.log, tt.want)
		}
	}
}

func TestPanicBecomesAnAnswer(t *testing.T) {
	w := watch(slog.LevelInfo, false, func(http.ResponseWriter, *http.Request) { panic("secret of the inside") })
	got := w.serve("me")
	var body struct {
		Errors []struct{ Extensions struct{ Code string } }
	}
	err := json.Unmarshal(got.Body.Bytes(), &body)
	if got.Code != 500 || err != nil || len(body.Errors) != 1 ||
		body.Errors[0].Extensions.Code != "INTERNAL_SERVER_ERROR" ||
		strings.Contains(got.Body.String(), "secret") {
		t.Errorf("panic: status %d, %s; want 500, INTERNAL_SERVER_ERROR and nothing internal", got.Code, got.Body)
	}
	lines := w.lines(t)
	if len(lines) != 2 || lines[0]["request"] != "me" || lines[0]["panic"] != "secret of the inside" ||
		!strings.Contains(lines[0]["stack"].(string), "observe_test.go") {
		t.Errorf("panic: logged %v; want the panic with its stack and the request", lines)
	}
	if last := lines[len(lines)-1]; last["level"] != "WARN" || last["status"] != 500. ||
		last["codes"] != "INTERNAL_SERVER_ERROR" {
		t.Errorf("panic: logged %v; want a warning with status 500", last)
	}
}

// A client must not take half an answer for a complete one.
func TestPanicWithinAnAnswerAbortsIt(t *testing.T) {
	for _, p := range []any{"oh", http.ErrAbortHandler} {
		w := watch(slog.LevelInfo, false, func(rw http.ResponseWriter, _ *http.Request) {
			io.WriteString(rw, `{"data":`)
			if err := http.NewResponseController(rw).Flush(); err != nil {
				t.Errorf("Flush: %v", err)
			}
			panic(p)
		})
		s := httptest.NewServer(w)
		resp := must.Do(http.Get(s.URL))(t)
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		s.Close() // logged at the end
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("panic(%v) within an answer: the client read %q, %v; want an unexpected end", p, body, err)
		}
		last := w.lines(t)[len(w.lines(t))-1]
		if logged := strings.Contains(w.log.String(), "panicked"); logged != (p != http.ErrAbortHandler) ||
			last["status"] != 200. ||
			last["bytes"] != 8. {
			t.Errorf(
				"panic(%v) within an answer: logged %s; want the line of the request, and the panic unless it is "+
					"http.ErrAbortHandler",
				p,
				&w.log,
			)
		}
	}
}

func TestStatusOfAnswers(t *testing.T) {
	closed, leave := context.WithCancel(t.Context())
	leave()
	tests := []struct {
		name   string
		ctx    context.Context
		answer http.HandlerFunc
		want   float64
	}{
		{"none", t.Context(), func(http.ResponseWriter, *http.Request) {}, 200},
		{"none, the client disconnected", closed, func(http.ResponseWriter, *http.Request) {}, 499},
		{"one, the client disconnected", closed, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(201) }, 201},
		{"body without status", t.Context(), func(w http.ResponseWriter, _ *http.Request) { w.Write(nil) }, 200},
		{
			"two statuses",
			t.Context(),
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); w.WriteHeader(200) },
			404,
		},
		{
			"an early hint",
			t.Context(),
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(103); w.WriteHeader(429) },
			429,
		},
		{"another protocol", t.Context(), func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(101) }, 101},
	}
	for _, tt := range tests {
		w := watch(slog.LevelInfo, false, tt.answer)
		w.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil).WithContext(tt.ctx))
		if got := w.lines(t)[0]["status"]; got != tt.want {
			t.Errorf("%s: status %v logged; want %v", tt.name, got, tt.want)
		}
	}
}

func TestCallIsSafeForConcurrentUse(t *testing.T) {
	var none *Call
	none.Operation("query", "a", "b")
	none.Code("X")
	w := watch(slog.LevelInfo, false, func(_ http.ResponseWriter, r *http.Request) {
		var wg sync.WaitGroup
		for i := range 16 {
			wg.Go(func() {
				CallFrom(r.Context()).Code(fmt.Sprintf("C%d", i%4))
				CallFrom(r.Context()).Operation("query", "a", "b")
			})
		}
		wg.Wait()
	})
	w.serve("")
	if got := w.lines(t)[0]["codes"]; got != "C0,C1,C2,C3" {
		t.Errorf("codes = %v; want each once, in order", got)
	}
}

func TestEveryLineOfARequestHasItsID(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(LogRequestIDs(slog.NewTextHandler(&out, nil)))
	o := observer{log: log, now: time.Now}
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set(RequestIDHeader, "me")
	o.wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		log.With("a", 1).ErrorContext(r.Context(), "one")
		log.WithGroup("g").With("b", 2).ErrorContext(r.Context(), "two")
		log.Error("three") // as far as can be seen, not of the request
	})).ServeHTTP(httptest.NewRecorder(), r)
	want := []string{"msg=one a=1 request=me\n", "msg=two g.b=2 g.request=me\n", "msg=three\n", "msg=request "}
	lines := strings.SplitAfter(out.String(), "\n")
	for i, w := range want {
		if !strings.Contains(lines[i], w) {
			t.Errorf("line %d = %q; want it to hold %q", i, lines[i], w)
		}
	}
}
