package breadth

//lint:file-ignore U1000 methods that a generic interface asks for are taken for unused

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Type is a type of the schema as a field or a list refers to it: it tells how Go
// values of the type R are written.
type Type[R any] struct {
	nonNull bool
	bind    func(at *place, sels ast.SelectionSet, nonNull bool) cell[R]
}

// NonNull is the type that does not allow null.
func (t Type[R]) NonNull() Type[R] {
	t.nonNull = true
	return t
}

func (t Type[R]) at(p *place, sels ast.SelectionSet) cell[R] { return t.bind(p, sels, t.nonNull) }

// cell writes the values of one type at one place of the answer. First all values
// are gathered, then they are written in the same order.
type cell[R any] interface {
	// gather takes the objects in v.
	gather(v R)
	// begin is called when all values were gathered.
	begin()
	write(w *writer, v R) outcome
}

// outcome is what became of a value that was to be written.
type outcome uint8

const (
	// wrote is a value that stands in the buffer; after all others, nothing does.
	wrote outcome = iota
	// empty is a null.
	empty
	// absent is a null without a Go type.
	absent
	// gone is an object that is not there any more: null where that is allowed,
	// else what holds it is gone too.
	gone
	// broken is a null whose reason has been told.
	broken
)

// place is a field of the answer, whatever lists lead to it.
type place struct {
	// ctx is the context of the field, for the fields beneath it.
	ctx context.Context
	run *run
}

// Scalar is a scalar or enum.
func Scalar[R any](append func(b []byte, v R) ([]byte, bool)) Type[R] {
	c := scalarCell[R](append)
	return Type[R]{bind: func(*place, ast.SelectionSet, bool) cell[R] { return c }}
}

type scalarCell[R any] func(b []byte, v R) ([]byte, bool)

func (scalarCell[R]) gather(R) {}
func (scalarCell[R]) begin()   {}
func (c scalarCell[R]) write(w *writer, v R) outcome {
	if w.over {
		return wrote
	}
	var ok bool
	if w.b, ok = c(w.b, v); !ok {
		return empty
	}
	w.measure()
	return wrote
}

// ContextScalar is a scalar whose marshaler wants the context of its field, and may
// fail. A nil marshaler is null.
func ContextScalar[R any](marshal func(v R) graphql.ContextMarshaler) Type[R] {
	c := contextCell[R](marshal)
	return Type[R]{bind: func(*place, ast.SelectionSet, bool) cell[R] { return c }}
}

type contextCell[R any] func(v R) graphql.ContextMarshaler

func (contextCell[R]) gather(R) {}
func (contextCell[R]) begin()   {}
func (c contextCell[R]) write(w *writer, v R) outcome {
	if w.over {
		return wrote
	}
	m := c(v)
	if m == nil || m == graphql.Null || m == graphql.RequiredNull {
		return empty
	}
	start, out := len(w.b), appender{w.b}
	err := m.MarshalGQLContext(w.context(), &out)
	if w.b = out.b; err != nil {
		w.b = w.b[:start]
		w.fail(err)
		return broken
	}
	w.measure()
	return wrote
}

// Ptr is a type whose null is a nil pointer.
func Ptr[R any](of Type[R]) Type[*R] {
	return Type[*R]{bind: func(at *place, sels ast.SelectionSet, _ bool) cell[*R] { return ptrCell[R]{of.at(at, sels)} }}
}

type ptrCell[R any] struct{ of cell[R] }

func (c ptrCell[R]) gather(v *R) {
	if v != nil {
		c.of.gather(*v)
	}
}
func (c ptrCell[R]) begin() { c.of.begin() }
func (c ptrCell[R]) write(w *writer, v *R) outcome {
	if v == nil {
		return empty
	}
	return c.of.write(w, *v)
}

// List is a list. A nil list that must not be null is an empty one.
func List[R any](of Type[R]) Type[[]R] {
	return Type[[]R]{bind: func(at *place, sels ast.SelectionSet, nonNull bool) cell[[]R] {
		return listCell[R]{of: of.at(at, sels), strict: of.nonNull, nonNull: nonNull}
	}}
}

type listCell[R any] struct {
	of      cell[R]
	strict  bool // no element may be null
	nonNull bool
}

func (c listCell[R]) gather(v []R) {
	for _, e := range v {
		c.of.gather(e)
	}
}
func (c listCell[R]) begin() { c.of.begin() }
func (c listCell[R]) write(w *writer, v []R) outcome {
	if v == nil && !c.nonNull {
		return empty
	}
	start, result := len(w.b), wrote
	w.b = append(w.b, '[')
	w.path = append(w.path, step{})
	kept := 0 // paths tell the place in the answer
	for _, e := range v {
		w.path[len(w.path)-1].index = kept
		kept++
		before := len(w.b)
		if before > start+1 {
			w.b = append(w.b, ',')
		}
		switch c.of.write(w, e) {
		case wrote:
		case gone:
			if c.strict { // left out
				w.b, kept = w.b[:before], kept-1
				continue
			}
			w.b = append(w.b, "null"...)
		case empty, absent:
			if c.strict {
				w.failNull(messageNull)
				result = broken
			}
			w.b = append(w.b, "null"...)
		case broken:
			if c.strict {
				result = broken
			}
			w.b = append(w.b, "null"...)
		}
	}
	w.path = w.path[:len(w.path)-1]
	if result != wrote {
		w.b = w.b[:start]
		return result
	}
	w.b = append(w.b, ']')
	return wrote
}

// Ref is an object type whose objects are pointers.
func Ref[T any](o *Object[T]) Type[*T] {
	return Type[*T]{bind: func(at *place, sels ast.SelectionSet, _ bool) cell[*T] { return refCell[T]{newSet(o, at, sels)} }}
}

type refCell[T any] struct{ set *set[T] }

func (c refCell[T]) gather(v *T) {
	if v != nil {
		c.set.objs = append(c.set.objs, v)
	}
}
func (c refCell[T]) begin() { c.set.begin() }
func (c refCell[T]) write(w *writer, v *T) outcome {
	if v == nil {
		return empty
	}
	return c.set.write(w)
}

// Value is an object type whose objects are values.
func Value[T any](o *Object[T]) Type[T] {
	return Type[T]{bind: func(at *place, sels ast.SelectionSet, _ bool) cell[T] { return valueCell[T]{newSet(o, at, sels)} }}
}

type valueCell[T any] struct{ set *set[T] }

func (c valueCell[T]) gather(v T)                   { c.set.objs = append(c.set.objs, &v) }
func (c valueCell[T]) begin()                       { c.set.begin() }
func (c valueCell[T]) write(w *writer, _ T) outcome { return c.set.write(w) }

// Abstract is an interface or union. split tells which object type a value has: it
// calls Case, or Unknown.
func Abstract[I any](split func(v I, c *Cases)) Type[I] {
	return Type[I]{bind: func(at *place, sels ast.SelectionSet, _ bool) cell[I] {
		return &abstractCell[I]{split: split, cases: Cases{at: at, sels: sels}}
	}}
}

type abstractCell[I any] struct {
	split   func(v I, c *Cases)
	cases   Cases
	repeats repeats
}

func (c *abstractCell[I]) gather(v I) {
	if c.repeats.gather(v) {
		return
	}
	c.cases.w = nil
	c.split(v, &c.cases)
}

func (c *abstractCell[I]) begin() {
	for _, b := range c.cases.branches {
		b.set.begin()
	}
}

func (c *abstractCell[I]) write(w *writer, v I) outcome {
	r := c.repeats.of(v)
	if r == nil {
		return c.writeOnce(w, v)
	}
	return r.write(w, func() outcome { return c.writeOnce(w, v) })
}

func (c *abstractCell[I]) writeOnce(w *writer, v I) outcome {
	c.cases.w, c.cases.out = w, absent
	c.split(v, &c.cases)
	return c.cases.out
}

// Cases sorts the values of an abstract type by their object types.
type Cases struct {
	at       *place
	sels     ast.SelectionSet
	branches []branch
	w        *writer // nil while values are gathered
	out      outcome
}

// branch is the objects of one type.
type branch struct {
	typ any // *Object[T]
	set interface{ begin() }
}

// Case says that the value is v of the type o.
func Case[T any](c *Cases, o *Object[T], v *T) {
	if v == nil {
		c.out = empty
		return
	}
	s := branchOf(c, o)
	if c.w == nil {
		s.objs = append(s.objs, v)
		return
	}
	c.out = s.write(c.w)
}

func branchOf[T any](c *Cases, o *Object[T]) *set[T] {
	for _, b := range c.branches {
		if s, ok := b.set.(*set[T]); ok && s.typ == o {
			return s
		}
	}
	s := newSet(o, c.at, c.sels)
	c.branches = append(c.branches, branch{o, s})
	return s
}

// Unknown says that the value is of no object type of the abstract type name. As
// in gqlgen, it may write itself.
func (c *Cases) Unknown(name string, v any) {
	if c.w == nil {
		return
	}
	c.out = broken
	start := len(c.w.b)
	defer func() {
		if p := recover(); p != nil {
			c.w.b = c.w.b[:start]
			c.w.failPanic(p)
		}
	}()
	m, ok := v.(graphql.Marshaler)
	if !ok {
		panic(fmt.Errorf("unexpected type %T; non-generated variants of %s must implement graphql.Marshaler", v, name))
	}
	if c.w.marshal(m) {
		c.out = wrote
	} else {
		c.out = absent
	}
}
