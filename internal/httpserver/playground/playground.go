// Package playground serves the page for trying out the API in a browser: GraphiQL, from files inside the binary, so
// that it works offline.
//
// fetch.sh downloads GraphiQL's files before the build. The page of a binary built without them loads the same files
// from a CDN, and says so. If the CDN cannot be reached, a small page of our own replaces it, which runs operations
// but does not know the schema.
package playground

import (
	"embed"
	"fmt"
	"io/fs"
	"net/http"

	"agora/internal/httpserver/static"
)

// Path is the path of the page; its files are below it.
const Path = "/playground"

// DefaultEndpoint is the path of operations if Options has none.
const DefaultEndpoint = "/graphql"

// DefaultTitle is the page's heading if Options has none.
const DefaultTitle = "Agora"

// DefaultHeaders is the content of the headers editor in a tab without headers of its own, with a place for the
// token. While that is empty, the page uses the token that register or login has returned or that was last used in
// another tab, or omits the header.
const DefaultHeaders = "{\n  \"Authorization\": \"Bearer \"\n}"

// Options are the settings of the page.
type Options struct {
	// Endpoint is the path, on the same host, of GraphQL over HTTP and WebSocket; empty means DefaultEndpoint.
	Endpoint string
	// Title is the page's heading; empty means DefaultTitle.
	Title string
	// Accounts is the path, on the same host, at which a demo lists the accounts that visitors can sign in to; empty
	// for none.
	Accounts string
	// Tabs are the examples: all of them are opened on a first visit if there are at most three, otherwise the first,
	// with a list of all. Later visits in the same browser tab restore what the visitor left.
	Tabs []Tab
}

// Tab is one example.
type Tab struct {
	// Name is the example's button on the small page; GraphiQL shows the operation's own name.
	Name string `json:"name"`
	// Query is the GraphQL document.
	Query string `json:"query"`
	// Variables is a JSON object, or empty.
	Variables string `json:"variables"`
	// Headers is a JSON object of HTTP headers; empty means DefaultHeaders.
	Headers string `json:"headers"`
}

var (
	//go:embed all:dist
	distFiles embed.FS
	//go:embed web
	webFiles embed.FS
)

// Handler serves the page at Path and its files below it. Every other path is answered with 404, every
// method except GET and HEAD with 405. It panics if an embedded file is damaged, which no later request can cause.
func Handler(opts Options) http.Handler {
	dist, err := fs.Sub(distFiles, "dist")
	if err != nil {
		panic(fmt.Errorf("playground: %w", err))
	}
	h, err := newHandler(opts, dist)
	if err != nil {
		panic(fmt.Errorf("playground: %w", err))
	}
	return h
}

func newHandler(opts Options, dist fs.FS) (http.Handler, error) {
	own, err := fs.Sub(webFiles, "web")
	if err != nil {
		return nil, err
	}
	assets := map[string]static.File{}
	if err := addOwn(assets, own); err != nil {
		return nil, err
	}
	complete, err := addFetched(assets, dist)
	if err != nil {
		return nil, err
	}
	pages := map[string]page{Path: graphiqlPage}
	if !complete {
		pages = map[string]page{Path: cdnPage, smallPath: smallPage}
	}
	files := map[string]static.File{}
	for path, p := range pages {
		if files[path], err = p.render(path, opts, assets); err != nil {
			return nil, err
		}
	}
	for _, f := range assets {
		files[f.Path] = f
	}
	return static.Handler(strictPolicy, func(path string) (static.File, bool) {
		f, ok := files[path]
		return f, ok
	}), nil
}
