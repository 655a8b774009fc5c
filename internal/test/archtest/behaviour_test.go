package archtest

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The tests named in docs/behaviours.md exist, in the package stated there.
func TestBehavioursHaveTests(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "behaviours.md"))
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, s := range allSources(t) {
		for _, d := range s.syntax.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.test && f.Recv == nil {
				there[s.pkg+" "+f.Name.Name] = true
			}
		}
	}
	rows := regexp.MustCompile(`(?m)^\| [ABCX]\d+ \|.*$`).FindAllString(string(text), -1)
	named := regexp.MustCompile("`([a-z/]+)`: |`(Test\\w+)`")
	for _, row := range rows {
		pkg, tests := "graph", 0
		for _, m := range named.FindAllStringSubmatch(row, -1) {
			if m[1] != "" {
				pkg = m[1]
				continue
			}
			if tests++; !there[pkg+" "+m[2]] {
				t.Errorf("docs/behaviours.md names %s in %s, where it is not: %.80s", m[2], pkg, row)
			}
		}
		if tests == 0 {
			t.Errorf("docs/behaviours.md names no test: %.80s", row)
		}
	}
	if len(rows) < 120 {
		t.Errorf("docs/behaviours.md has %d rows; want all", len(rows))
	}
}
