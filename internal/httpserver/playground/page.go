package playground

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"path"
)

// page is one of the two pages that "/" may show.
type page struct {
	template *template.Template
	// policy is its Content-Security-Policy.
	policy string
	// needs names the fetched assets without which it cannot be shown.
	needs []string
}

// strictPolicy lets a page load and call nothing but this server, run no script that is not
// one of its files, and be shown in no other page. Pictures and fonts inside of style sheets
// are what "data:" is for.
const strictPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; " +
	"img-src 'self' data:; font-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// graphiqlPolicy also allows style elements made by scripts: GraphiQL's dialogs make one. All
// they could fetch is still limited to this server.
const graphiqlPolicy = strictPolicy + "; style-src-elem 'self' 'unsafe-inline'"

var (
	smallPage = page{
		template: parse("small.html"),
		policy:   strictPolicy,
	}
	graphiqlPage = page{
		template: parse("graphiql.html"),
		policy:   graphiqlPolicy,
		needs: []string{
			"graphiql/graphiql.min.css",
			"graphiql/graphiql.min.js",
			"react/umd/react.production.min.js",
			"react-dom/umd/react-dom.production.min.js",
		},
	}
)

func parse(name string) *template.Template {
	return template.Must(template.ParseFS(webFiles, path.Join("web", name)))
}

// config is what the page's script gets to know, as JSON in an attribute.
type config struct {
	Endpoint string `json:"endpoint"`
	Title    string `json:"title"`
	Headers  string `json:"headers"`
	Tabs     []Tab  `json:"tabs"`
}

func newConfig(opts Options) config {
	c := config{Endpoint: opts.Endpoint, Title: opts.Title, Headers: DefaultHeaders, Tabs: []Tab{}}
	if c.Endpoint == "" {
		c.Endpoint = DefaultEndpoint
	}
	if c.Title == "" {
		c.Title = DefaultTitle
	}
	for _, t := range opts.Tabs {
		if t.Headers == "" {
			t.Headers = DefaultHeaders
		}
		c.Tabs = append(c.Tabs, t)
	}
	return c
}

// view is what a template sees.
type view struct {
	Title  string
	Config string
	assets map[string]file
}

// Asset returns the path of the asset with the name, and an error that stops the template
// when there is none.
func (v view) Asset(name string) (string, error) {
	f, ok := v.assets[name]
	if !ok {
		return "", fmt.Errorf("no asset %q", name)
	}
	return f.path, nil
}

// render makes the page, which stays the same for every visitor.
func (p page) render(opts Options, assets map[string]file) (file, error) {
	c := newConfig(opts)
	text, err := json.Marshal(c)
	if err != nil {
		return file{}, fmt.Errorf("encode the page's config: %w", err)
	}
	var b bytes.Buffer
	if err := p.template.Execute(&b, view{Title: c.Title, Config: string(text), assets: assets}); err != nil {
		return file{}, fmt.Errorf("render the page: %w", err)
	}
	zipped, err := zip(b.Bytes())
	if err != nil {
		return file{}, fmt.Errorf("compress the page: %w", err)
	}
	f := newFile("index.html", b.Bytes(), zipped)
	f.path, f.cache = "/", cachePage
	return f, nil
}
