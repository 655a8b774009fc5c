package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"

	"agora/internal/forum"
)

// Limits of the title of a STATUS, in code points. A longer line is cut at the end of a word,
// unless that would leave less than minStatusTitle.
const (
	maxStatusTitle = 80
	minStatusTitle = 40
)

// StatusTitle returns the title of a STATUS: the start of its first line as plain text. Line
// accepts it, and it is not empty if Body accepts the content with min 1.
func StatusTitle(content string, format forum.ContentFormat) string {
	line := firstLine(plainLines(show(Source{Content: content, Format: format}, Images{}, func(string, bool) string { return "" })))
	if line == "" { // a picture, a rule: only markup
		line = firstLine(content)
	}
	return Shorten(line, maxStatusTitle, minStatusTitle)
}

// firstLine returns the first line of s with visible characters, or "".
func firstLine(s string) string {
	for line := range strings.SplitSeq(s, "\n") {
		if line = oneLine(line); !blank(line) {
			return line
		}
	}
	return ""
}

// inline are the elements that continue a line; all others end it.
var inline = map[string]bool{
	"span": true, "code": true, "kbd": true, "samp": true, "var": true, "em": true, "strong": true, "b": true, "i": true,
	"u": true, "s": true, "strike": true, "del": true, "ins": true, "sub": true, "sup": true, "small": true, "mark": true,
	"abbr": true, "cite": true, "dfn": true, "q": true, "a": true, "img": true, "wbr": true, "bdi": true,
	"ruby": true, "rb": true, "rt": true, "rp": true,
}

// plainLines returns the text of rendered HTML, with a line feed where a line ends.
func plainLines(shown string) string {
	z := html.NewTokenizer(strings.NewReader(shown))
	var lines strings.Builder
	preformatted, sign := false, false
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		t := z.Token()
		switch {
		case kind == html.TextToken && sign:
		case kind == html.TextToken && preformatted:
			lines.WriteString(t.Data)
		case kind == html.TextToken:
			lines.WriteString(strings.ReplaceAll(t.Data, "\n", " "))
		case !inline[t.Data]:
			lines.WriteByte('\n')
		}
		if t.Data == "pre" && kind != html.TextToken {
			preformatted = kind == html.StartTagToken
		}
		sign = leadsToNote(t)
	}
	return lines.String()
}

// oneLine returns s with its white space collapsed, in NFC, without characters that Line refuses.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), breaksLine(r), unicode.Is(unicode.Noncharacter_Code_Point, r):
			return -1
		}
		return r
	}, s)
	return norm.NFC.String(strings.Join(strings.Fields(s), " "))
}

// Shorten truncates a text of more than most code points, of which the last is an ellipsis: at the end of a word, unless
// that would leave less than least.
func Shorten(line string, most, least int) string {
	if utf8.RuneCountInString(line) <= most {
		return line
	}
	cut := Truncate(line, most-1) // and the ellipsis
	if next, _ := utf8.DecodeRuneInString(line[len(cut):]); !unicode.IsSpace(next) {
		if end := strings.LastIndexFunc(cut, unicode.IsSpace); end >= 0 && utf8.RuneCountInString(cut[:end]) >= least {
			cut = cut[:end]
		}
	}
	return strings.TrimRightFunc(cut, unicode.IsSpace) + "…"
}

// Truncate returns the start of a text, at most that many code points, without a part of a character that has several
// (a grapheme cluster: Unicode Standard Annex 29), unless the first one alone has more.
func Truncate(s string, most int) string {
	end, n := 0, 0
	for each := graphemes.FromString(s); each.Next(); end = each.End() {
		if n += utf8.RuneCountInString(each.Value()); n <= most {
			continue
		}
		if end == 0 {
			return string([]rune(each.Value())[:most])
		}
		return s[:end]
	}
	return s
}
