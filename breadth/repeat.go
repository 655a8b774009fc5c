package breadth

import (
	"reflect"
	"slices"
)

// repeats finds the objects that occur more than once at one position of an answer, so that each is read and resolved
// once.
type repeats struct {
	first any // if there is only one object
	all   map[any]*repeat
}

// repeat is an object that may occur at a position more than once.
type repeat struct {
	times int
	// done reports whether it was written; out, bytes and faults are the result.
	done   bool
	out    outcome
	bytes  []byte
	faults []fault
}

// gather records an object and reports whether it was gathered before. Only pointers are compared.
func (r *repeats) gather(v any) bool {
	if v == nil || reflect.TypeOf(v).Kind() != reflect.Pointer {
		return false
	}
	if r.first == nil && r.all == nil {
		r.first = v
		return false
	}
	if r.all == nil {
		r.all = map[any]*repeat{r.first: {times: 1}}
	}
	known := r.all[v]
	if known == nil {
		r.all[v] = &repeat{times: 1}
		return false
	}
	known.times++
	return true
}

// of returns an object that occurs more than once, or nil.
func (r *repeats) of(v any) *repeat {
	if r.all == nil || v == nil || reflect.TypeOf(v).Kind() != reflect.Pointer {
		return nil
	}
	if known := r.all[v]; known != nil && known.times > 1 {
		return known
	}
	return nil
}

// fault is an error that occurred while an object was written.
type fault struct {
	path []step
	add  func(*writer)
}

// maxRepeated is the most faults of repeated objects in an answer: more than any answer shows.
const maxRepeated = 1000

// record keeps a fault, to be repeated with its object.
func (w *writer) record(add func(*writer)) {
	if w.taping > 0 {
		w.faults = append(w.faults, fault{slices.Clone(w.path), add})
	}
}

// write writes the object by write the first time, and repeats the result later.
func (r *repeat) write(w *writer, write func() outcome) outcome {
	if r.done {
		return r.again(w)
	}
	start, depth, before := len(w.b), len(w.path), len(w.faults)
	w.taping++
	defer func() {
		if w.taping--; w.taping == 0 {
			w.faults = w.faults[:0]
		}
	}()
	r.out, r.done = broken, true // also if write panics
	r.out = write()
	if w.over {
		return r.out
	}
	r.bytes = slices.Clone(w.b[start:])
	for _, f := range w.faults[before:] {
		r.faults = append(r.faults, fault{f.path[depth:], f.add})
	}
	return r.out
}

func (r *repeat) again(w *writer) outcome {
	if w.over {
		return r.out
	}
	depth := len(w.path)
	for _, f := range r.faults {
		if w.repeated++; w.repeated > maxRepeated {
			break
		}
		w.path = append(w.path[:depth], f.path...)
		f.add(w)
	}
	w.path = w.path[:depth]
	w.b = append(reserve(w.b, len(r.bytes)), r.bytes...)
	w.measure()
	return r.out
}
