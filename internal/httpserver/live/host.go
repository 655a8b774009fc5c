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
)

// Operation is a request that can be executed.
type Operation struct {
	Context *graphql.OperationContext
	Kind    ast.Operation
	// Document is the hash of the document's text, variant what else answers depend on,
	// besides viewer and variables.
	Document, Variant string
	// Values is how many values it asks for at most.
	Values int
	// Parts reports whether it is answered in parts, by @defer and @stream; Legacy that
	// these have the format of 2022-08-24.
	Parts, Legacy bool
}

// Host is the GraphQL endpoint, as live connections need it: it finds and executes their
// operations, and knows whose they are. Live connections import nothing of it.
type Host interface {
	// Read reads the payload of a subscribe, or returns what is wrong with it. prepare does
	// everything else that comes before execution.
	Read(payload []byte, header http.Header, caller auth.Caller) (
		prepare func(context.Context) (Operation, gqlerror.List), wrong string)
	// Begin returns the context in which one operation of a connection runs; end logs and
	// counts it.
	Begin(ctx context.Context, caller auth.Caller) (_ context.Context, end func())
	// Detach returns a context that outlives ctx and has its request id.
	Detach(ctx context.Context) context.Context
	// Run runs a query or mutation and returns its answer as it is sent. h counts its bytes.
	Run(ctx context.Context, op Operation, h *limit.Holding) ([]byte, gqlerror.List)
	// Open opens the source of a subscription, or returns why it cannot.
	Open(ctx context.Context, op Operation) (graphql.ResponseHandler, context.Context, gqlerror.List)
	// Encode returns a response as it is sent, EncodeErrors errors that are all there is.
	Encode(ctx context.Context, resp *graphql.Response) []byte
	EncodeErrors(ctx context.Context, errs gqlerror.List) []byte
	// Failed and Panicked return what is sent of a failure inside, which they log.
	Failed(ctx context.Context, err error) gqlerror.List
	Panicked(ctx context.Context, what string, p any) gqlerror.List
	// Unauthorized returns the last result of a stream whose session has ended.
	Unauthorized(ctx context.Context) []byte
	// Await returns when Redis answers, or ctx is done.
	Await(ctx context.Context) error
	// Token reads the token of an Authorization header.
	Token(header string) (auth.Token, bool)
	// Watch returns a channel that has a value when a user's sessions may have changed.
	Watch(id forum.UserID) (wake <-chan struct{}, stop func())
	// Session returns the user of a session, or nil when it has ended; SessionFailed logs
	// that it could not be read.
	Session(ctx context.Context, user forum.UserID, digest string) (*forum.Viewer, error)
	SessionFailed(ctx context.Context, err error)
	// As returns the caller signed in as viewer.
	As(caller auth.Caller, viewer *forum.Viewer) auth.Caller
}

// Config is what live connections share with the endpoint.
type Config struct {
	Limits   limit.Limits
	Budget   *limit.Budget
	Ledger   *limit.Ledger
	Arrivals *limit.Arrivals
	// Now is by what time sessions end.
	Now func() forum.Time
	// Metrics counts connections and what is sent; nil counts nothing.
	Metrics *Metrics
}

// Configure sets what l shares with the endpoint, before it serves anything.
func (l *Connections) Configure(c Config) {
	l.Config = c
	l.turns = limit.NewTurns(c.Limits.LiveEvents, c.Limits.LiveEventsAddress)
}

// errTimedOut is the error of an operation whose time is over, or for which nobody waits.
func TimedOut() gqlerror.List {
	return gqlerror.List{{
		Message:    "The request was cancelled or took too long.",
		Extensions: map[string]any{"code": "TIMEOUT"},
	}}
}
