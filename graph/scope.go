package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/auth"
	"agora/internal/forum"
)

// SessionOnly is the scope of mutations that only sessions may call: those on the account itself.
const SessionOnly forum.Scope = "session only"

// CheckScopes returns an error if the operation was sent with an API token that may not execute it: SCOPE_MISSING, or
// SESSION_REQUIRED for a mutation on the account. Nothing of it may be executed then. Queries and subscriptions need
// READ, as does the field query of payloads; mutations need the scopes of their rules.
func CheckScopes(ctx context.Context, op *graphql.OperationContext) error {
	viewer := auth.ViewerFrom(ctx)
	if viewer == nil || viewer.Scopes == nil {
		return nil
	}
	if op.Operation.Operation != ast.Mutation {
		return needs(viewer, forum.ScopeRead)
	}
	var refused error
	need := func(s forum.Scope) {
		if refused == nil {
			refused = needs(viewer, s)
		}
	}
	each(op.Operation.SelectionSet, op.Doc.Fragments, func(f *ast.Field) {
		if f.Name == "__typename" {
			return
		}
		need(MutationRules[f.Name].Scope)
		each(f.SelectionSet, op.Doc.Fragments, func(f *ast.Field) {
			if f.Name == "query" {
				need(forum.ScopeRead)
			}
		})
	})
	return refused
}

// needs returns an error if what the viewer's request was sent with lacks the scope.
func needs(v *forum.Viewer, s forum.Scope) error {
	switch {
	case s == SessionOnly:
		return &forum.Error{Code: forum.CodeSessionRequired,
			Message: "API tokens cannot do this. Sign in with the password, and use the session."}
	case !v.May(s):
		return forum.ScopeMissing(s)
	}
	return nil
}
