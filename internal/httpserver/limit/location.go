package limit

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// located adds the place in the document to an error; nil adds none.
func located(err *gqlerror.Error, at *ast.Position) *gqlerror.Error {
	if err != nil && at != nil {
		err.Locations = []gqlerror.Location{{Line: at.Line, Column: at.Column}}
	}
	return err
}

// tooDeep returns the place of the first field that is nested deeper than limit, or nil.
func (m *measure) tooDeep(limit int) *ast.Position {
	for _, op := range m.doc.Operations {
		if m.of(op.SelectionSet).depth > limit {
			return m.below(op.SelectionSet, limit)
		}
	}
	for _, f := range m.doc.Fragments {
		if m.of(f.SelectionSet).depth > limit {
			return m.below(f.SelectionSet, limit)
		}
	}
	return nil
}

// below returns the place of the first field of a selection that is nested deeper than limit. It follows the first
// selection that is too deep, and so visits each level once.
func (m *measure) below(set ast.SelectionSet, limit int) *ast.Position {
	for _, sel := range set {
		if m.of(ast.SelectionSet{sel}).depth <= limit {
			continue
		}
		switch sel := sel.(type) {
		case *ast.Field:
			if limit -= nests(sel); limit < 0 {
				return sel.Position
			}
			return m.below(sel.SelectionSet, limit)
		case *ast.InlineFragment:
			return m.below(sel.SelectionSet, limit)
		case *ast.FragmentSpread:
			return m.below(m.named[sel.Name].SelectionSet, limit)
		}
	}
	return nil
}

// operation returns the place of the operation that has the most of what count counts.
func (m *measure) operation(count func(*ast.OperationDefinition) int) *ast.Position {
	var at *ast.Position
	most := -1
	for _, op := range m.doc.Operations {
		if n := count(op); n > most {
			most, at = n, op.Position
		}
	}
	return at
}

// fields returns the place of the operation with the most fields.
func (m *measure) fields() *ast.Position {
	return m.operation(func(op *ast.OperationDefinition) int { return m.of(op.SelectionSet).fields })
}

// roots returns the place of the operation with the most root fields, among the mutations or the others.
func (m *measure) roots(mutations bool) *ast.Position {
	return m.operation(func(op *ast.OperationDefinition) int {
		if (op.Operation == ast.Mutation) != mutations {
			return -1
		}
		return m.of(op.SelectionSet).top
	})
}

// fragmentDefinition returns the place of the largest fragment.
func (m *measure) fragmentDefinition() *ast.Position {
	var at *ast.Position
	most := -1
	for _, f := range m.doc.Fragments {
		if n := m.of(f.SelectionSet).fields; n > most {
			most, at = n, f.Position
		}
	}
	return at
}

// dearest returns the place of the innermost field that costs more than the limit for one parent, or else of the field
// of the selection that costs the most. count selects what is limited.
func (c *costing) dearest(set ast.SelectionSet, limit int, count func(cost) int) *ast.Position {
	var most *ast.Field
	highest := -1
	c.each(set, func(f *ast.Field) {
		l := c.field(f)
		if n := max(count(l.cost), count(l.perRow)); n > highest {
			highest, most = n, f
		}
	})
	if most == nil {
		return nil
	}
	inner := c.of(most.SelectionSet)
	if max(count(inner.cost), count(inner.perRow)) > limit {
		return c.dearest(most.SelectionSet, limit, count)
	}
	return most.Position
}

// each calls do for the fields of a selection, including those of its fragments, that are not certainly skipped.
func (c *costing) each(set ast.SelectionSet, do func(*ast.Field)) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			if !c.skipped(sel.Directives) {
				do(sel)
			}
		case *ast.InlineFragment:
			if !c.skipped(sel.Directives) {
				c.each(sel.SelectionSet, do)
			}
		case *ast.FragmentSpread:
			if f := c.fragments.ForName(sel.Name); f != nil && !c.skipped(sel.Directives) {
				c.each(f.SelectionSet, do)
			}
		}
	}
}
