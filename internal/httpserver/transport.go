package httpserver

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// endpoint is GraphQL over HTTP: it reads requests, finds their documents, has
// them executed, and writes answers. It stands in the place of gqlgen's server and
// transports. Source: GraphQL over HTTP, stage 2 draft.
type endpoint struct {
	exec      *executor
	schema    *ast.Schema
	limits    Limits
	documents *documents
	budget    *budget
}

// answerTime is how long a request may take to execute.
const answerTime = 25 * time.Second

// ServeHTTP implements http.Handler.
func (t *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodOptions {
		w.Header().Set("Allow", methods)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	a, ok := negotiate(r.Header["Accept"])
	if !ok {
		writeRefusal(w, r, accepted{media: mediaJSON}, refused(http.StatusNotAcceptable, "NOT_ACCEPTABLE",
			"Accept %s or %s.", mediaGraphQL, mediaJSON))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), answerTime)
	defer cancel()
	op, why := t.prepare(ctx, w, r, a)
	if why != nil {
		writeRefusal(w, r, a, why)
		return
	}
	t.execute(ctx, w, r, a, op)
}

// operation is a request that can be executed.
type operation struct {
	context *graphql.OperationContext
	// values is how many values it asks for at most.
	values int
	// deferred tells that it has a @defer that counts.
	deferred bool
}

// prepare does everything that comes before execution.
func (t *endpoint) prepare(ctx context.Context, w http.ResponseWriter, r *http.Request, a accepted) (operation, *refusal) {
	p, why := readRequest(w, r, t.limits)
	if why != nil {
		return operation{}, why
	}
	found, why := t.documents.find(ctx, p)
	if why != nil {
		return operation{}, why
	}
	doc := found.whole
	if a.parts && r.Method == http.MethodPost {
		doc = found.doc
	}
	op, why := pick(doc, p.operationName)
	if why != nil {
		return operation{}, why
	}
	CallFrom(ctx).Operation(string(op.Operation), op.Name, found.hash)
	if op.Operation != ast.Query && r.Method != http.MethodPost {
		return operation{}, refused(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "Send mutations by POST.").with("Allow", "POST")
	}
	if op.Operation == ast.Subscription {
		return operation{}, refused(0, "BAD_USER_INPUT", "Subscriptions do not go over this transport.")
	}
	if err := checkValues(t.schema, op, p.variables); err != nil {
		return operation{}, &refusal{errors: ofVariables(gqlerror.List{err})}
	}
	opCtx, list := t.exec.operation(doc, op, p.variables)
	if len(list) > 0 {
		return operation{}, &refusal{errors: capErrors(ofVariables(list), t.limits.Errors)}
	}
	opCtx.RawQuery, opCtx.Extensions, opCtx.Headers = found.text, p.extensions, r.Header
	cost, err := t.limits.checkCost(t.schema, op, doc.Fragments, opCtx.Variables)
	if err != nil {
		return operation{}, &refusal{errors: gqlerror.List{err}}
	}
	return operation{context: opCtx, values: cost, deferred: doc != found.whole}, nil
}

// maxArgument is how much of the way to a variable at fault is told, in bytes: a
// name in it may be anything.
const maxArgument = 128

// ofVariables makes errors about variables name them as an argument at fault: a
// path leads through an answer, of which there is none.
func ofVariables(list gqlerror.List) gqlerror.List {
	for _, err := range list {
		if names := strings.Split(err.Path.String(), "."); len(names) > 1 && names[0] == "variable" {
			argument := strings.Join(names[1:], ".")
			err.Path, err.Extensions = nil, map[string]any{"code": "BAD_USER_INPUT", "argument": argument[:min(len(argument), maxArgument)]}
		}
	}
	return list
}

// pick finds the operation of a document that is to be executed.
func pick(doc *ast.QueryDocument, name string) (*ast.OperationDefinition, *refusal) {
	if name == "" && len(doc.Operations) > 1 {
		return nil, refused(0, "GRAPHQL_VALIDATION_FAILED", "The document has %d operations: name one in operationName.", len(doc.Operations))
	}
	op := doc.Operations.ForName(name)
	if op == nil {
		return nil, refused(0, "GRAPHQL_VALIDATION_FAILED", "The document has no operation of that name.")
	}
	return op, nil
}

// execute runs an operation and writes what it gives.
func (t *endpoint) execute(ctx context.Context, w http.ResponseWriter, r *http.Request, a accepted, op operation) {
	taken, err := t.budget.acquire(ctx, op.values)
	if err != nil {
		writeRefusal(w, r, a, refused(http.StatusServiceUnavailable, "UNAVAILABLE", "Too many large requests at once; try again."))
		return
	}
	defer t.budget.release(taken)
	next, ctx := t.exec.start(ctx, op.context)
	resp := next(ctx)
	if resp == nil { // the time is over, or nobody waits
		writeRefusal(w, r, a, refused(http.StatusServiceUnavailable, "TIMEOUT", "The request was cancelled or took too long."))
		return
	}
	if op.deferred && resp.HasNext != nil && *resp.HasNext {
		t.writeParts(w, r, resp, next, ctx)
		return
	}
	answer := answerOf(resp, t.limits.Errors)
	answer.HasNext = nil
	writeAnswer(w, r, a.media, http.StatusOK, answer)
}

// part is an answer that follows the first one.
type part struct {
	response
	Label string   `json:"label,omitempty"`
	Path  ast.Path `json:"path,omitempty"`
}

// writeParts writes an answer in parts, as they come.
// Source: GraphQL over HTTP, RFC IncrementalDelivery, deferSpec 20220824.
func (t *endpoint) writeParts(w http.ResponseWriter, r *http.Request, resp *graphql.Response, next graphql.ResponseHandler, ctx context.Context) {
	h := w.Header()
	h.Set("Content-Type", mediaParts+`; boundary="-"; deferSpec=20220824`)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Add("Vary", "Accept, Authorization")
	out := http.NewResponseController(w)
	for first := true; resp != nil; resp = next(ctx) {
		answer := answerOf(resp, t.limits.Errors)
		mark(r.Context(), answer.Errors)
		body := encodeResponse(answer)
		if !first {
			more := answer.HasNext
			answer.HasNext = nil
			body = encode(map[string]any{"incremental": []part{{answer, resp.Label, resp.Path}}, "hasNext": more != nil && *more})
		}
		end := "\r\n---"
		if resp.HasNext == nil || !*resp.HasNext {
			end = "\r\n-----\r\n"
		}
		lead := ""
		if first {
			lead = "\r\n---"
		}
		if _, err := fmt.Fprintf(w, "%s\r\nContent-Type: application/json; charset=utf-8\r\n\r\n%s%s", lead, body, end); err != nil {
			return // nobody reads on
		}
		// A writer that cannot flush sends all at the end.
		_ = out.Flush()
		if first = false; end != "\r\n---" {
			return
		}
	}
}
