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
	// each line, goldmark looks at all that are open, and notes it.
	maxQuotes = 16
	// maxQuotedLines is how many lines a text may have, times the depth of lists and quotes.
	maxQuotedLines = 64_000
	// maxLists is how many lists and quotes a text may have: they cost more than what is
	// written for them.
	maxLists = 2_000
	// maxMarkers is how many markers of a kind (of emphasis, links, bare links)
	// are looked at in one paragraph: goldmark may read all earlier or all
	// later text with each.
	maxMarkers = 500
	// maxTicks is how many backticks an inline code may begin with.
	maxTicks = 32
	// maxCells is how many cells the tables of a text may have. Short rows are filled up,
	// so that a wide and long table grows quadratically; one that is written
	// out in full has fewer cells than characters.
	maxCells = forum.MaxContent / 8
	// maxEscapedPipes is how many escaped pipes the tables of a text may hold:
	// goldmark compares each with all others.
	maxEscapedPipes = 1_000
	// maxDestinations is how many bytes the addresses and titles of all links
	// may have together: a definition counts with each reference to it.
	maxDestinations = 4 * forum.MaxContent
	// maxDestination is how many bytes the address of one link may have.
	maxDestination = 4_096
	// maxScanned is how many bytes of the addresses of links, bare ones too, are looked at in
	// a text: each that has no end would be read up to the end of its line.
	maxScanned = 8 * forum.MaxContent
	// maxBareLinks is how many bare links a text may have.
	maxBareLinks = 4_000
	// maxLead is how far before the '@' of a bare e-mail address one may begin.
	maxLead = maxLocal + 2
)

// openedKey finds how many lists and quotes a text has, deepestKey how deep they may stand.
var openedKey, deepestKey = parser.NewContextKey(), parser.NewContextKey()

// shallow keeps a parser of lists or quotes from opening more than maxQuotes
// within each other, or maxQuotedLines with all lines, and more than maxLists in all.
type shallow struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindList || n.Kind() == ast.KindBlockquote {
			depth++
		}
	}
	opened, _ := pc.Get(openedKey).(int)
	deepest, known := pc.Get(deepestKey).(int)
	if !known {
		deepest = min(maxQuotes, maxQuotedLines/(1+bytes.Count(reader.Source(), []byte("\n"))))
		pc.Set(deepestKey, deepest)
	}
	if depth >= deepest || opened >= maxLists {
		return nil, parser.NoChildren
	}
	node, state := s.BlockParser.Open(parent, reader, pc)
	if node != nil {
		pc.Set(openedKey, opened+1)
	}
	return node, state
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

var scannedKey = parser.NewContextKey()

// closed keeps the parser of links from addresses that have no end within bounds.
type closed struct{ capped }

// Parse implements parser.InlineParser.
func (c closed) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if bytes.HasPrefix(line, []byte("](")) {
		if exhausted(pc, 0) {
			return nil
		}
		n, ends := destination(line[2:min(len(line), 2+maxDestination)])
		if exhausted(pc, n) || !ends && len(line) > 2+maxDestination {
			return nil
		}
	}
	return c.capped.Parse(parent, block, pc)
}

// exhausted counts n more bytes that are looked at and reports whether they are more than
// maxScanned.
func exhausted(pc parser.Context, n int) bool {
	scanned, _ := pc.Get(scannedKey).(int)
	if scanned < maxScanned {
		scanned += n
		pc.Set(scannedKey, scanned)
	}
	return scanned >= maxScanned
}

// destination is how long the address of a link is that begins a line, as goldmark reads
// it, and whether it ends before the line.
func destination(line []byte) (n int, ends bool) {
	start := len(line) - len(bytes.TrimLeft(line, " \t"))
	angle := start < len(line) && line[start] == '<'
	depth := 0
	for i := start; i < len(line); i++ {
		switch b := line[i]; {
		case b == '\\':
			i++
		case angle:
			if b == '>' {
				return i, true
			}
		case b == '(':
			depth++
		case b == ')':
			if depth--; depth < 0 {
				return i, true
			}
		case b <= ' ':
			return i, true
		}
	}
	return len(line), false
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
	// It reads up to the next space.
	rest := line[:min(len(line), maxDestination)]
	if end := bytes.IndexByte(rest[1:], ' '); end >= 0 {
		rest = rest[:end]
	}
	found, _ := pc.Get(bareLinksKey).(int)
	if found >= maxBareLinks || exhausted(pc, len(rest)) {
		return nil
	}
	node := n.capped.Parse(parent, block, pc)
	if node != nil {
		pc.Set(bareLinksKey, found+1)
	}
	return node
}

var bareLinksKey = parser.NewContextKey()

var (
	escapedPipesKey = parser.NewContextKey()
	cellsKey        = parser.NewContextKey()
)

// bounded keeps the parser of tables off paragraphs with which the tables of a text
// could have more than maxCells.
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
	cells, _ := pc.Get(cellsKey).(int)
	if columns > 1 {
		cells += columns * node.Lines().Len()
	}
	if cells > maxCells || escaped > maxEscapedPipes {
		return
	}
	pc.Set(cellsKey, cells)
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
