package text

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Destinations returns the addresses of the links and images of a Markdown text, as parsed, in order. It
// returns none if the text cannot be parsed.
func Destinations(content string) (all []string) {
	defer func() {
		if recover() != nil { // as in orAsWritten
			all = nil
		}
	}()
	root := markdown.Parser().Parse(text.NewReader([]byte(content)))
	ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n := n.(type) {
			case *ast.Link:
				all = append(all, string(n.Destination))
			case *ast.Image:
				all = append(all, string(n.Destination))
			}
		}
		return ast.WalkContinue, nil
	})
	return all
}
