package breadth

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// MaxParts is the most parts of an answer: the first, and one for each level of nested @defer and @stream. Anything
// nested deeper comes with the last part.
const MaxParts = 20

// Incremental makes an operation honor @defer and @stream, and holds what each of its responses adds to the answer.
// Without one in the context both are ignored.
type Incremental struct {
	// Pending are the parts that the last response announces.
	Pending []Pending
	// Parts are the parts that it completes. The first response has none: its data are in the response.
	Parts []Part
	// More reports whether another response follows.
	More bool
}

// Pending is an announced part: what a fragment with @defer adds to one object, or a field with @stream to one list.
type Pending struct {
	ID    int
	Label string
	// Path is the path of the object or list.
	Path ast.Path
}

// Part is the data of one announced part.
type Part struct {
	Pending
	// Data is JSON: the object of a fragment, or, if Stream is true, the list of the remaining elements, of which the
	// first has the index Index. It is nil if the part failed.
	Data   []byte
	Stream bool
	Index  int
	Errors gqlerror.List
}

type incrementalKey struct{}

// WithIncremental returns a context for an operation that may be answered in parts.
func WithIncremental(ctx context.Context, i *Incremental) context.Context {
	return context.WithValue(ctx, incrementalKey{}, i)
}

// deferred is a fragment with @defer that is selected on a set.
type deferred struct {
	label string
	sels  ast.SelectionSet
	from  *set
	// sent are the fields that the objects already have when the fragment is sent.
	sent []string
}

// streamed is a field with @stream.
type streamed struct {
	label   string
	initial int
	list    *listCell
	sels    ast.SelectionSet
	at      *position
}

// later is what a part will add to one object or list.
type later struct {
	id       int
	path     []step
	fragment *deferred
	object   any
	stream   *streamed
	list     any // a pointer to the list
	index    int // of the next element
}

// active reports whether the directive is present and its argument `if` is not false.
func (c *collector) active(d *ast.Directive) bool {
	return d != nil && (d.Arguments.ForName("if") == nil || c.condition(d))
}

// label returns the label of a directive, or "" if it has none.
func (c *collector) label(d *ast.Directive) string {
	text, _ := d.ArgumentMap(c.op.Variables)["label"].(string)
	return text
}

// deferFragment records a fragment with @defer and reports whether it did.
func (c *collector) deferFragment(directives ast.DirectiveList, sels ast.SelectionSet) bool {
	if !c.defers || len(directives) == 0 {
		return false
	}
	d := directives.ForName("defer")
	if !c.active(d) {
		return false
	}
	c.deferred = append(c.deferred, &deferred{label: c.label(d), sels: sels})
	return true
}

// defers reports whether the set about to begin may leave something to a later part.
func (x *run) defers() bool { return x.incremental != nil && x.parts+1 < MaxParts }

// announce records, while the object of a set is written, what parts will add to it.
func (s *set) announce(w *writer, obj any) {
	if w.silent > 0 || w.over {
		return
	}
	for _, d := range s.deferred {
		w.later = append(w.later, later{path: slices.Clone(w.path), fragment: d, object: obj})
	}
}

// settleDeferred determines what comes later: the fields that one deferred fragment selects, and nothing else does.
// So each field is sent once. sent are the fields that were sent before.
func (c *collector) settleDeferred(sent []string) {
	c.found = slices.DeleteFunc(c.found, func(sel *selection) bool { return slices.Contains(sent, sel.Alias) })
	if len(c.deferred) == 0 {
		return
	}
	c.byKey = nil // it has the dropped fields
	fragments, times := make([][]*selection, len(c.deferred)), map[string]int{}
	for i, d := range c.deferred {
		fragments[i] = collect(c.op, d.sels, c.satisfies)
		for _, sel := range fragments[i] {
			times[sel.Alias]++
		}
	}
	own := make([]bool, len(c.deferred))
	for i, fields := range fragments {
		for _, sel := range fields {
			switch known := c.known(sel.Alias); {
			case slices.Contains(sent, sel.Alias):
			case known != nil:
				known.Selections = append(slices.Clip(known.Selections), sel.Selections...)
			case times[sel.Alias] > 1:
				c.found = append(c.found, sel)
			default:
				own[i] = true
			}
		}
	}
	for _, sel := range c.found {
		sent = append(slices.Clip(sent), sel.Alias)
	}
	used := c.deferred[:0]
	for i, d := range c.deferred {
		if d.sent = sent; own[i] {
			used = append(used, d)
		}
	}
	c.deferred = used
}

// streamOf returns the streamed part of a field with @stream, or nil.
func (x *run) streamOf(sel *selection) *streamed {
	if !x.defers() || len(sel.Directives) == 0 {
		return nil
	}
	c := collector{op: x.op}
	d := sel.Directives.ForName("stream")
	if !c.active(d) {
		return nil
	}
	return &streamed{label: c.label(d), initial: max(InitialCount(d, x.op.Variables), 0), sels: sel.Selections}
}

// InitialCount returns the initialCount of a directive @stream. Variables may be numbers as decoded from JSON.
func InitialCount(stream *ast.Directive, variables map[string]any) int {
	switch n := stream.ArgumentMap(variables)["initialCount"].(type) {
	case int64:
		return int(n)
	case int:
		return n
	case json.Number:
		whole, _ := n.Int64() // a valid Int
		return int(whole)
	}
	return 0
}

// settleParts stores in Incremental what follows the response that w has written.
func (x *run) settleParts(w *writer, parts []Part) {
	if x.incremental == nil {
		return
	}
	x.later = w.later
	pending := make([]Pending, len(x.later))
	for i := range x.later {
		l := &x.later[i]
		l.id = x.announced
		x.announced++
		pending[i] = l.pending()
	}
	x.parts++
	*x.incremental = Incremental{Pending: pending, Parts: parts, More: len(pending) > 0}
}

func (l later) pending() Pending {
	p := Pending{ID: l.id, Path: pathOf(l.path)}
	if l.fragment != nil {
		p.Label = l.fragment.label
	} else {
		p.Label = l.stream.label
	}
	return p
}

// pathOf converts a path to the form used in answers.
func pathOf(steps []step) ast.Path {
	path := make(ast.Path, len(steps))
	for i, s := range steps {
		if s.sel != nil {
			path[i] = ast.PathName(s.sel.Alias)
		} else {
			path[i] = ast.PathIndex(s.index)
		}
	}
	return path
}

// respondPart runs everything announced in one pass, and returns the parts as a response.
func (e *executable) respondPart(ctx context.Context, x *run) *graphql.Response {
	x.closed, x.ctx = false, e.contextOf(ctx)
	defer x.close()
	due := x.later
	x.later, *x.incremental = nil, Incremental{}
	var parts []Part
	resp := x.answer(func(w *writer) outcome {
		begun := x.beginParts(due)
		x.finish()
		for i, write := range begun {
			if w.over {
				break
			}
			parts = append(parts, x.writePart(w, due[i], write))
		}
		x.settleParts(w, parts)
		return absent
	})
	Release(resp.Data)
	resp.Data = nil
	return resp
}

// beginParts begins the fields of all parts: objects with the same fragment are one set. The functions it returns
// write the parts.
func (x *run) beginParts(due []later) []func(*writer) outcome {
	write := make([]func(*writer) outcome, len(due))
	sets, cells := map[*deferred]*set{}, map[*streamed]cell{}
	var begin []interface{ begin() }
	for i, l := range due {
		if d := l.fragment; d != nil {
			s := sets[d]
			if s == nil {
				s = newSet(d.from.typ, d.from.at, d.sels)
				s.sent = d.sent
				sets[d], begin = s, append(begin, s)
			}
			s.objs.add(l.object)
			write[i] = s.write
			continue
		}
		c := cells[l.stream]
		if c == nil {
			c = l.stream.list.typ.at(l.stream.at, l.stream.sels)
			cells[l.stream], begin = c, append(begin, c)
		}
		list := l.stream.list
		for k := l.stream.initial; k < list.elements.length(l.list); k++ {
			c.gather(list.elements.at(l.list, k))
		}
		write[i] = func(w *writer) outcome {
			_, out := list.writeElements(w, c, l.list, l.stream.initial, list.elements.length(l.list), l.index)
			return out
		}
	}
	for _, b := range begin {
		b.begin()
	}
	return write
}

// writePart writes one part. Errors added while it does so belong to the part.
func (x *run) writePart(w *writer, l later, write func(*writer) outcome) Part {
	start, before := len(w.b), len(graphql.GetErrors(x.ctx))
	mark := len(w.later)
	w.path = slices.Clone(l.path)
	out := write(w)
	w.path = w.path[:0]
	p := Part{Pending: l.pending(), Stream: l.stream != nil, Index: l.index, Errors: graphql.GetErrors(x.ctx)[before:]}
	if out == wrote {
		p.Data = slices.Clone(w.b[start:])
	} else {
		w.later = w.later[:mark]
	}
	return p
}
