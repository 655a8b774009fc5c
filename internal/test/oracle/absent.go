//go:build !oracle

package oracle

import (
	"github.com/99designs/gqlgen/graphql"

	"agora/graph"
)

// Present reports whether the generated code was compiled.
const Present = false

// Schema panics: the generated code was not compiled.
func Schema(*graph.Resolver) graphql.ExecutableSchema {
	panic("gqlgen's executor was not compiled: run go generate ./graph, and build with -tags oracle")
}
