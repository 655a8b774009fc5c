package breadth

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// chains are the directives around a batch resolver, run for each object. When every chain has reached its inner call
// or ended, one call serves all objects that were admitted.
type chains struct {
	open     int          // chains that have neither reached their inner call nor ended
	running  int          // chains that have not ended
	admitted []int        // objects whose chains have reached their inner call
	waiting  []*coroutine // the coroutines of these chains
	ctx      context.Context
	called   bool // the call has begun
	served   bool // the call has ended
	results  any  // []R
	errs     []error
	err      error
}

// chained reports whether a directive must be called for each object.
func (c *batchCells) chained() bool {
	for _, d := range c.how.Directives {
		if !d.Gate {
			return true
		}
	}
	return false
}

func (c *batchCells) beginChains() {
	n := c.set.objs.len()
	c.results = c.values.make(n)
	c.chains = &chains{open: n, running: n}
	for i := range n {
		c.set.at.run.enqueue(c.set.at.ctx, c, i)
	}
}

// chain runs the directives around the value of one object.
func (c *batchCells) chain(t *task, i int) {
	h := c.chains
	ctx, ok := c.enter(t)
	inside := false
	if ok {
		var v any
		var err error
		next := func(ctx context.Context) (any, error) {
			if inside { // a directive calls next again
				return v, err
			}
			inside = true
			h.admitted, h.ctx = append(h.admitted, i), ctx
			at := len(h.admitted) - 1
			h.open--
			c.join(t)
			v, err = c.valueOf(at)
			return v, err
		}
		for _, d := range c.how.Directives {
			next = around(d, c.set.typ.subject(c.set.objs.at(i)), next)
		}
		value, failed := c.guarded(ctx, next)
		c.put(i, value, failed)
	}
	if !inside {
		h.open--
		c.serve(t)
	}
	if h.running--; h.running == 0 {
		if h.ctx == nil {
			h.ctx = ctx
		}
		c.settle(h.ctx)
	}
}

// valueOf returns the result of the call for one of the admitted objects.
func (c *batchCells) valueOf(at int) (any, error) {
	h := c.chains
	if h.err != nil {
		return nil, h.err
	}
	if h.errs != nil && h.errs[at] != nil {
		return nil, h.errs[at]
	}
	return c.values.get(h.results, at), nil
}

// join returns when the call is done; the last chain to arrive makes it.
func (c *batchCells) join(t *task) {
	h, x := c.chains, c.set.at.run
	c.serve(t)
	x.current = nil
	for !h.served && !x.closed {
		if t.on == nil {
			if x.others(); !h.served {
				x.dispatch()
			}
			continue
		}
		h.waiting = append(h.waiting, t.on)
		if !t.on.yield(struct{}{}) {
			h.err = errStopped
			return
		}
	}
	x.current = t
}

// serve makes the call, once every chain has reached its inner call or ended.
func (c *batchCells) serve(t *task) {
	h, x := c.chains, c.set.at.run
	if h.open > 0 || h.called || len(h.admitted) == 0 {
		return
	}
	h.called = true
	parents := c.set.typ.objects()
	for _, i := range h.admitted {
		parents.add(c.set.objs.at(i))
	}
	all := batchCells{resolution: c.resolution}
	err := func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = x.op.RecoverFunc(h.ctx, p)
			}
		}()
		all.results, err = c.call(context.WithValue(h.ctx, taskKey{}, t), parents.typed())
		return err
	}()
	list, perObject := err.(graphql.BatchErrors)
	if all.take(err, parents.len()) {
		if h.results = all.results; perObject {
			h.errs = list.Errors()
		}
	} else {
		h.err = all.errs[0]
	}
	h.served = true
	x.resumable = append(x.resumable, h.waiting...)
	h.waiting = nil
}
