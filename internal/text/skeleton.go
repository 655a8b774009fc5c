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

// Looks returns what a name looks like, as written and in lower case: two names with a common form can be confused. It
// returns one or two forms, sorted, of letters and digits only. Names look alike if they differ in nothing but case,
// width and other compatibility forms, marks, separators and symbols, or in characters that look alike: those of Unicode
// Technical Standard 39 (skeletons, section 4), the small capitals and Cyrillic and Greek letters of twins and
// lookalikes, all of i, l, 1, I and |, and o and 0. Marks that make other letters of one script stay.
func Looks(name string) []string {
	var looks []string
	for _, form := range forms(name) {
		var b strings.Builder
		for _, u := range form {
			b.WriteString(u.look)
		}
		looks = append(looks, norm.NFC.String(b.String()))
	}
	slices.Sort(looks)
	return slices.Compact(looks)
}

// unit is a character of a name without its marks.
type unit struct {
	look string // what it looks like; "" for a separator
	// ends reports that words end at it: a separator, a digit, or a symbol that looks like a letter.
	ends  bool
	joins bool // a separator of the parts of a login, not of the words of a name
	upper bool
}

// forms returns the characters of a name as written and, if that differs, in lower case.
func forms(name string) [][]unit {
	name = norm.NFKC.String(visible(name))
	folded := cases.Fold().String(name)
	if folded == name {
		return [][]unit{units(name)}
	}
	return [][]unit{units(name), units(folded)}
}

func units(name string) []unit {
	var all []unit
	runes := []rune(norm.NFD.String(name))
	for i, r := range runes {
		switch {
		case unicode.Is(unicode.Inherited, r) || unicode.Is(unicode.Me, r):
			if fixed := lookOf(r); fixed != "" && len(all) > 0 {
				all[len(all)-1].look += fixed
			}
		case (r == '\'' || r == '’') && i > 0 && i+1 < len(runes) && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1]):
			all = append(all, unit{}) // "Bob the moderator's friend" is none
		default:
			u := unit{look: lookOf(r), upper: unicode.IsUpper(r)}
			u.ends = u.look == "" || unicode.IsDigit(r) || unicode.IsSymbol(r) && symbolLetter(r) == 0
			u.joins = u.look == "" && !unicode.IsSpace(r)
			all = append(all, u)
		}
	}
	return all
}

// asciiLooks are the looks of the characters of most names.
var asciiLooks = func() (looks [128]string) {
	for r := range looks {
		looks[r] = findLook(rune(r))
	}
	return looks
}()

// lookOf returns what a character looks like, "" for a separator and for marks.
func lookOf(r rune) string {
	if int(r) < len(asciiLooks) {
		return asciiLooks[r]
	}
	return findLook(r)
}

func findLook(r rune) string {
	s := string(r)
	for range 3 { // what a letter looks like may be a capital, which looks like another one
		var b strings.Builder
		for _, r := range norm.NFD.String(s) {
			b.WriteString(twin(r))
		}
		s = cases.Fold().String(b.String())
	}
	return strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("i1|", r):
			return 'l'
		case r == '0':
			return 'o'
		case r == '\u3099' || r == '\u309a': // other letters of Japanese
			return r
		case unicode.Is(unicode.Inherited, r), !unicode.In(r, unicode.L, unicode.M, unicode.N), unicode.Is(unicode.Me, r):
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

// twin returns what a character looks like, itself if there is nothing simpler.
func twin(r rune) string {
	if plain, ok := twins[r]; ok {
		return plain
	}
	if plain, ok := lookalikes[r]; ok {
		return string(plain)
	}
	if letter := symbolLetter(r); letter != 0 {
		return string(letter)
	}
	if plain, ok := confusables[r]; ok {
		return plain
	}
	return string(r)
}

// twins are further characters that look like Latin letters: small capitals, which the table of confusables has as
// the simplest form of letters of other scripts, and bars. w is one v after the other, as m is one r and one n there.
var twins = map[rune]string{
	'w': "vv", '|': "l", '¦': "l", '∣': "l", '│': "l", '❘': "l", '⏐': "l", '￨': "l",
	'ᴀ': "a", 'ʙ': "b", 'ᴄ': "c", 'ᴅ': "d", 'ᴇ': "e", 'ꜰ': "f", 'ɢ': "g", 'ʜ': "h", 'ɪ': "i", 'ᴊ': "j", 'ᴋ': "k", 'ĸ': "k",
	'ʟ': "l", 'ᴍ': "m", 'ʍ': "m", 'ɴ': "n", 'ᴎ': "n", 'ᴏ': "o", 'ᴘ': "p", 'ꞯ': "q", 'ʀ': "r", 'ᴙ': "r", 'ꜱ': "s", 'ᴛ': "t",
	'ᴜ': "u", 'ᴠ': "v", 'ᴡ': "w", 'ʏ': "y", 'ᴢ': "z", 'ƅ': "b", 'ꞓ': "e", 'ẟ': "d", 'π': "n", 'п': "n", 'и': "n", 'я': "r",
}

// symbolLetter returns the Latin letter that a symbol shows, 0 for none. Those that have compatibility forms are
// replaced before.
func symbolLetter(r rune) rune {
	for _, first := range []rune{'🅐', '🅰', '🇦'} {
		if r >= first && r < first+26 {
			return 'a' + r - first
		}
	}
	return 0
}

// LooksReserved reports whether a name can be confused with a reserved word, such as "Administrator", ignoring
// characters between its letters, or has a word that looks like an office, between separators, digits or capitals.
func LooksReserved(name string) bool {
	for _, l := range Looks(name) {
		if word, is := reservedLooks[l]; is && (!plain(name) || strings.EqualFold(word, name)) {
			return true
		}
	}
	for _, form := range forms(name) {
		joined := slices.DeleteFunc(slices.Clone(form), func(u unit) bool { return u.look == "" })
		if hasOffice(form, true) || hasOffice(joined, false) {
			return true
		}
	}
	return false
}

// plain reports whether a name has only Latin letters: that "Ali" looks like "all" is no wonder.
func plain(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
}

// hasOffice reports whether a word looks like an office. Words may also begin at capitals.
func hasOffice(form []unit, capitals bool) bool {
	between := func(i int) bool { // whether a word may begin at i, and end before it
		return i == 0 || i == len(form) || form[i-1].ends || form[i].ends ||
			capitals && form[i].upper && !form[i-1].upper && form[i-1].look != ""
	}
	for start := range form {
		if !between(start) {
			continue
		}
		word := ""
		for end := start; end < len(form) && form[end].look != "" && len(word) < longestOffice; {
			word += form[end].look
			if end++; between(end) && officeLooks[word] != "" {
				return true
			}
		}
	}
	return false
}

// maxParts is of how many parts those of a name are made.
const maxParts = 6

// PartLooks returns the looks of a name, of its parts between characters that join the parts of a login, of up to
// maxParts such parts together, and of the parts without digits. The words of a name, between spaces, are no parts.
func PartLooks(name string) []string {
	looks := Looks(name)
	for _, form := range forms(name) {
		joined := parts(form, func(u unit) bool { return u.joins })
		for i := range joined {
			for n := i + 1; n <= min(i+maxParts, len(joined)); n++ {
				looks = append(looks, norm.NFC.String(strings.Join(joined[i:n], "")))
			}
		}
		for _, part := range parts(form, func(u unit) bool { return u.joins || u.ends && u.look != "" }) {
			looks = append(looks, norm.NFC.String(part))
		}
	}
	slices.Sort(looks)
	return slices.Compact(looks)
}

// parts returns what the parts of a name look like, none of them empty.
func parts(form []unit, ends func(unit) bool) []string {
	var all []string
	part := ""
	for _, u := range form {
		switch {
		case !ends(u):
			part += u.look
		case part != "":
			all, part = append(all, part), ""
		}
	}
	if part != "" {
		all = append(all, part)
	}
	return all
}

// reservedLooks and officeLooks have the reserved words, and those that name an office, by their looks.
var reservedLooks, officeLooks = looksOf(reserved), looksOf(offices)

// longestOffice is the length of the longest look of an office.
var longestOffice = func() int {
	longest := 0
	for l := range officeLooks {
		longest = max(longest, len(l))
	}
	return longest
}()

func looksOf(words map[string]bool) map[string]string {
	looks := map[string]string{}
	for word := range words {
		for _, l := range Looks(word) {
			looks[l] = word
		}
	}
	return looks
}
