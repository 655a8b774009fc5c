package breadth

import (
	"context"
	"errors"
	"iter"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Loads are the queued reads of the resolvers of one response.
type Loads interface {
	// Dispatch sends the queued reads, and returns when the replies have arrived or failed.
	Dispatch()
	// Close is called when a response ends. Reads that were queued but not sent are not needed.
	Close()
}

// run is the execution of one response. One task runs at a time, in the order of their creation, until it ends or
// waits for data.
type run struct {
	ctx    context.Context
	op     *graphql.OperationContext
	schema *Schema
	open   func(context.Context) Loads                  // nil if resolvers never wait
	loads  Loads                                        // nil until a read is queued
	omit   func(context.Context, error) *gqlerror.Error // Options.Omit
	yield  func()                                       // of Options.Yield; nil for none

	current   *task
	tasks     []task // the last that were allocated
	ready     []*task
	taken     int          // number of ready tasks taken
	parked    []*coroutine // wait for data
	resumable []*coroutine // their data have arrived
	idle      []*coroutine
	all       []*coroutine
	closed    bool
	// failed is the result of the last dispatch: nil, or a panic.
	failed error

	incremental *Incremental // nil unless the answer may come in parts
	later       []later      // for the next part
	parts       int          // number of parts sent
	announced   int          // id of the next part
}

// job is work that a run has to do: to call a resolver, or to load objects.
type job interface {
	// do does part i of the job, whose other parts are tasks of their own; 0 if it has no parts.
	do(t *task, i int)
}

// task is one unit of work: a job, or a part of one. It is also the context in which it is done.
type task struct {
	context.Context // of the position
	run             *run
	job             job
	part            int
	// on is the coroutine that runs it; nil for the goroutine of the response.
	on *coroutine
	// goroutine is the id of its goroutine, if known.
	goroutine uint64
}

type taskKey struct{}

// Value returns the task itself, for Wait.
func (t *task) Value(key any) any {
	if key == (taskKey{}) {
		return t
	}
	return t.Context.Value(key)
}

// errStopped is returned to waiting tasks if a response ends early.
var errStopped = errors.New("the response has ended")

// waiter lets a resolver wait for data.
type waiter interface{ wait() error }

// outside is the waiter of resolvers that run outside of a response.
type outside struct{ loads Loads }

func (o outside) wait() error {
	o.loads.Dispatch()
	return nil
}

// Outside returns a context for resolvers that run outside of a response, one at a time. Their reads are sent
// immediately.
func Outside(ctx context.Context, loads Loads) context.Context {
	return context.WithValue(ctx, taskKey{}, outside{loads})
}

// Wait lets all other resolvers continue until none can, sends their queued reads, and returns when the replies have
// arrived. A resolver calls it, through its loaders, on its own goroutine; goroutines that it started cannot wait for
// data. This is always checked in builds with the race detector, otherwise as far as it is cheap.
func Wait(ctx context.Context) error {
	w, _ := ctx.Value(taskKey{}).(waiter)
	if w == nil {
		panic("breadth: Wait outside of a resolver")
	}
	return w.wait()
}

func (t *task) wait() error {
	x := t.run
	if x.closed {
		return errStopped
	}
	if x.current != t || t.goroutine != goroutine() {
		panic("breadth: a resolver waits for data on a goroutine that it has started, or after it has returned")
	}
	x.current = nil
	if t.on != nil {
		x.parked = append(x.parked, t.on)
		if !t.on.yield(struct{}{}) {
			return errStopped
		}
	} else {
		x.others()
		x.dispatch()
	}
	x.current = t
	return x.failed
}

// enqueue adds a task to the ready ones. Many are allocated at a time.
func (x *run) enqueue(ctx context.Context, j job, part int) {
	if len(x.tasks) == cap(x.tasks) {
		x.tasks = make([]task, 0, max(8, min(2*cap(x.tasks), 128)))
	}
	x.tasks = append(x.tasks, task{Context: ctx, run: x, job: j, part: part})
	x.ready = append(x.ready, &x.tasks[len(x.tasks)-1])
}

// take removes and returns the first ready task.
func (x *run) take() *task {
	if x.closed || x.taken == len(x.ready) {
		x.ready, x.taken = x.ready[:0], 0
		return nil
	}
	t := x.ready[x.taken]
	x.ready[x.taken] = nil
	x.taken++
	return t
}

// finish runs all tasks to completion.
func (x *run) finish() {
	for {
		if len(x.resumable) > 0 {
			x.resume()
		} else if t := x.take(); t != nil {
			x.perform(t, nil)
		} else if len(x.parked) > 0 {
			x.dispatch()
		} else {
			return
		}
	}
}

// others runs tasks, while the response's own goroutine waits, until none can continue.
func (x *run) others() {
	for {
		if len(x.resumable) > 0 {
			x.resume()
		} else if x.taken < len(x.ready) {
			x.coroutine().next()
		} else {
			return
		}
	}
}

// dispatch sends the queued reads. If that panics, all waiting tasks fail.
func (x *run) dispatch() {
	defer func() {
		x.failed = nil
		if p := recover(); p != nil {
			x.failed = x.op.RecoverFunc(x.ctx, p)
		}
		x.resumable = append(x.resumable, x.parked...)
		x.parked = x.parked[:0]
	}()
	if x.loads == nil && x.open != nil {
		x.loads = x.open(x.ctx)
	}
	if x.loads != nil {
		x.loads.Dispatch()
	}
}

func (x *run) resume() {
	c := x.resumable[0]
	x.resumable = x.resumable[1:]
	c.next()
}

func (x *run) perform(t *task, on *coroutine) {
	t.on, t.goroutine, x.current = on, goroutine(), t
	t.job.do(t, t.part)
	x.current = nil
	if x.yield != nil {
		x.yield()
	}
}

// close stops the coroutines that remain after a panic.
func (x *run) close() {
	x.closed = true
	for _, c := range x.all {
		c.stop()
	}
	x.all, x.idle, x.parked, x.resumable = nil, nil, nil, nil
	if x.loads != nil {
		x.loads.Close()
	}
}

// coroutine runs tasks concurrently with the goroutine of the response, but never at the same time.
type coroutine struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
}

// coroutine returns an idle coroutine; it ends with the response.
func (x *run) coroutine() *coroutine {
	if n := len(x.idle); n > 0 {
		c := x.idle[n-1]
		x.idle = x.idle[:n-1]
		return c
	}
	c := &coroutine{}
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		for {
			for t := x.take(); t != nil; t = x.take() {
				x.perform(t, c)
			}
			if x.closed {
				return
			}
			x.idle = append(x.idle, c)
			if !yield(struct{}{}) {
				return
			}
		}
	})
	x.all = append(x.all, c)
	return c
}
