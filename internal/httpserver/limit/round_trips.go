package limit

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// manyTexts is how many rows a query may ask for without reading the lengths of texts before the texts.
const manyTexts = 100

// RoundTrips returns how many round trips to Redis a query takes at most, according to the directives @roundTrips of
// its fields: fields beside each other share theirs, so it is the sum along the longest path. What a process reads for
// everybody, a snapshot or walk that is taken, and a home that is filled again are not in it. The document is valid and
// the variables are coerced. named returns the type of the object that a global id names, and what else directives may
// say of it; nothing if it is not an id.
func RoundTrips(schema *ast.Schema, op *ast.OperationDefinition, fragments ast.FragmentDefinitionList,
	variables map[string]any, named func(id string) []string) int {
	c := newCosting(schema, fragments, variables, false)
	p := pathing{costing: c, named: named, sized: map[string]path{}, bares: map[string]bool{}, alone: map[string]int{}}
	n := p.of(op.SelectionSet, place{typ: schema.Query})
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
	named func(id string) []string
	sized map[string]path // by fragment and place
	bares map[string]bool // whether a fragment is bare, by its name and type
	texts int             // places where texts are selected
	// alone are the round trips that are not shared, by the object that takes them once.
	alone map[string]int
}

// place is where a selection stands.
type place struct {
	typ *ast.Definition // of its objects, which is not abstract
	// from is the type of the object around it, beyond connections and edges.
	from *ast.Definition
	// object is how many round trips it takes to read its objects, 0 if they have been read.
	object int
	// later is what fields of the objects take for the field that returns them.
	later []later
}

// later is a number of round trips that fields with these names take, and the types of objects that they read.
type later struct {
	fields []string
	trips  int
	reads  []string
}

// of returns the longest path in a selection.
func (p *pathing) of(set ast.SelectionSet, at place) (most int) {
	if len(set) > 0 {
		most = at.object
	}
	for _, sel := range set {
		n := 0
		switch sel := sel.(type) {
		case *ast.Field:
			if !p.skipped(sel.Directives) {
				n = p.field(sel, at)
			}
		case *ast.InlineFragment:
			if !p.skipped(sel.Directives) && p.applies(sel.TypeCondition, at.typ) {
				n = p.of(sel.SelectionSet, at)
			}
		case *ast.FragmentSpread:
			if !p.skipped(sel.Directives) {
				n = p.fragment(sel.Name, at)
			}
		}
		most = max(most, n)
	}
	return most
}

// applies reports whether a fragment with a condition selects from objects of a type.
func (p *pathing) applies(condition string, typ *ast.Definition) bool {
	return condition == "" || condition == typ.Name ||
		slices.Contains(p.schema.GetPossibleTypes(p.schema.Types[condition]), typ)
}

// fragment returns the longest path in a fragment.
func (p *pathing) fragment(name string, at place) int {
	f := p.fragments.ForName(name)
	if f == nil || !p.applies(f.TypeCondition, at.typ) {
		return 0
	}
	key := fmt.Sprint(name, " ", at.typ.Name, at.object, at.later)
	if at.from != nil {
		key += " " + at.from.Name
	}
	known, ok := p.sized[key]
	if !ok {
		before := p.texts
		p.sized[key] = path{} // ends a cycle, which was already refused
		known.trips = p.of(f.SelectionSet, at)
		known.texts = p.texts - before
		p.sized[key] = known
		return known.trips
	}
	p.texts = sum(p.texts, known.texts)
	return known.trips
}

// path is the longest path in a fragment, and the number of places there where texts are selected.
type path struct{ trips, texts int }

func (p *pathing) field(f *ast.Field, at place) int {
	def := at.typ.Fields.ForName(f.Name)
	if def == nil || strings.HasPrefix(f.Name, "__") {
		return 0
	}
	if f.Name == "content" || f.Name == "contentHtml" || f.Name == "excerpt" {
		p.texts++
	}
	own, after := p.own(f, def, at)
	below := p.below(f, def, at, own, after)
	switch d := def.Directives.ForName("roundTrips"); {
	case d == nil || d.Arguments.ForName("alone") == nil:
		return max(own, below)
	case at.typ == p.schema.Query:
		p.alone[at.typ.Name+"."+f.Alias] = own
	default:
		p.alone[at.typ.Name] = own
	}
	return below - own
}

// below returns the longest path to the end of a field, which takes own before its own fields begin.
func (p *pathing) below(f *ast.Field, def *ast.FieldDefinition, at place, own int, after []later) (most int) {
	read := p.reads(f, def, at)
	from := at.from
	if !strings.HasSuffix(at.typ.Name, "Connection") && !strings.HasSuffix(at.typ.Name, "Edge") {
		from = at.typ
	}
	most = own
	known := p.known(f, def)
	for _, typ := range known {
		inside := place{typ: typ, from: from, object: objectTrips(typ, from), later: after}
		if slices.Contains(read, typ.Name) {
			inside.object = 0
		} else if len(read) > 0 && strings.HasSuffix(typ.Name, "Edge") {
			inside.later = append(slices.Clip(after), later{fields: []string{"node"}, reads: read})
		} else if len(read) > 0 && p.bare(f.SelectionSet, typ) { // read beside the others
			most = max(most, inside.object)
			continue
		}
		most = max(most, sum(own, p.of(f.SelectionSet, inside)))
	}
	return most
}

// reads returns the types of objects that have been read when a field returns them.
func (p *pathing) reads(f *ast.Field, def *ast.FieldDefinition, at place) (read []string) {
	for _, d := range def.Directives.ForNames("roundTrips") {
		if d.Arguments.ForName("on") == nil {
			read = append(read, names(d, "reads")...)
		}
	}
	for _, l := range at.later {
		if slices.Contains(l.fields, f.Name) {
			read = append(read, l.reads...)
		}
	}
	return read
}

// bare reports whether a selection has no field of objects of a type but their names and ids.
func (p *pathing) bare(set ast.SelectionSet, typ *ast.Definition) bool {
	return !slices.ContainsFunc(set, func(sel ast.Selection) bool {
		switch sel := sel.(type) {
		case *ast.Field:
			return sel.Name != "__typename" && sel.Name != "id"
		case *ast.InlineFragment:
			return p.applies(sel.TypeCondition, typ) && !p.bare(sel.SelectionSet, typ)
		case *ast.FragmentSpread:
			f := p.fragments.ForName(sel.Name)
			if f == nil || !p.applies(f.TypeCondition, typ) {
				return false
			}
			key := sel.Name + " " + typ.Name
			if _, ok := p.bares[key]; !ok {
				p.bares[key] = true // ends a cycle, which was already refused
				p.bares[key] = p.bare(f.SelectionSet, typ)
			}
			return !p.bares[key]
		}
		return false
	})
}

// own returns how many round trips a field takes before its own fields begin, and what these take for it.
func (p *pathing) own(f *ast.Field, def *ast.FieldDefinition, at place) (n int, after []later) {
	if f.Name == "id" {
		return at.object, nil
	}
	object := objectTrips(at.typ, nil)
	for _, d := range def.Directives.ForNames("roundTrips") {
		own := number(d, "max")
		if own > 0 && own >= object && d.Arguments.ForName("beside") == nil {
			own += at.object - object
		}
		n = sum(n, own)
		switch fields := names(d, "on"); {
		case !p.happens(f, d) || !under(d, at.from):
		case fields != nil:
			after = append(after, later{fields, number(d, "more"), names(d, "reads")})
		default:
			n = sum(n, number(d, "more"))
		}
	}
	for _, l := range at.later {
		if slices.Contains(l.fields, f.Name) {
			n = sum(n, l.trips)
		}
	}
	return n, after
}

// known returns the types that the objects of a field may have: those of their ids, if the arguments name these.
func (p *pathing) known(f *ast.Field, def *ast.FieldDefinition) []*ast.Definition {
	typ := p.schema.Types[def.Type.Name()]
	if typ == nil || typ.IsLeafType() {
		return nil
	}
	if !typ.IsAbstractType() {
		return []*ast.Definition{typ}
	}
	for _, name := range []string{"id", "ids"} {
		arg := f.Arguments.ForName(name)
		if arg == nil {
			continue
		}
		var known []*ast.Definition
		for _, id := range texts(p.value(arg.Value)) {
			for _, name := range p.named(id) {
				if t := p.schema.Types[name]; t != nil && !slices.Contains(known, t) {
					known = append(known, t)
				}
			}
		}
		return known
	}
	return p.schema.GetPossibleTypes(typ)
}

// objectTrips returns how many round trips it takes to read an object of a type in a field of another: those of its id.
func objectTrips(typ, from *ast.Definition) int {
	id := typ.Fields.ForName("id")
	if id == nil {
		return 0
	}
	d := id.Directives.ForName("roundTrips")
	n := number(d, "max")
	if from != nil && d != nil && under(d, from) {
		n += number(d, "more")
	}
	return n
}

// under reports whether what a directive says is true of objects in a field of a type.
func under(d *ast.Directive, from *ast.Definition) bool {
	of := names(d, "under")
	return of == nil || from != nil && slices.Contains(of, from.Name)
}

// happens reports whether one of the names of a directive's when is given, or all of those with "and" in between.
func (p *pathing) happens(f *ast.Field, d *ast.Directive) bool {
	return d.Arguments.ForName("when") == nil || slices.ContainsFunc(names(d, "when"), func(all string) bool {
		for path := range strings.SplitSeq(all, " and ") {
			if !p.given(f, path) {
				return false
			}
		}
		return true
	})
}

// given reports whether an argument has a value, or a field of one, such as "by.name", or whether it is the value with
// which the path ends, as "orderBy.TOP", or an id that has its name, as "id.Topic". Null, false and 0 are no values.
func (p *pathing) given(f *ast.Field, path string) bool {
	name, rest, deeper := strings.Cut(path, ".")
	arg := f.Arguments.ForName(name)
	if arg == nil {
		return false
	}
	v := p.value(arg.Value)
	for deeper {
		fields, ok := v.(map[string]any)
		if !ok {
			return slices.ContainsFunc(texts(v), func(s string) bool {
				return s == rest || slices.Contains(p.named(s), rest)
			})
		}
		name, rest, deeper = strings.Cut(rest, ".")
		v = fields[name]
	}
	return v != nil && !reflect.ValueOf(v).IsZero()
}

// value returns the value of an argument, nil if it is null.
func (p *pathing) value(v *ast.Value) any {
	value, err := v.Value(p.variables)
	if err != nil {
		return nil // the document is valid
	}
	return value
}

// texts returns the strings of a list, or the only one.
func texts(v any) (all []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []any:
		for _, e := range v {
			all = append(all, texts(e)...)
		}
	}
	return all
}

// names returns an argument of a directive that lists names.
func names(d *ast.Directive, argument string) (all []string) {
	if d == nil || d.Arguments.ForName(argument) == nil {
		return nil
	}
	for _, name := range d.Arguments.ForName(argument).Value.Children {
		all = append(all, name.Value.Raw)
	}
	return all
}

// number returns an argument of a directive, 0 if it is missing.
func number(d *ast.Directive, name string) int {
	if d == nil || d.Arguments.ForName(name) == nil {
		return 0
	}
	n, _ := strconv.Atoi(d.Arguments.ForName(name).Value.Raw) // the schema is valid
	return n
}
