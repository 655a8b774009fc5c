//go:build linux

package floods

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/globalid"
	"agora/internal/test/gqltext"
	"agora/internal/test/must"
)

// drawer draws documents from the schema.
type drawer struct {
	schema *ast.Schema
	rand   *rand.Rand
	data   *furnished
	ways   map[string]way // to an object of each type that visitors can reach
	first  int            // rows of each list
}

// way is a field that leads to a type.
type way struct {
	from     string // a type
	field    *ast.FieldDefinition
	abstract bool // the field's type is an interface or a union
}

// target is a field of a type.
type target struct {
	on    string
	field *ast.FieldDefinition
}

func (t target) String() string { return t.on + "." + t.field.Name }

// newDrawer returns a drawer of documents for a site with data.
func newDrawer(t testing.TB, seed uint64, data *furnished) *drawer {
	d := &drawer{schema: gqltext.Schema(t), rand: rand.New(rand.NewPCG(seed, 0)), data: data, ways: map[string]way{}}
	for queue := []string{"Query"}; len(queue) > 0; queue = queue[1:] {
		for _, f := range d.schema.Types[queue[0]].Fields {
			if !forVisitors(f) {
				continue
			}
			def := d.schema.Types[f.Type.Name()]
			for _, to := range d.objects(def) {
				if _, known := d.ways[to.Name]; !known && to.Name != "Query" {
					d.ways[to.Name] = way{queue[0], f, def.IsAbstractType()}
					queue = append(queue, to.Name)
				}
			}
		}
	}
	return d
}

// forVisitors reports whether a field answers those who are not signed in.
func forVisitors(f *ast.FieldDefinition) bool {
	return f.Directives.ForName("auth") == nil && !strings.HasPrefix(f.Name, "__")
}

// objects returns the types of the objects of a type; none for a scalar.
func (d *drawer) objects(def *ast.Definition) []*ast.Definition {
	switch {
	case def.Kind == ast.Object:
		return []*ast.Definition{def}
	case def.IsAbstractType():
		return d.schema.GetPossibleTypes(def)
	}
	return nil
}

// targets returns all fields that a visitor can ask for, in a fixed order.
func (d *drawer) targets() (all []target) {
	types := []string{"Query"}
	for name := range d.ways {
		types = append(types, name)
	}
	slices.Sort(types)
	for _, name := range types {
		for _, f := range d.schema.Types[name].Fields {
			if forVisitors(f) {
				all = append(all, target{name, f})
			}
		}
	}
	return all
}

// shape is how often a document has a field: in how many objects, how often in each, and with how many rows.
type shape struct{ objects, times, rows int }

var shapes = []shape{{1, 45, 20}, {45, 1, 5}, {1, 1, 100}, {9, 5, 5}}

// document asks for a field.
func (d *drawer) document(t target, s shape) string {
	d.first = s.rows
	ask := func(objects, times int) string {
		return gqltext.Series(objects, func(i int) string {
			return fmt.Sprintf("o%d: ", i) + d.enter(t.on, gqltext.Series(times, func(k int) string {
				return fmt.Sprintf("f%d: ", k) + d.field(t.field, 3)
			}))
		})
	}
	if t.on == "Query" {
		n := min(50, s.objects*s.times)
		return "query FRESH { " + gqltext.Series(n, func(i int) string { return fmt.Sprintf("f%d: ", i) + d.field(t.field, 3) }) + "}"
	}
	return "query FRESH { " + ask(s.objects, s.times) + "}"
}

// enter returns a field of Query that leads to an object of a type, with a selection there.
func (d *drawer) enter(typ, inner string) string {
	if typ == "Query" {
		return inner
	}
	if ids := d.data.ids[typ]; len(ids) > 0 {
		if d.rand.IntN(2) == 0 {
			ids = ids[:1+len(ids)/8]
		}
		return fmt.Sprintf("node(id: %q) { ... on %s { %s} }", d.pick(ids), typ, inner)
	}
	w := d.ways[typ]
	if w.abstract {
		inner = fmt.Sprintf("... on %s { %s} ", typ, inner)
	}
	return d.enter(w.from, w.field.Name+d.arguments(w.field)+" { "+inner+"} ")
}

// field returns a field with arguments and, of an object, a few of its scalars, at most that many levels below.
func (d *drawer) field(f *ast.FieldDefinition, levels int) string {
	text := f.Name + d.arguments(f)
	def := d.schema.Types[f.Type.Name()]
	if objects := d.objects(def); objects != nil {
		text += " { " + d.leaves(objects[0], def.IsAbstractType(), levels) + "} "
	}
	return text
}

// leaves selects what is cheap of an object, so that the field itself costs most.
func (d *drawer) leaves(of *ast.Definition, abstract bool, levels int) string {
	var scalars []string
	for _, f := range of.Fields {
		if forVisitors(f) && len(f.Arguments) == 0 && d.objects(d.schema.Types[f.Type.Name()]) == nil {
			scalars = append(scalars, f.Name+" ")
		}
	}
	inner := strings.Join(scalars[:min(2, len(scalars))], "")
	if levels > 0 && (len(scalars) == 0 || strings.HasSuffix(of.Name, "Connection")) {
		for _, f := range of.Fields {
			if def := d.schema.Types[f.Type.Name()]; forVisitors(f) && len(d.objects(def)) > 0 && f.Name != "edges" {
				inner += d.field(f, levels-1) + " "
				break
			}
		}
	}
	if inner == "" {
		inner = "__typename "
	}
	if abstract {
		return fmt.Sprintf("... on %s { %s} ", of.Name, inner)
	}
	return inner
}

// withoutCursor are arguments that only go with others.
var withoutCursor = []string{"last", "after", "before", "around", "external"}

func (d *drawer) arguments(f *ast.FieldDefinition) string {
	var all []string
	for _, a := range f.Arguments {
		switch {
		case slices.Contains(withoutCursor, a.Name), !a.Type.NonNull && a.Name != "first" && d.rand.IntN(3) == 0:
			continue
		case a.Name == "first":
			all = append(all, fmt.Sprintf("first: %d", d.first))
		default:
			all = append(all, a.Name+": "+d.value(f, a.Name, a.Type))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// value returns a value for an argument of a field, or for a field of an input.
func (d *drawer) value(f *ast.FieldDefinition, name string, typ *ast.Type) string {
	if typ.Elem != nil {
		n := 1
		if name == "ids" {
			n = 40
		}
		return "[" + gqltext.Series(n, func(int) string { return d.value(f, name, typ.Elem) + "," }) + "]"
	}
	switch def := d.schema.Types[typ.NamedType]; {
	case def.Kind == ast.Enum:
		return def.EnumValues[d.rand.IntN(len(def.EnumValues))].Name
	case def.Kind == ast.InputObject:
		return d.input(f, def)
	}
	switch typ.NamedType {
	case "Int":
		return fmt.Sprint(1 + d.rand.IntN(map[string]int{"context": 20, "length": 1000, "skip": 10_000}[name]+15))
	case "Boolean":
		return fmt.Sprint(d.rand.IntN(2) == 0)
	case "Date":
		return fmt.Sprintf("%q", d.pick(d.data.days))
	case "ID":
		if ids := d.data.ids[f.Type.Name()]; len(ids) > 0 {
			return fmt.Sprintf("%q", d.pick(ids))
		}
		return fmt.Sprintf("%q", d.pick(d.data.ids[globalid.Comment]))
	}
	if names := d.data.names[f.Type.Name()]; len(names) > 0 && name != "prefix" {
		return fmt.Sprintf("%q", d.pick(names))
	}
	return fmt.Sprintf("%q", string("tma"[d.rand.IntN(3)]))
}

// input returns a value of an input: one field of a @oneOf, otherwise all.
func (d *drawer) input(f *ast.FieldDefinition, def *ast.Definition) string {
	var all []string
	for _, a := range def.Fields {
		if !slices.Contains(withoutCursor, a.Name) {
			all = append(all, a.Name+": "+d.value(f, a.Name, a.Type))
		}
	}
	if def.Directives.ForName("oneOf") != nil {
		all = all[:1]
	}
	return "{" + strings.Join(all, ", ") + "}"
}

func (d *drawer) pick(from []string) string { return from[d.rand.IntN(len(from))] }

// computing returns the names of fields in the table of docs/limits.md with the units of work.
func computing(t testing.TB, schema *ast.Schema) (all []string) {
	t.Helper()
	text := string(must.Do(os.ReadFile("../../../docs/limits.md"))(t))
	_, table, found := strings.Cut(text, "| work | units |\n")
	if !found {
		t.Fatal("docs/limits.md has no table of work")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(table, -1) {
		for _, def := range schema.Types {
			if def.Kind == ast.Object && def.Fields.ForName(m[1]) != nil {
				all = append(all, m[1])
				break
			}
		}
	}
	return all
}
