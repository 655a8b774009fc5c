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

// markdown is CommonMark with tables, strikethrough and bare links, but without
// raw HTML: as its two parsers are left out, it is text. A line break is kept, as
// people who write in forums expect. The caps of guard.go stand around all
// parsers that need more than linear time.
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
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(ticks{parser.NewCodeSpanParser()}, 100),
			util.Prioritized(closed{newCapped(parser.NewLinkParser())}, 200),
			util.Prioritized(newCapped(parser.NewAutoLinkParser()), 300),
			util.Prioritized(newCapped(parser.NewEmphasisParser()), 500),
			util.Prioritized(newCapped(extension.NewStrikethroughParser()), 500),
			util.Prioritized(near{newCapped(extension.NewLinkifyParser())}, 999),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(bounded{extension.NewTableParagraphTransformer()}, 200),
		),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
			util.Prioritized(thrifty{}, 100),
		),
	)),
	goldmark.WithRendererOptions(
		html.WithHardWraps(),
		renderer.WithNodeRenderers(
			util.Prioritized(extension.NewTableHTMLRenderer(
				// The policy lets no styles pass.
				extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute),
			), 500),
			util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		),
	),
)

// markdownHTML turns Markdown into HTML that has yet to be sanitised.
func markdownHTML(source string) string {
	return orAsWritten(source, func() (string, error) {
		var out strings.Builder
		err := markdown.Convert([]byte(source), &out)
		return out.String(), err
	})
}

// orAsWritten returns what render makes of source. If it fails or panics, the
// text is shown as it was written: it is stored, and a flaw of the parser must
// not take away every page on which it stands.
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
