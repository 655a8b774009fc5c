package live

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"agora/internal/forum"
	"agora/internal/httpserver/limit"
	"agora/internal/ratelimit"
)

// Times are the timeouts and intervals of live connections.
type Times struct {
	// Start is how long a socket may be open before connection_init.
	Start time.Duration
	// Ping is the time without a message after which the client is pinged, Silence the time after which it is
	// disconnected.
	Ping, Silence time.Duration
	// Write is how long one message may take to be written, Close the closing handshake.
	Write, Close time.Duration
	// Message is how long a message of a socket may take to arrive, from first byte to last.
	Message time.Duration
	// Comment is how often a stream sends a comment as a sign of life.
	Comment time.Duration
	// Again is when a session is read again after a failure.
	Again time.Duration
	// Hold is how long an event that cannot be read is held back.
	Hold time.Duration
	// Look is how often all connections are checked.
	Look time.Duration
}

func defaultTimes() Times {
	return Times{
		Start: 3 * time.Second, Ping: 20 * time.Second, Silence: 45 * time.Second, Write: 10 * time.Second,
		Close: 2 * time.Second, Message: 10 * time.Second,
		Comment: 15 * time.Second, Again: time.Second, Hold: 20 * time.Second, Look: time.Second,
	}
}

// maxChecks is how many sessions of live connections are read at a time: when Redis comes back, all of them are.
const maxChecks = 16

// Connections are the sockets and streams of a server, and the shared subscriptions that supply them. It is safe for
// concurrent use.
type Connections struct {
	Config
	Times Times
	// Watch, if not nil, replaces Host.Watch.
	Watch func(...forum.UserID) (wake <-chan struct{}, stop func())

	shared sharedSubscriptions
	shares limit.Shares
	checks chan struct{} // one entry for each session being read
	large  chan struct{} // the same for the one event whose answer is large
	all    sync.WaitGroup

	mu         sync.Mutex
	ending     bool
	open       map[*liveConn]struct{}
	addresses  map[string]int // open connections by address
	anonymous  int            // open connections without a signed-in user
	unverified map[string]int // these by address
	rest       chan struct{}  // closed to end the goroutine that checks open
}

// New returns Connections without any connection.
func New() *Connections {
	return &Connections{
		Times: defaultTimes(), checks: make(chan struct{}, maxChecks), large: make(chan struct{}, 1),
		shared: newSharedSubscriptions(), shares: limit.NewShares(),
		open: map[*liveConn]struct{}{}, addresses: map[string]int{}, unverified: map[string]int{},
	}
}

// liveConn is one socket or stream.
type liveConn struct {
	*sendQueue
	address string
	// pings reports whether the client answers pings: it is a socket.
	pings bool
	// breakOff ends the connection immediately; nil until it is set.
	breakOff atomic.Pointer[func()]
	// ends is when its session ends, Unix ms; 0 is never.
	ends atomic.Int64
	// rightsEnd is when the role of its user ends, unless a token was seen since, or a membership in a group, Unix ms;
	// 0 is never. Then again receives.
	rightsEnd atomic.Int64
	again     chan struct{}
	// heard is when the client last sent something, asked when it was last pinged, Unix ns.
	heard atomic.Int64
	asked int64 // only for reapAt
	// busy reports whether a message is being handled; the socket reads no other until it is done.
	busy atomic.Bool
	// anonymous reports whether no user is signed in, as counted by the limits; Connections.mu guards it.
	anonymous bool
	// signals bounds how often the client may send signs of life; nil on a stream.
	signals *ratelimit.Bucket
}

// bound ends the connection with the session of a viewer, and has the session read again when the rights end.
func (c *liveConn) bound(v *forum.Viewer) {
	c.ends.Store(int64(v.SessionEnds))
	c.rightsEnd.Store(int64(v.RightsEnd()))
}

// signal records a sign of life from the client, and reports whether it is within the limit. Too many end the
// connection.
func (c *liveConn) signal() bool {
	c.heard.Store(time.Now().UnixNano())
	if !c.signals.Take() {
		c.finish(closeFrame{websocket.StatusPolicyViolation, "Too many pings"})
		return false
	}
	return true
}

// admit adds a connection, which must be dismissed later, or returns why it is refused.
func (l *Connections) admit(c *liveConn) (wrong string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.ending:
		return "The server is shutting down; connect again."
	case len(l.open) >= l.Limits.Live:
		return "Too many live connections; try again."
	case l.addresses[c.address] >= l.Limits.LiveAddress:
		return "Too many live connections from this address."
	}
	c.heard.Store(time.Now().UnixNano())
	if len(l.open) == 0 {
		rest := make(chan struct{})
		l.rest = rest
		l.all.Go(func() { l.reap(rest) }) // ends when no connection is open
	}
	c.sendQueue.attach(l.Ledger.Open(c.address))
	l.open[c] = struct{}{}
	l.addresses[c.address]++
	l.all.Add(1)
	return ""
}

// dismiss removes a connection that has ended.
func (l *Connections) dismiss(c *liveConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, c)
	c.sendQueue.detach()
	countDown(l.addresses, c.address)
	if c.anonymous {
		l.anonymous--
		countDown(l.unverified, c.address)
	}
	if len(l.open) == 0 {
		close(l.rest)
	}
	l.all.Done()
}

// countDown decrements a count, and removes it at zero.
func countDown(counts map[string]int, key string) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}

// admitAnonymous counts an admitted connection as one without a signed-in user. It returns why there are too many of
// these, or "".
func (l *Connections) admitAnonymous(c *liveConn) (wrong string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.anonymous >= l.Limits.LiveAnonymous:
		return "Too many live connections without sign-in"
	case l.unverified[c.address] >= l.Limits.LiveAnonymousAddress:
		return "Too many live connections without sign-in from this address"
	}
	c.anonymous = true
	l.anonymous++
	l.unverified[c.address]++
	return ""
}

// reap checks all connections until rest is closed.
func (l *Connections) reap(rest <-chan struct{}) {
	t := time.NewTicker(l.Times.Look)
	defer t.Stop()
	for {
		select {
		case <-rest:
			return
		case now := <-t.C:
			l.reapAt(now.UnixNano())
			l.Expire(l.Now())
		}
	}
}

// reapAt pings silent clients, and disconnects those that did not answer.
func (l *Connections) reapAt(now int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		heard := c.heard.Load()
		switch silent := now - heard; {
		case !c.pings || c.busy.Load():
		case silent > int64(l.Times.Silence):
			c.finish(closeFrame{closeSilent, "The client did not answer"})
		case now-max(heard, c.asked) > int64(l.Times.Ping):
			c.asked = now
			c.push(frame{kind: kindMessage, payload: messagePing})
		}
	}
}

// Expire ends the connections whose sessions have ended by now, and has those read again whose users' rights may have.
func (l *Connections) Expire(now forum.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		if ends := c.ends.Load(); ends != 0 && ends <= int64(now) {
			c.finish(unauthorized())
		}
		if ends := c.rightsEnd.Load(); ends != 0 && ends <= int64(now) {
			select {
			case c.again <- struct{}{}:
			default: // it is not done with the last one
			}
		}
	}
}

// Shutdown ends all connections, asks sockets to connect again, and accepts no new ones. It returns when all have
// ended, or with ctx's error if that is done first.
func (l *Connections) Shutdown(ctx context.Context) error {
	l.mu.Lock()
	l.ending = true
	l.mu.Unlock()
	l.each(func(c *liveConn) { c.finish(closeFrame{closeRestart, "Service Restart"}) })
	done := make(chan struct{})
	go func() { // ends with the last connection; the rest are aborted below
		l.all.Wait()
		close(done)
	}()
	patience := time.NewTimer(2 * l.Times.Close)
	defer patience.Stop()
	select {
	case <-done:
		return nil
	case <-patience.C:
	case <-ctx.Done():
	}
	l.each(func(c *liveConn) {
		if breakOff := c.breakOff.Load(); breakOff != nil {
			(*breakOff)()
		}
	})
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("live connections have not ended: %w", ctx.Err())
	}
}

func (l *Connections) each(do func(*liveConn)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		do(c)
	}
}

// Counts returns the number of open connections, of their addresses, and of their shared subscriptions, for tests.
func (l *Connections) Counts() (open, addresses, feeds int) {
	l.mu.Lock()
	open, addresses = len(l.open), len(l.addresses)
	l.mu.Unlock()
	l.shared.mu.Lock()
	defer l.shared.mu.Unlock()
	return open, addresses, len(l.shared.present) + len(l.shared.at)
}
