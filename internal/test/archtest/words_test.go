package archtest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// instead are words that the Go standard library does not use, with what to write instead. docs/contributing.md,
// "Style", has examples.
var instead = map[string]string{
	`tells? whether`:  "reports whether",
	`anew`:            "again",
	`bears`:           "has",
	`bore`:            "had",
	`thereby|wherein`: "a second sentence",
	`thereof`:         "of it",
	`for ever`:        "forever",
	`such as were`:    "those that were",
	`comes? home`:     "is written into a home",
	`looks? after`:    "checks, or repairs",
	`is to be told`:   "must be notified",
}

// wordsLeft are files that may contain these words: the page that warns of them, this one, and texts in the voice of
// other people.
var wordsLeft = regexp.MustCompile(`^(docs/contributing\.md|CHANGELOG\.md|internal/demo/texts.*|` +
	`internal/test/archtest/words_test\.go)$`)

func TestOddWordsDoNotComeBack(t *testing.T) {
	word := func(of string) *regexp.Regexp { return regexp.MustCompile(`(?i)\b(` + of + `)\b`) }
	any := word(strings.Join(slices.Collect(maps.Keys(instead)), "|"))
	for _, ext := range []string{".go", ".lua", ".md", ".graphqls", ".js", ".sh"} {
		err := walk(root, ext, func(path, text string) error {
			if wordsLeft.MatchString(path) {
				return nil
			}
			for _, at := range any.FindAllStringIndex(text, -1) {
				for odd, better := range instead {
					if found := text[at[0]:at[1]]; word(odd).MatchString(found) {
						t.Errorf("%s:%d says %q; write %q", path, 1+strings.Count(text[:at[0]], "\n"), found, better)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
