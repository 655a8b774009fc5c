package limit

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// CheckDocument refuses a document that is too much for validation, which takes time with the square of the
// selections of one name, and expands fragments. It counts all operations, not only the one that would run, and also
// unused fragments.
func (l Limits) CheckDocument(doc *ast.QueryDocument) *gqlerror.Error {
	if n := len(doc.Fragments); n > l.Fragments { // before measuring, which recurses into them
		return located(Exceeded("TOO_MANY_FRAGMENTS", "The document defines too many fragments", l.Fragments, n),
			doc.Fragments[l.Fragments].Position)
	}
	m := newMeasure(doc)
	operations, fragments, root, mutation := m.all()
	if m.cycle > 0 {
		return &gqlerror.Error{
			Message:    "A fragment contains itself, directly or through other fragments.",
			Extensions: map[string]any{"code": "FRAGMENT_CYCLE", "limit": 0, "value": m.cycle},
		}
	}
	both := operations.and(fragments)
	for _, check := range []struct {
		code, what   string
		limit, value int
		at           func() *ast.Position
	}{
		{"TOO_DEEP", "The document has too many fields inside each other", l.Depth, both.depth,
			func() *ast.Position { return m.tooDeep(l.Depth) }},
		{"TOO_MANY_FIELDS", "The document has too many fields", l.Fields, operations.fields, m.fields},
		{"TOO_MANY_FIELDS", "The document's fragments, each written out, have too many fields", 4 * l.Fields,
			fragments.fields, m.fragmentDefinition},
		{"TOO_MANY_FRAGMENTS", "The document names too many fragments", l.Fragments, len(m.fragments), m.fields},
		{"TOO_MANY_FRAGMENTS", "The document spreads fragments in too many places", l.Spreads, operations.spreads, m.fields},
		{"TOO_MANY_FRAGMENTS", "The document's fragments, each written out, spread others in too many places", 4 * l.Spreads,
			fragments.spreads, m.fragmentDefinition},
		{"TOO_MANY_ROOT_FIELDS", "A query has too many fields at its root", l.RootFields, root,
			func() *ast.Position { return m.roots(false) }},
		{"TOO_MANY_ROOT_FIELDS", "A mutation has too many fields at its root", l.MutationFields, mutation,
			func() *ast.Position { return m.roots(true) }},
		{"TOO_MANY_ALIASES", "The document has too many aliases", l.Aliases, operations.aliases, m.fields},
		{"TOO_MANY_DIRECTIVES", "The document has too many directives", l.Directives, operations.directives, m.fields},
		{"TOO_MANY_DIRECTIVES", "The document's fragments have too many directives", 4 * l.Directives, fragments.directives,
			m.fragmentDefinition},
		{"LIST_TOO_LONG", "A list in the document has too many entries", l.ListSize, m.list,
			func() *ast.Position { return m.longest }},
	} {
		if check.value > check.limit {
			return located(Exceeded(check.code, check.what, check.limit, check.value), check.at())
		}
	}
	if n := m.mostSelected(); n > l.Duplicates { // last, because it expands what was found to be small enough
		err := Exceeded("TOO_MANY_DUPLICATES", "The document selects one name too often in one place", l.Duplicates, n)
		return located(err, m.fields())
	}
	return nil
}

// size is the size of a selection with its fragments expanded.
type size struct {
	// depth is the depth of nested fields, without those that nests leaves out; top is the number of outermost ones.
	depth, top                           int
	fields, spreads, aliases, directives int
}

// and returns the size of two selections together.
func (s size) and(other size) size {
	return size{
		depth: max(s.depth, other.depth), top: sum(s.top, other.top), fields: sum(s.fields, other.fields),
		spreads: sum(
			s.spreads,
			other.spreads,
		), aliases: sum(s.aliases, other.aliases), directives: sum(s.directives, other.directives),
	}
}

// sum adds counts up to the ceiling.
func sum(a, b int) int { return min(a+b, ceiling) }

// measure measures selections. Each fragment is measured once, however often it is spread.
type measure struct {
	doc       *ast.QueryDocument
	named     map[string]*ast.FragmentDefinition
	fragments map[string]size
	// path are the fragments being measured.
	path []string
	// cycle is the number of fragments in a cycle of spreads, or 0.
	cycle int
	// list is the length of the longest list literal, which is at longest.
	list    int
	longest *ast.Position
}

func newMeasure(doc *ast.QueryDocument) *measure {
	m := &measure{doc: doc, named: map[string]*ast.FragmentDefinition{}, fragments: map[string]size{}}
	for _, f := range doc.Fragments {
		if m.named[f.Name] == nil { // validation, too, uses the first one with a name
			m.named[f.Name] = f
		}
	}
	return m
}

// all measures the operations together, and each fragment by itself; root and mutation are the most root fields of
// one operation of either kind.
func (m *measure) all() (operations, fragments size, root, mutation int) {
	for _, f := range m.doc.Fragments {
		s := m.of(f.SelectionSet)
		s.directives = sum(s.directives, m.directives(f.Directives))
		fragments = fragments.and(s)
	}
	for _, op := range m.doc.Operations {
		s := m.of(op.SelectionSet)
		s.directives = sum(s.directives, m.directives(op.Directives))
		for _, v := range op.VariableDefinitions {
			s.directives = sum(s.directives, m.directives(v.Directives))
			m.value(v.DefaultValue)
		}
		if op.Operation == ast.Mutation {
			mutation = max(mutation, s.top)
		} else {
			root = max(root, s.top)
		}
		operations = operations.and(s)
	}
	return operations, fragments, root, mutation
}

// nests returns by how much a field adds to the depth: 1, and 0 for the fields that lead from a connection to its rows,
// so that a page is one level however its rows are selected. The depth of brackets bounds these too.
func nests(f *ast.Field) int {
	switch f.Name {
	case "edges", "node", "nodes":
		return 0
	}
	return 1
}

func (m *measure) of(set ast.SelectionSet) size {
	var total size
	for _, sel := range set {
		var s size
		switch sel := sel.(type) {
		case *ast.Field:
			s = m.of(sel.SelectionSet)
			s.depth, s.top, s.fields = s.depth+nests(sel), 1, sum(s.fields, 1)
			if sel.Alias != sel.Name {
				s.aliases = sum(s.aliases, 1)
			}
			m.arguments(sel.Arguments)
			s.directives = sum(s.directives, m.directives(sel.Directives))
		case *ast.InlineFragment:
			s = m.of(sel.SelectionSet)
			s.spreads = sum(s.spreads, 1)
			s.directives = sum(s.directives, m.directives(sel.Directives))
		case *ast.FragmentSpread:
			s = m.fragment(sel.Name)
			s.spreads = sum(s.spreads, 1)
			s.directives = sum(s.directives, m.directives(sel.Directives))
		}
		total = total.and(s)
	}
	return total
}

func (m *measure) fragment(name string) size {
	if s, ok := m.fragments[name]; ok {
		return s
	}
	if i := slices.Index(m.path, name); i >= 0 {
		m.cycle = max(m.cycle, len(m.path)-i)
		return size{}
	}
	f := m.named[name]
	if f == nil {
		m.fragments[name] = size{} // validation refuses it, after comparing its name with all others
		return size{}
	}
	m.path = append(m.path, name)
	s := m.of(f.SelectionSet)
	m.path = m.path[:len(m.path)-1]
	s.directives = sum(s.directives, m.directives(f.Directives))
	m.fragments[name] = s
	return s
}

// directives checks and counts the directives of one node.
func (m *measure) directives(list ast.DirectiveList) int {
	for _, d := range list {
		m.arguments(d.Arguments)
	}
	return len(list)
}

func (m *measure) arguments(list ast.ArgumentList) {
	for _, a := range list {
		m.value(a.Value)
	}
}

// value records the length of the longest list in a literal.
func (m *measure) value(v *ast.Value) {
	if v == nil {
		return
	}
	if v.Kind == ast.ListValue && len(v.Children) > m.list {
		m.list, m.longest = len(v.Children), v.Position
	}
	for _, child := range v.Children {
		m.value(child.Value)
	}
}

// selected is one response name in one selection set, with equal fields merged: how often it is selected there, and
// the selections below it.
type selected struct {
	times int
	below map[string]*selected
}

// mostSelected returns the highest number of selections of one name in one selection set.
func (m *measure) mostSelected() int {
	most, reached := 0, map[string]bool{}
	for _, op := range m.doc.Operations {
		most = max(most, m.merge(op.SelectionSet, &selected{}, reached))
	}
	for _, f := range m.doc.Fragments {
		if !reached[f.Name] || m.named[f.Name] != f {
			most = max(most, m.merge(f.SelectionSet, &selected{}, reached))
		}
	}
	return most
}

func (m *measure) merge(set ast.SelectionSet, into *selected, reached map[string]bool) (most int) {
	for _, sel := range set {
		n := 0
		switch sel := sel.(type) {
		case *ast.Field:
			name := cmp.Or(sel.Alias, sel.Name)
			at := into.below[name]
			if at == nil {
				if into.below == nil {
					into.below = map[string]*selected{}
				}
				at = &selected{}
				into.below[name] = at
			}
			at.times++
			n = max(at.times, m.merge(sel.SelectionSet, at, reached))
		case *ast.InlineFragment:
			n = m.merge(sel.SelectionSet, into, reached)
		case *ast.FragmentSpread:
			if f := m.named[sel.Name]; f != nil {
				reached[sel.Name] = true
				n = m.merge(f.SelectionSet, into, reached)
			}
		}
		most = max(most, n)
	}
	return most
}
