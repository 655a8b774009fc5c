//go:build unix

package httpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"agora/internal/test/must"
)

// benchRequests are requests that need no Redis.
var benchRequests = []struct{ name, body string }{
	{"typename", bodyOf("{__typename}")},
	{
		"variables",
		asked(
			"query Named($name: String!, $with: Boolean!) { __type(name: $name) { name kind } site @include(if: $with) { "+
				"name } }",
			`{"name": "Topic", "with": true}`,
		),
	},
}

// BenchmarkRequest measures what a request costs above a bare handler of net/http, which decodes the body and writes
// a fixed answer: called directly, and over TCP, where "cpu-ns/op" counts both ends. "quiet" is a server with demo
// data; "logged" writes a line for each request, as other servers do; "layer" does everything except execute.
func BenchmarkRequest(b *testing.B) {
	for _, request := range benchRequests {
		for _, side := range benchSides(b, request.body) {
			b.Run(request.name+"/direct/"+side.name, func(b *testing.B) { benchDirect(b, side.handler, request.body) })
			b.Run(request.name+"/tcp/"+side.name, func(b *testing.B) { benchTCP(b, side.handler, request.body) })
		}
	}
}

// side is a server that the benchmark compares.
type side struct {
	name    string
	handler http.Handler
}

func benchSides(tb testing.TB, body string) []side {
	tb.Helper()
	quiet, answer := newBench(tb, true), httptest.NewRecorder()
	quiet.ServeHTTP(answer, benchRequest(body))
	return []side{
		{"bare", bareHandler(answer.Body.Bytes())},
		{"quiet", quiet},
		{"logged", newBench(tb, false)},
		{"layer", newLayer(tb, answer.Body.Bytes())},
	}
}

// All sides of the benchmark give the same answer.
func TestBenchSides(t *testing.T) {
	for _, request := range benchRequests {
		want := ""
		for _, side := range benchSides(t, request.body) {
			got := httptest.NewRecorder()
			side.handler.ServeHTTP(got, benchRequest(request.body))
			if want == "" {
				want = got.Body.String()
			}
			if got.Code != http.StatusOK || got.Body.String() != want {
				t.Errorf("%s, %s: %d %s; want %s", request.name, side.name, got.Code, got.Body, want)
			}
		}
	}
}

// newBench returns a server as in operation.
func newBench(tb testing.TB, quiet bool) *server {
	tb.Helper()
	return newServer(tb, func(o *Options) { inOperation(o, quiet) })
}

func inOperation(o *Options, quiet bool) {
	o.Log = slog.New(LogRequestIDs(slog.NewTextHandler(io.Discard, nil)))
	o.Metrics = NewMetrics(o.Resolver.Store, o.Log, time.Now)
	o.Drain = &Drain{}
	o.Quiet = quiet
}

// fixed is a schema that returns the same answer for everything.
type fixed struct {
	graphql.ExecutableSchema
	data []byte
}

// Exec implements graphql.ExecutableSchema.
func (f fixed) Exec(context.Context) graphql.ResponseHandler {
	return graphql.OneShot(&graphql.Response{Data: f.data})
}

// newLayer returns a server that returns the same answer for all valid requests.
func newLayer(tb testing.TB, answer []byte) http.Handler {
	tb.Helper()
	var whole struct{ Data json.RawMessage }
	must.OK(tb, json.Unmarshal(answer, &whole))
	return newServer(tb, func(o *Options) {
		inOperation(o, true)
		o.Executable = fixed{o.Resolver.Schema(nil), slices.Clip(whole.Data)}
	})
}

// bareHandler does the least that an API can.
func bareHandler(answer []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Query     string         `json:"query"`
			Variables map[string]any `json:"variables"`
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer)
	})
}

func benchRequest(body string) *http.Request {
	r := httptest.NewRequest("POST", "/graphql", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64)")
	return r
}

// sink is a writer that discards.
type sink struct {
	header http.Header
	bytes  int
}

// Header implements http.ResponseWriter.
func (s *sink) Header() http.Header { return s.header }

// WriteHeader implements http.ResponseWriter.
func (s *sink) WriteHeader(int) {}

// Write implements http.ResponseWriter.
func (s *sink) Write(p []byte) (int, error) {
	s.bytes += len(p)
	return len(p), nil
}

func benchDirect(b *testing.B, h http.Handler, body string) {
	request, given := benchRequest(body), strings.NewReader(body)
	w := &sink{header: http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		given.Reset(body)
		r := *request // the mux writes into it
		r.Body = io.NopCloser(given)
		clear(w.header)
		w.bytes = 0
		h.ServeHTTP(w, &r)
	}
	if w.bytes < len(`{"data":{}}`) {
		b.Fatalf("answer of %d bytes", w.bytes)
	}
}

func benchTCP(b *testing.B, h http.Handler, body string) {
	s := httptest.NewServer(h)
	defer s.Close()
	conn := must.Do(net.Dial("tcp", s.Listener.Addr().String()))(b)
	defer conn.Close()
	request := fmt.Appendf(
		nil,
		"POST /graphql HTTP/1.1\r\nHost: localhost\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n"+
			"Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		len(body),
		body,
	)
	in := bufio.NewReader(conn)
	b.ReportAllocs()
	began := cpuTime(b)
	for b.Loop() {
		must.Do(conn.Write(request))(b)
		must.OK(b, skipAnswer(in))
	}
	b.ReportMetric(float64((cpuTime(b)-began).Nanoseconds())/float64(b.N), "cpu-ns/op")
}

// skipAnswer reads an answer with status 200 and a length.
func skipAnswer(in *bufio.Reader) error {
	length := 0
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
			return fmt.Errorf("answer %q", line)
		}
		if len(line) == len("\r\n") {
			_, err := in.Discard(length)
			return err
		}
		if digits, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			for _, c := range bytes.TrimSpace(digits) {
				length = 10*length + int(c-'0')
			}
		}
	}
}

// cpuTime returns the CPU time of this process.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	must.OK(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
