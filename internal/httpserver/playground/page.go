package playground

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"

	"agora/internal/httpserver/static"
)

// page is one of the pages of the playground.
type page struct {
	name   string // of its file in web, whose placeholders are those of view
	policy string // its Content-Security-Policy
}

// smallPath is the path of the small page if the main page loads GraphiQL from the CDN.
const smallPath = Path + "/small"

// policyFor returns a policy that lets a page load scripts and style sheets from these sources only, call only this
// server, and not be framed by other pages. "data:" is for images and fonts in style sheets.
func policyFor(scripts, styles string) string {
	return "default-src 'none'; script-src " + scripts + "; style-src 'self'; style-src-elem " + styles +
		"; img-src 'self' data:; font-src 'self' data:; connect-src 'self'" +
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// 'unsafe-inline' is for the style elements of GraphiQL's dialogs. They still cannot fetch anything except from this
// server.
var (
	strictPolicy   = policyFor("'self'", "'self'")
	graphiqlPolicy = policyFor("'self'", "'self' 'unsafe-inline'")
	cdnPolicy      = policyFor("'self' "+sourceURLs(".js"), "'self' 'unsafe-inline' "+sourceURLs(".css"))
)

var (
	graphiqlPage = page{name: "graphiql.html", policy: graphiqlPolicy}
	cdnPage      = page{name: "cdn.html", policy: cdnPolicy}
	smallPage    = page{name: "small.html", policy: strictPolicy}
)

// config is passed to the page's script, as JSON in an attribute.
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

// view has the values of a page's placeholders.
type view struct {
	title    string
	config   string
	accounts string
	assets   map[string]static.File
}

// value returns the value of a placeholder: {{asset NAME}} is the path of an asset, {{url NAME}} and {{integrity
// NAME}} describe a file at the CDN, {{cdn}} is the CDN's host, {{small}} the path of the small page. It is an error
// if there is no such value.
func (v view) value(placeholder string) (string, error) {
	switch placeholder {
	case "title":
		return v.title, nil
	case "config":
		return v.config, nil
	case "accounts":
		return v.accounts, nil
	case "cdn":
		return cdnHost, nil
	case "small":
		return smallPath, nil
	}
	kind, name, _ := strings.Cut(placeholder, " ")
	switch kind {
	case "asset":
		if f, ok := v.assets[name]; ok {
			return f.Path, nil
		}
	case "url", "integrity":
		if i := slices.IndexFunc(sources, func(s source) bool { return s.name == name }); i >= 0 {
			if kind == "url" {
				return sources[i].URL, nil
			}
			return sources[i].Integrity, nil
		}
	}
	return "", fmt.Errorf("unknown placeholder {{%s}}", placeholder)
}

// fill replaces a text's placeholders, such as {{title}}, by values, escaped for HTML: placeholders are in text, or
// in quoted attributes.
func fill(text string, value func(placeholder string) (string, error)) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		placeholder, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return "", errors.New("there is a {{ without }}")
		}
		v, err := value(placeholder)
		if err != nil {
			return "", err
		}
		b.WriteString(html.EscapeString(v))
		text = after
	}
}

// render returns the page, which is the same for every visitor.
func (p page) render(path string, opts Options, assets map[string]static.File) (static.File, error) {
	c := newConfig(opts)
	encoded, err := json.Marshal(c)
	if err != nil {
		return static.File{}, fmt.Errorf("encode the page's config: %w", err)
	}
	text, err := webFiles.ReadFile("web/" + p.name)
	if err != nil {
		return static.File{}, err
	}
	filled, err := fill(string(text), view{
		title: c.Title, config: string(encoded), accounts: opts.Accounts, assets: assets,
	}.value)
	if err != nil {
		return static.File{}, fmt.Errorf("render %s: %w", p.name, err)
	}
	f := static.NewFile(path, "index.html", []byte(filled), nil)
	f.Policy = p.policy
	return f, nil
}
