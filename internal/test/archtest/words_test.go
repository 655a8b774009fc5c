package archtest

import (
	"regexp"
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
	for word, better := range instead {
		odd := regexp.MustCompile(`(?i)\b(` + word + `)\b`)
		for _, ext := range []string{".go", ".lua", ".md", ".graphqls", ".js", ".sh"} {
			err := walk(root, ext, func(path, text string) error {
				if wordsLeft.MatchString(path) {
					return nil
				}
				for n, line := range strings.Split(text, "\n") {
					if found := odd.FindString(line); found != "" {
						t.Errorf("%s:%d says %q; write %q", path, n+1, found, better)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
