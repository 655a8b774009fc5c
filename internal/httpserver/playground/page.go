package playground

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"path"
	"slices"
)

// page is one of the pages that a visitor may see.
type page struct {
	template *template.Template
	policy   string // its Content-Security-Policy
}

// smallPath is where the small page is, beside the page that loads GraphiQL from the CDN.
const smallPath = "/playground/small"

// policyFor makes a policy that lets a page load scripts and style sheets from these places
// only, call nothing but this server, and be shown in no other page. Pictures and fonts inside
// of style sheets are what "data:" is for.
func policyFor(scripts, styles string) string {
	return "default-src 'none'; script-src " + scripts + "; style-src 'self'; style-src-elem " + styles +
		"; img-src 'self' data:; font-src 'self' data:; connect-src 'self'" +
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// GraphiQL's dialogs make style elements, which is what 'unsafe-inline' is for. All that they
// could fetch is still limited to this server.
var (
	strictPolicy   = policyFor("'self'", "'self'")
	graphiqlPolicy = policyFor("'self'", "'self' 'unsafe-inline'")
	cdnPolicy      = policyFor("'self' "+sourceURLs(".js"), "'self' 'unsafe-inline' "+sourceURLs(".css"))
)

var (
	graphiqlPage = page{template: parse("graphiql.html"), policy: graphiqlPolicy}
	cdnPage      = page{template: parse("cdn.html"), policy: cdnPolicy}
	smallPage    = page{template: parse("small.html"), policy: strictPolicy}
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
	CDN    string // its host
	Small  string // path of the small page
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

// Source returns the file with the name as the CDN has it, and an error that stops the
// template when it is not listed.
func (v view) Source(name string) (source, error) {
	i := slices.IndexFunc(sources, func(s source) bool { return s.name == name })
	if i < 0 {
		return source{}, fmt.Errorf("no source %q", name)
	}
	return sources[i], nil
}

// render makes the page, which stays the same for every visitor.
func (p page) render(path string, opts Options, assets map[string]file) (file, error) {
	c := newConfig(opts)
	text, err := json.Marshal(c)
	if err != nil {
		return file{}, fmt.Errorf("encode the page's config: %w", err)
	}
	var b bytes.Buffer
	v := view{Title: c.Title, Config: string(text), CDN: cdnHost, Small: smallPath, assets: assets}
	if err := p.template.Execute(&b, v); err != nil {
		return file{}, fmt.Errorf("render the page: %w", err)
	}
	zipped, err := zip(b.Bytes())
	if err != nil {
		return file{}, fmt.Errorf("compress the page: %w", err)
	}
	f := newFile("index.html", b.Bytes(), zipped)
	f.path, f.cache, f.policy = path, cachePage, p.policy
	return f, nil
}
