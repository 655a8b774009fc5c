package live

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/auth"
	"agora/internal/breadth"
	"agora/internal/httpserver/limit"
	"agora/internal/store"
)

// sharedSubscription is a subscription that runs, for one or more members. It ends when its source
// does, or when the last member leaves. It belongs to the server: nothing of it hangs
// on the connection of the member that came first.
type sharedSubscription struct {
	point  resumePoint // where it is noted; sharedSubscriptions.mu guards it
	live   *Connections
	host   Host
	op     Operation
	ctx    context.Context
	cancel context.CancelFunc
	// opened is closed when the source is open, or cannot be opened because of errs.
	opened chan struct{}
	errs   gqlerror.List

	mu       sync.Mutex // after sharedSubscriptions.mu and before that of an sendQueue
	members  map[*liveOperation]struct{}
	position string // after which it goes on, "" if that is not known
}

// join makes an operation a member of the shared subscription of its subscription, and returns when
// the source is open, or why it is not. As long as it is a member it takes a share of
// what its caller may have running.
func (l *Connections) join(ctx context.Context, h Host, run *liveOperation, op Operation,
	caller auth.Caller) gqlerror.List {
	run.charge = limit.ChargeOf(caller, op.Values)
	if err := l.shares.Take(run.charge, l.Limits); err != nil {
		return gqlerror.List{err}
	}
	f := l.member(ctx, h, run, op, caller)
	run.stop = func() { l.shared.leave(run) }
	select {
	case <-f.opened:
	case <-ctx.Done():
		return TimedOut()
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

// isOpen reports whether the source is open.
func (f *sharedSubscription) isOpen() bool {
	select {
	case <-f.opened:
		return f.errs == nil
	default:
		return false
	}
}

// run opens the source and hands its events on, until there are no more.
func (f *sharedSubscription) run() {
	defer f.cancel()
	f.live.Metrics.fed(1)
	defer f.live.Metrics.fed(-1)
	defer func() {
		if p := recover(); p != nil {
			f.end(kindError, f.host.EncodeErrors(f.ctx, f.host.Panicked(f.ctx, "feed", p)))
		}
	}()
	next, ctx := f.open()
	if next == nil {
		return
	}
	for f.ctx.Err() == nil { // else its members have left, or are another shared subscription's
		payload, position := f.next(ctx, next)
		if payload == nil {
			f.end(kindComplete, nil)
			return
		}
		f.broadcast(payload, position)
		f.live.shared.merge(f)
	}
}

// next waits for an event and executes it. It returns what is sent of it, nil if there are
// no more; position is that after it. What fails for no
// fault of the client's, as when Redis restarts, is executed again: the client would go on
// after the event, and miss what it is about. It waits until Redis answers, together with
// all other shared subscriptions, and is executed again eventTries times.
func (f *sharedSubscription) next(ctx context.Context, next graphql.ResponseHandler) (payload []byte, position string) {
	ctx = context.WithValue(ctx, subscriptionKey{}, f)
	var event breadth.Event
	for tries := 0; ; {
		again, failed := f.once(ctx, next, &event)
		if again == nil || !event.Repeats || tries == eventTries || !failed {
			return again, event.Position
		}
		if f.host.Await(ctx) != nil {
			return nil, ""
		}
		tries++
		event = breadth.Event{Again: true}
	}
}

// once waits for an event and executes it. It returns what is sent of it, nil if there
// are no more, and whether it failed for no fault of the client's.
func (f *sharedSubscription) once(
	ctx context.Context,
	next graphql.ResponseHandler,
	event *breadth.Event,
) (payload []byte, failed bool) {
	m, release := f.live.Limits.EventMeter(ctx, f.live.large)
	defer release()
	ctx = breadth.WithMeter(store.Coalesced(store.WithUsage(ctx, &store.Usage{})), m)
	resp := next(breadth.WithEvent(ctx, event))
	if resp == nil {
		return nil, false
	}
	failed = failedInside(resp.Errors)
	return f.host.Encode(f.ctx, resp), failed
}

// eventTries is how often an event is executed again.
const eventTries = 3

// failedInside reports whether an error is the server's.
func failedInside(errs gqlerror.List) bool {
	return slices.ContainsFunc(errs, func(err *gqlerror.Error) bool {
		return err.Extensions["code"] == "INTERNAL_SERVER_ERROR" || err.Extensions["code"] == "UNAVAILABLE"
	})
}

// errSlowSource tells why a source that did not open in time was given up.
var errSlowSource = errors.New("the source took too long to open")

// open opens the source.
func (f *sharedSubscription) open() (graphql.ResponseHandler, context.Context) {
	defer close(f.opened)
	late := time.AfterFunc(AnswerTime, f.cancel)
	next, ctx, errs := f.host.Open(f.ctx, f.op)
	if late.Stop() && errs == nil {
		return next, ctx
	}
	if errs == nil {
		errs = f.host.Failed(f.ctx, errSlowSource)
	}
	f.errs = errs
	f.dismiss()
	return nil, nil
}

func (f *sharedSubscription) broadcast(payload []byte, position string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.position = position
	for run := range f.members {
		run.out.push(frame{kind: kindNext, of: run, payload: payload, shared: len(f.members)})
	}
}

// end tells the members that are left that there is no more.
func (f *sharedSubscription) end(how kind, payload []byte) {
	for run := range f.dismiss() {
		run.out.push(frame{kind: how, of: run, payload: payload})
	}
}

// dismiss has nobody join the shared subscription any more, and gives those who were its members.
func (f *sharedSubscription) dismiss() map[*liveOperation]struct{} {
	all := &f.live.shared
	all.mu.Lock()
	defer all.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	all.drop(f)
	members := f.members
	f.members = nil
	for run := range members {
		f.live.shares.Give(run.charge)
	}
	f.live.Metrics.subscribed(-float64(len(members)))
	return members
}

// payer is the address in whose turn an event is executed: of those that have members the
// one whose other events are fewest, so that who joins a shared subscription of others delays nothing.
func (f *sharedSubscription) payer() (address string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	least := -1
	for run := range f.members {
		load := f.live.turns.Load(run.charge.Address)
		if least < 0 || load < least {
			address, least = run.charge.Address, load
		}
		if least == 0 {
			break
		}
	}
	return address
}

// subscriptionKey finds, in the context of an event, the shared subscription that it is of.
type subscriptionKey struct{}

// Gate has the execution of an event wait until few enough others run, and of its
// address too; release is to be called after it. When nobody waits for the event any
// more it lets it through at once.
func (l *Connections) Gate(ctx context.Context) (release func()) {
	f, _ := ctx.Value(subscriptionKey{}).(*sharedSubscription)
	if f == nil {
		return func() {}
	}
	done, err := l.turns.Acquire(ctx, f.payer())
	if err != nil {
		return func() {}
	}
	taken, err := l.Budget.Acquire(ctx, f.op.Values)
	for err != nil && ctx.Err() == nil { // too many wait: an event must not be lost for that
		select {
		case <-ctx.Done():
		case <-time.After(budgetAgain):
			taken, err = l.Budget.Acquire(ctx, f.op.Values)
		}
	}
	return func() {
		l.Budget.Release(taken)
		done()
	}
}

// budgetAgain is after how long an event asks again for room among large requests.
const budgetAgain = 50 * time.Millisecond
