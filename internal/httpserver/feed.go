package httpserver

import (
	"context"
	"errors"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/auth"
	"agora/internal/breadth"
	"agora/internal/store"
)

// feed is a subscription that runs, for one or more members. It ends when its source
// does, or when the last member leaves. It belongs to the server: nothing of it hangs
// on the connection of the member that came first.
type feed struct {
	spot   spot // where it is noted; feeds.mu guards it
	t      *endpoint
	op     operation
	ctx    context.Context
	cancel context.CancelFunc
	// opened is closed when the source is open, or cannot be opened because of errs.
	opened chan struct{}
	errs   gqlerror.List

	mu       sync.Mutex // after feeds.mu and before that of an outbox
	members  map[*running]struct{}
	position string // after which it goes on, "" if that is not known
}

// join makes an operation a member of the feed of its subscription, and returns when
// the source is open, or why it is not. As long as it is a member it takes a share of
// what its caller may have running.
func (t *endpoint) join(ctx context.Context, run *running, op operation, caller auth.Caller) gqlerror.List {
	run.charge = chargeFor(caller, op.values)
	if err := t.live.shares.take(run.charge, t.limits); err != nil {
		return gqlerror.List{err}
	}
	f := t.member(ctx, run, op, caller)
	run.stop = func() { t.live.feeds.leave(run) }
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

// isOpen tells whether the source is open.
func (f *feed) isOpen() bool {
	select {
	case <-f.opened:
		return f.errs == nil
	default:
		return false
	}
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
	for f.ctx.Err() == nil { // else its members have left, or are another feed's
		payload, position := f.next(ctx, next)
		if payload == nil {
			f.end(kindComplete, nil)
			return
		}
		f.broadcast(payload, position)
		f.t.live.feeds.settle(f)
	}
}

// next waits for an event and executes it. It returns what is sent of it, nil if there are
// no more; position is that after it. What fails for no
// fault of the client's, as when Redis restarts, is executed again: the client would go on
// after the event, and miss what it is about. It waits until Redis answers, together with
// all other feeds, and is executed again eventTries times.
func (f *feed) next(ctx context.Context, next graphql.ResponseHandler) (payload []byte, position string) {
	ctx = context.WithValue(ctx, feedKey{}, f)
	var event breadth.Event
	for tries := 0; ; {
		again, failed := f.once(ctx, next, &event)
		if again == nil || !event.Repeats || tries == eventTries || !failed {
			return again, event.Position
		}
		if f.t.site.Resolver.Store.Await(ctx) != nil {
			return nil, ""
		}
		tries++
		event = breadth.Event{Again: true}
	}
}

// once waits for an event and executes it. It returns what is sent of it, nil if there
// are no more, and whether it failed for no fault of the client's.
func (f *feed) once(ctx context.Context, next graphql.ResponseHandler, event *breadth.Event) (payload []byte, failed bool) {
	m, release := f.t.eventMeter(ctx)
	defer release()
	ctx = breadth.WithMeter(store.Coalesced(store.WithUsage(ctx, &store.Usage{})), m)
	resp := next(breadth.WithEvent(ctx, event))
	if resp == nil {
		return nil, false
	}
	failed = failedInside(resp.Errors)
	return f.payload(resp), failed
}

// eventTries is how often an event is executed again.
const eventTries = 3

// failedInside tells whether an error is the server's.
func failedInside(errs gqlerror.List) bool {
	return slices.ContainsFunc(errs, func(err *gqlerror.Error) bool {
		return err.Extensions["code"] == "INTERNAL_SERVER_ERROR" || err.Extensions["code"] == "UNAVAILABLE"
	})
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

func (f *feed) broadcast(payload []byte, position string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.position = position
	for run := range f.members {
		run.out.push(frame{kind: kindNext, of: run, payload: payload, shared: len(f.members)})
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
	for run := range members {
		f.t.live.shares.give(run.charge)
	}
	f.t.site.Metrics.subscribed(-float64(len(members)))
	return members
}

// payer is the address in whose turn an event is executed: of those that have members the
// one whose other events are fewest, so that who joins a feed of others delays nothing.
func (f *feed) payer() (address string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	least := -1
	for run := range f.members {
		load := f.t.live.turns.load(run.charge.address)
		if least < 0 || load < least {
			address, least = run.charge.address, load
		}
		if least == 0 {
			break
		}
	}
	return address
}

// feedKey finds, in the context of an event, the feed that it is of.
type feedKey struct{}

// gate has the execution of an event wait until few enough others run, and of its
// address too; release is to be called after it. When nobody waits for the event any
// more it lets it through at once.
func (l *Live) gate(ctx context.Context) (release func()) {
	f, _ := ctx.Value(feedKey{}).(*feed)
	if f == nil {
		return func() {}
	}
	done, err := l.turns.acquire(ctx, f.payer())
	if err != nil {
		return func() {}
	}
	taken, err := l.budget.acquire(ctx, f.op.values)
	for err != nil && ctx.Err() == nil { // too many wait: an event must not be lost for that
		select {
		case <-ctx.Done():
		case <-time.After(budgetAgain):
			taken, err = l.budget.acquire(ctx, f.op.values)
		}
	}
	return func() {
		l.budget.release(taken)
		done()
	}
}

// budgetAgain is after how long an event asks again for room among large requests.
const budgetAgain = 50 * time.Millisecond

func internalError(ctx context.Context) *gqlerror.Error {
	err := &gqlerror.Error{Message: "internal error", Extensions: map[string]any{"code": "INTERNAL_SERVER_ERROR"}}
	mark(ctx, gqlerror.List{err})
	return err
}
