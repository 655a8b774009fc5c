// Package gendoc checks or writes the parts of the documentation that follow from code.
package gendoc

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"agora/internal/test/must"
)

// Check compares parts of a document with what they should be, by their titles: a part stands between the lines
// `<!-- title -->` and `<!-- end -->`. With UPDATE_DOCS in the environment it writes them.
func Check(t *testing.T, name string, parts map[string]string) {
	t.Helper()
	text := must.Do(os.ReadFile(name))(t)
	now := string(text)
	for title, part := range parts {
		block := regexp.MustCompile(`(?s)(<!-- ` + regexp.QuoteMeta(title) + ` -->\n).*?(<!-- end -->\n)`)
		if !block.MatchString(now) {
			t.Errorf("%s has no place for the %s", name, title)
		}
		now = block.ReplaceAllString(now, "${1}\n"+strings.ReplaceAll(part, "$", "$$")+"\n${2}")
	}
	switch {
	case now == string(text) || t.Failed():
	case os.Getenv("UPDATE_DOCS") == "":
		t.Fatalf("%s is out of date: run this test with UPDATE_DOCS=1", name)
	default:
		must.OK(t, os.WriteFile(name, []byte(now), 0o644))
	}
}
