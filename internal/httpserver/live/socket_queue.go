package live

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/coder/websocket"

	"agora/internal/httpserver/limit"
)

const (
	// maxQueued and maxQueuedBytes are how many events, and how many bytes of them,
	// wait for one client at most, and how many replies to what it sent. One message
	// alone may be larger: an answer to a query.
	maxQueued      = 256
	maxQueuedBytes = 1 << 20
	// maxAnswering is how many queries and mutations of one socket run at a time. The
	// socket is not read while there are as many.
	maxAnswering = 32
	// MaxRunning is how many operations one socket may have at a time.
	MaxRunning = 200
)

// Codes with which sockets are closed, besides those of RFC 6455.
// Source: graphql-transport-ws, and IANA's registry for 1012 and 1013.
const (
	closeGoingAway      = websocket.StatusAbnormalClosure // the connection broke off; never sent
	closeProtocol       = websocket.StatusProtocolError
	closeSilent         = websocket.StatusGoingAway
	CloseTooBig         = websocket.StatusMessageTooBig
	closeRestart        = websocket.StatusServiceRestart
	CloseTryLater       = websocket.StatusTryAgainLater
	CloseBadMessage     = websocket.StatusCode(4400)
	closeUnauthorized   = websocket.StatusCode(4401)
	closeSubprotocol    = websocket.StatusCode(4406)
	closeInitTimeout    = websocket.StatusCode(4408)
	closeSubscriberBusy = websocket.StatusCode(4409)
	closeSecondInit     = websocket.StatusCode(4429)
)

// closeFrame is why a live connection ends. A stream tells it only if its session has ended;
// else it ends without a word, so that the client comes back.
type closeFrame struct {
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
	of      *liveOperation
	payload []byte
	shared  int  // how many clients share the payload; 0 is 1
	reply   bool // it answers what the client sent, and waits for room
}

// size is how many bytes a frame takes, about.
func (f frame) size() int { return len(f.payload) + 64 }

// held is how many bytes of memory a frame is counted as: a payload that clients share
// is counted once in all.
func (f frame) held() int { return len(f.payload)/max(f.shared, 1) + 64 }

// running is an operation whose results a client waits for.
type liveOperation struct {
	id     string // "" on a stream
	quoted []byte // the id in JSON
	out    *sendQueue
	over   bool                // no more frames; out.mu guards it
	shared *sharedSubscription // of which it is a member; sharedSubscriptions.mu guards it
	charge limit.Charge        // of its share of live work, while it is a member
	stop   func()              // leaves its shared subscription or cancels it; only the client's own goroutine calls it
}

// sendQueue holds what is to be written to one client. Events never wait for the client: who
// does not take them in time is too slow. Replies do, and so does reading what the client
// sends, so that a client that asks much at once is served as fast as it reads.
// It is safe for concurrent use.
type sendQueue struct {
	wake   chan struct{} // has room for one: something is there to be taken
	cancel func()        // ends what is done for the client

	mu        sync.Mutex
	space     sync.Cond // of mu: something was taken or answered, or all is over
	frames    []frame
	events    amount // of frames
	replies   amount // of frames
	ops       map[string]*liveOperation
	answering int // queries and mutations that run
	end       *closeFrame
	unsent    unsent
}

// amount is what frames come to.
type amount struct{ frames, bytes int }

// full reports whether a frame of that size has no room.
func (a amount) full(size int) bool {
	return a.frames > 0 && (a.frames >= maxQueued || a.bytes+size > maxQueuedBytes)
}

// quote returns an id in JSON, as it was sent.
func quote(id string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(id) // a string can be encoded
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func newOutbox(cancel func()) *sendQueue {
	o := &sendQueue{wake: make(chan struct{}, 1), cancel: cancel, ops: map[string]*liveOperation{}}
	o.space.L = &o.mu
	return o
}

// begin notes an operation. It is nil when one of that id runs, or when there are too
// many; busy tells which.
func (o *sendQueue) begin(id string) (op *liveOperation, busy bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ops[id] != nil {
		return nil, true
	}
	if len(o.ops) >= MaxRunning {
		return nil, false
	}
	op = &liveOperation{id: id, quoted: quote(id), out: o, stop: func() {}}
	o.ops[id] = op
	return op, false
}

// kept is where a frame is counted. The caller holds mu, here and below.
func (o *sendQueue) kept(f frame) *amount {
	if f.reply {
		return &o.replies
	}
	return &o.events
}

// full reports whether a frame has no room.
func (o *sendQueue) full(f frame) bool { return o.kept(f).full(f.size()) }

// count counts a frame that waits, or with -1 one that does no longer.
func (o *sendQueue) count(f frame, n int) {
	a := o.kept(f)
	a.frames, a.bytes = a.frames+n, a.bytes+n*f.size()
}

// put appends a frame.
func (o *sendQueue) put(f frame) {
	if !o.unsent.put(f) {
		o.close(tooSlow())
		return
	}
	o.frames = append(o.frames, f)
	o.count(f, 1)
	if f.kind == kindError || f.kind == kindComplete {
		f.of.over = true
		delete(o.ops, f.of.id)
	}
	o.signal()
}

func (o *sendQueue) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// done reports whether nothing more is to be said of a frame's operation, or at all.
// The caller holds mu.
func (o *sendQueue) done(f frame) bool { return o.end != nil || f.of != nil && f.of.over }

// push adds a frame unless its operation is over. A client for whom there is no room is
// too slow: it has to come again.
func (o *sendQueue) push(f frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.done(f):
	case o.full(f):
		o.close(tooSlow())
	default:
		o.put(f)
	}
}

// reply adds frames that answer what the client sent, in one piece, as soon as there is
// room for the first.
func (o *sendQueue) reply(frames ...frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, f := range frames {
		f.reply = true
		for i == 0 && !o.done(f) && o.full(f) {
			o.space.Wait()
		}
		if !o.done(f) {
			o.put(f)
		}
	}
}

// answer adds the one result of an operation and its end, as soon as there is room.
func (o *sendQueue) answer(f frame) { o.reply(f, frame{kind: kindComplete, of: f.of}) }

// awaitTurn waits until few enough queries and mutations run for one more operation, as
// long as waiting can help, or all is over.
func (o *sendQueue) awaitTurn() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.end == nil && (o.answering >= maxAnswering || o.answering > 0 && len(o.ops) >= MaxRunning) {
		o.space.Wait()
	}
}

// answers counts a query or mutation that begins to run, or with -1 has run.
func (o *sendQueue) answers(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answering += n
	o.space.Broadcast()
}

// forget ends an operation at the client's wish, and gives what has to be stopped; nil
// when there is no such operation. Nothing of it is written any more.
func (o *sendQueue) forget(id string) *liveOperation {
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
			o.count(f, -1)
			o.unsent.drop(f)
		}
	}
	clear(o.frames[len(kept):])
	o.frames = kept
	o.space.Broadcast()
	return op
}

// take gives the next frame to write, if there is one, and why the connection is to
// end, if it is.
func (o *sendQueue) take() (f frame, ok bool, end *closeFrame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unsent.written()
	if o.end != nil || len(o.frames) == 0 {
		return frame{}, false, o.end
	}
	f = o.frames[0]
	o.frames[0] = frame{}
	o.unsent.writing = f.held()
	o.frames = o.frames[1:]
	o.count(f, -1)
	if len(o.frames) == 0 {
		o.frames = nil
	}
	o.space.Broadcast()
	return f, true, nil
}

// finish ends the connection, the first time it is called; what waits is dropped.
func (o *sendQueue) finish(why closeFrame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.close(why)
}

// close is finish for who holds mu.
func (o *sendQueue) close(why closeFrame) {
	if o.end != nil {
		return
	}
	o.end, o.frames, o.events, o.replies = &why, nil, amount{}, amount{}
	o.unsent.clear()
	o.space.Broadcast()
	o.cancel()
	o.signal()
}

// left takes the operations that still run, to be stopped.
func (o *sendQueue) left() []*liveOperation {
	o.mu.Lock()
	defer o.mu.Unlock()
	var ops []*liveOperation
	for _, op := range o.ops {
		op.over = true
		ops = append(ops, op)
	}
	clear(o.ops)
	return ops
}

// ended is why the connection ends; nil if it does not.
func (o *sendQueue) ended() *closeFrame {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.end
}
