package archtest

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agora/internal/test/must"
)

// The tests named in docs/behaviours.md exist, in the package stated there.
func TestBehavioursHaveTests(t *testing.T) {
	text := must.Do(os.ReadFile(filepath.Join(root, "docs", "behaviours.md")))(t)
	there := map[string]bool{}
	for _, s := range allSources(t) {
		for _, d := range s.syntax.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.test && f.Recv == nil {
				there[s.pkg+" "+f.Name.Name] = true
			}
		}
	}
	rows := regexp.MustCompile(`(?m)^- ([ABCDX]\d+(?:, [ABCDX]\d+)*): .*$`).FindAllStringSubmatch(string(text), -1)
	ids := 0
	named := regexp.MustCompile("`([a-z/]+)`: |`(Test\\w+)`")
	for _, m := range rows {
		row, pkg, tests := m[0], "graph", 0
		ids += 1 + strings.Count(m[1], ",")
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
	if ids < 150 {
		t.Errorf("docs/behaviours.md has %d behaviours; want all", ids)
	}
}

// The top level has what the owner asked for, and go.mod requires the four packages.
func TestTopLevel(t *testing.T) {
	for _, name := range []string{"graph", "schema.graphqls", "gqlgen.yml", "internal", "server.go", "go.mod", "go.sum"} {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
	mod := must.Do(os.ReadFile(filepath.Join(root, "go.mod")))(t)
	direct, _, _ := strings.Cut(string(mod), "// indirect")
	for _, path := range []string{"github.com/99designs/gqlgen", "github.com/redis/go-redis/v9",
		"github.com/vektah/gqlparser/v2", "github.com/graph-gophers/dataloader/v7"} {
		if !strings.Contains(direct, "\t"+path+" v") {
			t.Errorf("go.mod does not require %s", path)
		}
	}
}
