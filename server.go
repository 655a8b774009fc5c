// Agora is one GraphQL API server for a forum, a voting site and a social
// network, on Redis. README.md tells how to run it.
package main

import (
	_ "embed"
	"os"

	"agora/internal/cli"
)

//go:embed schema.graphqls
var schema string

func main() { os.Exit(cli.Main(schema)) }
