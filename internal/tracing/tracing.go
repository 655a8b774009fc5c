// Package tracing sends traces to a collector of OpenTelemetry. A nil Tracer traces nothing, and so does a nil Span,
// that of what is not sampled: neither allocates.
package tracing

import (
	"context"
	"log/slog"
	"net/http"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Options say where traces go.
type Options struct {
	// Endpoint is the URL of a collector, for which CheckEndpoint returns nil. Traces are sent to /v1/traces below it.
	Endpoint string
	// Sample is the share of traces that are sent, for which IsSample returns true. A trace that a trusted proxy has
	// begun is sent if the proxy sends its part.
	Sample float64
	// Version is that of the program.
	Version string
	// Log receives a line, at most once a minute, if traces cannot be sent.
	Log *slog.Logger
}

// IsSample reports whether a number is a share of traces, 0 to 1.
func IsSample(share float64) bool { return share >= 0 && share <= 1 }

// Tracer begins spans. It is safe for concurrent use.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// New returns a tracer that sends spans in the background. What the collector cannot take in time is dropped: nobody
// waits for it.
func New(ctx context.Context, o Options) (*Tracer, error) {
	return newOver(ctx, newExporter(o.Endpoint, o.Log), o)
}

func newOver(ctx context.Context, e *exporter, o Options) (*Tracer, error) {
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String(serviceName, service), attribute.String(serviceVersion, o.Version)),
		resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(e.report))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(e), sdk.WithResource(about),
		sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(o.Sample))))
	return &Tracer{provider, provider.Tracer(scope)}, nil
}

// Close sends what has not been sent yet. It returns ctx's error if that takes too long. Nothing is traced afterwards.
func (t *Tracer) Close(ctx context.Context) error { return t.provider.Shutdown(ctx) }

// Span is one step of a trace. It is safe for concurrent use.
type Span struct {
	tracer trace.Tracer
	ctx    context.Context // of the span
	span   trace.Span
}

// Request begins the span of a request. If it is from a trusted proxy, it is part of the trace that its header
// traceparent names. Nobody else can choose what is traced.
func (t *Tracer) Request(r *http.Request, trusted bool) *Span {
	if t == nil {
		return nil
	}
	ctx := r.Context()
	if trusted {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
	}
	method := methodOf(r)
	s := t.begin(ctx, method, trace.SpanKindServer)
	if s != nil {
		s.span.SetAttributes(attribute.String(httpMethod, method), attribute.String(urlPath, r.URL.Path))
	}
	return s
}

// Operation begins the span of an operation on a socket, in a trace of its own.
func (t *Tracer) Operation() *Span {
	if t == nil {
		return nil
	}
	return t.begin(context.Background(), "", trace.SpanKindServer)
}

// Event begins the span of an event of a subscription.
func (t *Tracer) Event(operation string) *Span {
	if t == nil {
		return nil
	}
	s := t.begin(context.Background(), eventName, trace.SpanKindInternal)
	if s != nil {
		s.span.SetAttributes(operationOf("subscription", operation)...)
	}
	return s
}

// Task begins the span of a pass of a task, which does some work.
func (t *Tracer) Task(work string) *Span {
	if t == nil {
		return nil
	}
	s := t.begin(context.Background(), taskName, trace.SpanKindInternal)
	if s != nil {
		s.span.SetAttributes(attribute.String(taskWork, work))
	}
	return s
}

// begin returns nil if the span is not sampled.
func (t *Tracer) begin(ctx context.Context, name string, kind trace.SpanKind) *Span {
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(kind))
	if !span.IsRecording() {
		return nil
	}
	return &Span{t.tracer, ctx, span}
}

// Trace returns the id of the trace, or "".
func (s *Span) Trace() string {
	if s == nil {
		return ""
	}
	return s.span.SpanContext().TraceID().String()
}

// RoundTrip begins the span of a round trip to Redis with a number of commands, of which name is the first. The
// function that it returns ends it.
func (s *Span) RoundTrip(name string, commands int) (end func(error)) {
	_, span := s.tracer.Start(s.ctx, redisName(name, commands), trace.WithSpanKind(trace.SpanKindClient))
	span.SetAttributes(roundTripOf(name, commands)...)
	return func(err error) {
		if err != nil {
			fail(span, errorRedis)
		}
		span.End()
	}
}

// Outcome is what became of an operation.
type Outcome struct {
	// Kind is query, mutation or subscription; or none, socket or stream, for a request without an operation.
	Kind string
	// Operation is the name of the operation, Document a hash of its text.
	Operation, Document string
	// Status is that of the answer.
	Status int
	// Codes are those of the errors in the answer.
	Codes []string
}

// End ends the span of a request or operation.
func (s *Span) End(o Outcome) {
	if s == nil {
		return
	}
	if name := operationName(o.Kind); name != "" {
		s.span.SetName(name)
		s.span.SetAttributes(operationOf(o.Kind, o.Operation)...)
	}
	s.span.SetAttributes(outcomeOf(o)...)
	if code := o.failure(); code != "" {
		fail(s.span, code)
	}
	s.span.End()
}

// Done ends the span of an event or a task.
func (s *Span) Done(err error) {
	if s == nil {
		return
	}
	if err != nil {
		fail(s.span, errorTask)
	}
	s.span.End()
}
