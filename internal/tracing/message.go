package tracing

import (
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	resource "go.opentelemetry.io/proto/slim/otlp/resource/v1"
	otlp "go.opentelemetry.io/proto/slim/otlp/trace/v1"
)

// resourceSpans returns spans, all of one program, as OTLP has them.
func resourceSpans(spans []sdk.ReadOnlySpan) []*otlp.ResourceSpans {
	if len(spans) == 0 {
		return nil
	}
	of := &otlp.ScopeSpans{Scope: &common.InstrumentationScope{Name: scope}}
	for _, s := range spans {
		of.Spans = append(of.Spans, spanOf(s))
	}
	return []*otlp.ResourceSpans{{
		Resource:   &resource.Resource{Attributes: attributes(spans[0].Resource().Attributes())},
		ScopeSpans: []*otlp.ScopeSpans{of},
	}}
}

func spanOf(s sdk.ReadOnlySpan) *otlp.Span {
	own, parent := s.SpanContext(), s.Parent()
	traceID, id := own.TraceID(), own.SpanID()
	made := &otlp.Span{
		TraceId: traceID[:], SpanId: id[:], Name: s.Name(), Kind: kinds[s.SpanKind()],
		TraceState: own.TraceState().String(), Flags: uint32(own.TraceFlags()),
		StartTimeUnixNano: uint64(s.StartTime().UnixNano()), EndTimeUnixNano: uint64(s.EndTime().UnixNano()),
		Attributes: attributes(s.Attributes()), DroppedAttributesCount: uint32(s.DroppedAttributes()),
		Status: &otlp.Status{},
	}
	if s.Status().Code == codes.Error {
		made.Status.Code = otlp.Status_STATUS_CODE_ERROR
	}
	if above := parent.SpanID(); parent.IsValid() {
		made.ParentSpanId = above[:]
	}
	return made
}

// kinds are those of the spans that a Tracer begins.
var kinds = map[trace.SpanKind]otlp.Span_SpanKind{
	trace.SpanKindInternal: otlp.Span_SPAN_KIND_INTERNAL,
	trace.SpanKindServer:   otlp.Span_SPAN_KIND_SERVER,
	trace.SpanKindClient:   otlp.Span_SPAN_KIND_CLIENT,
}

// attributes returns attributes as OTLP has them: numbers as such, all else as text.
func attributes(from []attribute.KeyValue) []*common.KeyValue {
	made := make([]*common.KeyValue, len(from))
	for i, a := range from {
		v := &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: a.Value.String()}}
		if a.Value.Type() == attribute.INT64 {
			v.Value = &common.AnyValue_IntValue{IntValue: a.Value.AsInt64()}
		}
		made[i] = &common.KeyValue{Key: string(a.Key), Value: v}
	}
	return made
}
