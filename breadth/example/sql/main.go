// Command sql is a GraphQL server on an SQL database that sends one statement for each field of a query, whatever the
// number of objects.
package main

import (
	"context"
	"database/sql"
	_ "embed"
	"flag"
	"log"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/99designs/gqlgen/graphql/playground"
	_ "modernc.org/sqlite"

	"agora/breadth/example/sql/graph"
)

//go:embed demo.sql
var demo string

func main() {
	file := flag.String("db", ":memory:", "SQLite `file`, which gets demo data")
	flag.Parse()
	s, err := open(*file)
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/", playground.Handler("Orders", "/query"))
	http.Handle("/query", serve(graph.NewBreadthSchema(graph.Config{Resolvers: s})))
	log.Print("http://localhost:8080/")
	log.Fatal(http.ListenAndServe("localhost:8080", nil))
}

// open opens a database, and adds the demo data that it does not have.
func open(file string) (*store, error) {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each connection to :memory: has a database of its own
	_, err = db.ExecContext(context.Background(), demo)
	return &store{db: db}, err
}

// serve returns gqlgen's own handler.
func serve(schema graphql.ExecutableSchema) http.Handler {
	server := handler.New(schema)
	server.AddTransport(transport.POST{})
	server.Use(extension.Introspection{})
	return server
}
