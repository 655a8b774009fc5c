package httpserver

import (
	"context"
	"errors"
	"math"
	"runtime/debug"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/auth"
	"agora/internal/breadth"
	"agora/internal/forum"
	"agora/internal/ratelimit"
	"agora/internal/store"
)

// do does what a message says, and tells whether the socket has to end. An operation is
// begun before the next message is read: who subscribes and then asks on the same socket
// misses nothing in between. It ends the message's arrival once nothing is kept of it.
func (s *socket) do(m message, in *arrival) *farewell {
	if m.typ == "subscribe" {
		return s.subscribe(m, in)
	}
	defer in.end()
	switch m.typ {
	case "connection_init":
		return s.init(m)
	case "ping":
		if s.signal() {
			s.reply(frame{kind: kindMessage, payload: pong(m.payload)})
		}
	case "pong":
		s.signal()
	case "complete":
		if op := s.forget(m.id); op != nil {
			op.stop()
		} else {
			s.signal()
		}
	}
	return nil
}

// init accepts the socket, if it may be opened on somebody's behalf.
func (s *socket) init(m message) *farewell {
	if s.greeted {
		return &farewell{closeSecondInit, "Too many initialisation requests"}
	}
	s.greeted = true
	header, wrong := m.authorization()
	if wrong != "" {
		why := bad(wrong)
		return &why
	}
	if header == "" {
		header = s.request.Header.Get("Authorization")
	}
	owner, why := s.t.own(s.ctx, auth.CallerFrom(s.request.Context()), header)
	s.owner = owner
	if why != nil {
		return why
	}
	if v := owner.caller.Viewer; v != nil {
		s.ends.Store(int64(v.SessionEnds))
	} else if wrong := s.t.live.admitAnonymous(s.liveConn, s.t.limits); wrong != "" {
		return &farewell{closeTryLater, wrong}
	}
	s.acked.Store(true)
	s.accepts <- owner
	s.reply(frame{kind: kindMessage, payload: messageAck})
	return nil
}

// subscribe begins an operation.
func (s *socket) subscribe(m message, in *arrival) *farewell {
	defer func() {
		if in != nil {
			in.end()
		}
	}()
	if !s.acked.Load() {
		why := unauthorized()
		return &why
	}
	p, over, wrong := m.request(s.t.limits)
	if wrong != "" {
		why := bad(wrong)
		return &why
	}
	s.awaitTurn()
	run, busy := s.begin(m.id)
	switch {
	case busy:
		return &farewell{closeSubscriberBusy, "A subscriber of this id exists already"}
	case run == nil:
		s.refuse(m.id)
		return nil
	}
	began := time.Now()
	call := &Call{id: RequestID(s.ctx)}
	ctx := store.WithUsage(auth.WithCaller(context.WithValue(s.ctx, callKey{}, call), s.owner.caller), &call.tally)
	op, why := s.prepare(ctx, p, over)
	switch {
	case why != nil:
		s.fail(ctx, run, why.errors)
	case op.kind != ast.Subscription:
		ctx, cancel := context.WithTimeout(ctx, answerTime)
		run.stop = cancel
		variables := in
		in = nil
		s.answers(1)
		s.running.Go(func() { // ends with answerTime or the socket at the latest
			defer s.answers(-1)
			defer variables.end()
			defer cancel()
			defer s.t.seen.operation(ctx, call, began)
			s.execute(ctx, run, op)
		})
		return nil
	default:
		if errs := s.t.join(ctx, run, op, s.owner.caller); errs != nil {
			s.fail(ctx, run, errs)
		}
	}
	s.t.seen.operation(ctx, call, began)
	return nil
}

// refuse answers an operation that would be one too many.
func (s *socket) refuse(id string) {
	over := exceeded("TOO_MANY_OPERATIONS", "Too many operations run on this socket", maxRunning, maxRunning+1)
	list := gqlerror.List{over}
	mark(s.ctx, list)
	f := frame{kind: kindError, of: &running{id: id, quoted: encode(id)}, payload: encode(list)}
	s.reply(frame{kind: kindMessage, payload: f.appendMessage(nil)})
}

// fail ends an operation with errors, which are all that is said of it.
func (s *socket) fail(ctx context.Context, run *running, errs gqlerror.List) {
	mark(ctx, errs)
	s.reply(frame{kind: kindError, of: run, payload: encode(errs)})
}

// prepare does everything that comes before execution; over is what was found too much
// already. Each operation counts as a request.
func (s *socket) prepare(ctx context.Context, p params, over gqlerror.List) (operation, *refusal) {
	caller := s.owner.caller
	if err := s.t.site.Resolver.Rates.Take(ratelimit.Requests, auth.Caller{Viewer: caller.Viewer, Address: caller.Address, Networks: caller.Networks}); err != nil {
		return operation{}, &refusal{errors: gqlerror.List{tooOften(err)}}
	}
	if over != nil {
		return operation{}, &refusal{errors: over}
	}
	c, why := s.t.choose(ctx, p, false)
	if why != nil {
		return operation{}, why
	}
	return s.t.coerce(p, c, s.request.Header)
}

// tooOften is the error for somebody who sends too many requests.
func tooOften(err error) *gqlerror.Error {
	return &gqlerror.Error{Message: "Too many requests; wait a little.", Extensions: map[string]any{
		"code": "RATE_LIMITED", "retryAfterSeconds": retryAfter(err),
	}}
}

// retryAfter is how long to wait for the rate to let one through, in whole seconds.
func retryAfter(err error) int {
	var limited *forum.Error
	if errors.As(err, &limited) {
		return max(1, int(math.Ceil(limited.RetryAfter.Seconds())))
	}
	return 1
}

// execute runs a query or mutation and has its answer written.
func (s *socket) execute(ctx context.Context, run *running, op operation) {
	defer func() {
		if p := recover(); p != nil {
			s.t.site.Log.ErrorContext(ctx, "operation panicked", "panic", p, "stack", string(debug.Stack()))
			s.fail(ctx, run, gqlerror.List{internalError(ctx)})
		}
	}()
	h := s.t.ledger.open(s.owner.caller.Address)
	defer h.close()
	payload, why := s.t.once(ctx, op, h)
	if why != nil {
		s.fail(ctx, run, why.errors)
		return
	}
	h.send(func() { go s.finish(tooSlow()) }) // while there is no room in the outbox
	s.answer(frame{kind: kindNext, of: run, payload: payload})
}

// once runs a query or mutation to its end and gives the answer as it is sent; h counts
// its bytes.
func (t *endpoint) once(ctx context.Context, op operation, h *holding) ([]byte, *refusal) {
	resp, why := t.run(ctx, op, h)
	if why != nil {
		return nil, why
	}
	answer := answerOf(resp, t.limits.Errors)
	answer.HasNext = nil
	mark(ctx, answer.Errors)
	payload := encodeResponse(answer)
	breadth.Release(resp.Data)
	return payload, nil
}
