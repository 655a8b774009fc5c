package graph_test

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/store/engine"
)

// Replicas may lag, so they serve only who has written nothing: queries of those who are signed out.
func TestOnlyQueriesOfTheSignedOutReadReplicas(t *testing.T) {
	for _, tt := range []struct {
		operation ast.Operation
		viewer    *forum.Viewer
		want      bool
	}{
		{ast.Query, nil, true},
		{ast.Query, &forum.Viewer{ID: 256}, false},
		{ast.Mutation, nil, false},
		{ast.Subscription, nil, false},
	} {
		ctx := auth.WithCaller(t.Context(), auth.Caller{Viewer: tt.viewer})
		ctx = graphql.WithOperationContext(ctx, &graphql.OperationContext{
			Operation: &ast.OperationDefinition{Operation: tt.operation},
		})
		got := false
		(&graph.Resolver{}).WithLoaders(ctx, func(ctx context.Context) *graphql.Response {
			got = engine.MayReadReplicas(ctx)
			return nil
		})
		wantEqual(t, string(tt.operation)+" may read replicas", got, tt.want)
	}
}
