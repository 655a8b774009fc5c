// Package graph resolves the schema: one file per type with its queries, fields and mutations. A resolver parses,
// asks the loaders or the store, and returns; rules are in internal/forum and in the store's scripts.
package graph

import (
	"context"
	"log/slog"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/breadth"
	"agora/graph/generated"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/ratelimit"
	"agora/internal/signin"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/text"
	"agora/internal/turns"
)

//go:generate sh -c "cd .. && go run agora/breadth/generate -gates auth -resolvers graph/resolver.generated.go -fake internal/test/oracle/resolvers.generated.go -fake-package oracle -split internal/test/oracle/gqlgen.generated.go -tag oracle"

// Resolver is the state shared by all resolvers.
type Resolver struct {
	// Store holds the data.
	Store *store.Store
	// Hasher hashes and verifies passwords.
	Hasher *auth.Hasher
	// SignIn signs in with tokens of other issuers; nil accepts none.
	SignIn *signin.Service
	// NoPasswords turns off registering, signing in and changing what belongs to a password.
	NoPasswords bool
	// SignInPage is SignIn.page; "" is none.
	SignInPage string
	// SignInLimit is how many calls that take a password are allowed from one address in forum.SignInWindow, and how
	// many sign-ins with one name from one address may fail in forum.FailureWindow; 0 is no limit.
	SignInLimit int
	// Rates limits how often callers may post, edit and click; nil is no limit.
	Rates *ratelimit.Limiter
	// Events delivers events to subscriptions.
	Events *event.Hub
	// SiteName is Site.name.
	SiteName string
	// Texts renders texts; nil shows all images.
	Texts *text.Renderer
	// Log receives internal errors.
	Log *slog.Logger
}

// app returns what use cases work with.
func (r *Resolver) app() app.App { return app.App{Store: r.Store, Rates: r.Rates, Log: r.Log} }

// Schema returns the schema with its resolvers, executed level by level. gate, which may be nil, is called before
// events are executed.
func (r *Resolver) Schema(gate func(context.Context) (_ context.Context, release func())) graphql.ExecutableSchema {
	return generated.NewBreadthSchemaWith(r.Config(), loads, breadth.Options{
		Loads: func(ctx context.Context) breadth.Loads { return loader.From(ctx) },
		Omit:  r.unreadable,
		Gate:  gate,
		Yield: func(ctx context.Context) func() {
			turn := turns.From(ctx)
			if turn == nil {
				return nil
			}
			return func() { turn.Offer(ctx) }
		},
	})
}

// Config returns the configuration of the generated code.
func (r *Resolver) Config() generated.Config {
	return generated.Config{Resolvers: r, Directives: generated.DirectiveRoot{Auth: requireRole}}
}

// WithLoaders gives each response its own loaders. Replicas may serve queries of those who are signed out: all others
// see their own writes.
func (r *Resolver) WithLoaders(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	viewer := auth.ViewerFrom(ctx)
	if viewer == nil && graphql.GetOperationContext(ctx).Operation.Operation == ast.Query {
		ctx = engine.FromReplicas(ctx)
	}
	ctx = loader.With(withLogged(ctx), r.Store, viewer)
	defer loader.Close(ctx)
	return next(ctx)
}

// requireRole implements the directive @auth.
func requireRole(ctx context.Context, _ any, next graphql.Resolver, requires forum.Role) (any, error) {
	if err := checkRole(ctx, requires); err != nil {
		return nil, err
	}
	return next(ctx)
}

// checkRole returns UNAUTHENTICATED if the request is signed out, or why its account may not be used, FORBIDDEN if the
// viewer's role is lower than the required one, BANNED if a ban has suspended it.
func checkRole(ctx context.Context, requires forum.Role) error {
	caller := auth.CallerFrom(ctx)
	viewer := caller.Viewer
	if viewer == nil {
		if caller.Barred != nil {
			return caller.Barred
		}
		return &forum.Error{Code: forum.CodeUnauthenticated, Message: "Sign in first."}
	}
	if !viewer.Has(requires) {
		if viewer.Suspended {
			return forum.Banned(nil, *viewer.Ban)
		}
		return &forum.Error{Code: forum.CodeRoleTooLow, Message: "Only for the role " + string(requires) + " and above."}
	}
	return nil
}
