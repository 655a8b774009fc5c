package httpserver

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/breadth"
	"agora/internal/auth"
	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/store"
	"agora/internal/turns"
)

// endpoint is GraphQL over HTTP: it reads requests, finds their documents, executes them, and writes answers. It
// replaces gqlgen's server and transports. Source: GraphQL over HTTP, stage 2 draft.
type endpoint struct {
	exec      *executor
	schema    *ast.Schema
	limits    limit.Limits
	documents *documents
	values    *turns.Room
	ledger    *limit.Ledger
	arrivals  *limit.Arrivals
	// site has the settings and parts of the server.
	site Options
	seen observer
	live *live.Connections
}

// ServeHTTP implements http.Handler.
func (t *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodOptions {
		w.Header().Set("Allow", methods)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if isUpgrade(r) {
		t.socket(w, r)
		return
	}
	a, ok := negotiate(r.Header["Accept"])
	if r.Method == http.MethodHead && a.media == "" {
		ok = false // a stream has a body
	}
	if !ok {
		writeRefusal(w, r, accepted{media: mediaJSON}, refused(http.StatusNotAcceptable, "NOT_ACCEPTABLE",
			"Accept %s, %s or %s.", mediaGraphQL, mediaJSON, mediaEvents))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), live.AnswerTime)
	defer cancel()
	in := t.arrive(w, r)
	defer in.End()
	op, why := t.prepare(ctx, w, r, a)
	if op.Kind == ast.Subscription {
		in.End() // it may last for days; LiveBody bounds its memory
	}
	switch {
	case why == nil && isDry(r):
		t.answerDry(w, r, a, op)
	case a.streams(op, why):
		t.stream(ctx, w, r, op, why)
	case why != nil:
		writeRefusal(w, r, a, why)
	default:
		t.execute(ctx, w, r, a, op)
	}
}

// arrive counts the bytes read of a request's body.
func (t *endpoint) arrive(w http.ResponseWriter, r *http.Request) *limit.Arrival {
	in := t.arrivals.Begin(auth.CallerFrom(r.Context()).Address, func() {
		// A writer without deadlines is not read any further either: count reports so.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now())
	})
	if r.Body != nil {
		r.Body = in.Reader(waiting{r.Body, r.Context()})
	}
	return in
}

// prepare does everything before execution.
func (t *endpoint) prepare(
	ctx context.Context,
	w http.ResponseWriter,
	r *http.Request,
	a accepted,
) (live.Operation, *refusal) {
	if why := checkCostHeader(r.Header); why != nil {
		return live.Operation{}, why
	}
	if why := t.receive(auth.CallerFrom(ctx), max(0, int(r.ContentLength))); why != nil {
		return live.Operation{}, why
	}
	p, why := readRequest(w, r, t.limits)
	if why != nil {
		return live.Operation{}, why
	}
	c, why := t.choose(ctx, p)
	if why != nil {
		return live.Operation{}, why
	}
	switch kind := c.op.Operation; {
	case kind == ast.Mutation && r.Method != http.MethodPost:
		return live.Operation{}, refused(
			http.StatusMethodNotAllowed,
			"METHOD_NOT_ALLOWED",
			"Send mutations by POST.",
		).with("Allow", "POST")
	case !subscribable(kind, r, a):
		return live.Operation{}, refused(
			0,
			"BAD_USER_INPUT",
			"Subscriptions need a live connection: accept %s, or open a WebSocket with the subprotocol %s.",
			mediaEvents,
			live.Subprotocol,
		)
	}
	op, why := t.coerce(p, c, r.Header, r.Method == http.MethodPost && (a.parts || a.media == ""), a.legacy)
	if why == nil {
		why = t.price(w, r, op)
	}
	return op, why
}

// chosen is the operation of a document that a request asks for.
type chosen struct {
	found *document
	op    *ast.OperationDefinition
}

// choose finds the document and the operation of a request.
func (t *endpoint) choose(ctx context.Context, p params) (chosen, *refusal) {
	found, why := t.documents.find(ctx, p)
	if why != nil {
		return chosen{}, why
	}
	op, why := pick(found.doc, p.operationName)
	if why != nil {
		return chosen{}, why
	}
	CallFrom(ctx).Operation(string(op.Operation), op.Name, found.hash)
	return chosen{found, op}, nil
}

// coerce checks the variables of an operation, and its cost with them. parts reports whether the client accepts an
// answer in parts.
func (t *endpoint) coerce(p params, c chosen, header http.Header, parts, legacy bool) (live.Operation, *refusal) {
	if c.op.Operation == ast.Subscription && p.size > t.limits.LiveBody {
		return live.Operation{}, &refusal{
			errors: gqlerror.List{
				limit.Exceeded("REQUEST_TOO_LARGE", "The request of a subscription has too many bytes", t.limits.LiveBody, p.size),
			},
		}
	}
	if err := coerceValues(t.schema, c.op, p.variables); err != nil {
		return live.Operation{}, &refusal{errors: ofVariables(gqlerror.List{err})}
	}
	opCtx, list := t.exec.operation(c.found.doc, c.op, p.variables)
	if len(list) > 0 {
		return live.Operation{}, &refusal{errors: limit.CapErrors(ofVariables(list), t.limits.Errors)}
	}
	opCtx.RawQuery, opCtx.Extensions, opCtx.Headers = c.found.text, p.extensions, header
	parts = parts && c.found.parts && c.op.Operation != ast.Subscription
	cost, err := t.limits.CheckCost(t.schema, c.op, c.found.doc.Fragments, opCtx.Variables, parts)
	if err != nil {
		return live.Operation{}, &refusal{errors: gqlerror.List{err}}
	}
	if err := checkStreams(c.found, opCtx.Variables); err != nil {
		return live.Operation{}, &refusal{errors: gqlerror.List{err}}
	}
	return live.Operation{
		Context: opCtx, Kind: c.op.Operation, Document: c.found.hash, Variant: variantOf(header),
		Rows: cost.Rows, Values: cost.Values, Cost: costOfOperation(cost, c.found.text), EventIDs: c.found.eventIDs, Parts: parts, Legacy: legacy,
	}, nil
}

// maxArgument is how much of the path to an invalid variable is shown, in bytes: a name in it may be of any length.
const maxArgument = 128

// ofVariables makes errors about variables name them as an argument: a path leads through an answer, but there is
// none.
func ofVariables(list gqlerror.List) gqlerror.List {
	for _, err := range list {
		if names := strings.Split(err.Path.String(), "."); len(names) > 1 && names[0] == "variable" {
			argument := strings.Join(names[1:], ".")
			err.Path, err.Extensions = nil, map[string]any{
				"code":     "BAD_USER_INPUT",
				"argument": argument[:min(len(argument), maxArgument)],
			}
		}
	}
	return list
}

// pick returns the operation of a document to be executed.
func pick(doc *ast.QueryDocument, name string) (*ast.OperationDefinition, *refusal) {
	if name == "" && len(doc.Operations) > 1 {
		return nil, refused(
			0,
			"GRAPHQL_VALIDATION_FAILED",
			"The document has %d operations: name one in operationName.",
			len(doc.Operations),
		)
	}
	op := doc.Operations.ForName(name)
	if op == nil {
		return nil, refused(0, "GRAPHQL_VALIDATION_FAILED", "The document has no operation with that name.")
	}
	return op, nil
}

// acquire waits until there is room for what an operation asks for; release must be called when it has run.
func (t *endpoint) acquire(ctx context.Context, op live.Operation) (release func(), why *refusal) {
	release, err := turns.From(ctx).Take(ctx, t.values, op.Values)
	if err != nil {
		return nil, tooMuchWaiting()
	}
	return release, nil
}

// timedOut refuses an operation whose time is over, or whose client has disconnected.
func timedOut() *refusal {
	return &refusal{status: http.StatusServiceUnavailable, errors: live.TimedOut()}
}

// start begins an operation whose bytes h counts.
func (t *endpoint) start(
	ctx context.Context,
	op live.Operation,
	h *limit.Holding,
) (graphql.ResponseHandler, context.Context) {
	b := &bill{t: t, ctx: ctx}
	ctx = store.WithDebts(ctx, b)
	next, ctx := t.exec.start(breadth.WithMeter(ctx, t.limits.Meter(ctx, h).OnWork(b.add)), op.Context)
	return b.after(next), ctx
}

// run runs an operation with one response. What large operations share is released before anything is written.
func (t *endpoint) run(ctx context.Context, op live.Operation, h *limit.Holding) (*graphql.Response, *refusal) {
	release, why := t.acquire(ctx, op)
	if why != nil {
		return nil, why
	}
	defer release()
	next, ctx := t.start(ctx, op, h)
	resp := next(ctx)
	if resp == nil {
		return nil, timedOut()
	}
	if n := len(resp.Data); n > limit.SmallAnswer {
		h.Resize(n)
	} else {
		h.Resize(0)
	}
	return resp, nil
}

// execute runs an operation and writes its result.
func (t *endpoint) execute(ctx context.Context, w http.ResponseWriter, r *http.Request, a accepted, op live.Operation) {
	h := t.ledger.Open(auth.CallerFrom(ctx).Address)
	defer h.Close()
	if op.Kind == ast.Query && !op.EventIDs {
		ctx = t.site.Resolver.Store.Listing.WithMemory(ctx, auth.CallerFrom(ctx).Since)
	}
	if op.Parts {
		t.executeParts(ctx, w, r, a, op, h)
		return
	}
	resp, why := t.run(ctx, op, h)
	if why != nil {
		writeRefusal(w, r, a, why)
		return
	}
	t.respond(ctx, w, r, a, op, resp, h)
}

// respond writes the one response of an operation.
func (t *endpoint) respond(
	ctx context.Context, w http.ResponseWriter, r *http.Request, a accepted, op live.Operation, resp *graphql.Response,
	h *limit.Holding,
) {
	if why := unexecuted(ctx, resp); why != nil {
		breadth.Release(resp.Data)
		why.errors = limit.CapErrors(why.errors, t.limits.Errors)
		writeRefusal(w, r, a, why)
		return
	}
	answer := answerOf(resp, t.limits.Errors)
	answer.maxAge = t.maxAge(r, op)
	sendAnswer(w, r, a.media, http.StatusOK, answer, h)
}
