package breadth

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// Object is an object type of the schema, whose objects are pointers to T.
type Object[T any] struct {
	name      string
	satisfies []string
	root      bool
	fields    map[string]definition[T]
	hydration Hydration[T]
	gone      func(*T) bool
}

// definition is a field of an object type.
type definition[T any] func(s *set[T], sel *selection) column[T]

// Root is the object of the root types, which has no fields in Go.
type Root struct{}

// NewObject makes an object type without fields. satisfies are its name and those
// of its interfaces and unions.
func NewObject[T any](name string, satisfies []string) *Object[T] {
	return &Object[T]{name: name, satisfies: satisfies, fields: map[string]definition[T]{}}
}

// NewRoot makes a root type without fields.
func NewRoot(name string) *Object[Root] {
	o := NewObject[Root](name, []string{name})
	o.root = true
	return o
}

// Hydration loads what is selected of objects that may be known by id only.
type Hydration[T any] struct {
	// Ask asks for the named fields without waiting, and tells whether there is
	// anything to wait for; nil leaves that to Load.
	Ask func(ctx context.Context, objs []*T, fields []string) bool
	// Load returns when the named fields are there. Errors are one for each object,
	// nil if there are none.
	Load func(ctx context.Context, objs []*T, fields []string) []error
	// Late names the fields whose resolvers look at more of an object than its id:
	// they are called when it has been loaded, and named to Ask and Load too.
	Late map[string]bool
}

// Hydrated says that objects may be known by id only until they are loaded, and
// that they may turn out to be gone.
func (o *Object[T]) Hydrated(h Hydration[T], gone func(*T) bool) { o.hydration, o.gone = h, gone }

// bind makes the columns of the fields that are selected on a set.
func (o *Object[T]) bind(s *set[T]) []column[T] {
	found := collect(s.at.run.op, s.sels, o.satisfies)
	columns := make([]column[T], len(found))
	for i, sel := range found {
		columns[i] = o.column(s, sel)
		columns[i].share(columns[:i], s.at.run.op.Variables)
	}
	return columns
}

func (o *Object[T]) column(s *set[T], sel *selection) column[T] {
	var c column[T]
	if define := o.fields[sel.Name]; define != nil {
		c = define(s, sel)
	} else if sel.Name == "__typename" {
		c.leaf = func(b []byte, _ *T) ([]byte, bool) { return AppendString(b, o.name), true }
	} else {
		panic("unknown field " + o.name + "." + sel.Name)
	}
	c.sel = sel
	return c
}

// subject is what directives are told of an object.
func (o *Object[T]) subject(obj *T) any {
	if o.root {
		return nil
	}
	return obj
}

// Leaf defines a scalar or enum that the object holds.
func Leaf[T any](o *Object[T], name string, nonNull bool, append func(b []byte, obj *T) ([]byte, bool)) {
	o.fields[name] = func(*set[T], *selection) column[T] { return column[T]{leaf: append, nonNull: nonNull} }
}

// Plain defines a field that the object holds, of any type.
func Plain[T, R any](o *Object[T], name string, typ Type[R], get func(*T) R) {
	how := &Resolver{Method: true}
	o.fields[name] = func(s *set[T], sel *selection) column[T] {
		c := &plainCells[T, R]{get: get, resolution: resolution[T, R]{set: s, sel: sel, how: how, typ: typ}}
		return column[T]{cells: c, nonNull: typ.nonNull}
	}
}

// Single defines a field that is resolved by a call for each object.
func Single[T, R any](o *Object[T], name string, typ Type[R], how *Resolver, call func(ctx context.Context, obj *T) (R, error)) {
	o.fields[name] = func(s *set[T], sel *selection) column[T] {
		c := &singleCells[T, R]{call: call, resolution: resolution[T, R]{set: s, sel: sel, how: how, typ: typ}}
		return column[T]{cells: c, nonNull: typ.nonNull}
	}
}

// Batch defines a field that is resolved by one call for many objects, with one
// result for each, and a graphql.BatchErrorList of what failed for some.
func Batch[T, R any](o *Object[T], name string, typ Type[R], how *Resolver, call func(ctx context.Context, objs []*T) ([]R, error)) {
	o.fields[name] = func(s *set[T], sel *selection) column[T] {
		c := &batchCells[T, R]{call: call, resolution: resolution[T, R]{set: s, sel: sel, how: how, typ: typ}}
		return column[T]{cells: c, nonNull: typ.nonNull}
	}
}

// Introspection defines a field of the root that gqlgen answers.
func Introspection(o *Object[Root], name string, nonNull bool, call func(ctx context.Context, op *graphql.OperationContext, field graphql.CollectedField) graphql.Marshaler) {
	o.fields[name] = func(s *set[Root], sel *selection) column[Root] {
		return column[Root]{cells: introspection{s.at, sel, call}, nonNull: nonNull}
	}
}

// Schema is what the plugin makes of a schema.
type Schema struct {
	// Query, Mutation and Subscription are the root types; nil if there is none.
	Query, Mutation *Object[Root]
	Subscription    *Subscription
	// Unsupported names the fields, as "Type.field", that only gqlgen can execute.
	Unsupported map[string]bool
	// FieldDirectives are the schema's own directives on fields of documents,
	// which only gqlgen can execute.
	FieldDirectives []string
	// Context adds to a response's context what gqlgen's generated code expects there.
	Context func(context.Context) context.Context
}
