// Package tracetest is a collector of traces for tests.
package tracetest

import (
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	otlp "go.opentelemetry.io/proto/slim/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector receives traces by OTLP over HTTP. It is safe for concurrent use.
type Collector struct {
	URL string

	mu       sync.Mutex
	spans    []*otlp.Span
	resource string
	arrived  chan struct{}
}

// New returns a collector that takes everything. It ends with the test.
func New(t testing.TB) *Collector {
	return NewBehind(t, func(http.ResponseWriter) bool { return true })
}

// NewBehind returns a collector that takes what accept does not answer.
func NewBehind(t testing.TB, accept func(http.ResponseWriter) bool) *Collector {
	c := &Collector{arrived: make(chan struct{}, 1)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !accept(w) {
			return
		}
		if err := c.take(r); err != nil {
			t.Error(err)
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

func (c *Collector) take(r *http.Request) error {
	zip, err := gzip.NewReader(r.Body)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(zip)
	if err != nil {
		return err
	}
	if r.Method != "POST" || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
		return fmt.Errorf("%s %s of %s", r.Method, r.URL, r.Header.Get("Content-Type"))
	}
	var message collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(body, &message); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, of := range message.ResourceSpans {
		c.resource = strings.Join(texts(of.Resource.Attributes), " ")
		for _, of := range of.ScopeSpans {
			c.spans = append(c.spans, of.Spans...)
		}
	}
	select {
	case c.arrived <- struct{}{}:
	default:
	}
	return nil
}

// Resource returns what is said of the program that sent the last spans.
func (c *Collector) Resource() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.resource
}

// Spans returns the spans that have arrived as text: the names of the spans above and its own, its kind, ERROR if it
// failed, and its attributes. They are sorted.
func (c *Collector) Spans() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	byID := map[string]*otlp.Span{}
	for _, s := range c.spans {
		byID[hex.EncodeToString(s.SpanId)] = s
	}
	all := make([]string, len(c.spans))
	for i, s := range c.spans {
		name := s.Name
		for above := byID[hex.EncodeToString(s.ParentSpanId)]; above != nil; above = byID[hex.EncodeToString(above.ParentSpanId)] {
			name = above.Name + " > " + name
		}
		parts := []string{name, strings.TrimPrefix(s.Kind.String(), "SPAN_KIND_")}
		if s.Status.GetCode() == otlp.Status_STATUS_CODE_ERROR {
			parts = append(parts, "ERROR")
		}
		all[i] = strings.Join(append(parts, texts(s.Attributes)...), " ")
	}
	slices.Sort(all)
	return all
}

// awaitTime is how long Await waits.
const awaitTime = 30 * time.Second

// Await waits until enough says that the spans that have arrived are enough, and returns them.
func (c *Collector) Await(t testing.TB, enough func(spans []string) bool) []string {
	t.Helper()
	for late := time.After(awaitTime); ; {
		if spans := c.Spans(); enough(spans) {
			return spans
		}
		select {
		case <-c.arrived:
		case <-late:
			t.Fatalf("the spans are only\n%s", strings.Join(c.Spans(), "\n"))
		}
	}
}

// Want reports an error unless exactly these spans have arrived.
func (c *Collector) Want(t testing.TB, spans ...string) {
	t.Helper()
	slices.Sort(spans)
	if got := c.Spans(); !slices.Equal(got, spans) {
		t.Errorf("the spans are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(spans, "\n"))
	}
}

func texts(attributes []*common.KeyValue) []string {
	all := make([]string, len(attributes))
	for i, a := range attributes {
		switch v := a.Value.Value.(type) {
		case *common.AnyValue_StringValue:
			all[i] = a.Key + "=" + v.StringValue
		case *common.AnyValue_IntValue:
			all[i] = fmt.Sprintf("%s=%d", a.Key, v.IntValue)
		}
	}
	slices.Sort(all)
	return all
}
