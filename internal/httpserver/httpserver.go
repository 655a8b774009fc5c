// Package httpserver serves GraphQL over HTTP: routes, the caller's identity,
// limits that stand before any work, the playground, the documentation, and the state of the
// server.
package httpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/httpserver/docs"
	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/httpserver/playground"
	"agora/internal/ratelimit"
	"agora/internal/store"
)

// Options is what the server is made of.
type Options struct {
	// Resolver resolves the schema.
	Resolver *graph.Resolver
	// Schema is schema.graphqls, served at /schema.graphql.
	Schema string
	// Durable reports whether the data outlive the process, for /readyz.
	Durable bool
	// AlwaysTrace puts extensions.redis into every answer; otherwise the header
	// TraceHeader asks for it.
	AlwaysTrace bool
	// Limits bound what a request may ask for; nil is DefaultLimits.
	Limits *limit.Limits
	// Documents are run by id. With DocumentsOnly nothing else is.
	Documents     Documents
	DocumentsOnly bool
	// Origins are the sites whose pages may use the API, besides the server's own.
	Origins Origins
	// Hosts are the names by which the server may be asked.
	Hosts Hosts
	// Docs are the files of the documentation, as package docs takes them; nil serves none.
	Docs fs.FS
	// HidePlayground leaves out the playground and the documentation, HideSchema /schema.graphql.
	HidePlayground, HideSchema bool
	// OpsApart leaves /readyz and /metrics to NewOps.
	OpsApart bool
	// Proxies are believed when they say whose request they pass on.
	Proxies Proxies
	// Metrics counts requests; nil counts none, and there is no /metrics.
	Metrics *Metrics
	// Live holds the sockets and streams, to end them; nil is one that nobody ends.
	Live *live.Connections
	// Drain ends the server without failing a request; may be nil.
	Drain *Drain
	// Executable runs operations in place of the resolvers' own schema, to compare it; nil
	// does not.
	Executable graphql.ExecutableSchema
	// Quiet logs requests that went well for those only who debug.
	Quiet bool
	// Log receives what the server reports.
	Log *slog.Logger
}

// TraceHeader is the request header that, with the value 1, asks for
// extensions.redis.
const TraceHeader = "Agora-Trace"

// New makes the handler of all routes.
func New(o Options) http.Handler {
	seen := observer{log: o.Log, metrics: o.Metrics, now: time.Now, quiet: o.Quiet}
	if o.Live == nil {
		o.Live = live.New()
	}
	return o.routes(seen, o.executable())
}

// routes makes the handler of all routes, with operations executed by e.
func (o Options) routes(seen observer, e graphql.ExecutableSchema) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/graphql", seen.wrap(o.Hosts.guard(o.Origins.share(o.Origins.guard(o.identify(o.graphql(seen, e)))))))
	if !o.HideSchema {
		mux.Handle("GET /schema.graphql", o.Hosts.guard(serveText("text/plain; charset=utf-8", o.Schema)))
	}
	if !o.HidePlayground {
		mux.Handle("/", o.Hosts.guard(playground.Handler(playground.Options{Tabs: playgroundTabs})))
		if o.Docs != nil {
			mux.Handle(docs.Root, o.Hosts.guard(docs.Handler(o.Docs)))
		}
	}
	o.healthRoute(mux)
	if !o.OpsApart {
		o.opsRoutes(mux, o.Hosts)
	}
	return o.Drain.wrap(unsniffed(mux))
}

// unsniffed has browsers take each answer for what its header says, whatever it holds.
func unsniffed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["X-Content-Type-Options"] = noSniff
		next.ServeHTTP(w, r)
	})
}

// NewOps makes the handler of /healthz, /readyz and /metrics, for a listener of their
// own; hosts are the names by which that may be asked.
func NewOps(o Options, hosts Hosts) http.Handler {
	mux := http.NewServeMux()
	o.healthRoute(mux)
	o.opsRoutes(mux, hosts)
	return o.Drain.wrap(unsniffed(mux))
}

// healthRoute adds /healthz, which anybody may ask under any name.
func (o Options) healthRoute(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("ok\n")) })
}

// opsRoutes adds what those ask for who run the server. Balancers ask /readyz by address,
// and it tells nothing that is worth a guard.
func (o Options) opsRoutes(mux *http.ServeMux, hosts Hosts) {
	mux.HandleFunc("GET /readyz", o.ready())
	if o.Metrics != nil {
		mux.Handle("GET /metrics", hosts.guard(o.Metrics.Handler()))
	}
}

// Server makes an http.Server that does not wait for slow clients for ever.
func Server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    1 << 16,
	}
}

// executable is the schema with what resolves it.
func (o Options) executable() graphql.ExecutableSchema {
	if o.Executable != nil {
		return o.Executable
	}
	return o.Resolver.Schema(o.Live.Gate)
}

func (o Options) graphql(seen observer, executable graphql.ExecutableSchema) http.Handler {
	limits := limit.Defaults()
	if o.Limits != nil {
		limits = *o.Limits
	}
	s := newExecutor(executable)
	s.AroundResponses(o.addTrace)
	s.AroundResponses(o.Resolver.WithLoaders)
	s.AroundResponses(o.addNotes)
	s.present = o.Resolver.PresentError
	s.recover = func(ctx context.Context, p any) error {
		o.Log.ErrorContext(ctx, "resolver panicked", "panic", p, "stack", string(debug.Stack()))
		return errors.New("panic in a resolver")
	}
	budget, ledger, arrivals := limit.NewBudget(limits), limit.NewLedger(limits), limit.NewArrivals(limits)
	o.Live.Configure(live.Config{
		Limits: limits, Budget: budget, Ledger: ledger, Arrivals: arrivals,
		Now: o.Resolver.Store.Now, Metrics: o.Metrics.ofLive(),
	})
	return &endpoint{
		schema: executable.Schema(), limits: limits, budget: budget, ledger: ledger, arrivals: arrivals,
		exec: s, site: o, seen: seen, live: o.Live,
		documents: newDocuments(executable.Schema(), limits, trusted{o.Documents, o.DocumentsOnly}),
	}
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(v)
}

// refuse answers a request that does not come to execution.
func refuse(w http.ResponseWriter, r *http.Request, status int, code, message string) {
	refuseWith(w, r, status, message, map[string]any{"code": code})
}

func refuseWith(w http.ResponseWriter, r *http.Request, status int, message string, extensions map[string]any) {
	a, _ := negotiate(r.Header["Accept"])
	if a.media == "" {
		a.media = mediaJSON
	}
	writeAnswer(w, r, a.media, status, response{Errors: gqlerror.List{{Message: message, Extensions: extensions}}})
}

// addTrace puts extensions.redis into the answer when it is asked for.
func (o Options) addTrace(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	resp := next(ctx)
	usage := store.UsageFrom(ctx)
	asked := o.AlwaysTrace || graphql.GetOperationContext(ctx).Headers.Get(TraceHeader) == "1"
	if asked && usage != nil && resp != nil {
		if resp.Extensions == nil {
			resp.Extensions = map[string]any{}
		}
		resp.Extensions["redis"] = trace{Commands: usage.Commands.Load(), RoundTrips: usage.RoundTrips.Load()}
	}
	return resp
}

// addNotes has what happens in mutations noted.
func (o Options) addNotes(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	if graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation {
		ctx = graph.WithNotes(ctx, graph.Notes{Code: CallFrom(ctx).Code, Security: o.Metrics.Security})
	}
	return next(ctx)
}

// trace is extensions.redis.
type trace struct {
	Commands   int64 `json:"commands"`
	RoundTrips int64 `json:"roundTrips"`
}

// identify finds out on whose behalf the request runs, and whether that is not
// too often.
func (o Options) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := o.callerAt(o.Proxies.Client(r), r.UserAgent())
		// By address first: a flood of bad tokens is not to reach Redis.
		if err := o.Resolver.Rates.Take(ratelimit.Requests, caller); err != nil {
			refuseRate(w, r, err)
			return
		}
		// A socket reads its session itself: a status tells its client nothing.
		if header := r.Header.Get("Authorization"); header != "" && !isUpgrade(r) {
			viewer, err := o.session(r.Context(), header)
			if err != nil && r.Context().Err() != nil {
				return // nobody waits for the answer
			}
			if err != nil {
				o.Resolver.Store.LogFailure(r.Context(), o.Log, "session cannot be read", "error", err)
				a, _ := negotiate(r.Header["Accept"])
				writeRefusal(w, r, a, unavailable("The session cannot be checked just now; try again."))
				return
			}
			if viewer == nil {
				o.refuseToken(w, r)
				return
			}
			if err := o.Resolver.Rates.Take(ratelimit.Requests, auth.Caller{Viewer: viewer}); err != nil {
				refuseRate(w, r, err)
				return
			}
			caller.Viewer, caller.Visitor = viewer, visitorOf(viewer)
		}
		next.ServeHTTP(w, r.WithContext(auth.WithCaller(r.Context(), caller)))
	})
}

// refuseRate answers a request of somebody who sends too many.
func refuseRate(w http.ResponseWriter, r *http.Request, err error) {
	seconds := retryAfter(err)
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	refuseWith(
		w,
		r,
		http.StatusTooManyRequests,
		"Too many requests. Wait a moment.",
		map[string]any{"code": "RATE_LIMITED", "retryAfterSeconds": seconds},
	)
}
