// Package playground serves the page on which a browser tries out the API: GraphiQL, from
// files inside the binary, so that it works with the network cut.
//
// fetch.sh brings GraphiQL's files before the build. A binary built without them serves a
// small page of its own, which runs operations but knows nothing of the schema.
package playground

import (
	"embed"
	"fmt"
	"io/fs"
	"net/http"
)

// DefaultEndpoint is the path operations go to when Options names none.
const DefaultEndpoint = "/graphql"

// DefaultTitle is the page's heading when Options names none.
const DefaultTitle = "Agora"

// DefaultHeaders is what the headers editor holds in a tab that brings no headers of its own:
// the place for the token. The page leaves the header out as long as the token is missing, or
// fills in the token that was last used in another tab.
const DefaultHeaders = "{\n  \"Authorization\": \"Bearer \"\n}"

// Options says what the page shows.
type Options struct {
	// Endpoint is the path, on the same host, that answers GraphQL over HTTP and WebSocket;
	// empty means DefaultEndpoint.
	Endpoint string
	// Title is the page's heading; empty means DefaultTitle.
	Title string
	// Tabs are the examples a first visit opens. A later visit finds what the visitor left.
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

// handler holds everything it will ever answer, by path.
type handler struct {
	policy string
	files  map[string]file
}

func newHandler(opts Options, dist fs.FS) (*handler, error) {
	own, err := fs.Sub(webFiles, "web")
	if err != nil {
		return nil, err
	}
	assets := map[string]file{}
	if err := addPlain(assets, own); err != nil {
		return nil, err
	}
	if err := addZipped(assets, dist); err != nil {
		return nil, err
	}
	p := smallPage
	if hasAll(assets, graphiqlPage.needs) {
		p = graphiqlPage
	}
	html, err := p.render(opts, assets)
	if err != nil {
		return nil, err
	}
	h := &handler{policy: p.policy, files: map[string]file{"/": html}}
	for _, f := range assets {
		h.files[f.path] = f
	}
	return h, nil
}

// ServeHTTP answers with the page, one of its files, or an error.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", h.policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	f, ok := h.files[r.URL.Path]
	switch {
	case !ok:
		http.NotFound(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "use GET or HEAD", http.StatusMethodNotAllowed)
	default:
		f.serve(w, r)
	}
}
