// Agora is one GraphQL API server for a forum, a voting site and a social
// network, on Redis. README.md says how to run it.
package main

import (
	"embed"
	"os"

	"agora/internal/cli"
)

//go:embed schema.graphqls
var schema string

// docs is what the server shows at /docs/.
//
//go:embed README.md CHANGELOG.md LICENSE docs
var docs embed.FS

func main() { os.Exit(cli.Main(schema, docs)) }
