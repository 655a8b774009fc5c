package breadth

import (
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// selection is one field of an answer: everything that the document selects under one response key of one type.
type selection struct{ graphql.CollectedField }

// collector gathers the fields that a document selects on one concrete type.
type collector struct {
	op        *graphql.OperationContext
	satisfies []string // the type, its interfaces and unions
	found     []*selection
	spare     []selection           // allocated for those to be found
	byKey     map[string]*selection // nil while there are few
	visited   []string              // names of fragments
	defers    bool                  // @defer is honored
	deferred  []*deferred
}

// many is the number of fields up to which a linear search is used.
const many = 24

// collect gathers fields by response key, in the document's order, and merges the selections of the same key. Source:
// GraphQL specification, CollectFields.
func collect(op *graphql.OperationContext, sels ast.SelectionSet, satisfies []string) []*selection {
	c := collector{op: op, satisfies: satisfies, found: make([]*selection, 0, len(sels))}
	c.add(sels)
	return c.found
}

func (c *collector) add(sels ast.SelectionSet) {
	for _, sel := range sels {
		switch sel := sel.(type) {
		case *ast.Field:
			if c.included(sel.Directives) {
				c.field(sel)
			}
		case *ast.InlineFragment:
			if c.included(sel.Directives) && c.matches(sel.TypeCondition) && !c.deferFragment(sel.Directives, sel.SelectionSet) {
				c.add(sel.SelectionSet)
			}
		case *ast.FragmentSpread:
			if !c.included(sel.Directives) || slices.Contains(c.visited, sel.Name) {
				continue
			}
			f := c.op.Doc.Fragments.ForName(sel.Name)
			if f == nil || !c.matches(f.TypeCondition) || c.deferFragment(sel.Directives, f.SelectionSet) {
				continue
			}
			c.visited = append(c.visited, sel.Name)
			c.add(f.SelectionSet)
		}
	}
}

func (c *collector) matches(condition string) bool {
	return condition == "" || slices.Contains(c.satisfies, condition)
}

func (c *collector) field(f *ast.Field) {
	if old := c.known(f.Alias); old != nil {
		old.Selections = append(slices.Clip(old.Selections), f.SelectionSet...)
		return
	}
	if len(c.spare) == 0 {
		c.spare = make([]selection, max(cap(c.found)-len(c.found), 4))
	}
	s := &c.spare[0]
	c.spare = c.spare[1:]
	s.CollectedField = graphql.CollectedField{Field: f, Selections: f.SelectionSet}
	c.found = append(c.found, s)
	if c.byKey != nil {
		c.byKey[f.Alias] = s
	}
}

func (c *collector) known(alias string) *selection {
	if c.byKey != nil {
		return c.byKey[alias]
	}
	for _, s := range c.found {
		if s.Alias == alias {
			return s
		}
	}
	if len(c.found) == many {
		c.byKey = make(map[string]*selection, 2*many)
		for _, s := range c.found {
			c.byKey[s.Alias] = s
		}
	}
	return nil
}

// included evaluates @skip and @include.
func (c *collector) included(directives ast.DirectiveList) bool {
	for _, d := range directives {
		switch d.Name {
		case "skip":
			if c.condition(d) {
				return false
			}
		case "include":
			if !c.condition(d) {
				return false
			}
		}
	}
	return true
}

func (c *collector) condition(d *ast.Directive) bool {
	arg := d.Arguments.ForName("if")
	if arg == nil {
		return false
	}
	v, err := arg.Value.Value(c.op.Variables)
	is, _ := v.(bool)
	return err == nil && is
}
