package httpserver

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/auth"
	"agora/internal/httpserver/limit"
)

// wantsStream tells whether a request may be answered by server-sent events.
func wantsStream(r *http.Request) bool {
	a, _ := negotiate(r.Header["Accept"])
	return a.stream
}

// stream is an answer in server-sent events.
// Source: https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md, distinct connections mode.
type stream struct {
	site Options
	w    http.ResponseWriter
	out  *http.ResponseController
	held *limit.Holding // counts the one result; nil on a subscription
}

func (o Options) stream(w http.ResponseWriter) *stream {
	return &stream{site: o, w: w, out: http.NewResponseController(w)}
}

// serveStream answers by server-sent events: with the results of an operation, or with
// why it does not come to execution.
func (t *endpoint) serveStream(ctx context.Context, w http.ResponseWriter, r *http.Request, op operation, why *refusal) {
	s := t.site.stream(w)
	switch {
	case why != nil:
		s.refuse(ctx, why)
	case op.kind == ast.Subscription:
		s.subscribe(ctx, t, r, op)
	case op.parts:
		s.executeParts(ctx, t, op)
	default:
		s.execute(ctx, t, op)
	}
}

// open sends the header, so that the client knows that it is understood.
func (s *stream) open() error {
	h := s.w.Header()
	h["Content-Type"] = []string{mediaEvents + "; charset=utf-8"}
	h["Cache-Control"] = noStore
	h["X-Content-Type-Options"] = noSniff
	h.Set("X-Accel-Buffering", "no") // nginx passes events on as they come
	h.Add("Vary", "Accept, Authorization")
	s.w.WriteHeader(http.StatusOK)
	return s.send()
}

// send writes parts of an event and has them on their way. A writer that knows no
// deadlines or cannot flush does what it can.
func (s *stream) send(parts ...string) error {
	for _, part := range parts {
		if err := s.write(part); err != nil {
			return err
		}
	}
	if err := s.out.Flush(); !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// write writes a text, each piece of which has to be taken in time.
func (s *stream) write(text string) error {
	for {
		n := min(len(text), sendChunk)
		if !s.held.Extend(func() { _ = s.out.SetWriteDeadline(time.Now().Add(s.site.Live.times.write)) }) {
			return http.ErrHandlerTimeout
		}
		if _, err := io.WriteString(s.w, text[:n]); err != nil {
			return err
		}
		s.held.Progress(n)
		if text = text[n:]; text == "" {
			return nil
		}
	}
}

func (s *stream) next(payload []byte) error {
	s.site.Metrics.sent()
	return s.send("event: next\ndata: ", string(payload), "\n\n")
}

// eventComplete ends a stream for good: without it, clients connect again. EventSource
// drops events without data.
const eventComplete = "event: complete\ndata:\n\n"

// refuse tells why there is no result.
func (s *stream) refuse(ctx context.Context, why *refusal) { s.all(payloadOf(ctx, why)) }

func payloadOf(ctx context.Context, why *refusal) []byte {
	mark(ctx, why.errors)
	return encode(response{Errors: why.errors})
}

// all is the stream of one result.
func (s *stream) all(payload []byte) {
	if s.open() == nil {
		s.last(payload)
	}
}

// last sends the last result. An error means that nobody reads it.
func (s *stream) last(payload []byte) {
	s.site.Metrics.sent()
	_ = s.send("event: next\ndata: ", string(payload), "\n\n", eventComplete)
}

// execute runs a query or mutation.
func (s *stream) execute(ctx context.Context, t *endpoint, op operation) {
	h := t.ledger.Open(auth.CallerFrom(ctx).Address)
	defer h.Close()
	payload, why := t.once(ctx, op, h)
	if why != nil {
		s.refuse(ctx, why)
		return
	}
	s.held = h
	h.Send(func() { _ = s.out.SetWriteDeadline(longAgo) })
	defer h.Stop()
	s.all(payload)
}

// subscribe sends the events of a subscription. ctx bounds the time until its source is open.
func (s *stream) subscribe(ctx context.Context, t *endpoint, r *http.Request, op operation) {
	alive, cancel := context.WithCancel(r.Context())
	defer cancel()
	caller, call := auth.CallerFrom(ctx), CallFrom(ctx)
	call.Live(liveStream)
	c := &liveConn{outbox: newOutbox(cancel), address: caller.Address}
	if why := t.live.admit(c, t.limits); why != nil {
		writeRefusal(s.w, r, accepted{media: mediaJSON}, why)
		return
	}
	defer t.live.dismiss(c)
	if v := caller.Viewer; v != nil {
		c.ends.Store(int64(v.SessionEnds))
	} else if wrong := t.live.admitAnonymous(c, t.limits); wrong != "" {
		writeRefusal(s.w, r, accepted{media: mediaJSON}, tooManyLive("%s; try again.", wrong))
		return
	}
	// The server's own deadline would end a request that lasts.
	_ = s.out.SetReadDeadline(time.Time{})
	breakOff := func() { _ = s.out.SetWriteDeadline(time.Now()) }
	c.breakOff.Store(&breakOff)
	owner := t.keep(caller)
	defer owner.release()
	run, _ := c.begin("")
	errs := t.join(ctx, run, op, caller)
	defer func() { run.stop() }()
	if errs != nil {
		s.refuse(ctx, &refusal{errors: errs})
		return
	}
	s.site.Metrics.opened(liveStream)
	code := s.follow(alive, c, owner)
	s.site.Metrics.closed(liveStream, code)
	call.Closed(int(code))
}

// follow sends what the outbox holds until the stream ends, and tells why: 1000 when its
// source has ended. The session may have changed before it was watched, so it is looked
// at first.
func (s *stream) follow(ctx context.Context, c *liveConn, o *owner) websocket.StatusCode {
	if s.open() != nil {
		return closeGone
	}
	why := o.check(ctx)
	alive := time.NewTicker(s.site.Live.times.comment)
	defer alive.Stop()
	for {
		if why != nil {
			c.finish(*why)
			why = nil
		}
		f, ok, end := c.take()
		switch {
		case end != nil:
			if end.code == closeUnauthorized { // coming back with the same token is of no use
				s.last(payloadOf(ctx, badToken()))
			}
			return end.code
		case ok:
			if s.writeFrame(f) != nil {
				return closeGone
			}
			if f.kind != kindNext {
				return websocket.StatusNormalClosure
			}
			continue
		}
		select {
		case <-ctx.Done():
			if c.ended() == nil {
				return closeGone
			}
		case <-c.wake:
		case <-o.wake:
			why = o.check(ctx)
		case <-o.due():
			why = o.check(ctx)
		case <-alive.C:
			if s.send(":\n\n") != nil {
				return closeGone
			}
		}
	}
}

// writeFrame writes a frame. Errors in the place of an event end the stream.
func (s *stream) writeFrame(f frame) error {
	switch f.kind {
	case kindNext:
		return s.next(f.payload)
	case kindError:
		if err := s.send("event: next\ndata: {\"errors\":", string(f.payload), "}\n\n"); err != nil {
			return err
		}
	}
	return s.send(eventComplete)
}
