package breadth

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// The words of gqlgen for nulls that are not allowed: one that a type has, and
// one that a resolver gave in place of any type.
const (
	messageNull   = "the requested element is null which the schema does not allow"
	messageAbsent = "must not be null"
)

// writer writes an answer, depth first.
type writer struct {
	b    []byte
	run  *run
	path []step
	// silent is above 0 while what is written will be dropped: nothing in it is
	// an error.
	silent int
}

// step is one step of the way to a value: a field, or, without one, a place in a list.
type step struct {
	sel   *selection
	typ   string // that the field belongs to
	index int
}

// context is that of the value that is being written: whoever presents an error
// finds its path there.
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

// fail adds an error at the place that is being written.
func (w *writer) fail(err error) {
	if w.silent > 0 {
		return
	}
	ctx := w.context()
	if list, ok := err.(gqlerror.List); ok {
		for _, e := range list {
			if e != nil {
				graphql.AddError(ctx, w.located(ctx, e))
			}
		}
		return
	}
	graphql.AddError(ctx, w.located(ctx, err))
}

// located tells an error the place of its field in the document and in the answer.
// An error that several fields share is copied first.
func (w *writer) located(ctx context.Context, err error) error {
	var known *gqlerror.Error
	if errors.As(err, &known) {
		c := *known
		err = &c
	}
	if n := len(w.path); n > 0 && w.path[n-1].sel != nil {
		err = graphql.AddFieldLocationToError(ctx, err)
	}
	return err
}

// failNull adds the error for a null that is not allowed, unless there is one at
// its place already.
func (w *writer) failNull(message string) {
	if w.silent > 0 {
		return
	}
	ctx := w.context()
	if !graphql.HasFieldError(ctx, graphql.GetFieldContext(ctx)) {
		graphql.AddErrorf(ctx, "%s", message)
	}
}

// failPanic adds the error of a panic.
func (w *writer) failPanic(p any) {
	if w.silent == 0 {
		ctx := w.context()
		w.run.op.Error(ctx, w.run.op.Recover(ctx, p))
	}
}
