package breadth

import (
	"fmt"
	"reflect"

	"github.com/vektah/gqlparser/v2/ast"
)

// set is the objects of one type at one position of the answer, regardless of their parents.
type set struct {
	typ     *Object
	at      *position
	sels    ast.SelectionSet
	objs    objects
	columns []column
	next    int     // the object to be written next
	errs    []error // load errors, one for each object; nil if none
	// deferred are fragments whose fields come later; sent are fields that came earlier.
	deferred []*deferred
	sent     []string
}

// column is one selected field of the objects of a set.
type column struct {
	sel     *selection
	nonNull bool
	// leaf writes a value stored in the object; nil in columns with cells.
	leaf  func(b []byte, obj any) ([]byte, bool)
	cells cells
	// begun reports whether the cells have already begun to find their values.
	begun bool
}

// share makes a column use the cells of an earlier one, if both select the same field with equal arguments and no
// subfields.
func (c *column) share(earlier []column, variables map[string]any) {
	if c.cells == nil || len(c.sel.Selections) > 0 || c.sel.Name == c.sel.Alias {
		return
	}
	for _, other := range earlier {
		if other.cells != nil && other.sel.Name == c.sel.Name && sameArguments(c.sel, other.sel, variables) {
			c.cells, c.begun = other.cells, true
			return
		}
	}
}

func sameArguments(a, b *selection, variables map[string]any) bool {
	if len(a.Arguments) == 0 && len(b.Arguments) == 0 {
		return true
	}
	return reflect.DeepEqual(a.ArgumentMap(variables), b.ArgumentMap(variables))
}

// cells are the values of a field, one for each object of its set.
type cells interface {
	// begin finds the values, immediately or in a task.
	begin()
	// resolved reports whether a resolver finds them: it loads the fields that it needs of the objects itself.
	resolved() bool
	write(w *writer, i int) outcome
}

func newSet(o *Object, at *position, sels ast.SelectionSet) *set {
	return &set{typ: o, at: at, sels: sels, objs: o.objects()}
}

// begin is called when it is known which objects there are. Resolvers, which load what they need of the objects
// themselves, are called at once; other fields are found when the objects were loaded.
func (s *set) begin() {
	if s.objs.len() == 0 {
		return
	}
	s.columns = s.typ.bind(s)
	if s.typ.load != nil {
		s.at.run.enqueue(s.at.ctx, s, 0)
		s.beginColumns(cells.resolved)
		return
	}
	s.beginColumns(func(cells) bool { return true })
}

// collect gathers the fields selected on the set, and records the fragments whose fields come later.
func (s *set) collect() []*selection {
	x := s.at.run
	c := collector{op: x.op, satisfies: s.typ.satisfies, defers: x.defers(), found: make([]*selection, 0, len(s.sels))}
	c.add(s.sels)
	if x.incremental != nil {
		c.settleDeferred(s.sent)
		for _, d := range c.deferred {
			d.from = s
		}
		s.deferred = c.deferred
	}
	return c.found
}

// beginColumns lets the columns that have not begun, and whose cells are among those given, find their values.
func (s *set) beginColumns(among func(cells) bool) {
	for i := range s.columns {
		if c := &s.columns[i]; c.cells != nil && !c.begun && among(c.cells) {
			c.begun = true
			c.cells.begin()
		}
	}
}

// do implements job: it loads objects of which only the ids may be known.
func (s *set) do(t *task, _ int) {
	defer s.beginColumns(func(cells) bool { return true })
	x := s.at.run
	defer func() {
		if p := recover(); p != nil {
			s.errs = same(x.op.RecoverFunc(s.at.ctx, p), s.objs.len())
		}
	}()
	s.errs = s.typ.load(t, s.objs.typed())
	if n := len(s.errs); n > 0 && n != s.objs.len() {
		s.errs = same(fmt.Errorf("loading %s returned %d errors for %d objects", s.typ.name, n, s.objs.len()), s.objs.len())
	}
}

// same returns err for each of n objects.
func same(err error, n int) []error {
	errs := make([]error, n)
	for i := range errs {
		errs[i] = err
	}
	return errs
}

// write writes the next object.
func (s *set) write(w *writer) outcome {
	i := s.next
	s.next++
	if len(s.errs) > 0 && s.errs[i] != nil {
		w.fail(s.errs[i])
		return s.pass(w, i, broken)
	}
	if s.typ.missing != nil {
		if out := s.find(w, i); out != wrote {
			return s.pass(w, i, out)
		}
	}
	return s.fill(w, i)
}

// find checks whether an object is missing.
func (s *set) find(w *writer, i int) (out outcome) {
	defer func() {
		if p := recover(); p != nil {
			w.failPanic(p)
			out = broken
		}
	}()
	if s.typ.missing(s.objs.at(i)) {
		return missing
	}
	return wrote
}

// isMissing reports whether an object is known to be missing.
func (s *set) isMissing(i int) (is bool) {
	defer func() { _ = recover() }() // find reports it
	return s.typ.missing(s.objs.at(i))
}

// pass leaves out an object. Everything gathered in it is skipped, too, by writing it with the output dropped.
func (s *set) pass(w *writer, i int, why outcome) outcome {
	start, faults := len(w.b), len(w.faults)
	w.silent++
	s.fill(w, i)
	w.silent--
	w.b, w.faults = w.b[:start], w.faults[:min(faults, len(w.faults))]
	return why
}

// fill writes the fields of an object. It never ends early: its subfields must be written in the order in which they
// were gathered, and their errors reported.
func (s *set) fill(w *writer, i int) outcome {
	start, mark, lost, result := len(w.b), len(w.later), len(w.missing), wrote
	if len(s.deferred) > 0 {
		s.announce(w, s.objs.at(i))
	}
	w.b = append(w.b, '{')
	for k := 0; k < len(s.columns); {
		k = s.fillFrom(w, i, k, &result)
	}
	if result != wrote || w.over {
		w.b, w.later, w.missing = w.b[:start], w.later[:mark], w.missing[:lost]
		return result
	}
	w.b = append(w.b, '}')
	return wrote
}

// fillFrom writes the columns from k on and returns the column to continue with: a panic fails only its own field.
func (s *set) fillFrom(w *writer, i, k int, result *outcome) (next int) {
	depth, before, mark, tries := len(w.path), len(w.b), len(w.later), w.tries
	defer func() {
		if p := recover(); p != nil {
			w.later, w.tries = w.later[:mark], tries
			w.release()
			w.path, w.b = append(w.path[:depth], step{sel: s.columns[k].sel, typ: s.typ.name}), w.b[:before]
			w.failPanic(p)
			w.path = w.path[:depth]
			s.settle(w, k, broken, result)
			next = k + 1
		}
	}()
	obj := s.objs.at(i)
	for ; k < len(s.columns); k++ {
		c := &s.columns[k]
		if k > 0 {
			w.b = append(w.b, ',')
		}
		w.b = append(append(append(w.b, '"'), c.sel.Alias...), '"', ':')
		before = len(w.b)
		if c.leaf != nil {
			if w.over {
				continue
			}
			var ok bool
			if w.b, ok = c.leaf(w.b, obj); !ok {
				s.settle(w, k, empty, result)
			}
			w.measure()
			continue
		}
		w.path = append(w.path, step{sel: c.sel, typ: s.typ.name})
		out := c.cells.write(w, i)
		w.path = w.path[:depth]
		if out != wrote {
			s.settle(w, k, out, result)
		}
	}
	return k
}

// settle writes the null of a column, or reports why the object cannot be null.
func (s *set) settle(w *writer, k int, out outcome, result *outcome) {
	c := &s.columns[k]
	if !c.nonNull {
		w.b = append(w.b, "null"...)
		return
	}
	if out == missing {
		*result = max(*result, missing)
		return
	}
	*result = broken
	if out == broken {
		return
	}
	message := messageNull
	if out == absent {
		message = messageAbsent
	}
	w.path = append(w.path, step{sel: c.sel, typ: s.typ.name})
	w.failNull(message)
	w.path = w.path[:len(w.path)-1]
}
