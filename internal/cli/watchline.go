package cli

import (
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/width"
)

// replyLine returns a reply as one line that is shorter than the columns of a terminal; 0 columns are no limit. Texts
// of others cannot control the terminal.
func replyLine(columns int, at time.Time, title, author, text string) string {
	title, author, text = oneLine(title), oneLine(author), oneLine(text)
	clock := at.Local().Format(time.TimeOnly)
	if columns <= 0 {
		return strings.Join([]string{clock, title, author, text}, "  ")
	}
	titleWidth, authorWidth := min(30, columns/3), min(14, columns/5)
	start := clock + "  " + column(title, titleWidth) + "  " + column(author, authorWidth) + "  "
	rest := columns - 1 - columnsOf(start) // the last column stays free: some terminals wrap the line after it
	if rest < 1 {
		return cut(start, max(columns-1, 0))
	}
	return start + cut(text, rest)
}

// joiner joins the parts of an emoji.
const joiner = '\u200d'

// oneLine returns a text on one line, without control characters, which form escape sequences, and without invisible
// characters that change the order of others.
func oneLine(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029':
			b.WriteByte(' ')
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != joiner:
		default:
			b.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// columnsOf returns the maximum number of terminal columns of a text.
func columnsOf(text string) int {
	n := 0
	for _, r := range text {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cut shortens a text to a number of columns; an ellipsis replaces the rest.
func cut(text string, columns int) string {
	if columnsOf(text) <= columns {
		return text
	}
	if columns < 1 {
		return ""
	}
	n := 0
	for i, r := range text {
		if n += runeColumns(r); n > columns-1 {
			return text[:i] + "…"
		}
	}
	return text
}

// column cuts or pads a text to a number of columns.
func column(text string, columns int) string {
	text = cut(text, columns)
	return text + strings.Repeat(" ", max(0, columns-columnsOf(text)))
}
