package text

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/idna"
	"golang.org/x/text/width"
)

// maxHost is the maximum length of a host in a bare link, in bytes. Source: RFC 1035, 2.3.4, with three bytes for each
// letter.
const maxHost = 3 * 253

// addresses is the inline parser of bare links and e-mail addresses. They end where those of GitHub Flavored Markdown do,
// but punctuation is that of all scripts, and words need no spaces around them where the script has none.
type addresses struct{}

// Trigger implements parser.InlineParser. Letters cannot trigger, so an address is found at its first sign.
func (addresses) Trigger() []byte { return []byte{':', '.', '@', '_'} }

// Parse implements parser.InlineParser.
func (addresses) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	found, _ := pc.Get(bareLinksKey).(int)
	if segment.Padding > 0 || found >= maxBareLinks {
		return nil
	}
	// The address begins within the text that was read last.
	begin, at := segment.Start, segment.Start
	last, ok := parent.LastChild().(*ast.Text)
	if ok && last.Segment.Stop == at && !last.SoftLineBreak() && !last.HardLineBreak() {
		begin = last.Segment.Start
	}
	s := block.Source()[:at+len(line)]
	start, end, kind := findAddress(s, begin, at)
	if start < 0 || end-start > maxDestination {
		return nil
	}
	pc.Set(bareLinksKey, found+1)
	if start == begin && begin < at {
		parent.RemoveChild(parent, last)
	} else if begin < at {
		last.Segment = last.Segment.WithStop(start)
	}
	block.Advance(end - at)
	link := ast.NewAutoLink(kind, ast.NewTextSegment(text.NewSegment(start, end)))
	if kind == ast.AutoLinkURL && line[0] == '.' {
		link.Protocol = []byte("http")
	}
	return link
}

// findAddress returns where the address begins and ends whose first sign is s[at], and which has no byte before begin;
// start is -1 if there is none.
func findAddress(s []byte, begin, at int) (start, end int, kind ast.AutoLinkType) {
	switch before := s[begin:at]; s[at] {
	case ':':
		for _, scheme := range []string{"https", "http"} {
			start := at - len(scheme)
			if !endsWith(before, scheme) || !bytes.HasPrefix(s[at:], []byte("://")) || !beginsWord(lastOf(s[:start]), "<") {
				continue
			}
			if n := addressLength(s[at+len("://"):]); n > 0 {
				return start, at + len("://") + n, ast.AutoLinkURL
			}
		}
	case '.':
		start := at - len("www")
		if endsWith(before, "www") && beginsWord(lastOf(s[:start]), "<./@-") {
			if n := addressLength(s[at+1:]); n > 0 {
				return start, at + 1 + n, ast.AutoLinkURL
			}
		}
	default:
		start := at - localLength(before)
		sign := at + bytes.IndexFunc(s[at:min(len(s), at+maxLocal)], func(r rune) bool { return r > unicode.MaxASCII || !inLocal(byte(r)) })
		if sign <= start || s[sign] != '@' || sign-start > maxLocal || !beginsWord(lastOf(s[:start]), `</@\_`) {
			break
		}
		n := hostLength(s[sign+1:])
		if end := sign + 1 + n; n > 0 && (end == len(s) || !strings.ContainsRune("-_@", rune(s[end]))) {
			return start, end, ast.AutoLinkEmail
		}
	}
	return -1, 0, 0
}

// lastOf returns the end of s that has its last character.
func lastOf(s []byte) string { return string(s[max(0, len(s)-utf8.UTFMax):]) }

// endsWith reports whether s ends with an ASCII suffix, in any case.
func endsWith(s []byte, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(string(s[len(s)-len(suffix):]), suffix)
}

// localLength returns how many bytes at the end of s may begin an e-mail address.
func localLength(s []byte) int {
	n := 0
	for n < min(len(s), maxLocal+1) && inLocal(s[len(s)-n-1]) {
		n++
	}
	for n > 0 && s[len(s)-n] == '.' {
		n--
	}
	return n
}

// inLocal reports whether an e-mail address may have c before its '@'. Source: GitHub Flavored Markdown, 6.9.
func inLocal(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || strings.IndexByte(".-_+", c) >= 0
}

// addressLength returns the length of the host at the start of s with port, path, query and fragment, 0 if it has no host.
func addressLength(s []byte) int {
	host := hostLength(s)
	if host == 0 {
		return 0
	}
	end := host
	if end < len(s) && s[end] == ':' {
		for end++; end < len(s) && s[end] >= '0' && s[end] <= '9'; end++ {
		}
		if s[end-1] == ':' {
			return host
		}
	}
	switch {
	case end == len(s):
		return end
	case s[end] == '@': // a user name; it would look like a host
		return 0
	case s[end] != '/' && s[end] != '?' && s[end] != '#':
		return end
	}
	var open [len(openers)]int
	for end < min(len(s), maxDestination) {
		r, size := utf8.DecodeRune(s[end:])
		if endsAddress(r) {
			break
		}
		if pair := strings.IndexRune(openers, r); pair >= 0 {
			open[pair]++
		} else if pair := strings.IndexRune(closers, r); pair >= 0 {
			if open[pair]--; open[pair] < 0 {
				break
			}
		}
		end += size
	}
	return len(trimAddress(s[:end]))
}

// openers and closers are part of addresses in pairs only.
const (
	openers = "[{「『《〈“"
	closers = "]}」』》〉”"
)

// endsAddress reports whether r is in no address. Some of this punctuation would be allowed, but brings its own space: in
// text of such scripts, no other one is between an address and what follows.
func endsAddress(r rune) bool {
	switch {
	case unicode.IsSpace(r), unicode.IsControl(r), strings.ContainsRune("<\"`\\", r):
		return true
	case r < utf8.RuneSelf:
		return false
	case unicode.Is(unicode.Cf, r):
		return r != zeroWidthJoiner && r != zeroWidthNonJoiner
	case strings.ContainsRune(openers+closers+"：", r): // as in titles
		return false
	}
	return isWide(r) && unicode.In(r, unicode.Terminal_Punctuation, unicode.Ps, unicode.Pe) ||
		unicode.Is(unicode.Noncharacter_Code_Point, r)
}

const (
	zeroWidthNonJoiner = '\u200C'
	zeroWidthJoiner    = '\u200D'
)

// isWide reports whether r is as wide as a letter of Chinese, or the half of one.
func isWide(r rune) bool {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth, width.EastAsianHalfwidth:
		return true
	}
	return false
}

// trimAddress returns an address without the punctuation of the sentence around it.
func trimAddress(s []byte) []byte {
	unmatched := bytes.Count(s, []byte(")")) - bytes.Count(s, []byte("("))
	for len(s) > 0 {
		r, size := utf8.DecodeLastRune(s)
		switch {
		case r == ')' && unmatched > 0:
			unmatched--
		case r == ';':
			// An entity: &copy;
			name := bytes.TrimRightFunc(s[:len(s)-1], func(r rune) bool { return r < utf8.RuneSelf && inLocal(byte(r)) })
			if !bytes.HasSuffix(name, []byte("&")) || len(name) == len(s)-1 {
				return s
			}
			size = len(s) - len(name) + 1
		case !trails(r):
			return s
		}
		s = s[:len(s)-size]
	}
	return s
}

// trails reports whether r at the end of an address belongs to the sentence around it.
func trails(r rune) bool {
	switch {
	case strings.ContainsRune(openers, r):
		return true
	case strings.ContainsRune(closers, r): // of a pair
		return false
	case r < utf8.RuneSelf:
		return strings.ContainsRune("?!.,:*_~'>", r)
	}
	return r == '…' || unicode.In(r, unicode.Terminal_Punctuation, unicode.Quotation_Mark, unicode.Ps, unicode.Pd)
}

// hostLength returns the length of the host at the start of s, a name with a dot that browsers look up; 0 if there is none.
func hostLength(s []byte) int {
	name := s[:min(len(s), maxHost+1)]
	if n := bytes.IndexFunc(name, func(r rune) bool { return !inHost(r) }); n >= 0 {
		name = name[:n]
	}
	name = bytes.TrimRight(name, "._-")
	dot := bytes.LastIndexByte(name, '.')
	if dot <= 0 || len(name) > maxHost {
		return 0
	}
	// After a name such as example.org, text goes on without a space: no last label is in two scripts.
	if last := name[dot+1:]; last[0] < utf8.RuneSelf {
		if n := bytes.IndexFunc(last, unspaced); n >= 0 {
			name = bytes.TrimRight(name[:dot+1+n], "_-")
		}
	}
	before := bytes.LastIndexByte(name[:dot], '.')
	if bytes.Contains(name, []byte("..")) || bytes.IndexByte(name[before+1:], '_') >= 0 || name[0] == '.' {
		return 0
	}
	if bytes.IndexFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		if _, err := idna.Lookup.ToASCII(string(name[before+1:])); err != nil {
			return 0
		}
	}
	return len(name)
}

// inHost reports whether the name of a host may have r.
func inHost(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '.' || r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.So) || r == '·' || r == '・' || r == zeroWidthNonJoiner ||
		r == zeroWidthJoiner
}
