package text

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"agora/internal/forum"
)

// The bounds of Markdown. Without them goldmark takes seconds, or gigabytes, for
// a text of forum.MaxContent that was written to this end. What is beyond a bound
// is shown as it was written, and no text of a person comes near one.
const (
	// maxQuotes is how deep lists and quotes may stand in each other: with
	// each line, goldmark looks at all that are open.
	maxQuotes = 16
	// maxMarkers is how many markers of a kind (of emphasis, links, bare links)
	// are looked at in one paragraph: goldmark may read all earlier or all
	// later text with each.
	maxMarkers = 1_000
	// maxTicks is how many backticks an inline code may begin with.
	maxTicks = 32
	// maxCells is how many cells a table may have. Short rows are filled up,
	// so that a wide and long table grows quadratically; one that is written
	// out in full has fewer cells than characters.
	maxCells = forum.MaxContent
	// maxEscapedPipes is how many escaped pipes the tables of a text may hold:
	// goldmark compares each with all others.
	maxEscapedPipes = 1_000
	// maxDestinations is how many bytes the addresses and titles of all links
	// may have together: a definition counts with each reference to it.
	maxDestinations = 4 * forum.MaxContent
	// maxLead is how far before the '@' of a bare e-mail address one may begin.
	maxLead = maxLocal + 2
)

// shallow keeps a parser of lists or quotes from opening more than maxQuotes
// within each other.
type shallow struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindList || n.Kind() == ast.KindBlockquote {
			depth++
		}
	}
	if depth >= maxQuotes {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// capped lets an inline parser see only the first maxMarkers of its markers in
// each paragraph.
type capped struct {
	parser.InlineParser
	seen parser.ContextKey
}

func newCapped(p parser.InlineParser) capped { return capped{p, parser.NewContextKey()} }

// Parse implements parser.InlineParser.
func (c capped) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	seen, _ := pc.Get(c.seen).(int)
	if seen == maxMarkers {
		return nil
	}
	pc.Set(c.seen, seen+1)
	return c.InlineParser.Parse(parent, block, pc)
}

// CloseBlock implements parser.CloseBlocker.
func (c capped) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	pc.Set(c.seen, 0)
	if p, ok := c.InlineParser.(parser.CloseBlocker); ok {
		p.CloseBlock(parent, block, pc)
	}
}

var unclosedKey = parser.NewContextKey()

// ticks keeps the parser of inline code from looking for an end that, as it has
// found out before, does not stand in the rest of the paragraph.
type ticks struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (t ticks) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	n := len(line) - len(bytes.TrimLeft(line, "`"))
	// Bit n stands for a run of n backticks that is not closed.
	unclosed, _ := pc.Get(unclosedKey).(uint64)
	if n > maxTicks || unclosed&(1<<n) != 0 {
		block.Advance(n)
		return ast.NewTextSegment(segment.WithStop(segment.Start + n))
	}
	node := t.InlineParser.Parse(parent, block, pc)
	if node != nil && node.Kind() == ast.KindText {
		pc.Set(unclosedKey, unclosed|1<<n)
	}
	return node
}

// CloseBlock implements parser.CloseBlocker.
func (ticks) CloseBlock(_ ast.Node, _ text.Reader, pc parser.Context) {
	pc.Set(unclosedKey, nil)
}

// near asks the parser of bare links only where one can begin: it would look for
// the '@' of an e-mail address up to the end of the text, from every word.
type near struct{ capped }

// Parse implements parser.InlineParser.
func (n near) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	lead := line[:min(len(line), maxLead)]
	// A link begins with the line or after the character that called us.
	begins := func(prefix string) bool {
		return bytes.HasPrefix(lead, []byte(prefix)) || bytes.HasPrefix(lead[1:], []byte(prefix))
	}
	if !begins("http") && !begins("www.") && bytes.IndexByte(lead, '@') < 0 {
		return nil
	}
	return n.capped.Parse(parent, block, pc)
}

var escapedPipesKey = parser.NewContextKey()

// bounded keeps the parser of tables off paragraphs that would become a table of
// more than maxCells.
type bounded struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (b bounded) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	columns := 0
	escaped, _ := pc.Get(escapedPipesKey).(int)
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		columns = max(columns, 1+bytes.Count(line.Value(reader.Source()), []byte("|")))
		escaped += bytes.Count(line.Value(reader.Source()), []byte(`\|`))
	}
	if columns*node.Lines().Len() > maxCells || escaped > maxEscapedPipes {
		return
	}
	pc.Set(escapedPipesKey, escaped)
	b.ParagraphTransformer.Transform(node, reader, pc)
}

// thrifty takes the destinations from links once those before have used up
// maxDestinations; their text stays.
type thrifty struct{}

// Transform implements parser.ASTTransformer.
func (thrifty) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	left := maxDestinations
	// The walk ends with the tree: the function returns no error.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			left = charge(left, &n.Destination, &n.Title)
		case *ast.Image:
			left = charge(left, &n.Destination, &n.Title)
		}
		return ast.WalkContinue, nil
	})
}

// charge takes the lengths from what is left, and the texts if it is too little.
func charge(left int, destination, title *[]byte) int {
	cost := len(*destination) + len(*title)
	if cost > left {
		*destination, *title = nil, nil
		return left
	}
	return left - cost
}
