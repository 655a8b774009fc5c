// Package playground serves the page on which a browser tries out the API: GraphiQL, from
// files inside the binary, so that it works with the network cut.
//
// fetch.sh brings GraphiQL's files before the build. The page of a binary built without them
// loads the same files from a CDN, and says so. Where the CDN cannot be reached it makes way
// for a small page of our own, which runs operations but knows nothing of the schema.
package playground

import (
	"embed"
	"fmt"
	"io/fs"
	"net/http"

	"agora/internal/httpserver/static"
)

// DefaultEndpoint is the path operations go to when Options names none.
const DefaultEndpoint = "/graphql"

// DefaultTitle is the page's heading when Options names none.
const DefaultTitle = "Agora"

// DefaultHeaders is what the headers editor holds in a tab that brings no headers of its own:
// the place for the token. While it is empty, the page fills in the token that register or
// login has answered or that was last used in another tab, or leaves the header out.
const DefaultHeaders = "{\n  \"Authorization\": \"Bearer \"\n}"

// Options says what the page shows.
type Options struct {
	// Endpoint is the path, on the same host, that answers GraphQL over HTTP and WebSocket;
	// empty means DefaultEndpoint.
	Endpoint string
	// Title is the page's heading; empty means DefaultTitle.
	Title string
	// Tabs are the examples a first visit opens. Until the browser tab is closed, a later visit
	// finds what the visitor left.
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

// Handler serves the page at "/" and its files under "/playground/". Every other path is
// answered with 404, every method but GET and HEAD with 405. It panics when an embedded file
// is damaged, which no later request can cause.
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
	pages := map[string]page{"/": graphiqlPage}
	if !complete {
		pages = map[string]page{"/": cdnPage, smallPath: smallPage}
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
