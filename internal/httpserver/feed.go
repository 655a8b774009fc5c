package httpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/auth"
	"agora/internal/breadth"
	"agora/internal/store"
)

// feeds are the subscriptions that run. Equal ones are one feed: an event is executed
// once, whatever the number of those who wait for it.
type feeds struct {
	mu     sync.Mutex
	shared map[string]*feed
}

// feed is a subscription that runs, for one or more members. It ends when its source
// does, or when the last member leaves. It belongs to the server: nothing of it hangs
// on the connection of the member that came first.
type feed struct {
	key    string // "" if it is not shared
	t      *endpoint
	op     operation
	ctx    context.Context
	cancel context.CancelFunc
	// opened is closed when the source is open, or cannot be opened because of errs.
	opened chan struct{}
	errs   gqlerror.List

	mu      sync.Mutex // after feeds.mu and before that of an outbox
	members map[*running]struct{}
}

// join makes an operation a member of the feed of its subscription, and returns when
// the source is open, or why it is not.
func (t *endpoint) join(ctx context.Context, run *running, op operation, caller auth.Caller) gqlerror.List {
	f := t.member(ctx, run, op, caller)
	run.stop = func() { t.live.feeds.leave(f, run) }
	select {
	case <-f.opened:
	case <-ctx.Done():
		return timedOut().errors
	}
	if f.errs == nil {
		return nil
	}
	errs := make(gqlerror.List, len(f.errs))
	for i, err := range f.errs { // each member marks its own
		own := *err
		own.Extensions = maps.Clone(err.Extensions)
		errs[i] = &own
	}
	return errs
}

// member finds or makes the feed, with the operation as its member.
func (t *endpoint) member(ctx context.Context, run *running, op operation, caller auth.Caller) *feed {
	key := t.feedKey(op, caller)
	t.site.Metrics.subscribed(1)
	all := &t.live.feeds
	all.mu.Lock()
	defer all.mu.Unlock()
	if f := all.shared[key]; f != nil {
		f.mu.Lock()
		f.members[run] = struct{}{}
		f.mu.Unlock()
		return f
	}
	f := &feed{key: key, t: t, op: op, opened: make(chan struct{}), members: map[*running]struct{}{run: {}}}
	served := auth.Caller{Viewer: caller.Viewer}
	if caller.Viewer != nil {
		served.Visitor = caller.Visitor
	}
	base := context.WithValue(context.Background(), callKey{}, &Call{id: RequestID(ctx)})
	f.ctx, f.cancel = context.WithCancel(auth.WithCaller(base, served))
	if key != "" {
		all.shared[key] = f
	}
	t.live.all.Go(f.run) // ends with its source or its last member; Shutdown waits for it
	return f
}

// leave takes a member out, and ends the feed with the last one.
func (all *feeds) leave(f *feed, run *running) {
	all.mu.Lock()
	defer all.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, member := f.members[run]; !member {
		return // the feed has ended before
	}
	delete(f.members, run)
	f.t.site.Metrics.subscribed(-1)
	if len(f.members) == 0 {
		all.drop(f)
		f.cancel()
	}
}

// drop has nobody join a feed any more. The caller holds mu.
func (all *feeds) drop(f *feed) {
	if all.shared[f.key] == f {
		delete(all.shared, f.key)
	}
}

// feedKey is the same for equal subscriptions of one viewer; "" if the subscription is
// one of a kind because it resumes after an event.
func (t *endpoint) feedKey(op operation, caller auth.Caller) string {
	c := op.context
	if resumes(c, c.Operation.SelectionSet) {
		return ""
	}
	variables, err := json.Marshal(c.Variables) // keys are sorted
	if err != nil {
		return ""
	}
	who := "-"
	if v := caller.Viewer; v != nil {
		who = fmt.Sprintf("%d %s", v.ID, v.Role)
	}
	return strings.Join([]string{op.document, c.OperationName, who, c.Headers.Get(TraceHeader), string(variables)}, "\n")
}

// resumes tells whether a field of the root has the argument `after` with a value.
func resumes(op *graphql.OperationContext, set ast.SelectionSet) bool {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			after := sel.Arguments.ForName("after")
			if after == nil || after.Value.Kind == ast.NullValue {
				continue
			}
			if after.Value.Kind != ast.Variable || op.Variables[after.Value.Raw] != nil {
				return true
			}
		case *ast.InlineFragment:
			if resumes(op, sel.SelectionSet) {
				return true
			}
		case *ast.FragmentSpread: // none spreads itself: the document is valid
			if f := op.Doc.Fragments.ForName(sel.Name); f != nil && resumes(op, f.SelectionSet) {
				return true
			}
		}
	}
	return false
}

// run opens the source and hands its events on, until there are no more.
func (f *feed) run() {
	defer f.cancel()
	f.t.site.Metrics.fed(1)
	defer f.t.site.Metrics.fed(-1)
	defer func() {
		if p := recover(); p != nil {
			f.t.site.Log.ErrorContext(f.ctx, "feed panicked", "panic", p, "stack", string(debug.Stack()))
			f.end(kindError, encode(gqlerror.List{internalError(f.ctx)}))
		}
	}()
	next, ctx := f.open()
	if next == nil {
		return
	}
	for {
		resp := f.next(ctx, next)
		if resp == nil {
			f.end(kindComplete, nil)
			return
		}
		f.broadcast(f.payload(resp))
	}
}

// next waits for an event and executes it. What fails for no fault of the client's, as when
// Redis restarts, is executed again: the client would go on after the event, and miss what
// it is about. While Redis does not answer that goes on; then it is eventTries times.
func (f *feed) next(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	ctx = context.WithValue(ctx, eventKey{}, f.op.values)
	var event breadth.Event
	for tries := 0; ; {
		resp := next(breadth.WithEvent(store.Gathered(store.WithTally(ctx, &store.Tally{})), &event))
		if resp == nil || !event.Repeats || tries == eventTries || !failedInside(resp.Errors) {
			return resp
		}
		breadth.Release(resp.Data)
		again := time.NewTimer(eventAgain)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return nil
		}
		if f.t.site.Resolver.Store.Ping(ctx) == nil {
			tries++
		}
		event = breadth.Event{Again: true}
	}
}

const (
	// eventTries is how often an event is executed again, eventAgain after how long.
	eventTries = 3
	eventAgain = 100 * time.Millisecond
)

// failedInside tells whether an error is the server's.
func failedInside(errs gqlerror.List) bool {
	return slices.ContainsFunc(errs, func(err *gqlerror.Error) bool { return err.Extensions["code"] == "INTERNAL_SERVER_ERROR" })
}

// errSlowSource tells why a source that did not open in time was given up.
var errSlowSource = errors.New("the source took too long to open")

// open opens the source.
func (f *feed) open() (graphql.ResponseHandler, context.Context) {
	defer close(f.opened)
	late := time.AfterFunc(answerTime, f.cancel)
	next, ctx, errs := f.t.exec.open(f.ctx, f.op.context)
	if late.Stop() && errs == nil {
		return next, ctx
	}
	if errs == nil {
		errs = gqlerror.List{f.t.exec.present(f.ctx, errSlowSource)}
	}
	f.errs = capErrors(errs, f.t.limits.Errors)
	f.dismiss()
	return nil, nil
}

// payload is a response as all members get it.
func (f *feed) payload(resp *graphql.Response) []byte {
	answer := answerOf(resp, f.t.limits.Errors)
	answer.HasNext = nil
	mark(f.ctx, answer.Errors)
	b := encodeResponse(answer)
	breadth.Release(resp.Data)
	return b
}

func (f *feed) broadcast(payload []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for run := range f.members {
		run.out.push(frame{kind: kindNext, of: run, payload: payload})
	}
}

// end tells the members that are left that there is no more.
func (f *feed) end(how kind, payload []byte) {
	for run := range f.dismiss() {
		run.out.push(frame{kind: how, of: run, payload: payload})
	}
}

// dismiss has nobody join the feed any more, and gives those who were its members.
func (f *feed) dismiss() map[*running]struct{} {
	all := &f.t.live.feeds
	all.mu.Lock()
	defer all.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	all.drop(f)
	members := f.members
	f.members = nil
	f.t.site.Metrics.subscribed(-float64(len(members)))
	return members
}

// eventKey finds, in the context of an event, how many values its execution may ask for.
type eventKey struct{}

// gate has the execution of an event wait until few enough others run; release is to be
// called after it. When nobody waits for the event any more it lets it through at once.
func (l *Live) gate(ctx context.Context) (release func()) {
	values, _ := ctx.Value(eventKey{}).(int)
	taken, err := l.budget.acquire(ctx, values)
	for err != nil && ctx.Err() == nil { // too many wait: an event must not be lost for that
		select {
		case <-ctx.Done():
		case <-time.After(budgetAgain):
			taken, err = l.budget.acquire(ctx, values)
		}
	}
	select {
	case l.executions <- struct{}{}:
	case <-ctx.Done():
		return func() { l.budget.release(taken) }
	}
	return func() {
		<-l.executions
		l.budget.release(taken)
	}
}

// budgetAgain is after how long an event asks again for room among large requests.
const budgetAgain = 50 * time.Millisecond

func internalError(ctx context.Context) *gqlerror.Error {
	err := &gqlerror.Error{Message: "internal error", Extensions: map[string]any{"code": "INTERNAL_SERVER_ERROR"}}
	mark(ctx, gqlerror.List{err})
	return err
}
