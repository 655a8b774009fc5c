package live

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/auth"
	"agora/internal/httpserver/limit"
	"agora/internal/turns"
)

// stream is an answer in server-sent events. Source:
// https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md, distinct connections mode.
type stream struct {
	live *Connections
	w    http.ResponseWriter
	out  *http.ResponseController
	held *limit.Holding // counts the single result; nil for a subscription
}

func (l *Connections) stream(w http.ResponseWriter) *stream {
	return &stream{live: l, w: w, out: http.NewResponseController(w)}
}

// ServeResult answers with a stream of one result.
func (l *Connections) ServeResult(w http.ResponseWriter, payload []byte) { l.stream(w).all(payload) }

// open sends the header, so that the client knows that its request was accepted.
func (s *stream) open() error {
	h := s.w.Header()
	h["Content-Type"] = []string{"text/event-stream; charset=utf-8"}
	h["Cache-Control"] = []string{"no-store"}
	h["X-Content-Type-Options"] = []string{"nosniff"}
	h.Set("X-Accel-Buffering", "no") // makes nginx pass events on immediately
	h.Add("Vary", "Accept, Authorization")
	s.w.WriteHeader(http.StatusOK)
	return s.send()
}

// send writes parts of an event and flushes them. With a writer that has no deadlines or cannot flush, it does
// without.
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

// write writes a text; the client must read each chunk in time.
func (s *stream) write(text string) error {
	for {
		n := min(len(text), chunk)
		if !s.held.Extend(func() { _ = s.out.SetWriteDeadline(time.Now().Add(s.live.Times.Write)) }) {
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
	s.live.Metrics.sent()
	return s.send("event: next\ndata: ", string(payload), "\n\n")
}

// past is a deadline that ends a connection immediately.
var past = time.Unix(1, 0)

// chunk is how many bytes of an answer a client must read within the time of one write.
const chunk = 64 << 10

// eventComplete ends a stream for good: without it, clients reconnect. EventSource drops events without data.
const eventComplete = "event: complete\ndata:\n\n"

// all sends the stream of one result.
func (s *stream) all(payload []byte) {
	if s.open() == nil {
		s.last(payload)
	}
}

// last sends the last result. Errors are ignored: the client no longer reads.
func (s *stream) last(payload []byte) {
	s.live.Metrics.sent()
	_ = s.send("event: next\ndata: ", string(payload), "\n\n", eventComplete)
}

// ServeOne answers with a stream of the result of a query or mutation.
func (l *Connections) ServeOne(ctx context.Context, host Host, w http.ResponseWriter, op Operation) {
	s := l.stream(w)
	h := l.Ledger.Open(auth.CallerFrom(ctx).Address)
	defer h.Close()
	payload, errs := host.Run(ctx, op, h)
	turns.From(ctx).End() // the client may be slow
	if errs != nil {
		s.fail(ctx, host, errs)
		return
	}
	s.held = h
	h.Send(func() { _ = s.out.SetWriteDeadline(past) })
	defer h.Stop()
	s.all(payload)
}

// ServeResults answers with a stream of results as they become available; held counts their bytes. next waits for
// one, and returns false after the last.
func (l *Connections) ServeResults(w http.ResponseWriter, held *limit.Holding, next func() ([]byte, bool)) {
	s := l.stream(w)
	s.held = held
	held.Send(func() { _ = s.out.SetWriteDeadline(past) })
	defer held.Stop()
	if s.open() != nil {
		return
	}
	for payload, ok := next(); ok; payload, ok = next() {
		if s.next(payload) != nil {
			return
		}
	}
	_ = s.send(eventComplete)
}

// fail sends a stream with errors as its only result.
func (s *stream) fail(ctx context.Context, h Host, errs gqlerror.List) {
	s.all(append(append([]byte(`{"errors":`), h.EncodeErrors(ctx, errs)...), '}'))
}

// ServeEvents answers with the events of a subscription, and returns the close code: a socket's, or 1000 when the
// source has ended; or why it was refused, if nothing was written. ctx bounds the time until the source is open.
func (l *Connections) ServeEvents(
	ctx context.Context, h Host, w http.ResponseWriter, r *http.Request, op Operation,
) (code int, refused string) {
	s := l.stream(w)
	alive, cancel := context.WithCancel(r.Context())
	defer cancel()
	caller := auth.CallerFrom(ctx)
	c := &liveConn{sendQueue: newSendQueue(cancel), address: caller.Address, again: make(chan struct{}, 1)}
	if why := l.admit(c); why != "" {
		return 0, why
	}
	defer l.dismiss(c)
	if v := caller.Viewer; v != nil {
		c.bound(v)
	} else if wrong := l.admitAnonymous(c); wrong != "" {
		return 0, wrong + "; try again."
	}
	// The server's own deadline would end a long-running request.
	_ = s.out.SetReadDeadline(time.Time{})
	breakOff := func() { _ = s.out.SetWriteDeadline(time.Now()) }
	c.breakOff.Store(&breakOff)
	owner := l.keep(h, c, caller)
	defer owner.release()
	run, _ := c.begin("")
	errs := l.join(ctx, h, run, op, caller)
	turns.From(ctx).End()
	defer func() { run.stop() }()
	if errs != nil {
		s.fail(ctx, h, errs)
		return 0, ""
	}
	l.Metrics.opened(Stream)
	end := s.follow(alive, c, owner)
	l.Metrics.closed(Stream, end)
	return int(end), ""
}

// follow sends the frames of the sendQueue until the stream ends, and returns the code: 1000 when its source has
// ended. The session may have changed before it was watched, so it is checked first.
func (s *stream) follow(ctx context.Context, c *liveConn, o *owner) websocket.StatusCode {
	if s.open() != nil {
		return closeGoingAway
	}
	why := o.check(ctx)
	alive := time.NewTicker(s.live.Times.Comment)
	defer alive.Stop()
	for {
		if why != nil {
			c.finish(*why)
			why = nil
		}
		f, ok, end := c.take()
		switch {
		case end != nil:
			if end.code == closeUnauthorized { // reconnecting with the same token would be useless
				s.last(o.host.Unauthorized(ctx))
			}
			return end.code
		case ok:
			if s.writeFrame(f) != nil {
				return closeGoingAway
			}
			if f.kind != kindNext {
				return websocket.StatusNormalClosure
			}
			continue
		}
		select {
		case <-ctx.Done():
			if c.ended() == nil {
				return closeGoingAway
			}
		case <-c.wake:
		case <-o.wake:
			why = o.check(ctx)
		case <-c.again:
			why = o.check(ctx)
		case <-o.due():
			why = o.check(ctx)
		case <-alive.C:
			if s.send(":\n\n") != nil {
				return closeGoingAway
			}
		}
	}
}

// writeFrame writes a frame. Errors instead of an event end the stream.
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
