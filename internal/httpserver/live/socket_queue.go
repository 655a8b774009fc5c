package live

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/coder/websocket"

	"agora/internal/httpserver/limit"
)

const (
	// maxQueued and maxQueuedBytes are the most events, and bytes of events, that wait for one client; the same
	// limits apply to replies. A single message may be larger: the answer to a query.
	maxQueued      = 256
	maxQueuedBytes = 1 << 20
	// maxAnswering is how many queries and mutations of one socket run at a time. At the limit, the socket is not
	// read.
	maxAnswering = 32
	// MaxRunning is how many operations one socket may have at a time.
	MaxRunning = 200
)

// Close codes of sockets, in addition to those of RFC 6455. Source: graphql-transport-ws, and IANA's registry for
// 1012 and 1013.
const (
	closeGoingAway      = websocket.StatusAbnormalClosure // the connection was lost; never sent
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

// closeFrame is why a live connection ends. A stream reports it only if its session has ended; otherwise it ends
// silently, so that the client reconnects.
type closeFrame struct {
	code   websocket.StatusCode
	reason string
}

// kind is what a frame reports about an operation.
type kind byte

// The kinds of frames. A message is written as it is, and belongs to no operation.
const (
	kindMessage kind = iota
	kindNext
	kindError
	kindComplete
)

// frame is a message that waits to be written to a client. Payloads are shared between clients.
type frame struct {
	kind    kind
	of      *liveOperation
	payload []byte
	shared  int  // number of clients that share the payload; 0 is 1
	reply   bool // a reply to the client, which waits for room
}

// size returns the approximate number of bytes of a frame.
func (f frame) size() int { return len(f.payload) + 64 }

// held returns how many bytes of memory are counted for a frame: a payload shared by clients is counted once in
// total.
func (f frame) held() int { return len(f.payload)/max(f.shared, 1) + 64 }

// liveOperation is an operation whose results a client waits for.
type liveOperation struct {
	id     string // "" on a stream
	quoted []byte // the id in JSON
	out    *sendQueue
	over   bool                // no more frames; out.mu guards it
	shared *sharedSubscription // the one it is a member of, or nil; sharedSubscriptions.mu guards it
	charge limit.Charge        // for its share of live work, while it is a member
	stop   func()              // leaves its shared subscription or cancels it; only the client's own goroutine calls it
}

// sendQueue holds the frames to be written to one client. Events never wait for the client: a client that does not
// read them in time is too slow. Replies do wait, and so does reading from the client, so that a client that requests
// much is served as fast as it reads. It is safe for concurrent use.
type sendQueue struct {
	wake   chan struct{} // capacity 1: a frame is ready
	cancel func()        // ends the work for the client

	mu        sync.Mutex
	space     sync.Cond // of mu: a frame was taken, an answer was added, or the connection ends
	frames    []frame
	events    amount // of frames
	replies   amount // of frames
	ops       map[string]*liveOperation
	answering int // running queries and mutations
	end       *closeFrame
	unsent    unsent
}

// amount is a number of frames and their bytes.
type amount struct{ frames, bytes int }

// full reports whether a frame of that size has no room.
func (a amount) full(size int) bool {
	return a.frames > 0 && (a.frames >= maxQueued || a.bytes+size > maxQueuedBytes)
}

// quote returns an id as JSON.
func quote(id string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(id) // a string can be encoded
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func newSendQueue(cancel func()) *sendQueue {
	o := &sendQueue{wake: make(chan struct{}, 1), cancel: cancel, ops: map[string]*liveOperation{}}
	o.space.L = &o.mu
	return o
}

// begin records a new operation. It returns nil if one with that id is running, or if there are too many; busy
// reports which.
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

// amountOf returns the amount in which a frame is counted. The caller holds mu, here and below.
func (o *sendQueue) amountOf(f frame) *amount {
	if f.reply {
		return &o.replies
	}
	return &o.events
}

// full reports whether a frame has no room.
func (o *sendQueue) full(f frame) bool { return o.amountOf(f).full(f.size()) }

// count counts a waiting frame, or with -1 one that no longer waits.
func (o *sendQueue) count(f frame, n int) {
	a := o.amountOf(f)
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

// done reports whether a frame is obsolete, because its operation or the connection has ended. The caller holds mu.
func (o *sendQueue) done(f frame) bool { return o.end != nil || f.of != nil && f.of.over }

// push adds a frame unless its operation is over. A client without room for it is too slow and must reconnect.
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

// reply adds frames that reply to the client, in one piece, as soon as there is room for the first.
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

// answer adds the only result of an operation and its end, as soon as there is room.
func (o *sendQueue) answer(f frame) { o.reply(f, frame{kind: kindComplete, of: f.of}) }

// awaitTurn waits until another query or mutation may run, or until waiting cannot help any more, or the connection
// ends.
func (o *sendQueue) awaitTurn() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.end == nil && (o.answering >= maxAnswering || o.answering > 0 && len(o.ops) >= MaxRunning) {
		o.space.Wait()
	}
}

// answers counts a query or mutation that starts running, or with -1 one that has finished.
func (o *sendQueue) answers(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answering += n
	o.space.Broadcast()
}

// forget ends an operation at the client's request, and returns what must be stopped, or nil if there is no such
// operation. No more of it is written.
func (o *sendQueue) forget(id string) *liveOperation {
	o.mu.Lock()
	defer o.mu.Unlock()
	op := o.ops[id]
	if op == nil {
		return nil
	}
	op.over = true
	delete(o.ops, id)
	rest := o.frames[:0]
	for _, f := range o.frames {
		if f.of != op {
			rest = append(rest, f)
		} else {
			o.count(f, -1)
			o.unsent.drop(f)
		}
	}
	clear(o.frames[len(rest):])
	o.frames = rest
	o.space.Broadcast()
	return op
}

// take returns the next frame to write, if there is one, and why the connection must end, if it must.
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

// finish ends the connection, the first time it is called; waiting frames are dropped.
func (o *sendQueue) finish(why closeFrame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.close(why)
}

// close is finish for callers that hold mu.
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

// left takes the operations that are still running, to be stopped.
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

// ended returns why the connection ends, or nil if it does not.
func (o *sendQueue) ended() *closeFrame {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.end
}
