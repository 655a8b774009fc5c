// Package httpserver serves GraphQL over HTTP: routes, the caller's identity, limits that apply before any work, the
// web application, the playground, the documentation, and the state of the server.
package httpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/httpserver/docs"
	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/httpserver/playground"
	"agora/internal/httpserver/ui"
	"agora/internal/ratelimit"
	"agora/internal/store"
	"agora/internal/tracing"
	"agora/internal/turns"
)

// Options are the settings and parts of the server.
type Options struct {
	// Resolver resolves the schema.
	Resolver *graph.Resolver
	// Schema is schema.graphqls, served at /schema.graphql.
	Schema string
	// Durable reports whether the data outlive the process, for /readyz.
	Durable bool
	// AlwaysTrace adds extensions.redis to every answer; otherwise the header TraceHeader requests it.
	AlwaysTrace bool
	// Cache lets shared caches, such as a CDN, reuse anonymous answers.
	Cache bool
	// Limits bound what a request may ask for; nil is DefaultLimits.
	Limits *limit.Limits
	// Documents can be run by id. With DocumentsOnly, nothing else can.
	Documents     Documents
	DocumentsOnly bool
	// Origins are the sites whose pages may use the API, in addition to the server's own.
	Origins Origins
	// Hosts are the host names that the server accepts.
	Hosts Hosts
	// Docs are the files of the documentation, in the form that package docs accepts; nil serves none.
	Docs fs.FS
	// UI serves the web application at /; otherwise / leads to the playground.
	UI bool
	// Demo has the accounts that the application offers to visitors of a demo; nil for none.
	Demo *ui.Demo
	// HidePlayground omits the playground and the documentation, HideSchema /schema.graphql.
	HidePlayground, HideSchema bool
	// OpsApart leaves /readyz and /metrics to NewOps.
	OpsApart bool
	// Proxies are trusted to name the client whose request they forward.
	Proxies Proxies
	// Metrics counts requests; nil counts none, and omits /metrics.
	Metrics *Metrics
	// Tracer traces requests and events; nil traces none.
	Tracer *tracing.Tracer
	// Live holds the live connections, so that they can be ended; nil for none.
	Live *live.Connections
	// Waiting, if not nil, is called with true when operations have begun to wait for processors, and with false when
	// they no longer do.
	Waiting func(bool)
	// Drain shuts the server down without failing a request; may be nil.
	Drain *Drain
	// Executable, if not nil, runs operations instead of the resolvers' own schema, to compare the two.
	Executable graphql.ExecutableSchema
	// Quiet logs successful requests at debug level only.
	Quiet bool
	// Log receives the server's log lines.
	Log *slog.Logger

	addresses *addresses
}

// TraceHeader is the request header that, with the value 1, requests extensions.redis and extensions.cost.values.
const TraceHeader = "Agora-Trace"

// costExtension is the name under which an operation's statistics have extensions.cost, if the request asks for it.
const costExtension = "cost"

// New returns the handler of all routes.
func New(o Options) http.Handler {
	seen := observer{log: o.Log, metrics: o.Metrics, tracer: o.Tracer, proxies: o.Proxies, now: time.Now, quiet: o.Quiet,
		refused: newSampler()}
	if o.Live == nil {
		o.Live = live.New()
	}
	return o.routes(seen, o.executable())
}

// routes returns the handler of all routes, with operations executed by e.
func (o Options) routes(seen observer, e graphql.ExecutableSchema) http.Handler {
	o.addresses = newAddresses(o.Resolver.Store.Engine.Pseudonym)
	mux := http.NewServeMux()
	api := o.graphql(seen, e)
	mux.Handle("/graphql", seen.wrap(o.Hosts.guard(o.Origins.share(o.Origins.guard(o.identify(api))))))
	mux.Handle("GET "+graph.TakeoutPath, o.Hosts.guard(http.HandlerFunc(api.takeout)))
	if o.Resolver.SignIn.TakesLogouts() {
		mux.Handle("POST "+LogoutPath, o.Hosts.guard(http.HandlerFunc(o.logOut)))
	}
	if !o.HideSchema {
		mux.Handle("GET /schema.graphql", o.Hosts.guard(serveText("text/plain; charset=utf-8", o.Schema)))
	}
	if !o.HidePlayground {
		page := o.Hosts.guard(playground.Handler(o.playground()))
		mux.Handle(playground.Path, page)
		mux.Handle(playground.Path+"/", page)
		if o.Docs != nil {
			mux.Handle(docs.Root, o.Hosts.guard(docs.Handler(o.Docs)))
		}
	}
	o.frontRoutes(mux)
	o.healthRoute(mux)
	if !o.OpsApart {
		o.opsRoutes(mux, o.Hosts)
	}
	return o.Drain.wrap(unsniffed(mux))
}

// playground returns the options of the playground.
func (o Options) playground() playground.Options {
	shown := playground.Options{Tabs: slices.Concat(playgroundTabs, memberTabs)}
	if o.Demo != nil {
		shown.Accounts = ui.AccountsPath
	}
	return shown
}

// frontRoutes adds what people see first.
func (o Options) frontRoutes(mux *http.ServeMux) {
	if o.Demo != nil {
		mux.Handle("GET "+ui.AccountsPath, o.Hosts.guard(o.Demo))
	}
	switch {
	case o.UI:
		mux.Handle("/", o.Hosts.guard(ui.Handler()))
	case !o.HidePlayground:
		mux.Handle("GET /{$}", o.Hosts.guard(http.RedirectHandler(playground.Path, http.StatusFound)))
	}
}

// unsniffed makes browsers take each answer for what its header says, whatever its content.
func unsniffed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["X-Content-Type-Options"] = noSniff
		next.ServeHTTP(w, r)
	})
}

// NewOps returns the handler of /healthz, /readyz and /metrics, for a listener of their own. hosts are the host names
// that it accepts.
func NewOps(o Options, hosts Hosts) http.Handler {
	mux := http.NewServeMux()
	o.healthRoute(mux)
	o.opsRoutes(mux, hosts)
	return o.Drain.wrap(unsniffed(mux))
}

// healthRoute adds /healthz, which is open to everyone under any name.
func (o Options) healthRoute(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("ok\n")) })
}

// opsRoutes adds the routes for operators. Load balancers request /readyz by address, and it reveals nothing worth
// protecting.
func (o Options) opsRoutes(mux *http.ServeMux, hosts Hosts) {
	mux.HandleFunc("GET /readyz", o.ready())
	if o.Metrics != nil {
		mux.Handle("GET /metrics", hosts.guard(o.Metrics.Handler()))
	}
}

// Server returns an http.Server that does not wait for slow clients forever.
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

// executable returns the schema with its resolvers.
func (o Options) executable() graphql.ExecutableSchema {
	if o.Executable != nil {
		return o.Executable
	}
	return o.Resolver.Schema(o.Live.Gate)
}

func (o Options) graphql(seen observer, executable graphql.ExecutableSchema) *endpoint {
	limits := limit.Defaults()
	if o.Limits != nil {
		limits = *o.Limits
	}
	s := newExecutor(executable)
	s.AroundResponses(o.addTrace)
	s.AroundResponses(o.Resolver.WithLoaders)
	s.AroundResponses(o.addNotes)
	s.present, s.admit, s.begin = o.Resolver.PresentError, o.Resolver.Admit, o.Resolver.Begin
	s.recover = func(ctx context.Context, p any) error {
		o.Log.ErrorContext(ctx, "resolver panicked", "panic", p, "stack", string(debug.Stack()))
		return errors.New("panic in a resolver")
	}
	values, ledger, arrivals := limits.ValuesRoom(), limit.NewLedger(limits), limit.NewArrivals(limits)
	o.Live.Configure(live.Config{
		Limits: limits, Values: values, Ledger: ledger, Arrivals: arrivals,
		Turns: o.Metrics.ofTurns(turns.New(turns.Options{Patience: turnPatience, Waiting: o.Waiting})),
		Now:   o.Resolver.Store.Engine.Now, Metrics: o.Metrics.ofLive(), Tracer: o.Tracer,
	})
	t := &endpoint{
		schema: executable.Schema(), limits: limits, values: values, ledger: ledger, arrivals: arrivals,
		exec: s, site: o, seen: seen, live: o.Live,
		documents: newDocuments(executable.Schema(), limits, trusted{o.Documents, o.DocumentsOnly}),
	}
	t.documents.charge = func(ctx context.Context, units int) *refusal {
		_, why := t.pay(auth.CallerFrom(ctx), units)
		return why
	}
	return t
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(v)
}

// refuse answers a request that is not executed.
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

// addTrace adds extensions.redis and extensions.cost to the answer if they were requested.
func (o Options) addTrace(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	resp := next(ctx)
	if resp == nil {
		return nil
	}
	add := func(name string, v any) {
		if resp.Extensions == nil {
			resp.Extensions = map[string]any{}
		}
		resp.Extensions[name] = v
	}
	operation := graphql.GetOperationContext(ctx)
	usage := store.UsageFrom(ctx)
	if usage != nil && (o.AlwaysTrace || operation.Headers.Get(TraceHeader) == "1") {
		add("redis", trace{Commands: usage.Commands.Load(), RoundTrips: usage.RoundTrips.Load()})
	}
	if cost := costOf(ctx, resp); cost != nil {
		add("cost", cost)
	}
	return resp
}

// addNotes records what happens in mutations.
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

// identify determines the viewer of the request, and refuses requests that come too often.
func (o Options) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := o.addresses.caller(o.Proxies.Client(r), r.UserAgent())
		CallFrom(r.Context()).From(caller.Address)
		// By address first: a flood of bad tokens must not reach Redis.
		left, err := o.Resolver.Rates.TakeN(ratelimit.Requests, 1, caller)
		setAllowance(w.Header(), ratelimit.Requests, left)
		if err != nil {
			refuseRate(w, r, err)
			return
		}
		turn := o.begin(w, r, caller)
		if turn == nil {
			return
		}
		defer turn.End()
		ctx := turns.With(r.Context(), turn)
		// A socket reads its session itself: its client could not read a status. A dry request reads nothing.
		if a, _ := negotiate(r.Header["Accept"]); r.Method == http.MethodPost && a.media != "" && o.Origins.trusts(r) {
			caller = o.withCookie(w, caller)
		}
		header, cookie := o.Origins.authorization(r)
		if (header != "" || actsAs(r.Header)) && !isUpgrade(r) && !isDry(r) {
			r = r.WithContext(ctx)
			since := time.Now()
			viewer, barred, done := o.admit(w, r, header, cookie, caller)
			if done {
				return
			}
			if viewer == nil {
				if caller.Barred = barred; barred == nil { // the cookie's session has ended
					setCookie(w, "", 0)
				}
				next.ServeHTTP(w, r.WithContext(auth.WithCaller(ctx, caller)))
				return
			}
			own, err := o.Resolver.Rates.TakeN(ratelimit.Requests, 1, auth.Caller{Viewer: viewer})
			if err != nil || own.Calls <= left.Calls {
				setAllowance(w.Header(), ratelimit.Requests, own)
			}
			if err != nil {
				refuseRate(w, r, err)
				return
			}
			caller.Viewer, caller.Since, caller.Visitor, caller.Cookie = viewer, since, visitorOf(viewer), cookie
			CallFrom(ctx).ActsAs(viewer)
			turn.Charge(caller.Visitor)
		}
		next.ServeHTTP(w, r.WithContext(auth.WithCaller(ctx, caller)))
	})
}

// admit returns the viewer whom a request is from, or answers it and reports that it did. There is no viewer if the
// account may not be used, which barred says, and if a cookie's session has ended: a page cannot remove the cookie itself.
func (o Options) admit(w http.ResponseWriter, r *http.Request, header string, cookie bool,
	caller auth.Caller) (viewer *forum.Viewer, barred *forum.Error, done bool) {
	viewer, err := o.signIn(r.Context(), header, r.Header, caller)
	barred = barredBy(err)
	switch {
	case barred != nil:
		return nil, barred, false
	case err != nil && r.Context().Err() != nil: // the client has disconnected
	case forum.CodeOf(err) == forum.CodeRateLimited:
		refuseRate(w, r, err)
	case err != nil:
		o.refuseCaller(w, r, o.unusable(r.Context(), err))
	case viewer == nil && !cookie:
		o.refuseCaller(w, r, badToken())
	default:
		if cookie && viewer != nil && viewer.Extended {
			setCookie(w, bearer(header),
				time.Duration(viewer.SessionEnds-o.Resolver.Store.Engine.Now())*time.Millisecond)
		}
		return viewer, nil, false
	}
	return nil, nil, true
}

// refuseRate answers a request that exceeds a rate.
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
