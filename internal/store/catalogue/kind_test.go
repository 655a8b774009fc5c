package catalogue

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"agora/internal/test/gendoc"
)

const docs = "../../../docs/"

// kindsOf is a table in Markdown of the kinds that exports have in one place, by type.
func kindsOf(e Export) string {
	names := map[Type][]string{}
	for _, k := range Kinds {
		if k.Export == e {
			names[k.Type] = append(names[k.Type], k.Name)
		}
	}
	var b strings.Builder
	b.WriteString("| type | kinds |\n|---|---|\n")
	for _, t := range slices.Sorted(maps.Keys(names)) {
		slices.Sort(names[t])
		fmt.Fprintf(&b, "| %s | `%s` |\n", t, strings.Join(names[t], "`, `"))
	}
	return b.String()
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
	b.WriteString("| key | type | what | expiry, cap |\n|---|---|---|---|\n")
	for _, r := range order {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", strings.Join(keys[r], "`, `"), strings.ToUpper(string(r.t)),
			strings.ReplaceAll(r.doc, "|", `\|`), r.ends)
	}
	return b.String()
}

// docs/export.md lists every kind, and docs/keys.md every key.
func TestDocsListKindsAndKeys(t *testing.T) {
	keys := map[string]string{}
	for _, s := range Sections {
		keys["keys of "+s.Title] = keysOf(s.Kinds)
	}
	gendoc.Check(t, docs+"keys.md", keys)
	gendoc.Check(t, docs+"export.md", map[string]string{"kinds in exports": kindsOf(Row), "kinds left out": kindsOf(Left)})
}

// Exports can hold what they have in rows; what varies in keys is known; and no two keys look alike.
func TestKindsAreSound(t *testing.T) {
	names := map[string]bool{}
	for _, k := range Kinds {
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
			for key := range strings.FieldsSeq(p.Keys) {
				if !Ours(key) && !strings.HasPrefix(key, "meta:") {
					t.Errorf("%s begins with none of ownPrefixes", key)
				}
			}
			for _, name := range variable.FindAllString(p.Keys, -1) {
				if variables[strings.Trim(name, "<>")] == "" {
					t.Errorf("%s: %s is no variable", p.Keys, name)
				}
			}
		}
	}
}
