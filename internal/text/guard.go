package text

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"agora/internal/forum"
)

// Limits of Markdown. Without them goldmark takes seconds, or gigabytes, for a malicious text of
// forum.MaxContent. What exceeds a limit is shown as written. Ordinary texts come nowhere close to
// one.
const (
	// maxQuotes is the maximum nesting depth of lists and quotes: goldmark visits all open ones for
	// each line.
	maxQuotes = 16
	// maxQuotedLines is the maximum of a text's lines times the depth of its lists and quotes.
	maxQuotedLines = 64_000
	// maxLists is the maximum number of lists and quotes in a text: they cost more than their few
	// characters.
	maxLists = 2_000
	// maxMarkers is how many markers of a kind (emphasis, links) are considered in one
	// paragraph: goldmark may read all earlier or all later text for each.
	maxMarkers = 500
	// maxTicks is the maximum number of backticks that begin inline code.
	maxTicks = 32
	// maxCells is the maximum number of cells in the tables of a text. Short rows are padded, so a
	// wide and long table grows quadratically; one that is written out has fewer cells than
	// characters.
	maxCells = forum.MaxContent / 8
	// maxEscapedPipes is the maximum number of escaped pipes in the tables of a text: goldmark
	// compares each with all others.
	maxEscapedPipes = 1_000
	// maxFootnotes is the maximum number of footnotes in a text: each reference is compared with all.
	maxFootnotes = 100
	// maxBoxes is the maximum number of check boxes in a text: each costs more than its few characters.
	maxBoxes = 1_000
	// maxReferences is the maximum number of references to footnotes in a text: each makes two links.
	maxReferences = 1_000
	// moreDestinations is by how many bytes the addresses and titles that references to definitions
	// repeat may be longer than the text, as they are rendered.
	moreDestinations = 1_024
	// maxDestination is the maximum length of the address of one link, in bytes.
	maxDestination = 4_096
	// maxScanned is how many bytes of the addresses of links are scanned in a text: each unclosed one
	// would be read to the end of its line.
	maxScanned = 8 * forum.MaxContent
	// maxBareLinks is the maximum number of bare links in a text.
	maxBareLinks = 4_000
)

// openedKey is the key of the number of lists and quotes in a text, deepestKey that of their
// maximum depth.
var openedKey, deepestKey = parser.NewContextKey(), parser.NewContextKey()

// shallow limits a parser of lists, quotes or footnotes: nesting to maxQuotes and, times all lines, to
// maxQuotedLines, and their number to maxLists.
type shallow struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindList || n.Kind() == ast.KindBlockquote || n.Kind() == extension.KindFootnote {
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

// notes limits the parser of footnotes to maxFootnotes.
type notes struct{ shallow }

// Open implements parser.BlockParser.
func (n notes) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	found, _ := pc.Get(footnotesKey).(int)
	if found >= maxFootnotes {
		return nil, parser.NoChildren
	}
	node, state := n.shallow.Open(parent, reader, pc)
	if node != nil {
		pc.Set(footnotesKey, found+1)
	}
	return node, state
}

// references limits the parser of references to footnotes to maxReferences.
type references struct{ capped }

// Parse implements parser.InlineParser.
func (r references) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	found, _ := pc.Get(referencesKey).(int)
	if found >= maxReferences {
		return nil
	}
	node := r.capped.Parse(parent, block, pc)
	if node != nil {
		pc.Set(referencesKey, found+1)
	}
	return node
}

var (
	footnotesKey  = parser.NewContextKey()
	referencesKey = parser.NewContextKey()
	boxesKey      = parser.NewContextKey()
)

// boxes passes to the parser of check boxes only those before white space, because others are links, and at most maxBoxes.
type boxes struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (b boxes) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if line, _ := block.PeekLine(); len(line) <= len("[ ]") || !util.IsSpace(line[len("[ ]")]) {
		return nil
	}
	found, _ := pc.Get(boxesKey).(int)
	if found >= maxBoxes {
		return nil
	}
	node := b.InlineParser.Parse(parent, block, pc)
	if node != nil {
		pc.Set(boxesKey, found+1)
	}
	return node
}

// capped passes only the first maxMarkers markers of each paragraph to an inline parser.
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

// closed limits how much of unclosed addresses the parser of links reads.
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

// exhausted counts n more scanned bytes and reports whether maxScanned is reached.
func exhausted(pc parser.Context, n int) bool {
	scanned, _ := pc.Get(scannedKey).(int)
	if scanned < maxScanned {
		scanned += n
		pc.Set(scannedKey, scanned)
	}
	return scanned >= maxScanned
}

// destination returns the length of the link address at the beginning of a line, as goldmark reads
// it, and whether it ends within the line.
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

// ticks keeps the parser of inline code from searching again for an end that is known to be missing
// in the rest of the paragraph.
type ticks struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (t ticks) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	n := len(line) - len(bytes.TrimLeft(line, "`"))
	// Bit n is set for an unclosed run of n backticks.
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

var bareLinksKey = parser.NewContextKey()

var (
	escapedPipesKey = parser.NewContextKey()
	cellsKey        = parser.NewContextKey()
)

// bounded skips the parser of tables for paragraphs with which the text's tables might exceed
// maxCells.
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

// thrifty removes the destinations of references to definitions after they are longer than the text by moreDestinations;
// the text of the references remains. It shows bare links within links as text.
type thrifty struct{}

// Transform implements parser.ASTTransformer.
func (thrifty) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	left := len(reader.Source()) + moreDestinations
	var nested []*ast.AutoLink
	links := 0 // those that are open
	// The function never returns an error.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Link:
			links += opened(entering)
			if entering && n.Reference != nil {
				left = charge(left, &n.Destination, &n.Title)
			}
		case *ast.Image:
			links += opened(entering)
			if entering && n.Reference != nil {
				left = charge(left, &n.Destination, &n.Title)
			}
		case *ast.AutoLink:
			if entering && links > 0 {
				nested = append(nested, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, n := range nested {
		label := ast.NewString(n.Label(reader.Source()))
		label.SetRaw(true)
		n.Parent().ReplaceChild(n.Parent(), n, label)
	}
}

// opened returns by how many more elements are open.
func opened(entering bool) int {
	if entering {
		return 1
	}
	return -1
}

// charge subtracts the lengths from what is left, or clears the texts if it is too little.
func charge(left int, destination, title *[]byte) int {
	cost := len(*destination) + len(*title)
	for _, c := range *destination {
		if c >= utf8.RuneSelf { // escaped
			cost += len("%FF") - 1
		}
	}
	if cost > left {
		*destination, *title = nil, nil
		return left
	}
	return left - cost
}
