package httpserver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/breadth"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/issuer"
	"agora/internal/ratelimit"
	"agora/internal/store"
	"agora/internal/turns"
)

// tooManyLive refuses a live connection; the client may try again.
func tooManyLive(why string) *refusal {
	return refused(http.StatusServiceUnavailable, "UNAVAILABLE", "%s", why).with("Retry-After", "1")
}

// socket answers a request for a WebSocket.
func (t *endpoint) socket(w http.ResponseWriter, r *http.Request) {
	if isDry(r) || checkCostHeader(r.Header) != nil {
		writeRefusal(w, r, accepted{media: mediaJSON}, badRequest("The header %s of a socket must be 1.", CostHeader))
		return
	}
	call := CallFrom(r.Context())
	call.Live(live.Socket)
	turns.From(r.Context()).End() // each of its operations has one
	code, why := t.live.ServeSocket(t, w, r)
	if why != "" {
		writeRefusal(w, r, accepted{media: mediaJSON}, tooManyLive(why))
		return
	}
	call.Closed(code)
}

// stream answers by server-sent events: with the results of an operation, or with its refusal.
func (t *endpoint) stream(
	ctx context.Context,
	w http.ResponseWriter,
	r *http.Request,
	op live.Operation,
	why *refusal,
) {
	switch {
	case why != nil:
		turns.From(ctx).End()
		t.live.ServeResult(w, payloadOf(ctx, why))
	case op.Parts:
		t.streamParts(ctx, w, op)
	case op.Kind != ast.Subscription:
		t.live.ServeOne(ctx, t, w, op)
	default:
		call := CallFrom(ctx)
		call.Live(live.Stream)
		code, why := t.live.ServeEvents(ctx, t, w, r, op)
		if why != "" {
			writeRefusal(w, r, accepted{media: mediaJSON}, tooManyLive(why))
			return
		}
		call.Closed(code)
	}
}

func payloadOf(ctx context.Context, why *refusal) []byte {
	mark(ctx, why.errors)
	return encode(response{Errors: why.errors})
}

// Read implements host.
func (t *endpoint) Read(
	payload []byte,
	header http.Header,
	caller auth.Caller,
) (prepare func(context.Context) (live.Operation, gqlerror.List), wrong string) {
	p, why := readBody(payload, t.limits)
	switch {
	case why != nil && why.errors[0].Extensions["code"] == "BAD_USER_INPUT":
		return nil, "The payload of a subscribe is not a GraphQL request"
	case why == nil && p.query == "" && p.documentID == "" && p.persisted == "":
		return nil, "The payload of a subscribe has no query"
	}
	return func(ctx context.Context) (live.Operation, gqlerror.List) {
		who := auth.Caller{Viewer: caller.Viewer, Address: caller.Address, Networks: caller.Networks}
		if err := t.site.Resolver.Rates.Take(ratelimit.Requests, who); err != nil {
			return live.Operation{}, gqlerror.List{tooOften(err)}
		}
		if why != nil {
			return live.Operation{}, why.errors
		}
		if why := t.receive(who, p.size); why != nil {
			return live.Operation{}, why.errors
		}
		c, why := t.choose(ctx, p)
		if why != nil {
			return live.Operation{}, why.errors
		}
		op, why := t.coerce(p, c, header, false, false)
		if why != nil {
			return live.Operation{}, why.errors
		}
		if _, why := t.charge(op, who); why != nil {
			return op, why.errors
		}
		return op, nil
	}, ""
}

// tooOften is the error for a caller that exceeds its rate.
func tooOften(err error) *gqlerror.Error {
	return &gqlerror.Error{Message: "Too many requests. Wait a moment.", Extensions: map[string]any{
		"code": "RATE_LIMITED", "retryAfterSeconds": retryAfter(err),
	}}
}

// retryAfter returns how long to wait for the rate to allow a request, in whole seconds.
func retryAfter(err error) int {
	var limited *forum.Error
	if errors.As(err, &limited) {
		return max(1, int(math.Ceil(limited.RetryAfter.Seconds())))
	}
	return 1
}

// Begin implements host.
func (t *endpoint) Begin(ctx context.Context, caller auth.Caller) (_ context.Context, end func()) {
	began := time.Now()
	call := &Call{id: RequestID(ctx), address: caller.Address}
	call.ActsAs(caller.Viewer)
	span := t.seen.tracer.Operation()
	call.traced(span)
	ctx = store.WithUsage(auth.WithCaller(context.WithValue(ctx, callKey{}, call), caller), &call.usage)
	return ctx, func() { t.seen.operation(ctx, call, began, span) }
}

// Detach implements host.
func (t *endpoint) Detach(ctx context.Context) context.Context {
	return context.WithValue(context.Background(), callKey{}, &Call{id: RequestID(ctx)})
}

// Run implements host.
func (t *endpoint) Run(ctx context.Context, op live.Operation, h *limit.Holding) ([]byte, gqlerror.List) {
	resp, why := t.run(ctx, op, h)
	if why != nil {
		return nil, why.errors
	}
	return t.Encode(ctx, resp), nil
}

// Open implements host.
func (t *endpoint) Open(
	ctx context.Context,
	op live.Operation,
) (graphql.ResponseHandler, context.Context, gqlerror.List) {
	next, ctx, errs := t.exec.open(ctx, op.Context)
	if errs != nil {
		return nil, ctx, limit.CapErrors(errs, t.limits.Errors)
	}
	return next, ctx, nil
}

// Encode implements host.
func (t *endpoint) Encode(ctx context.Context, resp *graphql.Response) []byte {
	answer := answerOf(resp, t.limits.Errors)
	mark(ctx, answer.Errors)
	payload := encodeResponse(answer)
	breadth.Release(resp.Data)
	return payload
}

// EncodeErrors implements host.
func (t *endpoint) EncodeErrors(ctx context.Context, errs gqlerror.List) []byte {
	mark(ctx, errs)
	return encode(errs)
}

// Failed implements host.
func (t *endpoint) Failed(ctx context.Context, err error) gqlerror.List {
	return gqlerror.List{t.exec.present(ctx, err)}
}

// Panicked implements host.
func (t *endpoint) Panicked(ctx context.Context, what string, p any) gqlerror.List {
	t.site.Log.ErrorContext(ctx, what+" panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	return gqlerror.List{internalError(ctx)}
}

// Unauthorized implements host.
func (t *endpoint) Unauthorized(ctx context.Context) []byte { return payloadOf(ctx, badToken()) }

// Await implements host.
func (t *endpoint) Await(ctx context.Context) error { return t.site.Resolver.Store.Await(ctx) }

// Watch implements host.
func (t *endpoint) Watch(ids ...forum.UserID) (wake <-chan struct{}, stop func()) {
	if t.site.Resolver.Events == nil {
		return nil, func() {}
	}
	return t.site.Resolver.Events.WatchUsers(ids...)
}

// Credential implements host.
func (t *endpoint) Credential(ctx context.Context, authorization string, r *http.Request, caller auth.Caller) (
	c forum.Credential, given bool, err error) {
	if authorization == "" {
		authorization, _ = t.site.Origins.authorization(r)
	}
	if authorization == "" && !actsAs(r.Header) {
		return c, false, nil
	}
	if !issuer.IsToken(bearer(authorization)) {
		c, _ = credential(authorization, r.Header)
		return c, true, nil
	}
	viewer, err := t.site.signIn(ctx, authorization, r.Header, caller)
	if err != nil || viewer == nil {
		return c, true, err
	}
	return viewer.Credential(), true, nil
}

// Session implements host.
func (t *endpoint) Session(ctx context.Context, c forum.Credential) (*forum.Viewer, error) {
	return t.site.signedIn(ctx, c)
}

// SessionFailed implements host. The reason is a code where there is one.
func (t *endpoint) SessionFailed(ctx context.Context, err error) (why string, ever bool) {
	no := t.site.unusable(ctx, err)
	why = no.errors[0].Message
	if no.status == http.StatusForbidden {
		why = string(forum.CodeOf(err))
	}
	return why, no.status == http.StatusUnauthorized || no.status == http.StatusForbidden
}

// Barred implements host.
func (t *endpoint) Barred(err error) *forum.Error { return barredBy(err) }

// As implements host.
func (t *endpoint) As(caller auth.Caller, viewer *forum.Viewer) auth.Caller {
	caller.Viewer, caller.Visitor = viewer, visitorOf(viewer)
	return caller
}

func internalError(ctx context.Context) *gqlerror.Error {
	err := &gqlerror.Error{Message: "internal error", Extensions: map[string]any{"code": "INTERNAL_SERVER_ERROR"}}
	mark(ctx, gqlerror.List{err})
	return err
}
