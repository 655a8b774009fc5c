package text

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"agora/internal/forum"
)

// fill repeats s up to the longest text.
func fill(s string) string { return strings.Repeat(s, forum.MaxContent/utf8.RuneCountInString(s)) }

// halves returns the longest text of openers and then closers.
func halves(open, closing string) string {
	return fill(open)[:len(fill(open))/2] + fill(closing)[:len(fill(closing))/2]
}

// lengths returns inline code with ever longer openers, none of which is closed.
func lengths(end string) string {
	var b strings.Builder
	for n := 1; b.Len()+n < forum.MaxContent-2; n++ {
		b.WriteString("e" + strings.Repeat("`", n) + end)
	}
	return b.String()
}

// footnotes returns a text with n footnotes.
func footnotes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a[^%d]\n\n[^%d]: b\n\n", i, i)
	}
	return b.String()
}

// wide is the number of columns of a table that is as long as it is wide.
const wide = 2_000

// hostileTexts have the maximum length and are designed to take long.
var hostileTexts = map[string]string{
	"quotes":                    fill(">"),
	"quotes on many lines":      fill(strings.Repeat(">", 255) + "\n"),
	"lists":                     fill("1. "),
	"lists and blank lines":     strings.Repeat("+ - ", 8_000) + "a" + strings.Repeat("\n", 32_000) + "a",
	"lists and quotes":          fill("- > "),
	"list items":                fill("- - - - a\n"),
	"changing bullets":          fill("+\n-\n*\n"),
	"brackets":                  fill("["),
	"closed brackets":           halves("[", "]"),
	"brackets on lines":         halves("[\n", "]\n"),
	"images":                    halves("![", "](b)"),
	"links without end":         fill("[a]("),
	"Chinese links without end": fill("[中](中"),
	"titles without end":        fill("[a](b \""),
	"references":                fill("[a]\n"),
	"definitions":               fill("[a]: b\n"),
	"one long definition": "[a]: /" + strings.Repeat(
		"b",
		forum.MaxContent/2,
	) + "\n\n" + strings.Repeat(
		"[a] ",
		forum.MaxContent/8,
	),
	"stars":                 fill("*"),
	"stars and letters":     fill("*a"),
	"stars and underscores": fill("*a_ "),
	"nested emphasis":       halves("**a ", "a** "),
	"underscores":           fill("_a"),
	"tildes":                fill("*a~ "),
	"inline code":           lengths(""),
	"inline code on lines":  lengths("\n"),
	"escaped inline code":   fill("\\``\n"),
	"angle brackets":        fill("<a@a."),
	"wide and long table": strings.Repeat(
		"|a",
		wide,
	) + "\n" + strings.Repeat(
		"|-",
		wide,
	) + "\n" + strings.Repeat(
		"a\n",
		28_000,
	),
	"table of escaped pipes":   "|a|\n|-|\n" + fill("|`\\|`|\n"),
	"many tables":              fill("a\n-|-\n"),
	"headings":                 fill("a\n-\n"),
	"hosts":                    fill("*www.a"),
	"hosts in hosts":           fill("_www."),
	"addresses":                fill("a@a.a "),
	"long address":             fill("_") + "@" + fill("a."),
	"backslashes":              fill("\\"),
	"ampersands":               fill("&#x"),
	"white space":              fill(" \t\n"),
	"mentions":                 fill("@bob "),
	"mentions without a login": fill("@中文 "),
	"long mention":             "@" + fill("a"),
	"dotted mention":           "@" + fill("."),
	"elements":                 fill("<div>"),
	"closed elements":          halves("<div>", "</div>"),
	"end tags of others":       halves("<div>", "</b>"),
	"overlapping elements":     fill("<b><i></b>"),
	"links in links":           fill("<a href=x>"),
	"attributes":               "<a " + fill("a=b ") + ">",
	"comments":                 fill("<!--"),
	"skipped elements":         halves("<object>", "</object>"),
	"bare links":               fill("www.a.a "),
	"bare links with a scheme": fill("http://a.a "),
	"bare links in Chinese":    fill("http://中.中/中 "),
	"bare links without space": fill("http://a.a、"),
	"long bare links":          fill("http://a.a/" + strings.Repeat("a", 4_000) + " "),
	"long Chinese bare links":  fill("http://a.a/" + strings.Repeat("中", 1_300) + " "),
	"long Chinese links":       fill("[a](http://a.a/" + strings.Repeat("中", 1_300) + ") "),
	"Chinese links":            fill("[a](</" + strings.Repeat("中 ", 2_000) + ">) "),
	"Chinese destination":      "[a](/" + fill("中"),
	"Chinese definition":       "[a]: /" + halves("中", "[a] "),
	"Chinese definitions":      fill("[a]: /" + strings.Repeat("中", 1_000) + "\n[a]\n"),
	"short definition":         "[a]: /" + strings.Repeat("b", 500) + "\n\n" + strings.Repeat("[a] ", 500),
	"Chinese automatic link":   "<http://a.a/" + fill("中") + ">",
	"Chinese attribute":        `<a href="/` + fill("中") + `">a</a>`,
	"schemes":                  fill("http://"),
	"signs of addresses":       fill("a_@"),
	"hosts without end":        fill("http://a."),
	"brackets in addresses":    "http://a.a/" + fill("「"),
	"parentheses in addresses": fill("http://a.a/" + strings.Repeat(")", 4_000) + " "),
	"entities in addresses":    fill("http://a.a/" + strings.Repeat("&a;", 1_000) + " "),
	"footnotes":                fill("[^a]: b\n\n"),
	"footnotes in footnotes":   fill("[^a]: "),
	"references to a footnote": fill("[^a] ") + "\n\n[^a]: b",
	"footnotes without end":    "[^a]: b\n\n" + fill("[^"),
	"numbered lists":           fill("1. 1. 1. 1. \n\n"),
	"check boxes":              fill("- [x] a\n"),
	"emphasis in Chinese":      fill("**中："),
	"quotation marks":          fill("'"),
	"combining marks":          fill("\u0301"),
	"Chinese":                  fill("中*"),
	"NUL":                      fill("\x00"),
}

// TestHostileTexts renders hostileTexts. Each takes well under half a second with the limits of
// guard.go; without them many take seconds, some gigabytes. The test asserts that the output grows
// linearly with the input.
func TestHostileTexts(t *testing.T) {
	// Mentions grow most: from five bytes to fifty-six.
	const growth = 20
	for name, text := range hostileTexts {
		for _, format := range []forum.ContentFormat{forum.Markdown, forum.HTML} {
			t.Run(name+" in "+string(format), func(t *testing.T) {
				t.Parallel()
				if got := len(HTML(text, format, known)); got > growth*len(text) {
					t.Errorf("HTML of %d bytes has %d bytes; want at most %d times as many", len(text), got, growth)
				}
				mentioned, quoted := MentionedLogins(text, format)
				if got := len(mentioned) + len(quoted); got > forum.MaxMentions {
					t.Errorf("MentionedLogins found %d; want at most %d", got, forum.MaxMentions)
				}
			})
		}
	}
}

func TestBoundsOfMarkdown(t *testing.T) {
	tests := []struct {
		name    string
		content string
		part    string
		want    int
	}{
		{"quotes", strings.Repeat(">", maxQuotes) + "a", "<blockquote>", maxQuotes},
		{"one more quote", strings.Repeat(">", maxQuotes+1) + "a", "<blockquote>", maxQuotes},
		{"the extra quote is text", strings.Repeat(">", maxQuotes+1) + "a", "&gt;a", 1},
		{"lists", strings.Repeat("+ ", maxQuotes) + "a", "<ul>", maxQuotes},
		{"one more list", strings.Repeat("+ ", maxQuotes+1) + "a", "<ul>", maxQuotes},
		{"emphasis", strings.Repeat("*a* ", maxMarkers/2), "<em>", maxMarkers / 2},
		{"one more emphasis", strings.Repeat("*a* ", maxMarkers/2+1), "<em>", maxMarkers / 2},
		{"emphasis in the next paragraph", strings.Repeat("*a* ", maxMarkers/2) + "\n\n*a*", "<em>", maxMarkers/2 + 1},
		{"links", strings.Repeat("[a](b) ", maxMarkers/2), "<a ", maxMarkers / 2},
		{"one more link", strings.Repeat("[a](b) ", maxMarkers/2+1), "<a ", maxMarkers / 2},
		{"links in the next paragraph", strings.Repeat("[a](b) ", maxMarkers/2) + "\n\n[a](b)", "<a ", maxMarkers/2 + 1},
		{"bare links", strings.Repeat("www.a.org ", maxBareLinks), "<a ", maxBareLinks},
		{"one more bare link", strings.Repeat("www.a.org ", maxBareLinks+1), "<a ", maxBareLinks},
		{"longest bare link", "http://a.a/" + strings.Repeat("a", maxDestination-11), "<a ", 1},
		{"longer bare link", "http://a.a/" + strings.Repeat("a", maxDestination-10), "<a ", 0},
		{"inline code", strings.Repeat("`a` ", 2*maxMarkers), "<code>", 2 * maxMarkers},
		{"inline code after an opener", "`` a `b`", "<code>", 1},
		{"inline code in the next paragraph", "`a\n\n`b`", "<code>", 1},
		{"most backticks", strings.Repeat("`", maxTicks) + "a" + strings.Repeat("`", maxTicks), "<code>", 1},
		{"one more backtick", strings.Repeat("`", maxTicks+1) + "a" + strings.Repeat("`", maxTicks+1), "<code>", 0},
		{"table of most cells", "|a|b\n|-|-\n" + strings.Repeat("|c\n", maxCells/3-2), "<td>", 2 * (maxCells/3 - 2)},
		{"table of more cells", "|a|b\n|-|-\n" + strings.Repeat("|c\n", maxCells/3-1), "<td>", 0},
		{"most escaped pipes", "|a|\n|-|\n" + strings.Repeat("|\\||\n", maxEscapedPipes), "<td>", maxEscapedPipes},
		{"more escaped pipes", "|a|\n|-|\n" + strings.Repeat("|\\||\n", maxEscapedPipes+1), "<td>", 0},
		{"destinations of references", "[a]: /" + strings.Repeat("b", 1023) + "\n\n[a] [a]", "<a ", 2},
		{"one more destination", "[a]: /" + strings.Repeat("b", 1023) + "\n\n[a] [a] [a]", "<a ", 2},
		{"an escaped destination", "[a]: /" + strings.Repeat("中", 341) + "\n\n[a]", "<a ", 0},
		{"check boxes", strings.Repeat("- [x] a\n", maxBoxes), "<input ", maxBoxes},
		{"one more check box", strings.Repeat("- [x] a\n", maxBoxes+1), "<input ", maxBoxes},
		{"references to footnotes", strings.Repeat("a[^1]\n\n", maxReferences) + "[^1]: b", "<sup ", maxReferences},
		{"one more reference", strings.Repeat("a[^1]\n\n", maxReferences+1) + "[^1]: b", "<sup ", maxReferences},
		{"most footnotes", footnotes(maxFootnotes), "<li ", maxFootnotes},
		{"one more footnote", footnotes(maxFootnotes + 1), "<li ", maxFootnotes},
		{"bare address with the longest local part", strings.Repeat("a", maxLocal) + "@a.a", "<a ", 1},
		{"bare address after a bracket", "(" + strings.Repeat("a", maxLocal) + "@a.a)", "<a ", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Count(HTML(tt.content, forum.Markdown, nil), tt.part); got != tt.want {
				t.Errorf("HTML has %q %d times; want %d", tt.part, got, tt.want)
			}
		})
	}
}

func TestTooDeepElementsAreDropped(t *testing.T) {
	deeper := strings.Repeat("<b>", maxElements+3) + "a" + strings.Repeat("</b>", maxElements+3) + "b"
	want := strings.Repeat("<b>", maxElements) + "a" + strings.Repeat("</b>", maxElements) + "b"
	if got := HTML(deeper, forum.HTML, nil); got != want {
		t.Errorf("HTML of %d nested elements = %s; want %d", maxElements+3, got, maxElements)
	}
}
