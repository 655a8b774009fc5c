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
// gqlgen execute them, and writes answers. It is gqlgen's only transport.
// Source: GraphQL over HTTP, stage 2 draft.
type endpoint struct {
	schema    *ast.Schema
	limits    Limits
	documents *documents
	budget    *budget
}

// answerTime is how long a request may take to execute.
const answerTime = 25 * time.Second

// Supports implements graphql.Transport.
func (*endpoint) Supports(*http.Request) bool { return true }

// Do implements graphql.Transport.
func (t *endpoint) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	ctx, cancel := context.WithTimeout(r.Context(), answerTime)
	defer cancel()
	r = r.WithContext(ctx)
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
	op, why := t.prepare(w, r, a, exec)
	if why != nil {
		writeRefusal(w, r, a, why)
		return
	}
	t.execute(w, r, a, exec, op)
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
func (t *endpoint) prepare(w http.ResponseWriter, r *http.Request, a accepted, exec graphql.GraphExecutor) (operation, *refusal) {
	p, why := readRequest(w, r, t.limits)
	if why != nil {
		return operation{}, why
	}
	found, why := t.documents.find(r.Context(), p)
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
	CallFrom(r.Context()).Operation(string(op.Operation), op.Name, found.hash)
	if op.Operation != ast.Query && r.Method != http.MethodPost {
		return operation{}, refused(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "Send mutations by POST.").with("Allow", "POST")
	}
	if op.Operation == ast.Subscription {
		return operation{}, refused(0, "BAD_USER_INPUT", "Subscriptions do not go over this transport.")
	}
	values := p.decoded()
	if err := checkValues(t.schema, op, values); err != nil {
		return operation{}, &refusal{errors: ofVariables(gqlerror.List{err})}
	}
	opCtx, list := exec.CreateOperationContext(withChosen(r.Context(), doc), &graphql.RawParams{
		Query: found.text, OperationName: op.Name, Variables: values, Extensions: p.extensions, Headers: r.Header,
	})
	if len(list) > 0 {
		return operation{}, &refusal{errors: capErrors(ofVariables(list), t.limits.Errors)}
	}
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
func (t *endpoint) execute(w http.ResponseWriter, r *http.Request, a accepted, exec graphql.GraphExecutor, op operation) {
	taken, err := t.budget.acquire(r.Context(), op.values)
	if err != nil {
		writeRefusal(w, r, a, refused(http.StatusServiceUnavailable, "UNAVAILABLE", "Too many large requests at once; try again."))
		return
	}
	defer t.budget.release(taken)
	next, ctx := exec.DispatchOperation(graphql.WithOperationContext(r.Context(), op.context), op.context)
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
