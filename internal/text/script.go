package text

import (
	"strings"
	"unicode"
)

// The writing systems that mix scripts, as bits. Source: Unicode Technical Standard 39, 5.1, table
// 1a.
const (
	japanese = 1 << iota
	korean
	chinese
)

// mixes are the systems that a script is part of.
var mixes = map[string]uint8{
	"Han":      japanese | korean | chinese,
	"Hiragana": japanese,
	"Katakana": japanese,
	"Hangul":   korean,
	"Bopomofo": chinese,
}

// writing tracks the scripts of a word letter by letter. Its zero value is an empty word.
type writing struct {
	script string
	// systems are those to which all letters so far belong; 0 if the word must stay in its script.
	systems uint8
}

// add adds r and reports whether the word is still in one script. Characters of all scripts change
// nothing: ASCII digits, punctuation, inherited marks.
func (w *writing) add(r rune) bool {
	script := scriptOf(r)
	switch {
	case script == "":
		return true
	case script == "Common":
		// A letter of no script looks like punctuation, such as the okina.
		return false
	case w.script == "":
		w.script, w.systems = script, mixes[script]
		return true
	}
	if script != w.script && w.systems&mixes[script] == 0 {
		return false
	}
	w.systems &= mixes[script]
	return true
}

// scriptOf returns the name of r's script, or "" if r is allowed with any.
func scriptOf(r rune) string {
	switch {
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
		return "Latin"
	case '0' <= r && r <= '9' || strings.ContainsRune(loginJoiners, r) || unicode.Is(unicode.Inherited, r):
		return ""
	case r == 'ー': // the long vowel sign is shared by Hiragana and Katakana
		return "Katakana"
	case '٠' <= r && r <= '٩': // shared by languages in Arabic script
		return "Arabic"
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return name
		}
	}
	return "Common"
}

// lookalikes maps folded letters to the Latin ones that they look like, in lower or upper case.
// Where the two differ (Η and η look like H and n), lower case decides, because most logins use it.
// Source: a choice from confusables.txt of Unicode Technical Standard 39.
var lookalikes = map[rune]rune{
	// Cyrillic
	'а': 'a', 'в': 'b', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'ё': 'ë', 'ԍ': 'g', 'н': 'h', 'һ': 'h', 'і': 'i', 'ї': 'ï',
	'ј': 'j', 'к': 'k', 'ӏ': 'l', 'м': 'm', 'о': 'o', 'р': 'p', 'ԛ': 'q', 'ѕ': 's', 'т': 't', 'ѵ': 'v', 'ԝ': 'w',
	'х': 'x', 'у': 'y', 'ү': 'y',
	// Greek
	'α': 'a', 'β': 'b', 'ε': 'e', 'η': 'n', 'ι': 'i', 'κ': 'k', 'μ': 'm', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'τ': 't',
	'υ': 'u', 'χ': 'x', 'γ': 'y', 'ζ': 'z', 'ω': 'w',
}

// lookalike replaces the letters of a folded login by Latin lookalikes if all of them have one:
// only then can the whole be confused with another login.
func lookalike(fold string) string {
	var latin strings.Builder
	for _, r := range fold {
		twin, ok := lookalikes[r]
		if !ok && unicode.IsLetter(r) {
			return fold
		}
		if ok {
			r = twin
		}
		latin.WriteRune(r)
	}
	return latin.String()
}
