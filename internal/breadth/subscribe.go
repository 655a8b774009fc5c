package breadth

import (
	"context"
	"errors"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
)

// Subscription is the root type of subscriptions.
type Subscription struct{ fields map[string]stream }

// stream opens the source of a subscription field. Each call of what it returns
// waits for an event, and gives the cells of its value; nil when there are no more.
// It returns nil when there is no source, for a reason that it has told.
type stream func(s *set[Root], sel *selection, ctx context.Context) func(context.Context) func(*set[Root]) column[Root]

// NewSubscription makes a subscription type without fields.
func NewSubscription() *Subscription { return &Subscription{map[string]stream{}} }

// Stream defines a field of the subscription type: call opens its source.
func Stream[R any](o *Subscription, name string, typ Type[R], how *Resolver, call func(ctx context.Context) (<-chan R, error)) {
	o.fields[name] = func(s *set[Root], sel *selection, ctx context.Context) func(context.Context) func(*set[Root]) column[Root] {
		r := resolution[Root, R]{set: s, sel: sel, how: how, typ: typ}
		events := openStream(&r, ctx, call)
		if events == nil {
			return nil
		}
		return func(ctx context.Context) func(*set[Root]) column[Root] {
			select {
			case v, ok := <-events:
				if !ok {
					return nil
				}
				return func(s *set[Root]) column[Root] {
					c := &plainCells[Root, R]{get: func(*Root) R { return v }, resolution: resolution[Root, R]{set: s, sel: sel, how: how, typ: typ}}
					return column[Root]{sel: sel, cells: c, nonNull: typ.nonNull}
				}
			case <-ctx.Done():
				return nil
			}
		}
	}
}

// openStream calls the resolver of a source, inside of its directives. It returns
// nil when there is none, for a reason that it has told.
func openStream[R any](r *resolution[Root, R], ctx context.Context, call func(context.Context) (<-chan R, error)) (events <-chan R) {
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
	v, err := r.guarded(ctx, next)
	events, ok := v.(<-chan R)
	switch {
	case err != nil:
	case v == nil || ok && events == nil:
		err = errors.New(messageAbsent)
	case !ok:
		err = fmt.Errorf("unexpected type %T from middleware/directive chain, should be %T", v, events)
	}
	if err != nil {
		addError(ctx, err)
		return nil
	}
	return events
}

// subscribe opens the source of a subscription. Each event is a response of its
// own, with loads of its own.
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
	return func(ctx context.Context) *graphql.Response {
		event := next(ctx)
		if event == nil {
			return nil
		}
		return e.respondEvent(ctx, op, root, event)
	}
}

// respondEvent runs what is selected beneath an event.
func (e *executable) respondEvent(ctx context.Context, op *graphql.OperationContext, root *Object[Root], event func(*set[Root]) column[Root]) *graphql.Response {
	x := e.start(ctx, op)
	defer x.close()
	ctx = graphql.WithFieldContext(x.ctx, &graphql.FieldContext{Object: root.name})
	s := newSet(root, &place{ctx: ctx, run: x}, nil)
	s.objs = []*Root{{}}
	return x.answer(func(w *writer) outcome {
		s.columns = []column[Root]{event(s)}
		s.columns[0].cells.begin()
		x.finish()
		return s.write(w)
	})
}
