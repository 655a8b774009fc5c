package usual

import (
	"net/http"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/redis/go-redis/v9"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/bench/usual/generated"
	"agora/internal/store"
)

// queries is how many documents are cached, as in gqlgen's own examples.
const queries = 1000

// New returns a handler that reads through rdb and writes through s.
func New(rdb redis.UniversalClient, s *store.Store) http.Handler {
	h := handler.New(generated.NewExecutableSchema(generated.Config{Resolvers: &Resolver{rdb, s}}))
	h.AddTransport(transport.POST{})
	h.SetQueryCache(lru.New[*ast.QueryDocument](queries))
	h.Use(extension.Introspection{})
	return withViewer(s, withLoaders(rdb, h))
}
