package breadth

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// gqlgen's messages for nulls that are not allowed: one for nulls of a type, and one for a nil that a resolver
// returned instead of any type.
const (
	messageNull   = "the requested element is null which the schema does not allow"
	messageAbsent = "must not be null"
)

// writer writes an answer, depth first.
type writer struct {
	b    []byte
	run  *run
	path []step
	// silent is above 0 while the output will be dropped: nothing in it is an error.
	silent int
	// meter bounds the bytes that are written; counted is how many of them it has counted. over is set once there are
	// too many: further output is dropped.
	meter   *Meter
	counted int
	over    bool
	// taping is above 0 while faults are recorded, to be repeated with an object.
	taping int
	faults []fault
	// repeated counts the faults that were repeated.
	repeated int
	// later are the parts announced by the response.
	later []later
	// tries is how many elements are being written that may be left out, one in the other. held are their errors.
	tries int
	held  []heldError
	// missing are the elements that were left out.
	missing []Missing
}

// step is one step of a path: a field, or, without one, an index of a list.
type step struct {
	sel   *selection
	typ   string // the type of the field
	index int
}

// context is the context of the value being written; the error presenter finds the path there.
func (w *writer) context() context.Context {
	ctx := w.run.ctx
	for _, s := range w.path {
		fc := &graphql.FieldContext{}
		if s.sel != nil {
			fc.Object, fc.Field = s.typ, s.sel.CollectedField
		} else {
			index := s.index
			fc.Index = &index
		}
		ctx = graphql.WithFieldContext(ctx, fc)
	}
	return ctx
}

// fail adds an error at the current position.
func (w *writer) fail(err error) {
	w.record(func(w *writer) { w.fail(err) })
	if w.silent > 0 {
		return
	}
	add := func(ctx context.Context) { addError(ctx, err) }
	if !w.hold(err, add) {
		add(w.context())
	}
}

// addError adds an error, or a list of them, of the field or element whose context it is.
func addError(ctx context.Context, err error) {
	list, ok := err.(gqlerror.List)
	if !ok {
		graphql.AddError(ctx, located(ctx, err))
		return
	}
	for _, e := range list {
		if e != nil {
			graphql.AddError(ctx, located(ctx, e))
		}
	}
}

// located adds to an error the position of its field in the document and in the answer. An error that several fields
// share is copied first.
func located(ctx context.Context, err error) error {
	var known *gqlerror.Error
	if errors.As(err, &known) {
		c := *known
		if known == err {
			err = &c
		} else {
			err = &wrapped{err, &c}
		}
	}
	if fc := graphql.GetFieldContext(ctx); fc == nil || fc.Field.Field == nil { // an element of a list
		return err
	}
	return graphql.AddFieldLocationToError(ctx, err)
}

// wrapped is an error that wraps a *gqlerror.Error, with a copy of that for this position of the answer.
type wrapped struct {
	error
	known *gqlerror.Error
}

// Unwrap returns the error as the resolver returned it.
func (e *wrapped) Unwrap() error { return e.error }

// As finds the copy.
func (e *wrapped) As(target any) bool {
	known, ok := target.(**gqlerror.Error)
	if ok {
		*known = e.known
	}
	return ok
}

// failNull adds the error for a null that is not allowed, unless its position already has one.
func (w *writer) failNull(message string) {
	w.record(func(w *writer) { w.failNull(message) })
	if w.silent > 0 {
		return
	}
	add := func(ctx context.Context) {
		if !graphql.HasFieldError(ctx, graphql.GetFieldContext(ctx)) {
			graphql.AddErrorf(ctx, "%s", message)
		}
	}
	if !w.hold(nil, add) {
		add(w.context())
	}
}

// failPanic adds the error of a panic.
func (w *writer) failPanic(p any) {
	if w.silent > 0 && w.taping == 0 {
		return
	}
	err := w.run.op.Recover(w.context(), p)
	w.failRecovered(err)
}

// failRecovered adds an error created from a panic.
func (w *writer) failRecovered(err error) {
	w.record(func(w *writer) { w.failRecovered(err) })
	if w.silent > 0 {
		return
	}
	add := func(ctx context.Context) { w.run.op.Error(ctx, err) }
	if !w.hold(err, add) {
		add(w.context())
	}
}
