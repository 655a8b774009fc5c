package text

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
	xhtml "golang.org/x/net/html"
)

// markdown is CommonMark with tables, strikethrough, task lists, bare links and footnotes, but
// without raw HTML: its two parsers are omitted, so it is shown as text. Line breaks are kept, as
// users of forums expect. Parsers that take more than linear time are wrapped in the limits of guard.go.
var markdown = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(shallow{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(notes{shallow{extension.NewFootnoteBlockParser()}}, 999),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(boxes{extension.NewTaskCheckBoxParser()}, 0),
			util.Prioritized(ticks{parser.NewCodeSpanParser()}, 100),
			util.Prioritized(references{newCapped(extension.NewFootnoteParser())}, 101),
			util.Prioritized(closed{newCapped(parser.NewLinkParser())}, 200),
			util.Prioritized(newCapped(parser.NewAutoLinkParser()), 300),
			util.Prioritized(addresses{}, 400),
			util.Prioritized(newCapped(stars), 500),
			util.Prioritized(newCapped(strikes), 500),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(bounded{extension.NewTableParagraphTransformer()}, 200),
		),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
			util.Prioritized(thrifty{}, 100),
			util.Prioritized(extension.NewFootnoteASTTransformer(), 999),
		),
	)),
	goldmark.WithRendererOptions(
		html.WithHardWraps(),
		renderer.WithNodeRenderers(
			util.Prioritized(extension.NewTableHTMLRenderer(
				// The policy removes styles.
				extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute),
			), 500),
			util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
			util.Prioritized(extension.NewTaskCheckBoxHTMLRenderer(), 500),
			util.Prioritized(extension.NewFootnoteHTMLRenderer(), 500),
		),
	),
)

// markdownHTML converts Markdown to HTML that must still be sanitised.
func markdownHTML(source string) string {
	return orAsWritten(source, func() (string, error) {
		var out strings.Builder
		err := markdown.Convert([]byte(source), &out)
		return out.String(), err
	})
}

// orAsWritten returns the result of render. If that fails or panics, it returns source as written:
// the text is stored, and a bug in the parser must not break every page that shows it.
func orAsWritten(source string, render func() (string, error)) (out string) {
	defer func() {
		if recover() != nil {
			out = asWritten(source)
		}
	}()
	out, err := render()
	if err != nil {
		return asWritten(source)
	}
	return out
}

func asWritten(source string) string { return "<pre>" + xhtml.EscapeString(source) + "</pre>" }
