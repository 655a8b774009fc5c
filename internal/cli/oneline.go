package cli

import (
	"strings"
	"unicode"
)

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
