package graph

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/auth"
	"agora/internal/forum"
)

// guestFields are what guests, who are not signed in, may select on a site for members: of these types only these
// fields, of others all.
var guestFields = map[string]map[string]bool{
	"Query":        {"site": true, "viewer": true, "__schema": true, "__type": true},
	"Site":         {"name": true, "access": true, "registration": true, "signIn": true},
	"Mutation":     {"login": true, "register": true},
	"Subscription": {},
}

// Admit returns an error if the operation may not be executed: by an API token, as CheckScopes says, or by a guest,
// UNAUTHENTICATED if the site is for members, and another error if what the viewer may see cannot be read, or has
// become less since the operation began. Nothing of it may be executed then, and nothing that was read before may be
// sent.
func (r *Resolver) Admit(ctx context.Context, op *graphql.OperationContext) error {
	if err := r.admitRooms(ctx); err != nil {
		return err
	}
	if auth.ViewerFrom(ctx) != nil {
		return CheckScopes(ctx, op)
	}
	err := r.Store.Rules.AdmitGuest(ctx)
	if err == nil {
		return nil
	}
	f := refusedField(op.Operation.SelectionSet, op.Doc.Fragments, map[string]bool{})
	switch {
	case f == nil:
		return nil
	case forum.CodeOf(err) != forum.CodeUnauthenticated:
		return err
	}
	return &gqlerror.Error{Err: err, Message: err.Error(),
		Locations: []gqlerror.Location{{Line: f.Position.Line, Column: f.Position.Column}}}
}

// hiddenKey is the key of the categories that the viewer did not see when an operation began.
type hiddenKey struct{}

// admitRooms returns UNAVAILABLE if it is not known who sees which categories, or if the viewer does not see a category
// any more that the viewer saw when the operation began. Subscriptions look for themselves.
func (r *Resolver) admitRooms(ctx context.Context) error {
	rules, err := r.Store.Rules.Rooms(ctx)
	began, running := ctx.Value(hiddenKey{}).([]forum.CategoryID)
	if err != nil || !running {
		return err
	}
	for _, c := range rules.Hidden(auth.ViewerFrom(ctx)) {
		if !slices.Contains(began, c) {
			return &forum.Error{Code: forum.CodeUnavailable,
				Message: "What you may see has just changed. Send the request again."}
		}
	}
	return nil
}

// refusedField returns a field of a selection that guests may not select on a site for members, or nil.
func refusedField(set ast.SelectionSet, fragments ast.FragmentDefinitionList, seen map[string]bool) *ast.Field {
	for _, s := range set {
		var refused *ast.Field
		switch s := s.(type) {
		case *ast.Field:
			if only := guestFields[s.ObjectDefinition.Name]; only != nil && !only[s.Name] && s.Name != "__typename" {
				return s
			}
			refused = refusedField(s.SelectionSet, fragments, seen)
		case *ast.InlineFragment:
			refused = refusedField(s.SelectionSet, fragments, seen)
		case *ast.FragmentSpread:
			if !seen[s.Name] {
				seen[s.Name] = true
				refused = refusedField(fragments.ForName(s.Name).SelectionSet, fragments, seen)
			}
		}
		if refused != nil {
			return refused
		}
	}
	return nil
}

// Begin returns the context of an operation: that of a guest's subscription ends when the site is closed.
func (r *Resolver) Begin(ctx context.Context, op *graphql.OperationContext) context.Context {
	viewer := auth.ViewerFrom(ctx)
	switch {
	case op.Operation.Operation != ast.Subscription:
		return context.WithValue(ctx, hiddenKey{}, r.Store.Rules.Current(ctx).Hidden(viewer))
	case viewer == nil:
		return r.Store.Rules.ForGuest(ctx)
	}
	return ctx
}
