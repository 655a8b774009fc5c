package breadth

import (
	"context"
	"io"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Options are the settings of an executor besides the schema.
type Options struct {
	// Loads returns the loads of a response from its context, when a resolver waits for the first time; nil if
	// resolvers never wait.
	Loads func(ctx context.Context) Loads
	// Omit, which may be nil, returns an error as it is shown if it says that something cannot be read at the moment,
	// otherwise nil. Such elements are left out of lists that must not have nulls: see Missing.
	Omit func(ctx context.Context, err error) *gqlerror.Error
	// Gate, which may be nil, is called before events of a subscription are executed, and may block. It returns the
	// context for that, and a function that is called afterwards.
	Gate func(ctx context.Context) (_ context.Context, release func())
	// Yield, which may be nil, returns a function that a response calls after each resolver and with each part of the
	// answer that it writes, and which may block to let others run; nil for none.
	Yield func(ctx context.Context) func()
}

// executable is an executable schema that runs operations level by level.
type executable struct {
	ast     *ast.Schema
	schema  *Schema
	options Options
}

// New returns an executable schema from the parsed schema and the generated one.
func New(parsed *ast.Schema, schema *Schema, o Options) graphql.ExecutableSchema {
	return &executable{parsed, schema, o}
}

// Schema implements graphql.ExecutableSchema.
func (e *executable) Schema() *ast.Schema { return e.ast }

// Complexity implements graphql.ExecutableSchema.
func (e *executable) Complexity(
	ctx context.Context, typ, field string, child int, args map[string]any,
) (int, bool) {
	if e.schema.Complexity == nil {
		return 0, false
	}
	return e.schema.Complexity(ctx, typ, field, child, args)
}

// Exec implements graphql.ExecutableSchema.
func (e *executable) Exec(ctx context.Context) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	switch op.Operation.Operation {
	case ast.Query:
		return e.respond(op, e.schema.Query, false)
	case ast.Mutation:
		return e.respond(op, e.schema.Mutation, true)
	default:
		return e.subscribe(ctx, op)
	}
}

// start creates the run of one response.
func (e *executable) start(ctx context.Context, op *graphql.OperationContext) *run {
	x := &run{ctx: e.contextOf(ctx), op: op, schema: e.schema, open: e.options.Loads, omit: e.options.Omit}
	x.incremental, _ = ctx.Value(incrementalKey{}).(*Incremental)
	if e.options.Yield != nil {
		x.yield = e.options.Yield(ctx)
	}
	return x
}

// contextOf returns the context of a response with the values that gqlgen's code expects.
func (e *executable) contextOf(ctx context.Context) context.Context {
	if e.schema.Context == nil {
		return ctx
	}
	return e.schema.Context(ctx)
}

// respond answers a query or mutation: with one response, or with one for each part.
func (e *executable) respond(op *graphql.OperationContext, root *Object, serial bool) graphql.ResponseHandler {
	var x *run
	return func(ctx context.Context) *graphql.Response {
		switch {
		case x == nil:
			x = e.start(ctx, op)
			return x.respond(root, serial)
		case len(x.later) > 0:
			return e.respondPart(ctx, x)
		}
		return nil
	}
}

// respond runs an operation up to its first response. The fields of a mutation run one after the other, each to
// completion.
func (x *run) respond(root *Object, serial bool) *graphql.Response {
	defer x.close()
	ctx := graphql.WithFieldContext(x.ctx, &graphql.FieldContext{Object: root.name})
	s := newSet(root, &position{ctx: ctx, run: x}, x.op.Operation.SelectionSet)
	s.objs.add(&Root{})
	return x.answer(func(w *writer) outcome {
		var found []*selection
		if serial { // the effects of a mutation are not deferred
			found = collect(x.op, s.sels, root.satisfies)
		} else {
			found = s.collect()
		}
		for _, sel := range found {
			s.columns = append(s.columns, x.rootColumn(s, sel, serial))
		}
		x.finish()
		out := s.write(w)
		x.settleParts(w, nil)
		return out
	})
}

// rootColumn begins a root field, inside gqlgen's middleware for root fields. The middleware surrounds the whole
// field if fields run one after the other, otherwise only its beginning. If it returns another value than the one it
// received, that is the answer.
func (x *run) rootColumn(s *set, sel *selection, serial bool) column {
	if sel.Name == "__typename" {
		return s.typ.column(s, sel)
	}
	ctx := graphql.WithRootFieldContext(s.at.ctx, &graphql.RootFieldContext{Object: sel.Name, Field: sel.CollectedField})
	within := func(ctx context.Context) column {
		own := newSet(s.typ, &position{ctx: ctx, run: x}, nil)
		own.objs = s.objs
		return s.typ.column(own, sel)
	}
	c, begun := within(ctx), &pending{}
	begin := func(ctx context.Context) graphql.Marshaler {
		c = within(ctx)
		if c.cells != nil {
			if c.cells.begin(); serial {
				x.finish()
			}
		}
		return begun
	}
	if x.op.RootResolverMiddleware == nil {
		begin(ctx)
		return c
	}
	if m := x.op.RootResolverMiddleware(ctx, begin); m != graphql.Marshaler(begun) {
		c.leaf, c.cells = nil, replaced{m}
	}
	return c
}

// pending replaces the answer of a field that will be written later.
type pending struct{ _ byte }

// MarshalGQL implements graphql.Marshaler, for middleware that inspects it.
func (*pending) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, "null") }

// replaced is a value that middleware returned instead of a root field.
type replaced struct{ by graphql.Marshaler }

func (replaced) resolved() bool { return true }
func (replaced) begin()         {}
func (c replaced) write(w *writer, _ int) outcome {
	if !w.marshal(c.by) {
		return absent
	}
	return wrote
}

// answer runs do and returns a response with its output. A panic of the executor itself is an error without data.
func (x *run) answer(do func(*writer) outcome) (resp *graphql.Response) {
	w := &writer{b: takeBuffer(), run: x, meter: MeterFrom(x.ctx)}
	defer func() {
		if p := recover(); p != nil {
			x.op.Error(x.ctx, x.op.Recover(x.ctx, p))
			resp = &graphql.Response{Data: []byte("null")}
		}
	}()
	out := do(w)
	if n := len(w.b) - w.counted; out == wrote && n > 0 && !w.over {
		w.over = w.meter.Write(n) != nil
	}
	if w.over || w.meter.Err() != nil {
		return &graphql.Response{Data: []byte("null")}
	}
	if out != wrote {
		w.b = append(w.b[:0], "null"...)
	}
	resp = &graphql.Response{Data: w.b}
	if len(w.missing) > 0 {
		resp.Extensions = map[string]any{MissingExtension: w.missing}
	}
	return resp
}
