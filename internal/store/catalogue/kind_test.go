package catalogue

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agora/internal/test/gendoc"
	"agora/internal/test/must"
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

// keysOf lists in Markdown the keys of some kinds, with their types. Those that hold the same are in one line.
func keysOf(kinds []Kind) string {
	type line struct{ doc, ends string }
	var l line
	var order []line
	keys, types := map[line]string{}, map[line]Type{}
	for _, k := range kinds {
		for _, p := range k.Keys {
			if p.Doc != sameAsBefore {
				l = line{p.Doc, p.Ends}
			}
			switch {
			case keys[l] == "":
				order = append(order, l)
			case types[l] != k.Type:
				keys[l] += " " + strings.ToUpper(string(types[l])) + ", "
			default:
				keys[l] += ", "
			}
			keys[l] += "`" + strings.Join(p.Shapes(), "`, `") + "`"
			types[l] = k.Type
		}
	}
	var b strings.Builder
	for _, l := range order {
		fmt.Fprintf(&b, "- %s %s: %s", keys[l], strings.ToUpper(string(types[l])), l.doc)
		if l.ends != "" {
			fmt.Fprintf(&b, ". *%s*", l.ends)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// docs/export.md lists the kinds that are left out, and docs/keys.md every key.
func TestDocsListKindsAndKeys(t *testing.T) {
	keys := map[string]string{}
	for _, s := range Sections {
		keys["keys of "+s.Title] = keysOf(s.Kinds)
	}
	gendoc.Check(t, docs+"keys.md", keys)
	gendoc.Check(t, docs+"export.md", map[string]string{"kinds left out": kindsOf(LeftOut)})
}

// Exports can hold what they have in rows; what varies in keys is known; and no two keys look alike.
func TestKindsAreSound(t *testing.T) {
	names := map[string]bool{}
	for _, k := range Kinds {
		if k.Export == InRows && (k.Type == List || k.Type == Stream) {
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
			for _, key := range p.Shapes() {
				if !Ours(key) && !strings.HasPrefix(key, "meta:") {
					t.Errorf("%s begins with none of ownPrefixes", key)
				}
			}
			for _, name := range variable.FindAllString(strings.Join(p.Shapes(), " "), -1) {
				if variables[strings.Trim(name, "<>")] == "" {
					t.Errorf("%s: %s is no variable", p.Keys, name)
				}
			}
		}
	}
}

// Each key of the catalogue is read as one of its kind, and each maker of package key makes one of them.
func TestEveryMakerHasARow(t *testing.T) {
	for _, k := range Kinds {
		for _, name := range k.Examples() {
			if read, ok := ReadKey(name); !ok || read.Name != k.Name {
				t.Errorf("%s is read as %q, %v; want %s", name, read.Name, ok, k.Name)
			}
		}
	}
	var rows strings.Builder
	for _, name := range must.Do(filepath.Glob("keys_*.go"))(t) {
		rows.Write(must.Do(os.ReadFile(name))(t))
	}
	makers := 0
	for _, name := range must.Do(filepath.Glob("../internal/key/*.go"))(t) {
		for _, maker := range keyMakers(must.Do(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t)) {
			if makers++; !strings.Contains(rows.String(), maker) && !slices.Contains(choosers, maker) {
				t.Errorf("%s: no row of the catalogue uses %s", name, maker)
			}
		}
	}
	if makers < 90 {
		t.Errorf("found %d makers; want all", makers)
	}
}

// choosers return keys that other functions make, or no keys.
var choosers = []string{"key.ActMarks(", "key.Author(", "key.Subject(", "key.SlotPrefix(", "key.ChangesChannel(",
	"key.ChangesChannels"}

// keyMakers returns the functions, methods and constants of a file that make whole keys, as they are used: strings that
// are not prefixes.
func keyMakers(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			r := d.Type.Results
			if r == nil || len(r.List) != 1 || fmt.Sprint(r.List[0].Type) != "string" || !ast.IsExported(d.Name.Name) {
				continue
			}
			if name := d.Name.Name; d.Recv != nil {
				names = append(names, "."+name+"(")
			} else if name != "Itoa" && !strings.HasSuffix(name, "Prefix") && !strings.HasPrefix(name, "ChangesChannel") {
				names = append(names, "key."+name+"(")
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				v, ok := s.(*ast.ValueSpec)
				if !ok || len(v.Values) != 1 || v.Type != nil || strings.HasSuffix(v.Names[0].Name, "Prefix") ||
					strings.HasPrefix(v.Names[0].Name, "ChangesChannel") {
					continue
				}
				if text, ok := v.Values[0].(*ast.BasicLit); ok && strings.Contains(text.Value, ":") {
					names = append(names, "key."+v.Names[0].Name)
				}
			}
		}
	}
	return names
}
