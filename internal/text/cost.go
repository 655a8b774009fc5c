package text

import (
	"strings"
	"unicode/utf8"

	"agora/internal/forum"
)

// Costs are in bytes of a text that is read, or of one that is written (see breadth.StringSize). For each of them the
// server allocates at most 3.3 bytes.

// renderCosts are what each byte of a text costs to render. They are measured: rendering hostileTexts allocates at most
// 3.3 bytes for each unit (TestCostsCoverHostileTexts).
var renderCosts = map[forum.ContentFormat]*[256]int{
	forum.Markdown: costs(6, map[string]int{"\n": 180, "*_[]()<>!`~|&#:@\\+-": 130, "'\"": 40, "\x00": 14}),
	forum.HTML:     costs(7, map[string]int{"<": 350, "&": 48, ">@'\"": 40, "\x00": 14}),
}

// costs returns the costs of all bytes, of which some cost more than usual.
func costs(usual int, more map[string]int) *[256]int {
	var all [256]int
	for c := range all {
		all[c] = usual
	}
	for set, cost := range more {
		for i := range len(set) {
			all[set[i]] = cost
		}
	}
	return &all
}

// RenderedByte is the least that a byte of a rendered text costs: so a text is rendered to at most RenderCost /
// RenderedByte bytes.
const RenderedByte = 4

// What addresses cost in addition: they are copied several times, and escaped.
const (
	linkCost        = 900 // each bare link, check box, reference to a footnote or number of a list
	addressByteCost = 6   // each byte of an address
	escapedByteCost = 36  // each byte of a letter beyond ASCII
	loginByteCost   = 20  // each byte of the longest login that a text names, for each sign of a mention
	definitionCost  = 24  // each byte of a text with a definition, whose references repeat the address
)

// RenderCost returns what it costs to render a text as HTML does.
func RenderCost(s Source) int {
	of := renderCosts[forum.Markdown]
	if s.Format == forum.HTML {
		of = renderCosts[forum.HTML]
	}
	cost := 0
	for i := range len(s.Content) {
		cost += of[s.Content[i]]
	}
	longest := 0
	for _, m := range s.Mentions {
		longest = max(longest, len(m.Login))
	}
	if longest > 0 {
		signs := strings.Count(s.Content, "@") + strings.Count(s.Content, "&")
		cost += min(signs, maxSigns) * longest * loginByteCost
	}
	if s.Format == forum.HTML {
		return cost + tagsCost(s.Content)
	}
	if strings.Contains(s.Content, "]:") {
		cost += (len(s.Content) + moreDestinations) * definitionCost
	}
	return cost + addressesCost(s.Content)
}

// tagsCost returns what the attributes of HTML cost in addition.
func tagsCost(s string) int {
	cost := 0
	for {
		_, tag, found := strings.Cut(s, "<")
		if !found {
			return cost
		}
		tag, s, _ = strings.Cut(tag, ">")
		for i := range len(tag) {
			if tag[i] >= utf8.RuneSelf {
				cost += escapedByteCost
			}
		}
	}
}

// inAddresses has the bytes with which addressesCost counts something.
var inAddresses = [256]bool{':': true, '.': true, '@': true, '^': true, ']': true, '(': true, '<': true}

// addressesCost returns what the addresses in Markdown cost in addition. Some of what it takes for an address is none.
func addressesCost(s string) int {
	cost, bare, boxes, references, lists := 0, 0, 0, 0, 0
	end := 0                         // of the address that was found last
	left := maxAddressScans * len(s) // how many bytes may be searched for ends of addresses
	for i := range len(s) {
		c := s[i]
		if i < end {
			cost += addressByteCost
			if c >= utf8.RuneSelf {
				cost += escapedByteCost
			}
		}
		if !inAddresses[c] {
			continue
		}
		length := addressAfter
		switch before, after := around(s, i); {
		case c == ':' && after == '/', c == '.' && before|0x20 == 'w':
			bare++
			length = bareAfter
		case c == '@' && inLocal(before):
			bare++
			continue
		case c == '.' && before >= '0' && before <= '9' && after == ' ':
			lists++
			continue
		case c == '^' && before == '[':
			references++
			continue
		case c == ']' && strings.IndexByte(" xX\t", before) >= 0:
			boxes++
			continue
		case before == ']' && (c == '(' || c == ':'):
			length = destinationAfter
		case c == '<' && after|0x20 >= 'a' && after|0x20 <= 'z':
		default:
			continue
		}
		if left <= 0 {
			end = len(s)
			continue
		}
		n := length(s[i+1:])
		left -= n
		end = max(end, i+1+n)
	}
	return cost + linkCost*(min(bare, maxBareLinks)+min(boxes, maxBoxes)+min(references, maxReferences)+min(lists, maxLists))
}

// maxAddressScans is how many times a text is searched for the ends of its addresses. If they overlap more, all of the
// rest is taken for one.
const maxAddressScans = 8

// around returns the bytes before and after s[i], 0 where there is none.
func around(s string, i int) (before, after byte) {
	if i > 0 {
		before = s[i-1]
	}
	if i+1 < len(s) {
		after = s[i+1]
	}
	return before, after
}

// bareAfter returns how long a bare link goes on in s, addressAfter one in angle brackets, and destinationAfter the
// destination of a link.
func bareAfter(s string) int { return lengthTo(s, strings.IndexFunc(s, endsAddress)) }

func addressAfter(s string) int { return lengthTo(s, strings.IndexAny(s, "> \n")) }

func destinationAfter(s string) int {
	white := len(s) - len(strings.TrimLeft(s, " \t\n"))
	n, _ := destination([]byte(s[white:min(len(s), white+maxDestination)]))
	return white + n
}

func lengthTo(s string, end int) int {
	if end < 0 {
		return len(s)
	}
	return end
}
