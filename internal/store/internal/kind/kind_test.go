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

const docs = "../../../../docs/"

var update = goflag.Bool("update", false, "write the kinds and keys into docs/export.md and docs/keys.md")

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

// keysOf is a table in Markdown of the keys of some kinds. Those that hold the same are in one row.
func keysOf(kinds []Kind) string {
	type row struct {
		t         Type
		doc, ends string
	}
	var order []row
	keys := map[row][]string{}
	for _, k := range kinds {
		for _, p := range k.Keys {
			r := row{k.Type, p.Doc, p.Ends}
			if keys[r] == nil {
				order = append(order, r)
			}
			keys[r] = append(keys[r], strings.Fields(p.Keys)...)
		}
	}
	var b strings.Builder
	b.WriteString("\n| key | type | what | expiry, cap |\n|---|---|---|---|\n")
	for _, r := range order {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", strings.Join(keys[r], "`, `"), strings.ToUpper(string(r.t)),
			strings.ReplaceAll(r.doc, "|", `\|`), r.ends)
	}
	return b.String() + "\n"
}

// docs/export.md lists every kind, and docs/keys.md every key: go test ./internal/store/internal/kind -update writes them.
func TestDocsListKindsAndKeys(t *testing.T) {
	keys := map[string]string{}
	for _, s := range Sections {
		keys["keys of "+s.Title] = keysOf(s.Kinds)
	}
	generated(t, docs+"keys.md", keys)
	generated(t, docs+"export.md", map[string]string{"kinds in exports": kindsOf(Row), "kinds left out": kindsOf(Left)})
}

// generated checks parts of a document, by their titles, or writes them.
func generated(t *testing.T, name string, parts map[string]string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	now := string(text)
	for title, part := range parts {
		block := regexp.MustCompile(`(?s)(<!-- ` + title + ` -->\n).*?(<!-- end -->\n)`)
		if !block.MatchString(now) {
			t.Errorf("%s has no place for the %s", name, title)
		}
		now = block.ReplaceAllString(now, "${1}"+strings.ReplaceAll(part, "$", "$$")+"${2}")
	}
	switch {
	case now == string(text) || t.Failed():
	case !*update:
		t.Fatalf("%s is out of date: go test ./internal/store/internal/kind -update", name)
	default:
		if err := os.WriteFile(name, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Exports can hold what they have in rows; what varies in keys is known; and no two keys look alike.
func TestKindsAreSound(t *testing.T) {
	names := map[string]bool{}
	for _, k := range All {
		if k.Export == Row && (k.Type == List || k.Type == Stream) {
			t.Errorf("the kind %s is a %s, which exports have no rows for", k.Name, k.Type)
		}
		if names[k.Name] {
			t.Errorf("two kinds are named %s", k.Name)
		}
		names[k.Name] = true
		for _, p := range k.Keys {
			if p.Doc == "" || k.Life > 0 && p.Ends == "" {
				t.Errorf("%s lacks a description, or does not say when it expires", p.Keys)
			}
			for _, name := range variable.FindAllString(p.Keys, -1) {
				if variables[strings.Trim(name, "<>")] == "" {
					t.Errorf("%s: %s is no variable", p.Keys, name)
				}
			}
		}
	}
}
