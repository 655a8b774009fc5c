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

// CheckCost refuses an operation that asks for too many rows or values, and tells
// how many values it asks for. parts reports whether it is answered in parts. The document
// is valid and the variables are coerced.
func (l Limits) CheckCost(
	schema *ast.Schema, op *ast.OperationDefinition, fragments ast.FragmentDefinitionList, variables map[string]any,
	parts bool,
) (values int, _ *gqlerror.Error) {
	rows, values := costOf(schema, op, fragments, variables, parts)
	over := func(unit, hint string, limit, value int) *gqlerror.Error {
		message := fmt.Sprintf("The operation asks for too many %s, up to %d; %s", unit, value, hint)
		e := Exceeded("COST_LIMIT_EXCEEDED", message, limit, value)
		e.Extensions["unit"] = unit
		return e
	}
	switch {
	case rows > l.Rows:
		return 0, over("rows", "ask for smaller pages inside each other", l.Rows, rows)
	case values > l.Values:
		return 0, over("values", "ask for smaller pages or fewer fields", l.Values, values)
	}
	return values, nil
}

// costOf is how many rows of lists, and how many values of fields, the answer
// has at most. The rows of a list are its page size, once per parent; a page
// counts also when none of its rows is selected, for it is read, and twice when
// both its edges and its nodes are. Lists inside introspection count no rows, and
// as many values as the schema has on average.
func costOf(
	schema *ast.Schema, op *ast.OperationDefinition, fragments ast.FragmentDefinitionList, variables map[string]any,
	parts bool,
) (rows, values int) {
	c := &costing{schema: schema, fragments: fragments, variables: variables, sized: map[string]load{}, parts: parts}
	all := c.of(op.SelectionSet)
	return all.rows, all.values
}

// cost is an amount of rows and values.
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

// load is what a selection costs for one parent. If the parent is a connection,
// each row of its page costs perRow on top: a fragment of a connection is sized
// once, and spread on pages of many sizes.
type load struct {
	cost
	perRow cost
}

// costing sizes the selections of one operation with its variables.
type costing struct {
	schema    *ast.Schema
	fragments ast.FragmentDefinitionList
	variables map[string]any
	sized     map[string]load
	// parts reports whether the operation is answered in parts.
	parts bool
	// inside are the sizes of introspection's lists, once one was met.
	inside map[string]int
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
	c.sized[name] = load{} // a socialModel, which is refused before, comes to an end
	if f := c.fragments.ForName(name); f != nil {
		c.sized[name] = c.of(f.SelectionSet)
	}
	return c.sized[name]
}

// field is the cost of a field for one parent: its own value and what is below.
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

// isRowsOfPage reports whether the field is the list of a connection: it is as long
// as the connection's page.
func isRowsOfPage(f *ast.Field) bool {
	return strings.HasSuffix(f.ObjectDefinition.Name, "Connection") && (f.Name == "edges" || f.Name == "nodes")
}

// length is how long a list is at most: the largest of its slicing arguments, or
// what the schema assumes if none is given. Sizes that resolvers refuse count
// too, but negative ones.
func (c *costing) length(f *ast.Field, listSize *ast.Directive) int {
	n, given := 0, false
	if names := listSize.Arguments.ForName("slicingArguments"); names != nil {
		for _, name := range names.Value.Children {
			if size, ok := c.slice(f, name.Value.Raw); ok {
				n, given = max(n, size), true
			}
		}
	}
	if given {
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

// slice is the size that an argument asks for, itself or by its length; false if
// it is not given, or null.
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

// distinct is how many of the n entries of a list differ: equal ones are executed
// once, unless the answer comes in parts.
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

// sizeOf is the size that a variable's value asks for.
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
			return 0, false // not a number: the resolver is never asked
		}
		return int(min(max(n, 0), ceiling)), true
	}
	return 0, false
}

// skipped reports whether @skip or @include leaves a selection out for certain.
func (c *costing) skipped(list ast.DirectiveList) bool {
	for _, d := range list {
		if d.Name != "skip" && d.Name != "include" {
			continue
		}
		arg := d.Arguments.ForName("if")
		if arg == nil {
			continue
		}
		given := arg.Value.Raw == "true"
		if arg.Value.Kind == ast.Variable {
			var ok bool
			if given, ok = c.variables[arg.Value.Raw].(bool); !ok {
				continue
			}
		}
		if given == (d.Name == "skip") {
			return true
		}
	}
	return false
}

// introspected is how long a list of introspection is: for all types and
// directives their number, for what belongs to one of them the mean.
func (c *costing) introspected(field string) int {
	if c.inside == nil {
		var fields, arguments int
		for _, t := range c.schema.Types {
			fields += len(t.Fields)
			for _, f := range t.Fields {
				arguments += len(f.Arguments)
			}
		}
		types := max(len(c.schema.Types), 1)
		c.inside = map[string]int{
			"types": types, "directives": len(c.schema.Directives),
			"fields": (fields + types - 1) / types, "inputFields": (fields + types - 1) / types,
			"args": arguments/max(fields, 1) + 1,
		}
	}
	return max(c.inside[field], 1)
}
