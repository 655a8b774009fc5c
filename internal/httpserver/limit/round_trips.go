package limit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// manyTexts is how many rows a query may ask for without reading the lengths of texts before the texts.
const manyTexts = 100

// RoundTrips returns how many round trips to Redis a query takes at most, according to the directives @roundTrips of
// its fields: fields beside each other share theirs, so it is the sum along the longest path. What a process reads for
// everybody, and a snapshot or walk that is taken, are not in it. The document is valid and the variables are coerced.
func RoundTrips(schema *ast.Schema, op *ast.OperationDefinition, fragments ast.FragmentDefinitionList,
	variables map[string]any) int {
	c := newCosting(schema, fragments, variables, false)
	p := pathing{costing: c, sized: map[string]path{}, alone: map[string]int{}}
	n := p.of(op.SelectionSet, schema.Query)
	if c.of(op.SelectionSet).rows > manyTexts {
		n = sum(n, p.texts)
	}
	for _, trips := range p.alone {
		n = sum(n, trips)
	}
	return n
}

// pathing finds the longest path of an operation.
type pathing struct {
	*costing
	sized map[string]path // by fragment and type
	texts int             // places where texts are selected
	// alone are the round trips that are not shared, by the object that takes them once.
	alone map[string]int
}

// of returns the longest path in a selection on a type.
func (p *pathing) of(set ast.SelectionSet, typ *ast.Definition) (most int) {
	if len(set) > 0 {
		most = p.named(typ)
	}
	for _, sel := range set {
		n := 0
		switch sel := sel.(type) {
		case *ast.Field:
			if !p.skipped(sel.Directives) {
				n = p.field(sel, typ)
			}
		case *ast.InlineFragment:
			if !p.skipped(sel.Directives) {
				n = p.of(sel.SelectionSet, p.narrow(typ, sel.TypeCondition))
			}
		case *ast.FragmentSpread:
			if !p.skipped(sel.Directives) {
				n = p.fragment(sel.Name, typ)
			}
		}
		most = max(most, n)
	}
	return most
}

// narrow returns the type of a fragment's objects: its own, unless that of the objects around it says more.
func (p *pathing) narrow(typ *ast.Definition, condition string) *ast.Definition {
	if own := p.schema.Types[condition]; own != nil && (typ == nil || typ.IsAbstractType()) {
		return own
	}
	return typ
}

// fragment returns the longest path in a fragment on objects of a type.
func (p *pathing) fragment(name string, on *ast.Definition) int {
	f := p.fragments.ForName(name)
	if f == nil {
		return 0
	}
	typ := p.narrow(on, f.TypeCondition)
	key := name + " " + typ.Name
	known, ok := p.sized[key]
	if !ok {
		before := p.texts
		p.sized[key] = path{} // ends a cycle, which was already refused
		known.trips = p.of(f.SelectionSet, typ)
		known.texts = p.texts - before
		p.sized[key] = known
		return known.trips
	}
	p.texts = sum(p.texts, known.texts)
	return known.trips
}

// path is the longest path in a fragment, and the number of places there where texts are selected.
type path struct{ trips, texts int }

func (p *pathing) field(f *ast.Field, typ *ast.Definition) int {
	if f.Definition == nil || strings.HasPrefix(f.Name, "__") {
		return 0
	}
	if f.Name == "content" || f.Name == "contentHtml" || f.Name == "excerpt" {
		p.texts++
	}
	def := f.Definition
	if own := typ.Fields.ForName(f.Name); own != nil {
		def = own
	}
	n := p.of(f.SelectionSet, p.schema.Types[def.Type.Name()])
	d := def.Directives.ForName("roundTrips")
	if d == nil {
		return n
	}
	own := number(d, "max")
	if p.given(f, d) {
		own = sum(own, number(d, "more"))
	}
	switch {
	case d.Arguments.ForName("alone") == nil:
		return sum(n, own)
	case typ == p.schema.Query:
		p.alone[typ.Name+"."+f.Alias] = own
	default:
		p.alone[typ.Name] = own
	}
	return n
}

// named returns how many round trips an object of a type takes, whatever is selected of it: those of the type's first
// field, if that is a scalar.
func (p *pathing) named(typ *ast.Definition) (most int) {
	if typ == nil {
		return 0
	}
	if typ.Kind == ast.Union {
		for _, t := range p.schema.GetPossibleTypes(typ) {
			most = max(most, p.named(t))
		}
		return most
	}
	for _, f := range typ.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		if d := f.Directives.ForName("roundTrips"); d != nil && p.schema.Types[f.Type.Name()].IsLeafType() {
			return number(d, "max")
		}
		return 0
	}
	return 0
}

// given reports whether a field has one of the arguments with which it takes more round trips.
func (p *pathing) given(f *ast.Field, d *ast.Directive) bool {
	when := d.Arguments.ForName("when")
	if when == nil {
		return false
	}
	return slices.ContainsFunc(when.Value.Children, func(name *ast.ChildValue) bool {
		arg := f.Arguments.ForName(name.Value.Raw)
		switch {
		case arg == nil || arg.Value.Kind == ast.NullValue:
			return false
		case arg.Value.Kind == ast.Variable:
			return p.variables[arg.Value.Raw] != nil
		}
		return true
	})
}

// number returns an argument of a directive, 0 if it is missing.
func number(d *ast.Directive, name string) int {
	a := d.Arguments.ForName(name)
	if a == nil {
		return 0
	}
	n, _ := strconv.Atoi(a.Value.Raw) // the schema is valid
	return n
}
