package live

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"agora/internal/auth"
	"agora/internal/httpserver/limit"
	"agora/internal/ratelimit"
	"agora/internal/turns"
)

// socket is GraphQL over a WebSocket. One goroutine reads, one writes, and each running query or mutation has one.
type socket struct {
	*liveConn
	live    *Connections
	host    Host
	conn    *websocket.Conn
	net     net.Conn
	request *http.Request // the upgrade request
	ctx     context.Context

	owner   *owner // set by the reader when connection_init is accepted
	accepts chan *owner
	acked   atomic.Bool
	// receiving reports whether part of a message has arrived.
	receiving atomic.Bool
	greeted   bool           // a connection_init was received
	running   sync.WaitGroup // queries and mutations
}

// ServeSocket turns the connection of a request into a socket, and returns the code with which it was closed when
// that has ended; or why it was refused, if nothing was written.
func (l *Connections) ServeSocket(h Host, w http.ResponseWriter, r *http.Request) (code int, refused string) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	c := &liveConn{again: make(chan struct{}, 1),
		sendQueue: newSendQueue(cancel), address: auth.CallerFrom(ctx).Address, pings: true,
		signals: ratelimit.NewBucket(l.Limits.Pings),
	}
	if why := l.admit(c); why != "" {
		return 0, why
	}
	defer l.dismiss(c)
	taken := &taker{ResponseWriter: w}
	conn, err := websocket.Accept(taken, r, &websocket.AcceptOptions{
		Subprotocols:       []string{Subprotocol},
		InsecureSkipVerify: true, // Origins.guard has checked the origin
		CompressionMode:    websocket.CompressionDisabled,
		OnPingReceived:     func(context.Context, []byte) bool { return c.signal() },
		OnPongReceived:     func(context.Context, []byte) { c.signal() },
	})
	if err != nil {
		return 0, "" // it has answered
	}
	conn.SetReadLimit(-1) // read enforces its own limit
	s := &socket{
		liveConn: c, live: l, host: h, conn: conn, net: taken.conn, request: r, ctx: ctx, accepts: make(chan *owner, 1),
	}
	breakOff := func() { s.net.Close() }
	c.breakOff.Store(&breakOff)
	l.Metrics.opened(Socket)
	end := s.serve()
	l.Metrics.closed(Socket, end.code)
	return int(end.code), ""
}

// taker lends a ResponseWriter to websocket.Accept and keeps the connection, whose deadlines we set.
type taker struct {
	http.ResponseWriter
	conn net.Conn
}

// Hijack implements http.Hijacker.
func (w *taker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	w.conn = conn
	return conn, rw, err
}

// serve reads and writes until the socket ends, and returns why it did.
func (s *socket) serve() closeFrame {
	start := time.AfterFunc(s.live.Times.Start, func() {
		if !s.acked.Load() {
			s.finish(closeFrame{closeInitTimeout, "connection_init came too late"})
		}
	})
	var writer sync.WaitGroup
	writer.Go(s.write) // ends with the sendQueue
	if s.conn.Subprotocol() == "" {
		s.finish(closeFrame{closeSubprotocol, "Subprotocol not acceptable"})
	} else {
		s.finish(s.read())
	}
	start.Stop()
	writer.Wait()
	for _, op := range s.left() {
		op.stop()
	}
	s.running.Wait()
	if s.owner != nil {
		s.owner.release()
	}
	return *s.ended()
}

// read reads messages until the socket ends, and returns why. It does not continue while a message waits for its
// turn, or replies for room: then the client has to wait, too.
func (s *socket) read() closeFrame {
	for {
		typ, r, err := s.conn.Reader(context.Background()) // write or breakOff end it
		if err != nil {
			return endOf(err)
		}
		if typ != websocket.MessageText {
			return bad("A message is binary")
		}
		s.busy.Store(true)
		why := s.readOne(r)
		s.heard.Store(time.Now().UnixNano())
		s.busy.Store(false)
		if why != nil {
			return *why
		}
	}
}

// MaxAnonymousMessage is the longest message, in bytes, of a socket without a signed-in user: a token, or a query.
const MaxAnonymousMessage = 64 << 10

// longest returns the longest message allowed now.
func (s *socket) longest() int {
	if s.owner == nil || s.owner.caller.Viewer == nil {
		return min(s.live.Limits.Body, MaxAnonymousMessage)
	}
	return s.live.Limits.Body
}

// readOne reads and handles a message. It holds memory for the message only once its first byte has arrived.
func (s *socket) readOne(r io.Reader) *closeFrame {
	s.heard.Store(time.Now().UnixNano())
	held := messages.Get().(*bytes.Buffer)
	defer putMessage(held)
	in := s.live.Arrivals.Begin(s.address, func() {
		s.finish(closeFrame{CloseTryLater, "Too many bytes are on their way"}) // goodbye ends reading
	})
	if why := s.receive(held, in, r); why != nil {
		in.End()
		return why
	}
	m, wrong, why := s.parse(held.Bytes())
	if why != nil {
		in.End()
		return why
	}
	if wrong == "" && m.isSignal() && held.Len() > MaxSignal {
		wrong = "A ping, pong or complete is too long"
	}
	if wrong != "" {
		in.End()
		why := bad(wrong)
		return &why
	}
	return s.do(m, in)
}

// parse parses a message, in a turn if it is long.
func (s *socket) parse(raw []byte) (m message, wrong string, why *closeFrame) {
	if len(raw) > MaxSignal {
		turn, why := s.turn(s.ctx)
		if why != nil {
			return m, "", why
		}
		defer turn.End()
	}
	m, wrong = readMessage(raw)
	return m, wrong, nil
}

// turn waits for a turn of the caller's network, or returns why the socket must end.
func (s *socket) turn(ctx context.Context) (*turns.Turn, *closeFrame) {
	turn, err := s.live.Turns.Begin(ctx, s.who().Payer())
	if err != nil {
		return nil, &closeFrame{CloseTryLater, "Too many requests of your network are waiting"}
	}
	return turn, nil
}

// who returns the caller, signed in or not.
func (s *socket) who() auth.Caller {
	if s.owner == nil {
		return auth.CallerFrom(s.request.Context())
	}
	return s.owner.who()
}

// receive reads a message within the time allowed.
func (s *socket) receive(into *bytes.Buffer, in *limit.Arrival, r io.Reader) *closeFrame {
	s.receiving.Store(true)
	defer s.receiving.Store(false)
	s.net.SetReadDeadline(time.Now().Add(s.live.Times.Message))
	if end := s.ended(); end != nil {
		return end
	}
	limit := s.longest()
	_, err := into.ReadFrom(in.Reader(io.NopCloser(io.LimitReader(r, int64(limit)+1))))
	s.net.SetReadDeadline(time.Time{})
	if end := s.ended(); end != nil { // the goodbye, which may have begun just now, has its own deadline
		s.net.SetReadDeadline(time.Now().Add(s.live.Times.Close))
		return end
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &closeFrame{CloseTryLater, "A message took too long to arrive"}
	case err != nil:
		why := endOf(err)
		return &why
	case into.Len() > limit:
		return &closeFrame{CloseTooBig, "A message is too big"}
	}
	return nil
}

// bad returns the close frame for an invalid message.
func bad(reason string) closeFrame { return closeFrame{CloseBadMessage, reason} }

// endOf returns why reading failed.
func endOf(err error) closeFrame {
	if code := websocket.CloseStatus(err); code != -1 {
		return closeFrame{code: code}
	}
	var network net.Error
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.As(err, &network) {
		return closeFrame{code: closeGoingAway}
	}
	return closeFrame{closeProtocol, "Not the WebSocket protocol"}
}

// write writes the frames of the sendQueue until it ends, and then says goodbye. It also checks the session, so that
// this needs no goroutine of its own.
func (s *socket) write() {
	var o owner
	w := &o
	for {
		f, ok, end := s.take()
		switch {
		case end != nil:
			s.goodbye(*end)
			return
		case ok:
			if !s.send(f) {
				s.finish(closeFrame{code: closeGoingAway})
				s.conn.CloseNow()
				return
			}
			continue
		}
		var why *closeFrame
		select {
		case <-s.sendQueue.wake:
		case w = <-s.accepts:
		case <-w.wake:
			why = w.check(s.ctx)
		case <-s.again:
			why = w.check(s.ctx)
		case <-w.due():
			why = w.check(s.ctx)
		}
		if why != nil {
			s.finish(*why)
		}
	}
}

// maxHeld is the largest buffer of a message that is reused, in bytes.
const maxHeld = 64 << 10

// messages are reused buffers for messages being read.
var messages = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putMessage(b *bytes.Buffer) {
	if b.Cap() <= maxHeld {
		b.Reset()
		messages.Put(b)
	}
}

// texts are reused buffers for messages being written.
var texts = sync.Pool{New: func() any { return new([]byte) }}

// send writes a frame. It returns false if that could not be done in time.
func (s *socket) send(f frame) bool {
	text := texts.Get().(*[]byte)
	b := f.appendMessage((*text)[:0])
	s.net.SetWriteDeadline(time.Now().Add(s.live.Times.Write))
	err := s.conn.Write(context.Background(), websocket.MessageText, b)
	s.net.SetWriteDeadline(time.Time{}) // pongs of the WebSocket protocol have their own
	if cap(b) <= maxHeld {
		*text = b
		texts.Put(text)
	}
	if f.kind == kindNext {
		s.live.Metrics.sent()
	}
	return err == nil
}

// goodbye closes the socket with a code, and waits briefly for the client's answer.
func (s *socket) goodbye(end closeFrame) {
	if end.code == closeGoingAway {
		s.conn.CloseNow()
		return
	}
	patience := time.Now().Add(s.live.Times.Close)
	s.net.SetDeadline(patience)
	if s.receiving.Load() { // do not hold the partial message for that time
		s.net.SetReadDeadline(time.Now())
	}
	s.conn.Close(end.code, end.reason) // it does not matter if the client has already disconnected
}
