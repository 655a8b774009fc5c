package schemalint

import (
	"slices"
	"strings"
	"unicode"
)

// hollow are words that say nothing about the element described.
var hollow = words(`
	a an the this that these those it its
	of for to in on at by from with as and or
	is are be was has have
	whether if when who whom which what how many number
	return give get represent contain hold describe specify denote
	field argument parameter object type value input enum scalar directive`)

// repeats reports whether a description consists only of words of the names known to its readers,
// and hollow words.
func repeats(description string, names []string) bool {
	known := slices.Clone(hollow)
	for _, name := range names {
		known = append(known, words(name)...)
	}
	return !slices.ContainsFunc(words(description), func(word string) bool { return !slices.Contains(known, word) })
}

// words splits a text or a name, however its words are joined, into words in lower case and
// singular.
func words(text string) []string {
	var all []string
	for _, run := range strings.FieldsFunc(text,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’' }) {
		run, _, _ = strings.Cut(strings.ReplaceAll(run, "’", "'"), "'") // "topic's" is "topic"
		for _, word := range humps(run) {
			all = append(all, singular(strings.ToLower(word)))
		}
	}
	return all
}

// humps splits contentHtml into content and Html, and URLPath into URL and Path.
func humps(run string) []string {
	var all []string
	letters, start := []rune(run), 0
	for i := 1; i < len(letters); i++ {
		rises := unicode.IsUpper(letters[i]) && !unicode.IsUpper(letters[i-1])
		ends := i+1 < len(letters) && unicode.IsUpper(letters[i]) && unicode.IsLower(letters[i+1])
		if rises || ends {
			all = append(all, string(letters[start:i]))
			start = i
		}
	}
	if start < len(letters) {
		all = append(all, string(letters[start:]))
	}
	return all
}

// singular converts an English plural to its singular. It also cuts letters off other words, which
// does no harm, because names and descriptions are treated alike.
func singular(word string) string {
	if stem, ok := strings.CutSuffix(word, "ies"); ok && len(stem) > 1 {
		return stem + "y"
	}
	for _, ending := range []string{"sses", "xes", "shes", "ches"} {
		if strings.HasSuffix(word, ending) {
			return strings.TrimSuffix(word, "es")
		}
	}
	if strings.HasSuffix(word, "ss") || len(word) < 4 {
		return word
	}
	return strings.TrimSuffix(word, "s")
}
