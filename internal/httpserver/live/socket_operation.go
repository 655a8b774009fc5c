package live

import (
	"context"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/httpserver/limit"
	"agora/internal/turns"
)

// AnswerTime is how long an operation may take to execute, or a source to open.
const AnswerTime = 25 * time.Second

// do handles a message, and returns why the socket must end, or nil. An operation begins before the next message is
// read: a client that subscribes and then queries on the same socket misses nothing in between. It ends the message's
// arrival once nothing of it is held.
func (s *socket) do(m message, in *limit.Arrival) *closeFrame {
	if m.typ == "subscribe" {
		return s.subscribe(m, in)
	}
	defer in.End()
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

// init accepts the socket, if the caller may open it.
func (s *socket) init(m message) *closeFrame {
	if s.greeted {
		return &closeFrame{closeSecondInit, "Too many initialisation requests"}
	}
	s.greeted = true
	header, wrong := m.authorization()
	if wrong != "" {
		why := bad(wrong)
		return &why
	}
	turn, why := s.turn(s.ctx)
	if why != nil {
		return why
	}
	owner, why := s.live.own(turns.With(s.ctx, turn), s.host, s.liveConn, s.who(), header, s.request)
	turn.End()
	s.owner = owner
	if why != nil {
		return why
	}
	if v := owner.caller.Viewer; v != nil {
		s.bound(v)
		owner.caller.Renew = owner.renew
	} else if wrong := s.live.admitAnonymous(s.liveConn); wrong != "" {
		return &closeFrame{CloseTryLater, wrong}
	}
	s.acked.Store(true)
	s.accepts <- owner
	s.reply(frame{kind: kindMessage, payload: messageAck})
	return nil
}

// subscribe begins an operation.
func (s *socket) subscribe(m message, in *limit.Arrival) *closeFrame {
	defer func() {
		if in != nil {
			in.End()
		}
	}()
	if !s.acked.Load() {
		why := unauthorized()
		return &why
	}
	if m.isHalved() {
		why := bad("The payload of a subscribe holds half of a surrogate pair")
		return &why
	}
	s.awaitTurn()
	turn, why := s.turn(s.ctx)
	if why != nil {
		return why
	}
	defer func() { turn.End() }()
	who := s.owner.who()
	prepare, wrong := s.host.Read(m.payload, s.request.Header, who)
	if wrong != "" {
		why := bad(wrong)
		return &why
	}
	run, busy := s.begin(m.id)
	switch {
	case busy:
		return &closeFrame{closeSubscriberBusy, "A subscriber of this id exists already"}
	case run == nil:
		turn.End() // the client may be slow
		s.refuse(m.id)
		return nil
	}
	ctx, end := s.host.Begin(turns.With(s.ctx, turn), who)
	op, errs := prepare(ctx)
	if errs == nil && op.Kind != ast.Subscription {
		s.run(ctx, run, op, end, in)
		turn, in = nil, nil
		return nil
	}
	if errs == nil {
		errs = s.live.join(ctx, s.host, run, op, who)
	}
	if errs != nil {
		s.fail(ctx, run, errs)
	}
	end()
	return nil
}

// run runs a query or mutation on a goroutine of its own, in its turn. The arrival of its message, of which it holds the
// variables, ends with it.
func (s *socket) run(ctx context.Context, run *liveOperation, op Operation, end func(), in *limit.Arrival) {
	ctx, cancel := context.WithTimeout(ctx, AnswerTime)
	run.stop = cancel
	s.answers(1)
	s.running.Go(func() { // ends with AnswerTime or the socket at the latest
		defer s.answers(-1)
		defer in.End()
		defer cancel()
		defer end()
		defer turns.From(ctx).End()
		s.execute(ctx, run, op)
	})
}

// refuse refuses an operation that exceeds the limit.
func (s *socket) refuse(id string) {
	over := limit.Exceeded("TOO_MANY_OPERATIONS", "Too many operations run on this socket", MaxRunning, MaxRunning+1)
	payload := s.host.EncodeErrors(s.ctx, gqlerror.List{over})
	f := frame{kind: kindError, of: &liveOperation{id: id, quoted: quote(id)}, payload: payload}
	s.reply(frame{kind: kindMessage, payload: f.appendMessage(nil)})
}

// fail ends an operation with errors as its only result.
func (s *socket) fail(ctx context.Context, run *liveOperation, errs gqlerror.List) {
	turns.From(ctx).End() // the client may be slow
	s.reply(frame{kind: kindError, of: run, payload: s.host.EncodeErrors(ctx, errs)})
}

// execute runs a query or mutation and queues its answer.
func (s *socket) execute(ctx context.Context, run *liveOperation, op Operation) {
	defer func() {
		if p := recover(); p != nil {
			s.fail(ctx, run, s.host.Panicked(ctx, "operation", p))
		}
	}()
	h := s.live.Ledger.Open(s.owner.who().Address)
	defer h.Close()
	payload, errs := s.host.Run(ctx, op, h)
	if errs != nil {
		s.fail(ctx, run, errs)
		return
	}
	turns.From(ctx).End()
	h.Send(func() { go s.finish(tooSlow()) }) // while there is no room in the sendQueue
	s.answer(frame{kind: kindNext, of: run, payload: payload})
}
