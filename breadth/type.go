package breadth

import (
	"context"
	"fmt"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Type is a type of the schema as a field or a list refers to it: how Go values of one type are written. The executor
// handles a value of the Go type R by a pointer *R in an any, so that its code is compiled once, not once for each R.
type Type struct {
	nonNull bool
	bind    func(at *position, sels ast.SelectionSet, nonNull bool) cell
}

// NonNull returns the type that does not allow null.
func (t Type) NonNull() Type {
	t.nonNull = true
	return t
}

func (t Type) at(p *position, sels ast.SelectionSet) cell { return t.bind(p, sels, t.nonNull) }

// cell writes the values of one type at one position of the answer. First all values are gathered, then they are
// written in the same order.
type cell interface {
	// gather takes the objects in the value that p points to.
	gather(p any)
	// begin is called when all values were gathered.
	begin()
	write(w *writer, p any) outcome
}

// expect makes room for n more objects that gather will take.
func expect(c cell, n int) {
	switch c := c.(type) {
	case refCell:
		c.set.objs.grow(n)
	case valueCell:
		c.set.objs.grow(n)
	}
}

// outcome is the result of writing a value.
type outcome uint8

const (
	// wrote is a value that was written to the buffer; all other outcomes write nothing.
	wrote outcome = iota
	// empty is a null.
	empty
	// absent is a null without a Go type.
	absent
	// missing is an object that no longer exists: null where that is allowed, otherwise its parent is missing, too.
	missing
	// broken is a null whose reason was reported.
	broken
)

// position is a field of the answer, regardless of the lists that lead to it.
type position struct {
	// ctx is the context of the field, for its subfields.
	ctx context.Context
	run *run
}

// Scalar is a scalar or enum: append appends the value that p points to, and returns false, with nothing appended,
// for null.
func Scalar(append func(b []byte, p any) ([]byte, bool)) Type {
	c := scalarCell(append)
	return Type{bind: func(*position, ast.SelectionSet, bool) cell { return c }}
}

type scalarCell func(b []byte, p any) ([]byte, bool)

func (scalarCell) gather(any) {}
func (scalarCell) begin()     {}
func (c scalarCell) write(w *writer, p any) outcome {
	if w.over {
		return wrote
	}
	var ok bool
	if w.b, ok = c(w.b, p); !ok {
		return empty
	}
	w.measure()
	return wrote
}

// ContextScalar is a scalar whose marshaler needs the context of its field, and may fail. A nil marshaler is null.
func ContextScalar(marshal func(p any) graphql.ContextMarshaler) Type {
	c := contextCell(marshal)
	return Type{bind: func(*position, ast.SelectionSet, bool) cell { return c }}
}

type contextCell func(p any) graphql.ContextMarshaler

func (contextCell) gather(any) {}
func (contextCell) begin()     {}
func (c contextCell) write(w *writer, p any) outcome {
	if w.over {
		return wrote
	}
	m := c(p)
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

// isLeaf reports whether a cell gathers nothing.
func isLeaf(c cell) bool {
	switch c.(type) {
	case scalarCell, contextCell:
		return true
	}
	return false
}

// Ptr is a type whose null is a nil pointer: inner is Inner of the Go type.
func Ptr(of Type, inner func(p any) any) Type {
	return Type{bind: func(at *position, sels ast.SelectionSet, _ bool) cell {
		return ptrCell{of.at(at, sels), inner}
	}}
}

type ptrCell struct {
	of    cell
	inner func(p any) any
}

func (c ptrCell) gather(p any) {
	if v := c.inner(p); v != nil {
		c.of.gather(v)
	}
}
func (c ptrCell) begin() { c.of.begin() }
func (c ptrCell) write(w *writer, p any) outcome {
	v := c.inner(p)
	if v == nil {
		return empty
	}
	return c.of.write(w, v)
}

// List is a list. A nil list that must not be null is an empty one.
func List(of Type, elements Elements) Type {
	return Type{bind: func(at *position, sels ast.SelectionSet, nonNull bool) cell {
		return &listCell{typ: of, of: of.at(at, sels), elements: elements, strict: of.nonNull, nonNull: nonNull}
	}}
}

type listCell struct {
	typ      Type // of the elements
	of       cell
	elements Elements
	strict   bool // no element may be null
	nonNull  bool
	stream   *streamed // what is sent later, or nil
}

// first returns how many of n elements come with the list itself.
func (c *listCell) first(n int) int {
	if c.stream != nil {
		return min(n, c.stream.initial)
	}
	return n
}

func (c *listCell) gather(p any) {
	if isLeaf(c.of) {
		return
	}
	n := c.first(c.elements.length(p))
	if n > 0 {
		expect(c.of, n)
	}
	for i := range n {
		c.of.gather(c.elements.at(p, i))
	}
}
func (c *listCell) begin() { c.of.begin() }
func (c *listCell) write(w *writer, p any) outcome {
	n := c.elements.length(p)
	if n < 0 && !c.nonNull {
		return empty
	}
	if c.stream == nil {
		_, out := c.writeElements(w, c.of, p, 0, n, 0)
		return out
	}
	next, out := c.writeElements(w, c.of, p, 0, c.first(n), 0)
	if out == wrote && c.first(n) < n && w.silent == 0 {
		w.later = append(w.later, later{path: slices.Clone(w.path), stream: c.stream, list: p, index: next})
	}
	return out
}

// writeElements writes some elements as a list, with of. index is the index in the answer of the first one; the index
// after the last one is returned.
func (c *listCell) writeElements(w *writer, of cell, p any, from, to, index int) (int, outcome) {
	start, mark, result := len(w.b), len(w.later), wrote
	lost, omitted, reason := len(w.missing), 0, (*gqlerror.Error)(nil)
	w.b = append(w.b, '[')
	w.path = append(w.path, step{})
	for i := from; i < to; i++ {
		w.path[len(w.path)-1].index = index
		index++
		before := len(w.b)
		if before > start+1 {
			w.b = append(w.b, ',')
		}
		out, why := c.writeElement(w, of, c.elements.at(p, i))
		if why != nil {
			omitted++
			if reason == nil {
				reason = why
			}
		}
		if (out == missing || why != nil) && c.strict { // left out
			w.b, index = w.b[:before], index-1
			continue
		}
		if out != wrote {
			w.b = append(w.b, "null"...)
		}
		if !c.strict || out == wrote {
			continue
		}
		if result = broken; out != broken {
			w.failNull(messageNull)
		}
	}
	w.path = w.path[:len(w.path)-1]
	if result != wrote {
		w.b, w.later, w.missing = w.b[:start], w.later[:mark], w.missing[:lost]
		return index, result
	}
	if omitted > 0 {
		w.miss(omitted, reason)
	}
	w.b = append(w.b, ']')
	return index, wrote
}

// writeElement writes an element. why is not nil if it must be left out because it cannot be read at the moment.
func (c *listCell) writeElement(w *writer, of cell, p any) (out outcome, why *gqlerror.Error) {
	if !c.strict || isLeaf(of) {
		return of.write(w, p), nil
	}
	a := w.try()
	out = of.write(w, p)
	return out, w.tried(a, out)
}

// Ref is an object type whose values are pointers to objects.
func Ref(o *Object) Type {
	return Type{bind: func(at *position, sels ast.SelectionSet, _ bool) cell { return refCell{newSet(o, at, sels)} }}
}

type refCell struct{ set *set }

func (c refCell) gather(p any) { c.set.objs.addInner(p) }
func (c refCell) begin()       { c.set.begin() }
func (c refCell) write(w *writer, p any) outcome {
	if c.set.typ.inner(p) == nil {
		return empty
	}
	return c.set.write(w)
}

// Value is an object type whose values are objects.
func Value(o *Object) Type {
	return Type{bind: func(at *position, sels ast.SelectionSet, _ bool) cell { return valueCell{newSet(o, at, sels)} }}
}

type valueCell struct{ set *set }

func (c valueCell) gather(p any)                   { c.set.objs.add(p) }
func (c valueCell) begin()                         { c.set.begin() }
func (c valueCell) write(w *writer, _ any) outcome { return c.set.write(w) }

// Abstract is the interface or union called name. split returns the object type and the object, a pointer, of the
// value that p points to; a nil type for null, a nil object for a null pointer; Unknown and the value if it has no
// object type.
func Abstract(name string, split func(p any) (*Object, any)) Type {
	return Type{bind: func(at *position, sels ast.SelectionSet, _ bool) cell {
		return &abstractCell{name: name, split: split, at: at, sels: sels}
	}}
}

// Unknown is the object type of a value that has no type of the schema.
var Unknown = &Object{name: "unknown"}

type abstractCell struct {
	name    string
	split   func(p any) (*Object, any)
	at      *position
	sels    ast.SelectionSet
	sets    []*set // one for each object type
	repeats repeats
}

func (c *abstractCell) gather(p any) {
	o, obj := c.split(p)
	if o == nil || o == Unknown || obj == nil || c.at.run.incremental == nil && c.repeats.gather(obj) {
		return
	}
	s := c.of(o)
	s.objs.add(obj)
}

// of returns the set of the objects of one type.
func (c *abstractCell) of(o *Object) *set {
	for _, s := range c.sets {
		if s.typ == o {
			return s
		}
	}
	s := newSet(o, c.at, c.sels)
	c.sets = append(c.sets, s)
	return s
}

func (c *abstractCell) begin() {
	for _, s := range c.sets {
		s.begin()
	}
}

func (c *abstractCell) write(w *writer, p any) outcome {
	o, obj := c.split(p)
	switch {
	case o == nil:
		return absent
	case o == Unknown:
		return c.writeUnknown(w, obj)
	case obj == nil:
		return empty
	}
	if r := c.repeats.of(obj); r != nil {
		return r.write(w, func() outcome { return c.of(o).write(w) })
	}
	return c.of(o).write(w)
}

// writeUnknown writes a value without an object type. As in gqlgen, it may write itself.
func (c *abstractCell) writeUnknown(w *writer, v any) (out outcome) {
	out = broken
	start := len(w.b)
	defer func() {
		if p := recover(); p != nil {
			w.b = w.b[:start]
			w.failPanic(p)
		}
	}()
	m, ok := v.(graphql.Marshaler)
	if !ok {
		panic(fmt.Errorf("unexpected type %T; non-generated variants of %s must implement graphql.Marshaler", v, c.name))
	}
	if w.marshal(m) {
		return wrote
	}
	return absent
}
