package live

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/httpserver/limit"
	"agora/internal/store"
	"agora/internal/tracing"
	"agora/internal/turns"
)

// Operation is a request that can be executed.
type Operation struct {
	Context *graphql.OperationContext
	Kind    ast.Operation
	// Document is the hash of the document's text. Variant has everything else that answers depend on, except viewer
	// and variables.
	Document, Variant string
	// Rows and Values are the maximum numbers of rows and values it asks for.
	Rows, Values int
	// Cost is what executing it costs besides the work on texts, in units of the rate of that name.
	Cost int
	// EventIDs reports whether it may select the id of an event, after which the client is going to subscribe: what it
	// reads beside that may not be older.
	EventIDs bool
	// Parts reports whether it is answered in parts, by @defer and @stream; Legacy whether in the format of
	// 2022-08-24.
	Parts, Legacy bool
}

// Host is the GraphQL endpoint as live connections see it: it finds and executes their operations, and identifies
// their callers. Live connections do not import it.
type Host interface {
	// Read parses the payload of a subscribe message and does everything before execution, or returns what is wrong
	// with it.
	Read(payload []byte, header http.Header, caller auth.Caller) (
		prepare func(context.Context) (Operation, gqlerror.List), wrong string)
	// Begin returns the context in which one operation of a connection runs; end logs and counts it.
	Begin(ctx context.Context, caller auth.Caller) (_ context.Context, end func())
	// Detach returns a context that outlives ctx and has its request id.
	Detach(ctx context.Context) context.Context
	// Run runs a query or mutation and returns its answer as it is sent. h counts its bytes.
	Run(ctx context.Context, op Operation, h *limit.Holding) ([]byte, gqlerror.List)
	// Open opens the source of a subscription, or returns why it cannot.
	Open(ctx context.Context, op Operation) (graphql.ResponseHandler, context.Context, gqlerror.List)
	// Owe charges a caller for an event: what its operation costs, and work on texts.
	Owe(caller auth.Caller, cost, work int)
	// Encode returns a response as it is sent, EncodeErrors one with errors only.
	Encode(ctx context.Context, resp *graphql.Response) []byte
	EncodeErrors(ctx context.Context, errs gqlerror.List) []byte
	// Failed and Panicked log an internal failure and return the errors to send.
	Failed(ctx context.Context, err error) gqlerror.List
	Panicked(ctx context.Context, what string, p any) gqlerror.List
	// Unauthorized returns the last result of a stream whose session has ended.
	Unauthorized(ctx context.Context) []byte
	// Await returns when Redis answers, or ctx is done.
	Await(ctx context.Context) error
	// Credential returns what a socket signs in with: the Authorization header of its connection_init, or what its request
	// has. given is false if there is neither; a malformed token has no owner. The errors are those of Session.
	Credential(ctx context.Context, authorization string, r *http.Request, caller auth.Caller) (
		c forum.Credential, given bool, err error)
	// Watch returns a channel that receives when sessions of one of the users may have changed.
	Watch(ids ...forum.UserID) (wake <-chan struct{}, stop func())
	// Session returns the viewer whom a credential signs in, or nil if the session has ended. Its typed errors are why it
	// may not be used. SessionFailed logs others, and returns why, and whether the socket ends for good.
	Session(ctx context.Context, c forum.Credential) (*forum.Viewer, error)
	SessionFailed(ctx context.Context, err error) (why string, ever bool)
	// Barred returns the error that says why an account may not be used, or nil if err is another one. The caller is then
	// as if signed out.
	Barred(err error) *forum.Error
	// As returns the caller signed in as viewer.
	As(caller auth.Caller, viewer *forum.Viewer) auth.Caller
}

// Config is shared between live connections and the endpoint.
type Config struct {
	Limits limit.Limits
	// Turns are those of the process. Values is the room for the values of running operations.
	Turns    *turns.Turns
	Values   *turns.Room
	Ledger   *limit.Ledger
	Arrivals *limit.Arrivals
	// Now is the clock by which sessions end.
	Now func() forum.Time
	// Metrics counts connections and what is sent; nil counts nothing.
	Metrics *Metrics
	// Tracer traces events; nil traces none.
	Tracer *tracing.Tracer
}

// Configure sets what l shares with the endpoint, before it serves anything.
func (l *Connections) Configure(c Config) {
	l.Config = c
}

// Crowded returns the error of an operation of a network that has too much else waiting.
func Crowded() gqlerror.List {
	return gqlerror.List{{
		Message:    "Too many requests of your network are waiting; try again.",
		Extensions: map[string]any{"code": "UNAVAILABLE", "retryAfterSeconds": store.RetryAfter},
	}}
}

// TimedOut returns the error of an operation whose time is over, or whose client has disconnected.
func TimedOut() gqlerror.List {
	return gqlerror.List{{
		Message:    "The request was cancelled or took too long.",
		Extensions: map[string]any{"code": "TIMEOUT"},
	}}
}
