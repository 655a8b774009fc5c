package breadth

import (
	"context"
	"errors"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Resolver describes how a field is resolved, apart from the call itself.
type Resolver struct {
	// Args reads the arguments; nil if the field has none.
	Args func(ctx context.Context, raw map[string]any) (map[string]any, error)
	// Directives wrap the call, the first innermost, as in gqlgen.
	Directives []Directive
	// Method reports whether the object itself resolves the field.
	Method bool
}

// Directive is a directive of a field's definition.
type Directive struct {
	// Call runs the directive around next.
	Call func(ctx context.Context, obj any, next graphql.Resolver) (any, error)
	// Gate reports whether the directive reads neither the object nor the value. It is then called once for all
	// objects.
	Gate bool
}

// resolution is a field that is being resolved for all objects of a set.
type resolution struct {
	set    *set
	sel    *selection
	how    *Resolver
	typ    Type
	values *Values

	results any // []R
	cell    cell
	// errs has the error of each object; nil if there are no errors.
	errs []error
	// nothing reports for which objects there was no value at all; nil if for none.
	nothing []bool
	// written are values that a directive has returned in gqlgen's written form.
	written map[int]graphql.Marshaler
	// argPath is the part of an error's path that belongs to the field itself, if the arguments could not be read.
	argPath int
}

func (*resolution) resolved() bool { return true }

// enter creates the context of the field, with its arguments. If these cannot be read, no object is resolved.
func (r *resolution) enter(t *task) (ctx context.Context, ok bool) {
	fc := &graphql.FieldContext{
		Object: r.set.typ.name, Field: r.sel.CollectedField, IsMethod: true, IsResolver: !r.how.Method,
		Child: noChild,
	}
	ctx = graphql.WithFieldContext(t, fc)
	if err := ctx.Err(); err != nil {
		r.failAll(err)
		return ctx, false
	}
	if r.how.Args == nil {
		return ctx, true
	}
	var err error
	if fc.Args, err = r.arguments(ctx); err != nil {
		r.failAll(err)
		r.argPath = len(fc.Path())
		return ctx, false
	}
	return ctx, true
}

// noChild is the Child of a field that is being resolved.
func noChild(_ context.Context, f graphql.CollectedField) (*graphql.FieldContext, error) {
	return nil, fmt.Errorf("the field %s, beneath the one that is being resolved, has no context yet", f.Name)
}

func (r *resolution) arguments(ctx context.Context) (args map[string]any, err error) {
	x := r.set.at.run
	defer func() {
		if p := recover(); p != nil {
			err = x.op.RecoverFunc(ctx, p)
		}
	}()
	return r.how.Args(ctx, r.sel.ArgumentMap(x.op.Variables))
}

func (r *resolution) failAll(err error) { r.errs = same(err, r.set.objs.len()) }

func (r *resolution) failOne(i int, err error) {
	if r.errs == nil {
		r.errs = make([]error, r.set.objs.len())
	}
	r.errs[i] = err
}

// settle gathers the objects in the results, so that their fields can begin.
func (r *resolution) settle(ctx context.Context) {
	defer func() {
		if p := recover(); p != nil {
			r.failAll(r.set.at.run.op.RecoverFunc(ctx, p))
		}
	}()
	x := r.set.at.run
	at := &position{ctx: ctx, run: x}
	r.cell = r.typ.at(at, r.sel.Selections)
	if list, ok := r.cell.(*listCell); ok {
		if list.stream = x.streamOf(r.sel); list.stream != nil {
			list.stream.list, list.stream.at = list, at
		}
	}
	if !isLeaf(r.cell) {
		r.skipMissing()
		n := r.values.length(r.results)
		expect(r.cell, n)
		for i := range n {
			if r.there(i) {
				r.cell.gather(r.values.at(r.results, i))
			}
		}
	}
	r.cell.begin()
}

// skipMissing leaves out the values of objects that turned out to be missing while the resolver waited: nothing more is
// read for them.
func (r *resolution) skipMissing() {
	if r.set.typ.missing == nil {
		return
	}
	for i := range r.set.objs.len() {
		if r.set.isMissing(i) {
			r.nothing = at(r.nothing, i, r.set.objs.len())
		}
	}
}

// there reports whether an object has a value to gather and write.
func (r *resolution) there(i int) bool {
	return (r.errs == nil || r.errs[i] == nil) && (r.nothing == nil || !r.nothing[i]) && r.written[i] == nil
}

func (r *resolution) write(w *writer, i int) outcome {
	if r.errs == nil || r.errs[i] == nil {
		if r.nothing != nil && r.nothing[i] {
			return absent
		}
		if m := r.written[i]; m != nil {
			if !w.marshal(m) {
				return empty
			}
			return wrote
		}
		return r.cell.write(w, r.values.at(r.results, i))
	}
	err := r.errs[i]
	if known, ok := err.(*gqlerror.Error); ok && r.argPath > 0 && len(known.Path) >= r.argPath {
		c := *known
		c.Path = append(graphql.GetPath(w.context()), known.Path[r.argPath:]...)
		err = &c
	}
	w.fail(err)
	return broken
}

// batchCells are resolved by one call for all objects.
type batchCells struct {
	resolution
	call   func(ctx context.Context, objs any) (any, error)
	chains *chains // of directives that are called for each object
}

func (c *batchCells) begin() {
	if c.chained() {
		c.beginChains()
		return
	}
	c.set.at.run.enqueue(c.set.at.ctx, c, 0)
}

// do implements job.
func (c *batchCells) do(t *task, i int) {
	if c.chains != nil {
		c.chain(t, i)
	} else {
		c.resolve(t)
	}
}

// resolve calls the resolver, inside its gates.
func (c *batchCells) resolve(t *task) {
	ctx, ok := c.enter(t)
	if !ok {
		return
	}
	inner, called := ctx, false
	next := func(ctx context.Context) (any, error) {
		inner, called = ctx, true
		var err error
		c.results, err = c.call(ctx, c.set.objs.typed())
		return nil, err
	}
	for _, d := range c.how.Directives {
		next = around(d, nil, next)
	}
	v, err := c.guarded(ctx, next)
	if err == nil && !called { // a gate that blocked the call without an error
		c.results = c.values.make(c.set.objs.len())
		for i := range c.set.objs.len() {
			c.put(i, v, nil)
		}
		c.settle(inner)
		return
	}
	if c.take(err, c.set.objs.len()) {
		c.settle(inner)
	}
}

// guarded calls a chain through gqlgen's field middleware. A panic becomes an error.
func (r *resolution) guarded(ctx context.Context, next graphql.Resolver) (v any, err error) {
	x := r.set.at.run
	defer func() {
		if p := recover(); p != nil {
			err = x.op.RecoverFunc(ctx, p)
		}
	}()
	return x.op.ResolverMiddleware(ctx, next)
}

// around wraps a directive around a call.
func around(d Directive, obj any, next graphql.Resolver) graphql.Resolver {
	return func(ctx context.Context) (any, error) { return d.Call(ctx, obj, next) }
}

// take checks the result of a batch resolver for n objects.
func (c *batchCells) take(err error, n int) bool {
	list, perObject := err.(graphql.BatchErrors)
	switch {
	case err != nil && !perObject:
	case c.values.length(c.results) != n:
		err = fmt.Errorf("batch resolver %s.%s returned %d results for %d parents",
			c.set.typ.name, c.sel.Name, c.values.length(c.results), n)
	case perObject && len(list.Errors()) != n:
		err = fmt.Errorf("batch resolver %s.%s returned %d errors for %d parents", c.set.typ.name, c.sel.Name,
			len(list.Errors()), n)
	case perObject:
		c.errs = list.Errors()
		return true
	default:
		return true
	}
	c.results = nil
	c.failAll(err)
	return false
}

// singleCells are resolved by a call for each object, each in a task of its own, so that their loads are combined.
type singleCells struct {
	resolution
	call    func(ctx context.Context, obj any) (any, error)
	pending int
}

func (c *singleCells) begin() {
	c.pending = c.set.objs.len()
	c.results = c.values.make(c.set.objs.len())
	for i := range c.set.objs.len() {
		c.set.at.run.enqueue(c.set.at.ctx, c, i)
	}
}

// Methods of objects need the objects loaded.
func (c *singleCells) resolved() bool { return !c.how.Method }

// do implements job.
func (c *singleCells) do(t *task, i int) {
	ctx, ok := c.enter(t)
	inner := ctx
	if ok {
		inner = c.callOne(ctx, i)
	}
	if c.pending--; c.pending == 0 {
		c.settle(inner)
	}
}

func (c *singleCells) callOne(ctx context.Context, i int) (inner context.Context) {
	x := c.set.at.run
	inner = ctx
	defer func() {
		if p := recover(); p != nil {
			c.failOne(i, x.op.RecoverFunc(ctx, p))
		}
	}()
	next := func(ctx context.Context) (any, error) {
		inner = ctx
		return c.call(ctx, c.set.objs.at(i))
	}
	for _, d := range c.how.Directives {
		next = around(d, c.set.typ.subject(c.set.objs.at(i)), next)
	}
	v, err := x.op.ResolverMiddleware(ctx, next)
	c.put(i, v, err)
	return inner
}

// at sets element i of a set of n, nil if it is empty.
func at(set []bool, i, n int) []bool {
	if set == nil {
		set = make([]bool, n)
	}
	set[i] = true
	return set
}

// ErrNothing is returned by a call that has no value.
var ErrNothing = errors.New("there is no value")

// put stores the value for an object from a chain of directives.
func (r *resolution) put(i int, v any, err error) {
	if err == ErrNothing {
		v, err = nil, nil
	}
	if v != nil && r.values.put(r.results, i, v) {
		if err != nil {
			r.failOne(i, err)
		}
		return
	}
	switch v := v.(type) {
	case nil:
		r.nothing = at(r.nothing, i, r.set.objs.len())
	case graphql.Marshaler:
		if r.written == nil {
			r.written = map[int]graphql.Marshaler{}
		}
		r.written[i] = v
	default:
		if err == nil {
			err = fmt.Errorf("unexpected type %T from middleware/directive chain, should be %T", v, r.values.get(r.results, i))
		}
	}
	if err != nil {
		r.failOne(i, err)
	}
}

// plainCells are values stored in the objects.
type plainCells struct {
	resolution
	get func(obj, results any, i int)
}

func (*plainCells) resolved() bool { return false }

func (c *plainCells) begin() {
	x := c.set.at.run
	ctx := graphql.WithFieldContext(c.set.at.ctx,
		&graphql.FieldContext{Object: c.set.typ.name, Field: c.sel.CollectedField})
	c.results = c.values.make(c.set.objs.len())
	for i := range c.set.objs.len() {
		c.take(ctx, x, i, c.set.objs.at(i))
	}
	c.settle(ctx)
}

func (c *plainCells) take(ctx context.Context, x *run, i int, o any) {
	defer func() {
		if p := recover(); p != nil {
			c.failOne(i, x.op.RecoverFunc(ctx, p))
		}
	}()
	c.get(o, c.results, i)
}

// introspection is a root field that gqlgen resolves.
type introspection struct {
	at   *position
	sel  *selection
	call func(ctx context.Context, op *graphql.OperationContext, field graphql.CollectedField) graphql.Marshaler
}

func (introspection) resolved() bool { return true }
func (introspection) begin()         {}
func (c introspection) write(w *writer, _ int) outcome {
	if w.over || !w.marshal(c.call(c.at.ctx, w.run.op, c.sel.CollectedField)) {
		return broken
	}
	return wrote
}
