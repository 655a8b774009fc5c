package breadth

import (
	"context"
	"errors"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
)

// Subscription is the root type of subscriptions.
type Subscription struct{ fields map[string]stream }

// stream opens the source of a subscription field. Each call of what it returns waits for
// events that come together. It returns nil when there is no source, for a reason that it
// has told.
type stream func(s *set[Root], sel *selection, ctx context.Context) func(context.Context) events

// events are some that came together; none when there are no more.
type events struct {
	count    int
	cells    func(s *set[Root], from int) column[Root] // of their values from one on
	position func(i int) string
}

// Event is the execution of one event, as whoever asks for the response sees it.
type Event struct {
	// Again has the event of the last response executed once more, instead of the next.
	Again bool
	// Repeats tells, after the response, that it can be had again.
	Repeats bool
	// Position is, after the response, the same for all equal subscriptions that are told the
	// same from then on; "" if that is not known.
	Position string
}

type eventKey struct{}

// WithEvent returns a context for the response of an event.
func WithEvent(ctx context.Context, e *Event) context.Context {
	return context.WithValue(ctx, eventKey{}, e)
}

// EventFrom is the event whose response is asked for, or nil.
func EventFrom(ctx context.Context) *Event {
	e, _ := ctx.Value(eventKey{}).(*Event)
	return e
}

// pulled is what waits for the events of a stream, if its resolver calls Pull.
type pulled struct{ next any }

type pullKey struct{}

// Pull has this executor take the events of the stream whose resolver calls it from next,
// which waits for some that have come together; none when there are no more. What is
// selected beneath them is read together, and no goroutine is needed to send them. It
// returns false in other executors, which read the channel that the resolver returns.
func Pull[R any](ctx context.Context, next func() []R) bool {
	p, ok := ctx.Value(pullKey{}).(*pulled)
	if ok {
		p.next = next
	}
	return ok
}

// placed is a value of an event that tells its Position.
type placed interface{ Position() string }

// NewSubscription makes a subscription type without fields.
func NewSubscription() *Subscription { return &Subscription{map[string]stream{}} }

// Stream defines a field of the subscription type: call opens its source.
func Stream[R any](o *Subscription, name string, typ Type[R], how *Resolver, call func(ctx context.Context) (<-chan R, error)) {
	o.fields[name] = func(s *set[Root], sel *selection, ctx context.Context) func(context.Context) events {
		r := resolution[Root, R]{set: s, sel: sel, how: how, typ: typ}
		source := openStream(&r, ctx, call)
		if source == nil {
			return nil
		}
		return func(ctx context.Context) events {
			values := source(ctx)
			cells := func(s *set[Root], from int) column[Root] {
				next := from // they are asked for in the order of the objects
				get := func(*Root) R {
					next++
					return values[next-1]
				}
				c := &plainCells[Root, R]{get: get, resolution: resolution[Root, R]{set: s, sel: sel, how: how, typ: typ}}
				return column[Root]{sel: sel, cells: c, nonNull: typ.nonNull}
			}
			position := func(i int) string {
				if p, ok := any(values[i]).(placed); ok {
					return p.Position()
				}
				return ""
			}
			return events{len(values), cells, position}
		}
	}
}

// openStream calls the resolver of a source, inside of its directives. It returns what
// waits for events, or nil when there is none, for a reason that it has told.
func openStream[R any](r *resolution[Root, R], ctx context.Context, call func(context.Context) (<-chan R, error)) func(context.Context) []R {
	fc := &graphql.FieldContext{Object: r.set.typ.name, Field: r.sel.CollectedField, IsMethod: true, IsResolver: true}
	ctx = graphql.WithFieldContext(ctx, fc)
	if r.how.Args != nil {
		var err error
		if fc.Args, err = r.arguments(ctx); err != nil {
			addError(ctx, err)
			return nil
		}
	}
	next := func(ctx context.Context) (any, error) {
		return call(ctx)
	}
	for _, d := range r.how.Directives {
		next = around(d, nil, next)
	}
	var p pulled
	v, err := r.guarded(context.WithValue(ctx, pullKey{}, &p), next)
	source, ok := v.(<-chan R)
	pull, pulls := p.next.(func() []R)
	switch {
	case err != nil:
	case pulls && ok:
		return func(context.Context) []R { return pull() }
	case v == nil || ok && source == nil:
		err = errors.New(messageAbsent)
	case !ok:
		err = fmt.Errorf("unexpected type %T from middleware/directive chain, should be %T", v, source)
	}
	if err != nil {
		addError(ctx, err)
		return nil
	}
	return func(ctx context.Context) []R {
		select {
		case v, ok := <-source:
			if ok {
				return []R{v}
			}
		case <-ctx.Done():
		}
		return nil
	}
}

// subscribe opens the source of a subscription. Each event is a response of its own; those
// of one wake-up are executed together, with loads of their own.
func (e *executable) subscribe(ctx context.Context, op *graphql.OperationContext) graphql.ResponseHandler {
	nothing := func(context.Context) *graphql.Response { return nil }
	x := e.start(ctx, op)
	root := NewRoot("Subscription")
	at := graphql.WithFieldContext(x.ctx, &graphql.FieldContext{Object: root.name})
	s := newSet(root, &place{ctx: at, run: x}, op.Operation.SelectionSet)
	found := collect(op, op.Operation.SelectionSet, root.satisfies)
	if len(found) != 1 || e.schema.Subscription == nil {
		graphql.AddErrorf(ctx, "must subscribe to exactly one stream")
		return nothing
	}
	open := e.schema.Subscription.fields[found[0].Name]
	if open == nil {
		graphql.AddErrorf(ctx, "there is no stream %s", found[0].Name)
		return nothing
	}
	next := open(s, found[0], at)
	if next == nil {
		return nothing
	}
	var come events // of a wake-up
	var done int    // of them
	var write func(context.Context) *graphql.Response
	return func(ctx context.Context) *graphql.Response {
		event := EventFrom(ctx)
		switch again := event != nil && event.Again; {
		case again && done > 0:
			done--
			write = e.respondEvents(ctx, op, root, come, done)
		case done == come.count:
			if come = next(ctx); come.count == 0 {
				return nil
			}
			done = 0
			write = e.respondEvents(ctx, op, root, come, 0)
		}
		done++
		if event != nil {
			event.Repeats, event.Position = true, come.position(done-1)
		}
		respond := write
		if done == come.count {
			write = nil // what was read must not be kept until the next event
		}
		return respond(ctx)
	}
}

// respondEvents runs what is selected beneath events, from one on. Each call of what it
// returns gives the response of the next.
func (e *executable) respondEvents(ctx context.Context, op *graphql.OperationContext, root *Object[Root], come events, from int) func(context.Context) *graphql.Response {
	if e.options.Gate != nil {
		defer e.options.Gate(ctx)()
	}
	x := e.start(ctx, op)
	defer x.close()
	ctx = graphql.WithFieldContext(x.ctx, &graphql.FieldContext{Object: root.name})
	s := newSet(root, &place{ctx: ctx, run: x}, nil)
	for range come.count - from {
		s.objs = append(s.objs, &Root{})
	}
	ran := false
	broken := x.answer(func(w *writer) outcome {
		s.columns = []column[Root]{come.cells(s, from)}
		s.columns[0].cells.begin()
		x.finish()
		ran = true
		return absent
	})
	if ran {
		Release(broken.Data)
		broken = nil
	}
	return func(ctx context.Context) *graphql.Response {
		if broken != nil { // the executor itself panicked
			return broken
		}
		x.ctx = e.contextOf(ctx)
		return x.answer(s.write)
	}
}
