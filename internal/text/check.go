package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agora/internal/forum"
)

// Posted checks a text that a member writes, and returns it as stored. It returns INVALID, TOO_SHORT or TOO_LONG at the
// field of the input.
func Posted(p forum.Posted, s string) (string, error) {
	path := forum.Path(p.Input)
	switch p.Form {
	case forum.FormLine:
		return Line(path, s, p.Least, p.Most)
	case forum.FormAddress:
		if s == "" && p.Least == 0 {
			return s, nil
		}
		return Link(path, s)
	}
	return Body(path, s, p.Least, p.Most)
}

// Line checks a text of one line, such as a title or a name, of min to max code points, and returns
// it in NFC without white space at its ends, with spaces for the controls that pasted texts have. A
// text without visible characters counts as empty. It returns INVALID, TOO_SHORT or TOO_LONG at path.
func Line(path []string, s string, min, max int) (string, error) {
	s = pastedLine.Replace(s)
	if err := checkCharacters(path, s, ""); err != nil {
		return "", err
	}
	// A line break would split an entry of a list of titles, and an override would reverse the text
	// after the title on the page.
	if i := strings.IndexFunc(s, breaksLine); i >= 0 {
		r, _ := utf8.DecodeRuneInString(s[i:])
		return "", forum.Invalid(path, "This text must be a single line without direction overrides. It contains U+%04X.", r)
	}
	s = strings.TrimSpace(norm.NFC.String(s))
	if blank(s) {
		s = ""
	}
	if err := checkLength(path, s, min, max); err != nil {
		return "", err
	}
	return s, nil
}

// Controls of texts that are pasted from elsewhere: line ends of Windows and of old systems, the line
// break of word processors, and the page break.
var (
	pastedBody = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", " ", "\f", " ")
	pastedLine = strings.NewReplacer("\r", " ", "\v", " ", "\f", " ")
)

// Body checks a text of several lines, of min to max code points, counted in NFC, and returns it as
// stored: unchanged except that CR LF and CR become LF, and U+000B and U+000C become spaces. If min
// is above 0, a text without visible characters is too short. It returns INVALID, TOO_SHORT or
// TOO_LONG at path.
func Body(path []string, s string, min, max int) (string, error) {
	s = pastedBody.Replace(s)
	if err := checkCharacters(path, s, "\t\n"); err != nil {
		return "", err
	}
	if min > 0 && blank(s) {
		return "", forum.TooShort(path, min, "characters")
	}
	return s, checkLength(path, s, min, max)
}

// Key checks an idempotency key: 1 to forum.MaxKey code points, no control
// characters. It returns INVALID, TOO_SHORT or TOO_LONG at path.
func Key(path []string, s string) error {
	if err := checkCharacters(path, s, ""); err != nil {
		return err
	}
	return checkLength(path, s, 1, forum.MaxKey)
}

// checkCharacters refuses ill-formed UTF-8, noncharacters, and control characters other than those
// in controls.
func checkCharacters(path []string, s, controls string) error {
	if !utf8.ValidString(s) {
		return forum.Invalid(path, "This is not well-formed UTF-8.")
	}
	for _, r := range s {
		if unicode.IsControl(r) && !strings.ContainsRune(controls, r) {
			return forum.Invalid(path, "The control character U+%04X is not allowed here.", r)
		}
		if unicode.Is(unicode.Noncharacter_Code_Point, r) {
			return forum.Invalid(path, "U+%04X is not a character.", r)
		}
	}
	return nil
}

func checkLength(path []string, s string, min, max int) error {
	n := count(s)
	if n < min {
		return forum.TooShort(path, min, "characters")
	}
	if n > max {
		return forum.TooLong(path, max, "characters")
	}
	return nil
}

// count returns the length of s as users see it: in code points after NFC, so that it does not
// depend on how the keyboard writes accents.
func count(s string) int { return utf8.RuneCountInString(norm.NFC.String(s)) }

// blank reports whether s has no visible characters.
func blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) && !invisible(r) && r != blankPattern }) < 0
}

// blankPattern is BRAILLE PATTERN BLANK, a symbol by its properties that all fonts show as blank.
const blankPattern = '\u2800'

// invisible reports whether r is invisible: joiners, zero-width spaces, direction marks, tags,
// variation selectors, fillers. Source: Default_Ignorable_Code_Point in Unicode's
// DerivedCoreProperties.txt.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// breaksLine reports whether r ends a line or overrides the direction of text.
func breaksLine(r rune) bool {
	return r == '\u2028' || r == '\u2029' || r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}
