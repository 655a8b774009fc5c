// Package keydoc parses the documentation of keys in docs/keys.md, for tests.
package keydoc

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Patterns returns the patterns of keys in docs/keys.md, whose path is given: the code spans in the first
// column of its tables.
func Patterns(t testing.TB, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var patterns []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(string(text), -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			if strings.ContainsAny(name[1], "{:") && !strings.HasSuffix(name[1], "…") {
				patterns = append(patterns, name[1])
			}
		}
	}
	return patterns
}

// Matcher returns a pattern of docs/keys.md as a regular expression.
func Matcher(pattern string) *regexp.Regexp {
	expr := regexp.QuoteMeta(pattern)
	expr = strings.ReplaceAll(expr, "<container>", `(\{ix:(?:front|[cg]\d+|d\d{4}-\d\d-\d\d)\}|\{p[0-9a-f]{2}\}:u:\d+:comments)`)
	expr = strings.ReplaceAll(expr, "pXX", "p[0-9a-f]{2}")
	expr = regexp.MustCompile(`<(id|user|topic|category|tag|minute|hour|list)>`).ReplaceAllString(expr, `\d+`)
	return regexp.MustCompile("^" + regexp.MustCompile(`<[^>]+>`).ReplaceAllString(expr, ".+") + "$")
}

// Undocumented returns the keys that no pattern in docs/keys.md describes.
func Undocumented(t testing.TB, path string, keys []string) []string {
	t.Helper()
	var all []*regexp.Regexp
	for _, p := range Patterns(t, path) {
		all = append(all, Matcher(p))
	}
	return slices.DeleteFunc(keys, func(key string) bool {
		return slices.ContainsFunc(all, func(r *regexp.Regexp) bool { return r.MatchString(key) })
	})
}
