// Package httpserver serves GraphQL over HTTP: routes, the caller's identity,
// limits that stand before any work, the playground, and the state of the
// server.
package httpserver

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/httpserver/playground"
	"agora/internal/store"
)

// Options is what the server is made of.
type Options struct {
	// Resolver resolves the schema.
	Resolver *graph.Resolver
	// Schema is schema.graphqls, served at /schema.graphql.
	Schema string
	// Durable tells whether the data outlive the process, for /readyz.
	Durable bool
	// AlwaysTrace puts extensions.redis into every answer; otherwise the header
	// TraceHeader asks for it.
	AlwaysTrace bool
	// Log receives what the server reports.
	Log *slog.Logger
}

// TraceHeader is the request header that, with the value 1, asks for
// extensions.redis.
const TraceHeader = "Agora-Trace"

// New makes the handler of all routes.
func New(o Options) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/graphql", limitBody(o.trace(o.identify(o.graphql()))))
	mux.HandleFunc("GET /schema.graphql", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Write([]byte(o.Schema))
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", o.ready)
	mux.Handle("/", playground.Handler(playground.Options{Tabs: playgroundTabs}))
	return mux
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

func (o Options) graphql() http.Handler {
	s := handler.New(o.Resolver.Schema())
	s.AddTransport(transport.Options{})
	s.AddTransport(transport.GET{})
	s.AddTransport(transport.POST{})
	s.SetQueryCache(newDocuments[*ast.QueryDocument]())
	s.Use(newLimits())
	s.Use(extension.Introspection{})
	s.AroundResponses(addTrace)
	s.AroundResponses(o.Resolver.WithLoaders)
	s.AroundFields(graph.ExpectFields)
	s.SetErrorPresenter(o.Resolver.PresentError)
	s.SetRecoverFunc(func(ctx context.Context, p any) error {
		o.Log.ErrorContext(ctx, "resolver panicked", "panic", p, "stack", string(debug.Stack()))
		return errors.New("panic in a resolver")
	})
	return s
}

// ready tells whether Redis answers and whether the data outlive the process.
func (o Options) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), time.Second)
	defer cancel()
	state := map[string]any{"redis": "ok", "durable": o.Durable}
	code := http.StatusOK
	if err := o.Resolver.Store.Ping(ctx); err != nil {
		state["redis"], code = "does not answer", http.StatusServiceUnavailable
	}
	writeJSON(w, code, state)
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(v)
}

// refuse answers a request that does not come to execution.
func refuse(w http.ResponseWriter, status int, code, message string) {
	writeJSON(w, status, map[string]any{"errors": []any{map[string]any{
		"message": message, "extensions": map[string]any{"code": code},
	}}})
}

// trace counts what the request asks of Redis, its session included.
func (o Options) trace(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := &traced{shown: o.AlwaysTrace || r.Header.Get(TraceHeader) == "1"}
		ctx := store.WithTally(r.Context(), &t.tally)
		next.ServeHTTP(w, r.WithContext(context.WithValue(ctx, tracedKey{}, t)))
	})
}

type traced struct {
	tally store.Tally
	shown bool
}

type tracedKey struct{}

// addTrace puts extensions.redis into the answer when it is asked for.
func addTrace(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	resp := next(ctx)
	if t, ok := ctx.Value(tracedKey{}).(*traced); ok && t.shown && resp != nil {
		if resp.Extensions == nil {
			resp.Extensions = map[string]any{}
		}
		resp.Extensions["redis"] = map[string]int64{
			"roundTrips": t.tally.RoundTrips.Load(), "commands": t.tally.Commands.Load(),
		}
	}
	return resp
}

// identify finds out on whose behalf the request runs.
func (o Options) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address := addressHash(r.RemoteAddr)
		caller := auth.Caller{Visitor: address, Address: address, UserAgent: userAgent(r.UserAgent())}
		if header := r.Header.Get("Authorization"); header != "" {
			viewer, err := o.session(r.Context(), header)
			if err != nil && r.Context().Err() != nil {
				return // nobody waits for the answer
			}
			if err != nil {
				o.Log.ErrorContext(r.Context(), "session cannot be read", "error", err)
				refuse(w, http.StatusServiceUnavailable, "UNAVAILABLE", "The session cannot be checked just now; try again.")
				return
			}
			if viewer == nil {
				w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
				refuse(w, http.StatusUnauthorized, "UNAUTHENTICATED", "The token is malformed, expired or revoked.")
				return
			}
			caller.Viewer, caller.Visitor = viewer, visitorOf(viewer)
		}
		next.ServeHTTP(w, r.WithContext(auth.WithCaller(r.Context(), caller)))
	})
}
