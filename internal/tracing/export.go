package tracing

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	collector "go.opentelemetry.io/proto/slim/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

// exporter sends spans by OTLP over HTTP, as protobuf. OpenTelemetry's own, otlptracehttp, links gRPC with some 70
// packages. Source: https://opentelemetry.io/docs/specs/otlp/#otlphttp
type exporter struct {
	url    string
	client *http.Client
	log    *slog.Logger
	pause  time.Duration // before the first repetition

	mu       sync.Mutex
	reported time.Time
}

const (
	// answerTime is how long a collector may take to answer.
	answerTime = 10 * time.Second
	// firstPause is the pause before spans are sent again; the next ones are twice as long. longestPause is the longest.
	firstPause   = time.Second
	longestPause = 8 * time.Second
	// reportEvery is the shortest time between two lines in the log.
	reportEvery = time.Minute
)

// CheckEndpoint returns an error unless endpoint is a URL that a collector can have.
func CheckEndpoint(endpoint string) error {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("not the URL of a collector, such as http://localhost:4318") // it may contain a password
	}
	return nil
}

func newExporter(endpoint string, log *slog.Logger) *exporter {
	client := &http.Client{Timeout: answerTime, Transport: http.DefaultTransport.(*http.Transport).Clone(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &exporter{url: strings.TrimSuffix(endpoint, "/") + "/v1/traces", client: client, log: log, pause: firstPause}
}

// Shutdown implements sdk.SpanExporter.
func (e *exporter) Shutdown(context.Context) error {
	e.client.CloseIdleConnections()
	return nil
}

// ExportSpans implements sdk.SpanExporter. It repeats what may succeed later, until ctx is done: meanwhile, the queue
// of the processor fills, which then drops spans.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	message, err := proto.Marshal(&collector.ExportTraceServiceRequest{ResourceSpans: resourceSpans(spans)})
	if err != nil {
		return err
	}
	var body bytes.Buffer
	zip := gzip.NewWriter(&body)
	zip.Write(message)
	zip.Close()
	for pause := e.pause; ; pause = min(2*pause, longestPause) {
		again, after, err := e.send(ctx, body.Bytes())
		if err == nil {
			return nil
		}
		if !again {
			return fmt.Errorf("%d spans: %w", len(spans), err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d spans: %w", len(spans), err)
		case <-time.After(max(pause, min(after, longestPause))):
		}
	}
}

// send sends a message. If it fails, again reports whether it may succeed later, and after how long a pause.
func (e *exporter) send(ctx context.Context, body []byte) (again bool, after time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return false, 0, err
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	req.Header.Set("Content-Encoding", "gzip")
	resp, err := e.client.Do(req)
	if err != nil {
		return true, 0, err
	}
	defer resp.Body.Close()
	io.CopyN(io.Discard, resp.Body, 64<<10) // so that the connection can be used again
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return true, time.Duration(seconds) * time.Second, fmt.Errorf("the collector answers %s", resp.Status)
	}
	if resp.StatusCode/100 != 2 {
		return false, 0, fmt.Errorf("the collector answers %s", resp.Status)
	}
	return false, 0, nil
}

// report logs a failure of the exporter, unless one was logged a short time ago.
func (e *exporter) report(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if now := time.Now(); now.Sub(e.reported) >= reportEvery {
		e.reported = now
		e.log.Warn("traces could not be sent", "error", err)
	}
}
