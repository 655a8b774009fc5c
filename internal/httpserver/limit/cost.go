package limit

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/forum"
)

// Cost is how many rows of lists and values of fields an operation asks for at most.
type Cost struct{ Rows, Values int }

// CheckCost refuses an operation that asks for too many rows or values, and returns how many it asks for. parts reports
// whether it is answered in parts. The document is valid and the variables are coerced.
func (l Limits) CheckCost(
	schema *ast.Schema, op *ast.OperationDefinition, fragments ast.FragmentDefinitionList, variables map[string]any,
	parts bool,
) (Cost, *gqlerror.Error) {
	c := newCosting(schema, fragments, variables, parts)
	all := c.of(op.SelectionSet)
	over := func(unit, hint string, limit int, count func(cost) int) *gqlerror.Error {
		message := fmt.Sprintf("The operation asks for too many %s, up to %d; %s", unit, count(all.cost), hint)
		e := Exceeded("COST_LIMIT_EXCEEDED", message, limit, count(all.cost))
		e.Extensions["unit"] = unit
		return located(e, c.dearest(op.SelectionSet, limit, count))
	}
	switch {
	case all.rows > l.Rows:
		return Cost{}, over("rows", "ask for smaller pages inside each other", l.Rows, func(c cost) int { return c.rows })
	case all.values > l.Values:
		return Cost{}, over("values", "ask for smaller pages or fewer fields", l.Values, func(c cost) int { return c.values })
	}
	return Cost{Rows: all.rows, Values: all.values}, nil
}

// cost is a number of rows and values.
type cost struct{ rows, values int }

func (c cost) plus(d cost) cost { return cost{sum(c.rows, d.rows), sum(c.values, d.values)} }

func (c cost) times(n int) cost { return cost{product(c.rows, n), product(c.values, n)} }

// product multiplies counts up to the ceiling.
func product(a, b int) int {
	if b != 0 && a > ceiling/b {
		return ceiling
	}
	return a * b
}

// load is the cost of a selection for one parent. If the parent is a connection, each row of its page costs perRow in
// addition: a fragment of a connection is measured once, and spread on pages of many sizes.
type load struct {
	cost
	perRow cost
}

// costing measures the selections of one operation with its variables: the maximum number of rows of lists, and of
// values of fields, in the answer. The rows of a list are its page size, once per parent. A page counts also if none of
// its rows is selected, because it is read, and twice if both its edges and its nodes are. Lists inside introspection
// count no rows, and as many values as the schema has on average.
type costing struct {
	schema    *ast.Schema
	fragments ast.FragmentDefinitionList
	variables map[string]any
	sized     map[string]load
	// parts reports whether the operation is answered in parts.
	parts bool
	// inside are the sizes of introspection's lists, computed at the first one.
	inside map[string]int
}

func newCosting(
	schema *ast.Schema, fragments ast.FragmentDefinitionList, variables map[string]any, parts bool,
) *costing {
	return &costing{schema: schema, fragments: fragments, variables: variables, sized: map[string]load{}, parts: parts}
}

func (c *costing) of(set ast.SelectionSet) load {
	var total load
	for _, sel := range set {
		var l load
		switch sel := sel.(type) {
		case *ast.Field:
			if !c.skipped(sel.Directives) {
				l = c.field(sel)
			}
		case *ast.InlineFragment:
			if !c.skipped(sel.Directives) {
				l = c.of(sel.SelectionSet)
			}
		case *ast.FragmentSpread:
			if !c.skipped(sel.Directives) {
				l = c.fragment(sel.Name)
			}
		}
		total = load{total.plus(l.cost), total.perRow.plus(l.perRow)}
	}
	return total
}

func (c *costing) fragment(name string) load {
	if l, ok := c.sized[name]; ok {
		return l
	}
	c.sized[name] = load{} // ends a cycle, which was already refused
	if f := c.fragments.ForName(name); f != nil {
		c.sized[name] = c.of(f.SelectionSet)
	}
	return c.sized[name]
}

// field returns the cost of a field for one parent: its own value and its subfields.
func (c *costing) field(f *ast.Field) load {
	own, below := cost{values: 1}, c.of(f.SelectionSet)
	if f.Definition == nil || f.ObjectDefinition == nil {
		return load{cost: own.plus(below.cost)}
	}
	list := f.Definition.Type.Elem != nil
	row := below.plus(cost{rows: 1})
	switch directive := f.Definition.Directives.ForName("listSize"); {
	case directive != nil && list:
		return load{cost: own.plus(row.times(c.length(f, directive)))}
	case directive != nil:
		n := c.length(f, directive)
		perRow := below.perRow
		perRow.rows = max(perRow.rows, 1)
		return load{cost: own.plus(below.cost).plus(perRow.times(n))}
	case list && isRowsOfPage(f):
		return load{cost: own, perRow: row}
	case list && strings.HasPrefix(f.ObjectDefinition.Name, "__"):
		return load{cost: own.plus(below.times(c.introspected(f.Name)))}
	}
	return load{cost: own.plus(below.cost)}
}

// isRowsOfPage reports whether the field is the list of a connection: it is as long as the connection's page.
func isRowsOfPage(f *ast.Field) bool {
	return strings.HasSuffix(f.ObjectDefinition.Name, "Connection") && (f.Name == "edges" || f.Name == "nodes")
}

// length returns the maximum length of a list: the largest of its slicing arguments, or what the schema assumes if
// none is set. Sizes that resolvers refuse count, too, except negative ones.
func (c *costing) length(f *ast.Field, listSize *ast.Directive) int {
	n, set := 0, false
	if names := listSize.Arguments.ForName("slicingArguments"); names != nil {
		for _, name := range names.Value.Children {
			if size, ok := c.slice(f, name.Value.Raw); ok {
				n, set = max(n, size), true
			}
		}
	}
	if set {
		return n
	}
	if assumed := listSize.Arguments.ForName("assumedSize"); assumed != nil {
		n, err := strconv.Atoi(assumed.Value.Raw)
		if err == nil {
			return n
		}
	}
	return forum.DefaultPage
}

// slice returns the size that an argument asks for, by its value or its length; false if it is missing or null.
func (c *costing) slice(f *ast.Field, name string) (int, bool) {
	arg, def := f.Arguments.ForName(name), f.Definition.Arguments.ForName(name)
	if arg == nil || def == nil {
		return 0, false
	}
	isList, v := def.Type.Elem != nil, arg.Value
	switch {
	case v.Kind == ast.Variable:
		return c.sizeOf(c.variables[v.Raw], isList)
	case v.Kind == ast.NullValue:
		return 0, false
	case isList && v.Kind == ast.ListValue:
		return c.distinct(len(v.Children), func(i int) any { return v.Children[i].Value.Raw }), true
	case isList:
		return 1, true
	}
	return c.sizeOf(json.Number(v.Raw), false)
}

// distinct returns how many of the n entries of a list differ: equal ones are executed once, unless the answer comes
// in parts.
func (c *costing) distinct(n int, entry func(i int) any) int {
	if c.parts {
		return n
	}
	seen := make(map[any]bool, n)
	for i := range n {
		e := entry(i)
		if e != nil && !reflect.TypeOf(e).Comparable() {
			return n
		}
		seen[e] = true
	}
	return len(seen)
}

// sizeOf returns the size that a variable's value asks for.
func (c *costing) sizeOf(value any, isList bool) (int, bool) {
	if value == nil {
		return 0, false
	}
	v := reflect.ValueOf(value)
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch kind := v.Kind(); {
	case kind == reflect.Pointer:
		return 0, false
	case isList && (kind == reflect.Slice || kind == reflect.Array):
		return c.distinct(min(v.Len(), ceiling), func(i int) any { return v.Index(i).Interface() }), true
	case isList:
		return 1, true
	case v.CanInt():
		return int(min(max(v.Int(), 0), ceiling)), true
	case v.CanUint():
		return int(min(v.Uint(), ceiling)), true
	case v.CanFloat():
		return int(min(max(v.Float(), 0), ceiling)), true
	case kind == reflect.String:
		n, err := strconv.ParseInt(v.String(), 10, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, false // not a number: the resolver is never called
		}
		return int(min(max(n, 0), ceiling)), true
	}
	return 0, false
}

// skipped reports whether @skip or @include certainly leaves a selection out.
func (c *costing) skipped(list ast.DirectiveList) bool {
	for _, d := range list {
		if d.Name != "skip" && d.Name != "include" {
			continue
		}
		arg := d.Arguments.ForName("if")
		if arg == nil {
			continue
		}
		value := arg.Value.Raw == "true"
		if arg.Value.Kind == ast.Variable {
			var ok bool
			if value, ok = c.variables[arg.Value.Raw].(bool); !ok {
				continue
			}
		}
		if value == (d.Name == "skip") {
			return true
		}
	}
	return false
}

// introspected returns the length of a list of introspection: for all types and directives their number, for the
// parts of one of them the mean.
func (c *costing) introspected(field string) int {
	if c.inside == nil {
		var fields, inputs, arguments int
		for _, t := range c.schema.Types {
			if t.Kind == ast.InputObject {
				inputs += len(t.Fields)
				continue
			}
			fields += len(t.Fields)
			for _, f := range t.Fields {
				arguments += len(f.Arguments)
			}
		}
		types := max(len(c.schema.Types), 1)
		c.inside = map[string]int{
			"types": types, "directives": len(c.schema.Directives),
			"fields": (fields + types - 1) / types, "inputFields": (inputs + types - 1) / types,
			"args": arguments/max(fields, 1) + 1,
		}
	}
	return max(c.inside[field], 1)
}
