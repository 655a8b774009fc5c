// Package docs serves the project's documentation as web pages, from Markdown files inside the binary. README.md is
// the page at /docs/, docs/api.md the page at /docs/api; each file is also served unchanged, for example at
// /docs/api.md.
package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"agora/internal/httpserver/static"
)

// Root is the path of the first page; all others are below it.
const Root = "/docs/"

// policy lets pages load the server's own style sheet, images, and script of the search with its index, and nothing
// else.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'" +
	"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// group is a part of the table of contents shown on each page.
type group struct {
	title string
	files []string
}

// contents lists all pages in the order in which they are shown.
var contents = []group{
	{"Use it", []string{"README.md", "docs/quickstart.md", "docs/api.md", "docs/members.md", "docs/visibility.md",
		"docs/limits.md", "docs/behaviours.md"}},
	{"Run it", []string{"docs/configuration.md", "docs/operating.md", "docs/durability.md", "docs/scaling.md",
		"docs/import.md", "docs/export.md", "docs/releases.md", "docs/performance.md"}},
	{"Change it", []string{"docs/contributing.md", "docs/architecture/overview.md", "docs/architecture/reading.md",
		"docs/architecture/writing.md", "docs/architecture/social.md", "docs/architecture/live.md",
		"docs/architecture/moderation.md", "docs/architecture/walks.md", "docs/keys.md", "CHANGELOG.md"}},
}

// markdown is CommonMark with tables, and with an id for each heading.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Linkify),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// Handler serves the documentation under Root. files has README.md, CHANGELOG.md, LICENSE and the folder docs.
// Handler panics if a page of the contents is missing, which no later request can cause.
func Handler(files fs.FS) http.Handler {
	site, err := newSite(files)
	if err != nil {
		panic(fmt.Errorf("docs: %w", err))
	}
	return static.Handler(policy, func(path string) (static.File, bool) {
		f, ok := site[path]
		return f, ok
	})
}

// newSite renders all pages, by path of the URL.
func newSite(files fs.FS) (map[string]static.File, error) {
	site := map[string]static.File{}
	add := func(at, name string, content []byte) { site[at] = static.NewFile(at, name, content, nil) }
	for name, content := range map[string]string{"style.css": style, "search.js": searchScript, "icon.svg": icon} {
		add(Root+name, name, []byte(content))
	}
	titles, sources := map[string]string{}, map[string][]byte{}
	addFile := func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".md" {
			sources[name], titles[name] = content, title(content)
		}
		add(fileURL(name), name, content)
		return nil
	}
	for _, name := range []string{"README.md", "CHANGELOG.md", "LICENSE", "docs"} {
		if err := fs.WalkDir(files, name, addFile); err != nil {
			return nil, err
		}
	}
	var all []section
	for _, g := range contents {
		for _, name := range g.files {
			source, ok := sources[name]
			if !ok {
				return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
			}
			page, found, err := render(files, name, source, titles)
			if err != nil {
				return nil, fmt.Errorf("render %s: %w", name, err)
			}
			add(pageURL(name), "index.html", page)
			all = append(all, found...)
		}
	}
	found, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	add(Root+"search.json", "search.json", found)
	return site, nil
}

// fileURL returns the path at which a file is served unchanged.
func fileURL(name string) string { return Root + strings.TrimPrefix(name, "docs/") }

// pageURL returns the path at which a Markdown file is served as a page.
func pageURL(name string) string {
	if name == "README.md" {
		return Root
	}
	return strings.TrimSuffix(fileURL(name), ".md")
}

// title returns the text of the first heading.
func title(source []byte) string {
	first, _, _ := strings.Cut(string(source), "\n")
	return strings.TrimSpace(strings.TrimLeft(first, "#"))
}

// render returns the page of a file, and its sections.
func render(files fs.FS, name string, source []byte, titles map[string]string) ([]byte, []section, error) {
	doc := markdown.Parser().Parse(text.NewReader(source))
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = resolve(files, name, n.Destination)
		case *ast.Image:
			n.Destination = resolve(files, name, n.Destination)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return nil, nil, err
	}
	var text bytes.Buffer
	if err := markdown.Renderer().Render(&text, source, doc); err != nil {
		return nil, nil, err
	}
	found := sections(titles[name], pageURL(name), doc, source)
	heading, rest, _ := strings.Cut(text.String(), "</h1>\n")
	var b bytes.Buffer
	fmt.Fprintf(&b, head, html.EscapeString(titles[name]))
	b.WriteString("<main>\n" + heading + "</h1>\n")
	writeSections(&b, found)
	b.WriteString(rest + "</main>\n")
	writeContents(&b, name, titles)
	b.WriteString("</body>\n</html>\n")
	return b.Bytes(), found, nil
}

// long is from how many sections on a page has contents of its own.
const long = 5

// writeSections writes links to the sections of a long page.
func writeSections(b *bytes.Buffer, found []section) {
	if len(found) < long {
		return
	}
	b.WriteString("<details class=\"sections\">\n<summary>On this page</summary>\n<ul>\n")
	for _, s := range found[1:] {
		fmt.Fprintf(b, "<li class=\"level%d\"><a href=%q>%s</a></li>\n", s.level, s.URL, html.EscapeString(s.Title))
	}
	b.WriteString("</ul>\n</details>\n")
}

// resolve returns the URL of the target of a link in a file: pages for Markdown files, files for everything else that
// is served, and other addresses unchanged.
func resolve(files fs.FS, from string, link []byte) []byte {
	target, fragment, _ := strings.Cut(string(link), "#")
	if target == "" || strings.Contains(target, ":") {
		return link
	}
	name := path.Join(path.Dir(from), target)
	if _, err := fs.Stat(files, name); err != nil {
		return link
	}
	at := fileURL(name)
	if path.Ext(name) == ".md" {
		at = pageURL(name)
	}
	if fragment != "" {
		at += "#" + fragment
	}
	return []byte(at)
}

// writeContents writes links to all pages.
func writeContents(b *bytes.Buffer, current string, titles map[string]string) {
	b.WriteString("<nav id=\"pages\" aria-label=\"Documentation\">\n")
	for _, g := range contents {
		fmt.Fprintf(b, "<h2>%s</h2>\n<ul>\n", html.EscapeString(g.title))
		for _, name := range g.files {
			mark := ""
			if name == current {
				mark = ` aria-current="page"`
			}
			fmt.Fprintf(b, "<li><a href=%q%s>%s</a></li>\n", pageURL(name), mark, html.EscapeString(titles[name]))
		}
		b.WriteString("</ul>\n")
	}
	b.WriteString("<h2>Try it</h2>\n<ul>\n<li><a href=\"/playground\">Playground</a></li>\n" +
		"<li><a href=\"/schema.graphql\">Schema</a></li>\n</ul>\n</nav>\n")
}
