package httpserver

import (
	"sync"

	"github.com/coder/websocket"
)

const (
	// maxQueued and maxQueuedBytes are how many messages, and how many bytes of them,
	// wait for one client at most. One message alone may be larger: an answer to a query.
	maxQueued      = 256
	maxQueuedBytes = 1 << 20
	// maxRunning is how many operations one socket may have at a time.
	maxRunning = 200
)

// Codes with which sockets are closed, besides those of RFC 6455.
// Source: graphql-transport-ws, and IANA's registry for 1012 and 1013.
const (
	closeGone           = websocket.StatusAbnormalClosure // the connection broke off; never sent
	closeProtocol       = websocket.StatusProtocolError
	closeSilent         = websocket.StatusGoingAway
	closeTooBig         = websocket.StatusMessageTooBig
	closeRestart        = websocket.StatusServiceRestart
	closeTryLater       = websocket.StatusTryAgainLater
	closeBadMessage     = websocket.StatusCode(4400)
	closeUnauthorized   = websocket.StatusCode(4401)
	closeSubprotocol    = websocket.StatusCode(4406)
	closeInitTimeout    = websocket.StatusCode(4408)
	closeSubscriberBusy = websocket.StatusCode(4409)
	closeSecondInit     = websocket.StatusCode(4429)
)

// farewell is why a live connection ends. A stream tells it only if its session has ended;
// else it ends without a word, so that the client comes back.
type farewell struct {
	code   websocket.StatusCode
	reason string
}

// kind tells what a frame says of an operation.
type kind byte

// The kinds of frames. A message is written as it is, and belongs to no operation.
const (
	kindMessage kind = iota
	kindNext
	kindError
	kindComplete
)

// frame is what waits to be written to a client. Payloads are shared between clients.
type frame struct {
	kind    kind
	of      *running
	payload []byte
}

// size is how many bytes a frame takes, about.
func (f frame) size() int { return len(f.payload) + 64 }

// running is an operation whose results a client waits for.
type running struct {
	id     string // "" on a stream
	quoted []byte // the id in JSON
	out    *outbox
	over   bool   // no more frames; out.mu guards it
	feed   *feed  // of which it is a member; feeds.mu guards it
	charge charge // of its share of live work, while it is a member
	stop   func() // leaves its feed or cancels it; only the client's own goroutine calls it
}

// outbox holds what is to be written to one client. Nobody waits for the client but
// the goroutine that writes, and answers to queries. It is safe for concurrent use.
type outbox struct {
	wake   chan struct{} // has room for one: something is there to be taken
	cancel func()        // ends what is done for the client

	mu     sync.Mutex
	room   sync.Cond // of mu: something was taken, or all is over
	frames []frame
	bytes  int
	ops    map[string]*running
	end    *farewell
}

func newOutbox(cancel func()) *outbox {
	o := &outbox{wake: make(chan struct{}, 1), cancel: cancel, ops: map[string]*running{}}
	o.room.L = &o.mu
	return o
}

// begin notes an operation. It is nil when one of that id runs, or when there are too
// many; busy tells which.
func (o *outbox) begin(id string) (op *running, busy bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ops[id] != nil {
		return nil, true
	}
	if len(o.ops) >= maxRunning {
		return nil, false
	}
	op = &running{id: id, quoted: encode(id), out: o, stop: func() {}}
	o.ops[id] = op
	return op, false
}

// full tells whether a frame has no room. The caller holds mu.
func (o *outbox) full(f frame) bool {
	return len(o.frames) > 0 && (len(o.frames) >= maxQueued || o.bytes+f.size() > maxQueuedBytes)
}

// put appends a frame. The caller holds mu.
func (o *outbox) put(f frame) {
	o.frames, o.bytes = append(o.frames, f), o.bytes+f.size()
	if f.kind == kindError || f.kind == kindComplete {
		f.of.over = true
		delete(o.ops, f.of.id)
	}
	o.signal()
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// done tells whether nothing more is to be said of a frame's operation, or at all.
// The caller holds mu.
func (o *outbox) done(f frame) bool { return o.end != nil || f.of != nil && f.of.over }

// push adds a frame unless its operation is over. A client for whom there is no room is
// too slow: it has to come again.
func (o *outbox) push(f frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.done(f):
	case o.full(f):
		o.close(farewell{closeTryLater, "Too slow"})
	default:
		o.put(f)
	}
}

// answer adds the one result of an operation and its end, as soon as there is room.
func (o *outbox) answer(f frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for !o.done(f) && o.full(f) {
		o.room.Wait()
	}
	if !o.done(f) {
		o.put(f)
		o.put(frame{kind: kindComplete, of: f.of})
	}
}

// forget ends an operation at the client's wish, and gives what has to be stopped; nil
// when there is no such operation. Nothing of it is written any more.
func (o *outbox) forget(id string) *running {
	o.mu.Lock()
	defer o.mu.Unlock()
	op := o.ops[id]
	if op == nil {
		return nil
	}
	op.over = true
	delete(o.ops, id)
	kept := o.frames[:0]
	for _, f := range o.frames {
		if f.of != op {
			kept = append(kept, f)
		} else {
			o.bytes -= f.size()
		}
	}
	clear(o.frames[len(kept):])
	o.frames = kept
	o.room.Broadcast()
	return op
}

// take gives the next frame to write, if there is one, and why the connection is to
// end, if it is.
func (o *outbox) take() (f frame, ok bool, end *farewell) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.end != nil || len(o.frames) == 0 {
		return frame{}, false, o.end
	}
	f = o.frames[0]
	o.frames[0] = frame{}
	o.frames, o.bytes = o.frames[1:], o.bytes-f.size()
	if len(o.frames) == 0 {
		o.frames = nil
	}
	o.room.Broadcast()
	return f, true, nil
}

// finish ends the connection, the first time it is called; what waits is dropped.
func (o *outbox) finish(why farewell) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.close(why)
}

// close is finish for who holds mu.
func (o *outbox) close(why farewell) {
	if o.end != nil {
		return
	}
	o.end, o.frames, o.bytes = &why, nil, 0
	o.room.Broadcast()
	o.cancel()
	o.signal()
}

// left takes the operations that still run, to be stopped.
func (o *outbox) left() []*running {
	o.mu.Lock()
	defer o.mu.Unlock()
	var ops []*running
	for _, op := range o.ops {
		op.over = true
		ops = append(ops, op)
	}
	clear(o.ops)
	return ops
}

// ended is why the connection ends; nil if it does not.
func (o *outbox) ended() *farewell {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.end
}
