// Command redis is a GraphQL server on Redis that needs one round trip for each level of a query.
package main

import (
	"flag"
	"log"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/99designs/gqlgen/graphql/playground"
	"github.com/redis/go-redis/v9"

	"agora/breadth"
	"agora/breadth/example/redis/graph"
)

func main() {
	address := flag.String("redis", "localhost:6379", "`address` of Redis")
	flag.Parse()
	r := &resolver{redis.NewClient(&redis.Options{Addr: *address})}
	http.Handle("/", playground.Handler("Albums", "/query"))
	http.Handle("/query", serve(r.schema(), r.withPipeline))
	log.Print("http://localhost:8080/")
	log.Fatal(http.ListenAndServe("localhost:8080", nil))
}

// schema returns the executable schema.
func (r *resolver) schema() graphql.ExecutableSchema {
	return graph.NewBreadthSchemaWith(graph.Config{Resolvers: r}, graph.Loaders{}, breadth.Options{Loads: pipelineOf})
}

// serve returns gqlgen's own handler. Each response has a pipeline of its own.
func serve(schema graphql.ExecutableSchema, around ...graphql.ResponseMiddleware) http.Handler {
	server := handler.New(schema)
	server.AddTransport(transport.POST{})
	server.Use(extension.Introspection{})
	for _, f := range around {
		server.AroundResponses(f)
	}
	return server
}
