package breadth

import (
	"context"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// MissingExtension is the extension of a response that lists its Missing.
const MissingExtension = "missing"

// Missing says how many elements a list lacks because they cannot be read at the moment. Elements that must not be
// null are left out if they, or something in them that must not be null, failed with errors that Options.Omit accepts
// only.
type Missing struct {
	// Path is that of the list.
	Path ast.Path `json:"path"`
	// Count is how many elements are left out.
	Count int `json:"count"`
	// Message and Extensions are those of the first error.
	Message    string         `json:"message"`
	Extensions map[string]any `json:"extensions"`
}

// attempt is an element that is being written and may be left out: what the writer had before it.
type attempt struct{ held, faults, later, missing int }

// heldError is an error of an element that may be left out.
type heldError struct {
	path []step
	err  error // nil for a null that is not allowed
	add  func(ctx context.Context)
}

// try begins an element that may be left out. Its errors are held until it is known whether it is.
func (w *writer) try() attempt {
	w.tries++
	return attempt{len(w.held), len(w.faults), len(w.later), len(w.missing)}
}

// tried ends an element. It returns the reason why it must be left out, or nil.
func (w *writer) tried(a attempt, out outcome) (why *gqlerror.Error) {
	w.tries--
	if out == broken && w.silent == 0 {
		why = w.reason(w.held[a.held:])
	}
	if why != nil {
		w.held, w.later, w.missing = w.held[:a.held], w.later[:a.later], w.missing[:a.missing]
		if w.taping > 0 {
			w.faults = w.faults[:a.faults]
		}
	}
	w.release()
	return why
}

// reason returns the first of some errors as it is shown, or nil if an element with these is not left out.
func (w *writer) reason(held []heldError) (first *gqlerror.Error) {
	if w.run.omit == nil {
		return nil
	}
	at := w.path
	defer func() { w.path = at }()
	for _, h := range held {
		w.path = h.path
		var shown *gqlerror.Error
		if h.err != nil {
			shown = w.run.omit(w.context(), h.err)
		}
		if shown == nil {
			return nil
		}
		if first == nil {
			first = shown
		}
	}
	return first
}

// hold keeps an error if an element is being written that may be left out, and reports whether it did.
func (w *writer) hold(err error, add func(ctx context.Context)) bool {
	if w.tries == 0 || w.run.omit == nil {
		return false
	}
	w.held = append(w.held, heldError{slices.Clone(w.path), err, add})
	return true
}

// release adds the errors that were held, once none of their elements can be left out any more.
func (w *writer) release() {
	if w.tries > 0 || len(w.held) == 0 {
		return
	}
	at := w.path
	for _, h := range w.held {
		w.path = h.path
		h.add(w.context())
	}
	w.path, w.held = at, w.held[:0]
}

// miss notes that the list at the current position lacks elements.
func (w *writer) miss(count int, why *gqlerror.Error) {
	w.record(func(w *writer) { w.miss(count, why) })
	if w.silent == 0 {
		w.missing = append(w.missing, Missing{pathOf(w.path), count, why.Message, why.Extensions})
	}
}
