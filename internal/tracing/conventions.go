package tracing

import (
	"net/http"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// The names of spans and attributes are those of OpenTelemetry's semantic conventions, for GraphQL servers, HTTP and
// databases: https://opentelemetry.io/docs/specs/semconv/. Of what a client sends, a span holds only the name of the
// operation and a hash of the document.
const (
	service = "agora" // unless OTEL_SERVICE_NAME says otherwise
	scope   = "agora"

	serviceName    = "service.name"
	serviceVersion = "service.version"
	httpMethod     = "http.request.method"
	httpStatus     = "http.response.status_code"
	urlPath        = "url.path"
	graphqlType    = "graphql.operation.type"
	graphqlName    = "graphql.operation.name"
	documentHash   = "agora.document"
	databaseSystem = "db.system.name"
	databaseName   = "db.operation.name"
	databaseBatch  = "db.operation.batch.size"
	errorType      = "error.type"
	taskWork       = "agora.task"

	// Names of spans. Those of operations are their types; that of a request without one is its method.
	pipelineName = "PIPELINE"
	eventName    = "event"
	taskName     = "task"

	otherMethod = "_OTHER"

	errorRedis = "redis"
	errorTask  = "task"
)

// operationName returns the name of an operation's span, or "" for the span of a request without an operation. The name
// of the operation is not part of it: clients choose it.
func operationName(kind string) string {
	switch kind {
	case "query", "mutation", "subscription":
		return kind
	}
	return ""
}

// methodOf returns the method of a request, of which there are only a few: clients may make up others.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodPost, http.MethodHead, http.MethodOptions, http.MethodPut, http.MethodPatch,
		http.MethodDelete:
		return r.Method
	}
	return otherMethod
}

func operationOf(kind, name string) []attribute.KeyValue {
	of := []attribute.KeyValue{attribute.String(graphqlType, kind)}
	if name != "" {
		of = append(of, attribute.String(graphqlName, name))
	}
	return of
}

func outcomeOf(o Outcome) (of []attribute.KeyValue) {
	if o.Status != 0 {
		of = append(of, attribute.Int(httpStatus, o.Status))
	}
	if o.Document != "" {
		of = append(of, attribute.String(documentHash, o.Document))
	}
	return of
}

// failure returns the code of the first error, the status of a refused request, or "".
func (o Outcome) failure() string {
	switch {
	case len(o.Codes) > 0:
		return o.Codes[0]
	case o.Status >= 400:
		return strconv.Itoa(o.Status)
	}
	return ""
}

func redisName(command string, commands int) string {
	if commands > 1 {
		return pipelineName
	}
	return strings.ToUpper(command)
}

func roundTripOf(command string, commands int) []attribute.KeyValue {
	of := []attribute.KeyValue{attribute.String(databaseSystem, "redis"),
		attribute.String(databaseName, redisName(command, commands))}
	if commands > 1 {
		of = append(of, attribute.Int(databaseBatch, commands))
	}
	return of
}

func fail(span trace.Span, kind string) {
	span.SetStatus(codes.Error, "")
	span.SetAttributes(attribute.String(errorType, kind))
}
