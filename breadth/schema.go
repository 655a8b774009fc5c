package breadth

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// Object is an object type of the schema, whose objects are pointers.
type Object struct {
	name      string
	satisfies []string
	root      bool
	fields    map[string]definition
	// load is a Load, or nil if objects are known; objs are typed ones.
	load    func(ctx context.Context, objs any) []error
	missing func(obj any) bool
	// inner returns the object that a pointer to a pointer leads to, or nil.
	inner   func(p any) any
	objects func() objects // returns none, of this type
}

// definition creates the column of a field for a set.
type definition func(s *set, sel *selection) column

// Root is the object of the root types, which has no fields in Go.
type Root struct{}

// NewRoot returns a root type without fields.
func NewRoot(name string) *Object {
	o := NewObject[Root](name, []string{name})
	o.root = true
	return o
}

// bind creates the columns of the fields selected on a set.
func (o *Object) bind(s *set) []column {
	found := s.collect()
	columns := make([]column, len(found))
	for i, sel := range found {
		columns[i] = o.column(s, sel)
		columns[i].share(columns[:i], s.at.run.op.Variables)
	}
	return columns
}

func (o *Object) column(s *set, sel *selection) column {
	var c column
	if define := o.fields[sel.Name]; define != nil {
		c = define(s, sel)
	} else if sel.Name == "__typename" {
		c.leaf = func(b []byte, _ any) ([]byte, bool) { return AppendString(b, o.name), true }
	} else {
		panic("unknown field " + o.name + "." + sel.Name)
	}
	c.sel = sel
	return c
}

// subject returns the object as directives see it.
func (o *Object) subject(obj any) any {
	if o.root {
		return nil
	}
	return obj
}

// Leaf defines a scalar or enum stored in the object.
func (o *Object) Leaf(name string, nonNull bool, append func(b []byte, obj any) ([]byte, bool)) {
	o.fields[name] = func(*set, *selection) column { return column{leaf: append, nonNull: nonNull} }
}

// Plain defines a field stored in the object, of any type: get copies it from obj to one of the results.
func (o *Object) Plain(name string, typ Type, values *Values, get func(obj, results any, i int)) {
	how := &Resolver{Method: true}
	o.fields[name] = func(s *set, sel *selection) column {
		c := &plainCells{get: get, resolution: resolution{set: s, sel: sel, how: how, typ: typ, values: values}}
		return column{cells: c, nonNull: typ.nonNull}
	}
}

// Single defines a field that is resolved by a call for each object.
func (o *Object) Single(
	name string, typ Type, values *Values, how *Resolver, call func(ctx context.Context, obj any) (any, error),
) {
	o.fields[name] = func(s *set, sel *selection) column {
		c := &singleCells{call: call, resolution: resolution{set: s, sel: sel, how: how, typ: typ, values: values}}
		return column{cells: c, nonNull: typ.nonNull}
	}
}

// Batch defines a field that is resolved by one call for many objects, a []*T, which returns one result for each, and
// a graphql.BatchErrorList if some failed.
func (o *Object) Batch(
	name string, typ Type, values *Values, how *Resolver, call func(ctx context.Context, objs any) (any, error),
) {
	o.fields[name] = func(s *set, sel *selection) column {
		c := &batchCells{call: call, resolution: resolution{set: s, sel: sel, how: how, typ: typ, values: values}}
		return column{cells: c, nonNull: typ.nonNull}
	}
}

// Introspection defines a root field that gqlgen resolves.
func (o *Object) Introspection(
	name string, nonNull bool,
	call func(ctx context.Context, op *graphql.OperationContext, field graphql.CollectedField) graphql.Marshaler,
) {
	o.fields[name] = func(s *set, sel *selection) column {
		return column{cells: introspection{s.at, sel, call}, nonNull: nonNull}
	}
}

// Schema is the schema that the generated code builds.
type Schema struct {
	// Query, Mutation and Subscription are the root types, or nil.
	Query, Mutation *Object
	Subscription    *Subscription
	// Context adds to a response's context the values that gqlgen's generated code expects there.
	Context func(context.Context) context.Context
	// Complexity is the method of graphql.ExecutableSchema, or nil if no field has a complexity of its own.
	Complexity func(ctx context.Context, typ, field string, child int, args map[string]any) (int, bool)
}
