package kind

import (
	goflag "flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const exportDoc = "../../../../docs/export.md"

var update = goflag.Bool("update", false, "write the kinds into docs/export.md")

// kindsOf is a table in Markdown of the kinds that exports have in one place, by type.
func kindsOf(e Export) string {
	names := map[Type][]string{}
	for _, k := range All {
		if k.Export == e {
			names[k.Type] = append(names[k.Type], k.Name)
		}
	}
	var b strings.Builder
	b.WriteString("\n| type | kinds |\n|---|---|\n")
	for _, t := range slices.Sorted(maps.Keys(names)) {
		slices.Sort(names[t])
		fmt.Fprintf(&b, "| %s | `%s` |\n", t, strings.Join(names[t], "`, `"))
	}
	return b.String() + "\n"
}

// docs/export.md lists every kind with its type: go test ./internal/store/internal/kind -update writes them.
func TestDocsSayWhichKindsAreExported(t *testing.T) {
	text, err := os.ReadFile(exportDoc)
	if err != nil {
		t.Fatal(err)
	}
	now := string(text)
	for title, e := range map[string]Export{"kinds in exports": Row, "kinds left out": Left} {
		block := regexp.MustCompile(`(?s)(<!-- ` + title + ` -->\n).*?(<!-- end -->\n)`)
		if !block.MatchString(now) {
			t.Errorf("docs/export.md has no place for the %s", title)
		}
		now = block.ReplaceAllString(now, "${1}"+kindsOf(e)+"${2}")
	}
	if now == string(text) || t.Failed() {
		return
	}
	if !*update {
		t.Fatal("docs/export.md is out of date: go test ./internal/store/internal/kind -update")
	}
	if err := os.WriteFile(exportDoc, []byte(now), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Exports can hold what they have in rows.
func TestExportedKindsHaveTypesOfRows(t *testing.T) {
	names := map[string]bool{}
	for _, k := range All {
		if k.Export == Row && (k.Type == List || k.Type == Stream) {
			t.Errorf("the kind %s is a %s, which exports have no rows for", k.Name, k.Type)
		}
		if names[k.Name] {
			t.Errorf("two kinds are named %s", k.Name)
		}
		names[k.Name] = true
	}
}
