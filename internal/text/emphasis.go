package text

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// emphasis is the inline parser of what is between runs of its signs. CommonMark takes a run between punctuation and a
// letter for the one next to the space that should be around it. Chinese, Japanese and Korean have no such space, so beside
// their characters a run can both open and close.
type emphasis struct {
	signs string
	most  int // how many signs a run may have
	node  func(signs int) ast.Node
}

var (
	stars   = emphasis{"*_", 1 << 20, func(n int) ast.Node { return ast.NewEmphasis(n) }}
	strikes = emphasis{"~", 2, func(int) ast.Node { return extension.NewStrikethrough() }}
)

// Trigger implements parser.InlineParser.
func (e emphasis) Trigger() []byte { return []byte(e.signs) }

// IsDelimiter implements parser.DelimiterProcessor.
func (e emphasis) IsDelimiter(c byte) bool { return strings.IndexByte(e.signs, c) >= 0 }

// CanOpenCloser implements parser.DelimiterProcessor.
func (emphasis) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch implements parser.DelimiterProcessor.
func (e emphasis) OnMatch(signs int) ast.Node { return e.node(signs) }

// Parse implements parser.InlineParser.
func (e emphasis) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	run := parser.ScanDelimiter(line, before, 1, e)
	if run == nil || run.OriginalLength > e.most || e.most == 2 && before == '~' {
		return nil
	}
	after, size := utf8.DecodeRune(line[run.OriginalLength:])
	if size == 0 {
		after = '\n'
	}
	if isWide(before) || isWide(after) {
		run.CanOpen, run.CanClose = flanks(before, after, run.Char == '_')
	}
	run.Segment = segment.WithStop(segment.Start + run.OriginalLength)
	block.Advance(run.OriginalLength)
	pc.PushDelimiter(run)
	return run
}

// flanks reports whether a run between two characters, of which one is wide, opens and closes. Within a word, underscores
// do neither.
func flanks(before, after rune, underscores bool) (opens, closes bool) {
	separate := func(r rune) bool { return util.IsSpaceRune(r) || util.IsPunctRune(r) || isWide(r) }
	narrowSign := func(r rune) bool { return util.IsPunctRune(r) && !isWide(r) }
	opens = !util.IsSpaceRune(after) && (!narrowSign(after) || separate(before))
	closes = !util.IsSpaceRune(before) && (!narrowSign(before) || separate(after))
	if underscores {
		return opens && (!closes || util.IsPunctRune(before)), closes && (!opens || util.IsPunctRune(after))
	}
	return opens, closes
}
