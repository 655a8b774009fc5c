package live

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/breadth"
	"agora/internal/auth"
	"agora/internal/httpserver/limit"
	"agora/internal/store"
	"agora/internal/turns"
)

// sharedSubscription is a running subscription with one or more members. It ends when its source does, or when the
// last member leaves. It does not depend on the connection of its first member.
type sharedSubscription struct {
	point  resumePoint // where it is registered; sharedSubscriptions.mu guards it
	live   *Connections
	host   Host
	op     Operation
	ctx    context.Context
	cancel context.CancelFunc
	// opened is closed when the source is open, or cannot be opened because of errs.
	opened chan struct{}
	errs   gqlerror.List

	mu       sync.Mutex // locked after sharedSubscriptions.mu and before that of a sendQueue
	members  map[*liveOperation]struct{}
	position string // of the last event, or "" if not known

	// These are used by run only: when an event was last given up, the turn in which one is executed, and who pays for it.
	gaveUp time.Time
	turn   *turns.Turn
	pays   auth.Caller
}

// join makes an operation a member of its shared subscription, and returns when the source is open, or why it is not.
// As long as it is a member, it uses a share of its caller's live work.
func (l *Connections) join(ctx context.Context, h Host, run *liveOperation, op Operation,
	caller auth.Caller) gqlerror.List {
	caller.Renew, caller.SetCookie = nil, nil // of one connection, which others that share the source may outlive
	run.charge = limit.ChargeOf(caller, op.Values)
	if err := l.shares.Take(run.charge, l.Limits); err != nil {
		return gqlerror.List{err}
	}
	f := l.member(ctx, h, run, op, caller)
	run.stop = func() { l.shared.leave(run) }
	turns.From(ctx).Aside(ctx, func() {
		select {
		case <-f.opened:
		case <-ctx.Done():
		}
	})
	if ctx.Err() != nil {
		return TimedOut()
	}
	if f.errs == nil {
		return nil
	}
	errs := make(gqlerror.List, len(f.errs))
	for i, err := range f.errs { // each member adds its own request id
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

// run opens the source and broadcasts its events until it ends.
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
	for f.ctx.Err() == nil { // otherwise its members have left or moved to another shared subscription
		payload, position := f.next(ctx, next)
		if payload == nil {
			f.end(kindComplete, nil)
			return
		}
		f.broadcast(payload, position)
		f.live.shared.merge(f)
	}
}

// next waits for an event and executes it. It returns the payload to send, nil at the end, and the position after it.
// An event that fails inside the server, as when Redis restarts or a master is replaced, is held back and executed
// again, because the client would resume after it and miss it: for Times.Hold if Redis fails, otherwise eventTries
// times. Then a RESET with its position takes its place, if it has a position.
func (f *sharedSubscription) next(ctx context.Context, next graphql.ResponseHandler) (payload []byte, position string) {
	ctx = context.WithValue(ctx, subscriptionKey{}, f)
	var event breadth.Event
	for h := (hold{f: f}); ; {
		again, failed := f.once(ctx, next, &event)
		switch {
		case again == nil, !event.Repeats, failed == worked, event.Lost:
			return again, event.Position
		case h.over(failed):
			if !event.Loses {
				return again, event.Position
			}
			event = breadth.Event{Lost: true}
		case f.host.Await(ctx) != nil || !h.pause(ctx):
			return nil, ""
		default:
			event = breadth.Event{Again: true}
		}
	}
}

// once waits for an event and executes it. It returns the payload to send, nil at the end, and how the server failed.
func (f *sharedSubscription) once(
	ctx context.Context,
	next graphql.ResponseHandler,
	event *breadth.Event,
) (payload []byte, failed failure) {
	large := f.live.large
	m, release := f.live.Limits.EventMeter(
		func() error { return turns.Enter(turns.With(ctx, f.turn), large) },
		func() { <-large },
	)
	defer release()
	work := 0
	m.OnWork(func(n int) { work += n })
	defer func() {
		f.turn.End()
		f.host.Owe(f.pays, 0, work)
	}()
	ctx = breadth.WithMeter(store.Coalesced(store.WithUsage(ctx, &store.Usage{})), m)
	resp := next(breadth.WithEvent(ctx, event))
	if resp == nil {
		return nil, worked
	}
	if failed = failureIn(resp.Errors); failed == worked && resp.Extensions[breadth.MissingExtension] != nil {
		failed = unavailable
	}
	return f.host.Encode(f.ctx, resp), failed
}

// errSlowSource reports that a source did not open in time.
var errSlowSource = errors.New("the source took too long to open")

// open opens the source.
func (f *sharedSubscription) open() (graphql.ResponseHandler, context.Context) {
	defer close(f.opened)
	late := time.AfterFunc(AnswerTime, f.cancel)
	turn, err := f.live.Turns.Begin(f.ctx, f.payer().Payer())
	if err != nil {
		f.errs = Crowded()
		f.dismiss()
		return nil, nil
	}
	defer turn.End()
	next, ctx, errs := f.host.Open(turns.With(f.ctx, turn), f.op)
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

// end notifies the remaining members of the end.
func (f *sharedSubscription) end(how kind, payload []byte) {
	for run := range f.dismiss() {
		run.out.push(frame{kind: how, of: run, payload: payload})
	}
}

// dismiss keeps further operations from joining the shared subscription, and returns its members.
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

// payer returns who pays for an event: of the members, the one whose network has the fewest turns, so that joining the
// shared subscription of others delays nothing.
func (f *sharedSubscription) payer() (who auth.Caller) {
	f.mu.Lock()
	defer f.mu.Unlock()
	least := -1
	for run := range f.members {
		load := f.live.Turns.Load(run.charge.Caller.Payer())
		if least < 0 || load < least {
			who, least = run.charge.Caller, load
		}
		if least == 0 {
			break
		}
	}
	return who
}

// subscriptionKey is the context key of the shared subscription of an event.
type subscriptionKey struct{}

// Gate makes the execution of an event wait for a turn, and for room for its values, and returns a context with the turn.
// release must be called when it is executed. If no client waits for the event any more, it returns immediately.
func (l *Connections) Gate(ctx context.Context) (_ context.Context, release func()) {
	f, _ := ctx.Value(subscriptionKey{}).(*sharedSubscription)
	if f == nil {
		return ctx, func() {}
	}
	f.turn = patiently(ctx, func() (*turns.Turn, error) {
		f.pays = f.payer()
		return l.Turns.Begin(ctx, f.pays.Payer())
	})
	if f.turn == nil {
		return ctx, func() {}
	}
	f.host.Owe(f.pays, f.op.Cost, 0)
	ctx = turns.With(ctx, f.turn)
	give := patiently(ctx, func() (func(), error) { return f.turn.Take(ctx, l.Values, f.op.Values) })
	span := l.Tracer.Event(f.op.Context.OperationName)
	if u := store.UsageFrom(ctx); u != nil && span != nil {
		u.Observe = span.RoundTrip
	}
	return ctx, func() {
		span.Done(nil)
		if give != nil {
			give()
		}
	}
}

// busyAgain is how long an event waits before it is tried again while too much else of its network waits.
const busyAgain = 50 * time.Millisecond

// patiently calls try until it succeeds or ctx is done: an event must not be lost because too much else waits.
func patiently[T any](ctx context.Context, try func() (T, error)) (got T) {
	for {
		got, err := try()
		if err == nil || ctx.Err() != nil {
			return got
		}
		select {
		case <-ctx.Done():
		case <-time.After(busyAgain):
		}
	}
}
