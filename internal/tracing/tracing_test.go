package tracing

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"agora/internal/test/must"
	"agora/internal/test/tracetest"
)

// newTracer returns a tracer that repeats what fails after 1 ms, and its log.
func newTracer(t *testing.T, url string, sample float64) (*Tracer, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	e := newExporter(url, slog.New(slog.NewTextHandler(&log, nil)))
	e.pause = time.Millisecond
	tracer := must.Do(newOver(t.Context(), e, Options{Sample: sample, Version: "1.2.3"}))(t)
	return tracer, &log
}

// A trace has the names of OpenTelemetry's conventions, and nothing else.
func TestConventions(t *testing.T) {
	c := tracetest.New(t)
	tracer, _ := newTracer(t, c.URL, 1)
	s := tracer.Request(httptest.NewRequest("POST", "/graphql?x=secret", nil), false)
	s.RoundTrip("hgetall", 1)(nil)
	s.RoundTrip("hgetall", 3)(errors.New("secret"))
	s.End(Outcome{Kind: "query", Operation: "Front", Document: "0123", Status: 200, Codes: []string{"A", "B"}})
	tracer.Request(httptest.NewRequest("SECRET", "/graphql", nil), false).End(Outcome{Kind: "none", Status: 405})
	tracer.Close(t.Context())
	c.Want(t,
		"_OTHER SERVER ERROR error.type=405 http.request.method=_OTHER http.response.status_code=405 url.path=/graphql",
		"query SERVER ERROR agora.document=0123 error.type=A graphql.operation.name=Front graphql.operation.type=query "+
			"http.request.method=POST http.response.status_code=200 url.path=/graphql",
		"query > HGETALL CLIENT db.operation.name=HGETALL db.system.name=redis",
		"query > PIPELINE CLIENT ERROR db.operation.batch.size=3 db.operation.name=PIPELINE db.system.name=redis "+
			"error.type=redis")
	for _, want := range []string{"service.name=agora", "service.version=1.2.3"} {
		if !strings.Contains(c.Resource(), want) {
			t.Errorf("the resource is %q; want %s", c.Resource(), want)
		}
	}
}

// Only a trusted proxy chooses which trace a request is part of, and whether it is sent.
func TestOnlyTrustedProxiesChooseTraces(t *testing.T) {
	const id = "0af7651916cd43dd8448eb211c80319c"
	for _, tt := range []struct {
		sample          float64
		flags           string
		trusted         bool
		sent, continues bool
	}{
		{1, "01", true, true, true}, {1, "01", false, true, false}, {1, "00", true, false, false},
		{0, "01", true, true, true}, {0, "01", false, false, false},
	} {
		c := tracetest.New(t)
		tracer, _ := newTracer(t, c.URL, tt.sample)
		r := httptest.NewRequest("POST", "/graphql", nil)
		r.Header.Set("traceparent", "00-"+id+"-b7ad6b7169203331-"+tt.flags)
		s := tracer.Request(r, tt.trusted)
		s.End(Outcome{Kind: "none", Status: 200})
		if sent, continues := s.Trace() != "", s.Trace() == id; sent != tt.sent || continues != tt.continues {
			t.Errorf("%+v: trace %q", tt, s.Trace())
		}
		tracer.Close(t.Context())
		if got := len(c.Spans()); (got == 1) != tt.sent {
			t.Errorf("%+v: %d spans are sent", tt, got)
		}
	}
}

// What is not traced costs no allocation.
func TestNothingIsAllocatedWithoutTraces(t *testing.T) {
	var off *Tracer
	r := httptest.NewRequest("POST", "/graphql", nil)
	n := testing.AllocsPerRun(100, func() {
		s := off.Request(r, true)
		s.End(Outcome{Kind: "query", Status: 200})
		off.Operation().End(Outcome{})
		off.Event("E").Done(nil)
		off.Task("t").Done(nil)
		if s.Trace() != "" || s != nil {
			t.Error("a nil tracer traces")
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A collector that fails for a moment gets all spans; one that refuses them gets them once, and the log has one line.
func TestCollectorsThatFail(t *testing.T) {
	for _, tt := range []struct {
		status, tries int
		logged        bool
	}{{503, 2, false}, {429, 2, false}, {400, 1, true}, {302, 1, true}} {
		var tries atomic.Int64
		c := tracetest.NewBehind(t, func(w http.ResponseWriter) bool {
			if tries.Add(1) > 1 && tt.tries > 1 {
				return true
			}
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(tt.status)
			return false
		})
		tracer, log := newTracer(t, c.URL, 1)
		tracer.Task("a").Done(nil)
		tracer.Close(t.Context())
		if tries.Load() != int64(tt.tries) || (len(c.Spans()) == 1) != (tt.tries == 2) ||
			(strings.Count(log.String(), "traces could not be sent") == 1) != tt.logged {
			t.Errorf("%d: %d tries, %d spans; the log says %s", tt.status, tries.Load(), len(c.Spans()), log)
		}
	}
}

// Nobody waits for a collector that does not answer: neither requests, of which more end than the queue holds, nor a
// server that stops.
func TestCollectorsThatHang(t *testing.T) {
	release := make(chan struct{})
	c := tracetest.NewBehind(t, func(http.ResponseWriter) bool { <-release; return true })
	tracer, log := newTracer(t, c.URL, 1)
	for range 10_000 {
		tracer.Task("a").Done(nil)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tracer.Close(ctx); !errors.Is(err, context.Canceled) || log.Len() > 0 {
		t.Errorf("Close returns %v, and the log says %q; want the error of the context", err, log)
	}
	close(release)
}

func TestCheckEndpoint(t *testing.T) {
	for endpoint, ok := range map[string]bool{
		"http://localhost:4318": true, "https://collector.example.org/otlp/": true, "localhost:4318": false, "": false,
		"grpc://localhost:4317": false, "http://": false, "http://h/?a=b": false, "http://h/#a": false, "http://[": false,
	} {
		if err := CheckEndpoint(endpoint); (err == nil) != ok {
			t.Errorf("CheckEndpoint(%q) is %v", endpoint, err)
		}
	}
}
