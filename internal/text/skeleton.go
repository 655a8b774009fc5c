package text

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// recommended are the scripts allowed in logins: those in everyday use. Source: Unicode Standard
// Annex 31, table 5.
var recommended = newSet(
	"", "Arabic", "Armenian", "Bengali", "Bopomofo", "Cyrillic", "Devanagari", "Ethiopic", "Georgian", "Greek", "Gujarati",
	"Gurmukhi", "Han", "Hangul", "Hebrew", "Hiragana", "Kannada", "Katakana", "Khmer", "Lao", "Latin", "Malayalam",
	"Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thaana", "Thai", "Tibetan",
)

// Looks returns what a login looks like, as written and in lower case: two logins with a common
// form can be confused. It returns one or two forms, sorted, without spaces. Source: skeletons of
// Unicode Technical Standard 39, 4.
func Looks(login string) []string {
	looks := []string{look(login), look(cases.Fold().String(login))}
	slices.Sort(looks)
	return slices.Compact(looks)
}

// look returns the skeleton of s, ignoring case.
func look(s string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		if twin, ok := confusables[r]; ok {
			b.WriteString(twin)
		} else {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(cases.Fold().String(norm.NFD.String(b.String())))
}

// LooksReserved reports whether a display name can be confused with a reserved word, such as
// "Administrator", ignoring characters between its letters, or has a word that looks like an office.
func LooksReserved(name string) bool {
	is := func(in map[string]bool, looks []string) bool {
		return slices.ContainsFunc(looks, func(l string) bool { return in[l] })
	}
	words := strings.FieldsFunc(norm.NFKC.String(name), func(r rune) bool {
		return !inName(r) && r != '\'' && r != '’' // "Bob the moderator's friend" is none
	})
	return is(reservedLooks, LooksOfName(name)) ||
		slices.ContainsFunc(words, func(w string) bool { return is(officeLooks, Looks(w)) })
}

// inName reports whether a character of a display name counts for its looks.
func inName(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

// LooksOfName is Looks for the letters and digits of a display name.
func LooksOfName(name string) []string {
	return Looks(strings.Map(func(r rune) rune {
		if inName(r) {
			return r
		}
		return -1
	}, norm.NFKC.String(name)))
}

// reservedLooks and officeLooks are the looks of reserved words, and of those that name an office.
var reservedLooks, officeLooks = looksOf(reserved), looksOf(offices)

func looksOf(words map[string]bool) map[string]bool {
	looks := map[string]bool{}
	for word := range words {
		for _, l := range Looks(word) {
			looks[l] = true
		}
	}
	return looks
}
