package docs

import (
	_ "embed"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// searchScript looks for words in the index, in the browser.
//
//go:embed search.js
var searchScript string

// section is what follows a heading of a page, up to the next one: an entry of the index.
type section struct {
	Page  string `json:"page"`  // the page's title
	Title string `json:"title"` // the heading
	URL   string `json:"url"`
	Text  string `json:"text"`
	level int
}

// sections returns the sections of a page.
func sections(page, url string, doc ast.Node, source []byte) []section {
	var found []section
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		switch {
		case ok:
			s := section{Page: page, Title: plain(h, source), URL: url, level: h.Level}
			if id, ok := h.AttributeString("id"); ok && h.Level > 1 {
				s.URL += "#" + string(id.([]byte))
			}
			found = append(found, s)
		case len(found) > 0:
			found[len(found)-1].Text += plain(n, source) + "\n"
		}
	}
	return found
}

// plain returns the text of a node without markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	// The walker returns no error.
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch t := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(t.Value(source))
			}
			if entering && t.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := 0; entering && i < n.Lines().Len(); i++ {
				line := n.Lines().At(i)
				b.Write(line.Value(source))
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				b.WriteByte(' ') // cells and items of lists are apart
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}
