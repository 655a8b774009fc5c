package kind

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// docs/export.md lists every kind with its type: either as one that exports have in rows, or as one that
// they leave out.
func TestDocsSayWhichKindsAreExported(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/export.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tables, _ := strings.Cut(string(text), "\n## Rows\n")
	rows, left, _ := strings.Cut(tables, "\n## What is left out\n")
	row := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| ([a-z]+) \\|")
	documented := map[string]string{}
	for place, table := range map[Export]string{Row: rows, Left: left} {
		for _, m := range row.FindAllStringSubmatch(table, -1) {
			documented[m[1]] = m[2]
			if k, ok := Named(m[1]); !ok || k.Export != place || string(k.Type) != m[2] {
				t.Errorf("docs/export.md has the kind %s of type %s in the wrong table, or it is %+v", m[1], m[2], k)
			}
		}
	}
	for _, k := range All {
		if k.Export != Header && documented[k.Name] == "" {
			t.Errorf("docs/export.md does not list the kind %s", k.Name)
		}
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
