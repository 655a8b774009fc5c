package breadth

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// Subscription is the root type of subscriptions.
type Subscription struct{ fields map[string]stream }

// stream is a field of the subscription type.
type stream struct {
	typ    Type
	how    *Resolver
	values *Values
	call   func(context.Context) (any, error)
	source func(v, pull any) (func(context.Context) any, error)
}

// events are the events of one wake-up: a []R, empty at the end of the stream.
type events struct {
	all   any
	count int
}

// Event is the execution of one event, for the caller who requests the response.
type Event struct {
	// Again executes the event of the last response once more, instead of the next one.
	Again bool
	// Lost answers, instead of the event of the last response, that it was lost, if Loses was set.
	Lost bool
	// Repeats reports, after the response, that it can be executed again, Loses that it can be replaced: its value
	// has a method Lost, which returns one of the same type that says that events were lost.
	Repeats, Loses bool
	// Position is set after the response. Equal subscriptions with the same Position receive the same events from
	// then on; "" if that is not known.
	Position string
}

type eventKey struct{}

// WithEvent returns a context for the response of an event.
func WithEvent(ctx context.Context, e *Event) context.Context {
	return context.WithValue(ctx, eventKey{}, e)
}

// EventFrom returns the event whose response is requested, or nil.
func EventFrom(ctx context.Context) *Event {
	e, _ := ctx.Value(eventKey{}).(*Event)
	return e
}

// pulled is the function that waits for the events of a stream, if its resolver calls Pull.
type pulled struct{ next any }

type pullKey struct{}

// Pull makes this executor take the events of the stream whose resolver calls it from next, which waits for events
// and returns all that are available, or none at the end of the stream. Their selections are read together, and no
// goroutine is needed to send them. Pull returns false in other executors, which read the channel that the resolver
// returns.
func Pull[R any](ctx context.Context, next func() []R) bool {
	p, ok := ctx.Value(pullKey{}).(*pulled)
	if ok {
		p.next = next
	}
	return ok
}

// placed is an event that knows its Position.
type placed interface{ Position() string }

// loser is an event that can be replaced by one that says that events were lost.
type loser interface{ Lost() any }

// NewSubscription returns a subscription type without fields.
func NewSubscription() *Subscription { return &Subscription{map[string]stream{}} }

// open calls the resolver of the source, inside its directives. It returns a function that waits for events. If there
// is no source, it adds the reason to the errors and returns nil.
func (f stream) open(s *set, sel *selection, ctx context.Context) func(context.Context) any {
	r := resolution{set: s, sel: sel, how: f.how, typ: f.typ, values: f.values}
	fc := &graphql.FieldContext{Object: s.typ.name, Field: sel.CollectedField, IsMethod: true, IsResolver: true}
	ctx = graphql.WithFieldContext(ctx, fc)
	if f.how.Args != nil {
		var err error
		if fc.Args, err = r.arguments(ctx); err != nil {
			addError(ctx, err)
			return nil
		}
	}
	next := f.call
	for _, d := range f.how.Directives {
		next = around(d, nil, next)
	}
	var p pulled
	v, err := r.guarded(context.WithValue(ctx, pullKey{}, &p), next)
	var wait func(context.Context) any
	if err == nil {
		wait, err = f.source(v, p.next)
	}
	if err != nil {
		addError(ctx, err)
		return nil
	}
	return wait
}

// column returns the column of the events' values, starting at from.
func (f stream) column(s *set, sel *selection, come events, from int) column {
	c := &plainCells{
		get:        func(_, results any, i int) { f.values.put(results, i, f.values.get(come.all, from+i)) },
		resolution: resolution{set: s, sel: sel, how: f.how, typ: f.typ, values: f.values},
	}
	return column{sel: sel, cells: c, nonNull: f.typ.nonNull}
}

// position returns the Position of an event, or "" if it has none.
func (f stream) position(come events, i int) string {
	if p, ok := f.values.get(come.all, i).(placed); ok {
		return p.Position()
	}
	return ""
}

// lose replaces an event by one that says that events were lost, if it has one.
func (f stream) lose(come events, i int) {
	if l, ok := f.values.get(come.all, i).(loser); ok {
		f.values.put(come.all, i, l.Lost())
	}
}

// subscribe opens the source of a subscription. Each event is a response of its own. The events of one wake-up are
// executed together, with their own loads.
func (e *executable) subscribe(ctx context.Context, op *graphql.OperationContext) graphql.ResponseHandler {
	nothing := func(context.Context) *graphql.Response { return nil }
	x := e.start(ctx, op)
	root := NewRoot("Subscription")
	at := graphql.WithFieldContext(x.ctx, &graphql.FieldContext{Object: root.name})
	s := newSet(root, &position{ctx: at, run: x}, op.Operation.SelectionSet)
	found := collect(op, op.Operation.SelectionSet, root.satisfies)
	if len(found) != 1 || e.schema.Subscription == nil {
		graphql.AddErrorf(ctx, "must subscribe to exactly one stream")
		return nothing
	}
	field, ok := e.schema.Subscription.fields[found[0].Name]
	if !ok {
		graphql.AddErrorf(ctx, "there is no stream %s", found[0].Name)
		return nothing
	}
	next := field.open(s, found[0], at)
	if next == nil {
		return nothing
	}
	var come events // of a wake-up
	var done int    // number of them responded
	var write func(context.Context) *graphql.Response
	return func(ctx context.Context) *graphql.Response {
		event := EventFrom(ctx)
		switch again := event != nil && (event.Again || event.Lost); {
		case again && done > 0:
			done--
			if event.Lost {
				field.lose(come, done)
			}
			write = e.respondEvents(ctx, op, field, come, done)
		case done == come.count:
			all := next(ctx)
			if come = (events{all, field.values.length(all)}); come.count == 0 {
				return nil
			}
			done = 0
			write = e.respondEvents(ctx, op, field, come, 0)
		}
		done++
		if event != nil {
			event.Repeats, event.Position = true, field.position(come, done-1)
			_, event.Loses = field.values.get(come.all, done-1).(loser)
		}
		respond := write
		if done == come.count {
			write = nil // do not keep what was read until the next event
		}
		return respond(ctx)
	}
}

// respondEvents executes the selections of events, starting at from. Each call of the function it returns returns the
// response of the next event.
func (e *executable) respondEvents(
	ctx context.Context, op *graphql.OperationContext, field stream, come events, from int,
) func(context.Context) *graphql.Response {
	if e.options.Gate != nil {
		inside, release := e.options.Gate(ctx)
		defer release()
		ctx = inside
	}
	x := e.start(ctx, op)
	defer x.close()
	root := NewRoot("Subscription")
	ctx = graphql.WithFieldContext(x.ctx, &graphql.FieldContext{Object: root.name})
	s := newSet(root, &position{ctx: ctx, run: x}, nil)
	sel := collect(op, op.Operation.SelectionSet, root.satisfies)[0]
	for range come.count - from {
		s.objs.add(&Root{})
	}
	ran := false
	broken := x.answer(func(w *writer) outcome {
		s.columns = []column{field.column(s, sel, come, from)}
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
