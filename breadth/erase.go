package breadth

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// This file has the generic functions between the Go types of a schema and the executor, which handles values as any.
// They are small because each is compiled for each Go type.

// Inner returns the *T that p, a **T, points to, as an any; nil if that is nil.
func Inner[T any](p any) any {
	if v := *p.(**T); v != nil {
		return v
	}
	return nil
}

// objects are objects of one type.
type objects interface {
	len() int
	at(i int) any // a *T
	add(obj any)
	// addInner adds the object that p, a **T, points to, unless that is nil.
	addInner(p any)
	// grow makes room for n more.
	grow(n int)
	// typed returns the []*T that resolvers accept.
	typed() any
}

// objectsOf implements objects.
type objectsOf[T any] struct {
	all   []*T
	boxed any // all, once it is complete
}

func (o *objectsOf[T]) len() int     { return len(o.all) }
func (o *objectsOf[T]) at(i int) any { return o.all[i] }
func (o *objectsOf[T]) add(obj any)  { o.all = append(o.all, obj.(*T)) }
func (o *objectsOf[T]) grow(n int)   { o.all = slices.Grow(o.all, n) }

func (o *objectsOf[T]) addInner(p any) {
	if obj := *p.(**T); obj != nil {
		o.all = append(o.all, obj)
	}
}

func (o *objectsOf[T]) typed() any {
	if o.boxed == nil {
		o.boxed = o.all
	}
	return o.boxed
}

// Values handles the []R that holds a field's values.
type Values struct {
	make   func(n int) any
	length func(values any) int
	// at returns a *R, get the R itself.
	at, get func(values any, i int) any
	// put sets one of the values and reports whether v is an R.
	put func(values any, i int, v any) bool
}

// ValuesOf returns the Values of a []R.
func ValuesOf[R any]() *Values {
	return &Values{
		make:   func(n int) any { return make([]R, n) },
		length: func(values any) int { return len(values.([]R)) },
		at:     func(values any, i int) any { return &values.([]R)[i] },
		get:    func(values any, i int) any { return values.([]R)[i] },
		put: func(values any, i int, v any) bool {
			r, ok := v.(R)
			if ok {
				values.([]R)[i] = r
			}
			return ok
		},
	}
}

// Elements handles the elements of a list by a pointer p to it.
type Elements struct {
	length func(p any) int // -1 for a nil list
	at     func(p any, i int) any
}

// ElementsOf returns the Elements of a *[]E.
func ElementsOf[E any]() Elements {
	return Elements{
		length: func(p any) int {
			list := *p.(*[]E)
			if list == nil {
				return -1
			}
			return len(list)
		},
		at: func(p any, i int) any { return &(*p.(*[]E))[i] },
	}
}

// NewObject returns an object type without fields, whose objects are pointers to T. satisfies has its name and those
// of its interfaces and unions.
func NewObject[T any](name string, satisfies []string) *Object {
	return &Object{name: name, satisfies: satisfies, fields: map[string]definition{}, inner: Inner[T],
		objects: func() objects { return &objectsOf[T]{} }}
}

// Load returns when objects have been read of which only the ids may be known. It returns one error for each object, or
// nil if there are none.
type Load[T any] func(ctx context.Context, objs []*T) []error

// Loaded declares that of the objects of o only the ids may be known until load has returned, and that missing reports
// those that turn out not to exist.
func Loaded[T any](o *Object, load Load[T], missing func(*T) bool) {
	o.load = func(ctx context.Context, objs any) []error { return load(ctx, objs.([]*T)) }
	o.missing = func(obj any) bool { return missing(obj.(*T)) }
}

// Stream defines a field of the subscription type: call opens its source.
func Stream[R any](
	o *Subscription, name string, typ Type, how *Resolver, call func(ctx context.Context) (<-chan R, error),
) {
	o.fields[name] = stream{
		typ: typ, how: how, values: ValuesOf[R](),
		call:   func(ctx context.Context) (any, error) { return call(ctx) },
		source: source[R],
	}
}

// source returns a function that waits for the available values and returns them as a []R, empty at the end of the
// stream. It uses pull if that is a func() []R, otherwise the channel v.
func source[R any](v, pull any) (func(context.Context) any, error) {
	c, ok := v.(<-chan R)
	next, pulls := pull.(func() []R)
	switch {
	case pulls && ok:
		return func(context.Context) any { return next() }, nil
	case v == nil || ok && c == nil:
		return nil, errors.New(messageAbsent)
	case !ok:
		return nil, fmt.Errorf("unexpected type %T from middleware/directive chain, should be %T", v, c)
	}
	return func(ctx context.Context) any {
		select {
		case v, ok := <-c:
			if ok {
				return []R{v}
			}
		case <-ctx.Done():
		}
		return []R(nil)
	}, nil
}
