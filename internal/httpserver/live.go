package httpserver

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"agora/internal/forum"
	"agora/internal/httpserver/limit"
	"agora/internal/ratelimit"
)

// liveTimes are how long live connections may take for what.
type liveTimes struct {
	// start is how long a socket may be open before connection_init.
	start time.Duration
	// ping is after how long without a message the client is asked for one, silence
	// when it is given up.
	ping, silence time.Duration
	// write is how long one message may take to be written, close the goodbye of both sides.
	write, close time.Duration
	// message is how long a message of a socket may take to arrive, first byte to last.
	message time.Duration
	// comment is how often a stream says that it lives.
	comment time.Duration
	// again is when a session is read once more that could not be read.
	again time.Duration
	// look is how often all connections are looked at.
	look time.Duration
}

func defaultTimes() liveTimes {
	return liveTimes{
		start: 3 * time.Second, ping: 20 * time.Second, silence: 45 * time.Second, write: 10 * time.Second, close: 2 * time.Second, message: 10 * time.Second,
		comment: 15 * time.Second, again: time.Second, look: time.Second,
	}
}

// maxChecks is how many sessions of live connections are read at a time: when Redis
// comes back all of them are.
const maxChecks = 16

// Live are the sockets and streams of a server, and the feeds that supply them. It is
// safe for concurrent use.
type Live struct {
	times liveTimes
	// now is by what time sessions end, budget what large operations share, turns what
	// events do; New sets them.
	now    func() forum.Time
	budget *limit.Budget
	turns  *limit.Turns
	// watch, if it is not nil, stands in the place of event.Hub.WatchUser.
	watch func(forum.UserID) (wake <-chan struct{}, stop func())

	feeds  feeds
	shares limit.Shares
	checks chan struct{} // holds one entry for each session that is being read
	large  chan struct{} // and for the one event whose answer is large
	ledger *limit.Ledger // of unsent bytes; New sets it
	all    sync.WaitGroup

	mu        sync.Mutex
	ending    bool
	open      map[*liveConn]struct{}
	addresses map[string]int // how many of open are of an address
	anonymous int            // how many of open are of nobody who is signed in
	strangers map[string]int // how many of these are of an address
	rest      chan struct{}  // closed to end the goroutine that looks at open
}

// NewLive makes a Live without connections.
func NewLive() *Live {
	return &Live{
		times: defaultTimes(), checks: make(chan struct{}, maxChecks), large: make(chan struct{}, 1), feeds: newFeeds(), shares: limit.NewShares(),
		open: map[*liveConn]struct{}{}, addresses: map[string]int{}, strangers: map[string]int{},
	}
}

// liveConn is one socket or stream.
type liveConn struct {
	*outbox
	address string
	// pings tells that the client answers pings: it is a socket.
	pings bool
	// breakOff ends the connection at once; nil until there is one.
	breakOff atomic.Pointer[func()]
	// ends is when its session does, Unix ms; 0 is never.
	ends atomic.Int64
	// heard is when the client was last heard of, asked when it was last asked, Unix ns.
	heard atomic.Int64
	asked int64 // only for who looks
	// busy reports whether a message is being handled; the socket reads no other until it is done.
	busy atomic.Bool
	// anonymous reports whether no user is signed in, as the limits count it; Live.mu guards it.
	anonymous bool
	// signals bounds how often the client may give signs of life; nil on a stream.
	signals *ratelimit.Bucket
}

// signal notes a sign of life that the client gave, and reports whether there are few
// enough of them. Too many end the connection.
func (c *liveConn) signal() bool {
	c.heard.Store(time.Now().UnixNano())
	if !c.signals.Take() {
		c.finish(farewell{websocket.StatusPolicyViolation, "Too many pings"})
		return false
	}
	return true
}

// tooManyLive refuses a live connection; it may be tried again.
func tooManyLive(format string, args ...any) *refusal {
	return refused(http.StatusServiceUnavailable, "UNAVAILABLE", format, args...).with("Retry-After", "1")
}

// admit takes up a connection unless there are too many. It is to be dismissed.
func (l *Live) admit(c *liveConn, limits limit.Limits) *refusal {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.ending:
		return tooManyLive("The server is about to end; connect again.")
	case len(l.open) >= limits.Live:
		return tooManyLive("Too many live connections; try again.")
	case l.addresses[c.address] >= limits.LiveAddress:
		return tooManyLive("Too many live connections from this address.")
	}
	c.heard.Store(time.Now().UnixNano())
	if len(l.open) == 0 {
		rest := make(chan struct{})
		l.rest = rest
		l.all.Go(func() { l.look(rest) }) // ends when no connection is open
	}
	c.outbox.attach(l.ledger.Open(c.address))
	l.open[c] = struct{}{}
	l.addresses[c.address]++
	l.all.Add(1)
	return nil
}

// dismiss forgets a connection that has ended.
func (l *Live) dismiss(c *liveConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, c)
	c.outbox.detach()
	countDown(l.addresses, c.address)
	if c.anonymous {
		l.anonymous--
		countDown(l.strangers, c.address)
	}
	if len(l.open) == 0 {
		close(l.rest)
	}
	l.all.Done()
}

// countDown takes one from a count, and forgets counts of zero.
func countDown(counts map[string]int, key string) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}

// admitAnonymous counts a connection that was admitted as one of nobody who is signed
// in. It returns why there are too many of these, or "".
func (l *Live) admitAnonymous(c *liveConn, limits limit.Limits) (wrong string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.anonymous >= limits.LiveAnonymous:
		return "Too many live connections without sign-in"
	case l.strangers[c.address] >= limits.LiveAnonymousAddress:
		return "Too many live connections without sign-in from this address"
	}
	c.anonymous = true
	l.anonymous++
	l.strangers[c.address]++
	return ""
}

// look looks after all connections until rest is closed.
func (l *Live) look(rest <-chan struct{}) {
	t := time.NewTicker(l.times.look)
	defer t.Stop()
	for {
		select {
		case <-rest:
			return
		case now := <-t.C:
			l.lookAt(now.UnixNano())
			l.expire(l.now())
		}
	}
}

// lookAt asks silent clients for a sign of life, and gives those up that gave none.
func (l *Live) lookAt(now int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		heard := c.heard.Load()
		switch silent := now - heard; {
		case !c.pings || c.busy.Load():
		case silent > int64(l.times.silence):
			c.finish(farewell{closeSilent, "Nothing was heard for too long"})
		case now-max(heard, c.asked) > int64(l.times.ping):
			c.asked = now
			c.push(frame{kind: kindMessage, payload: messagePing})
		}
	}
}

// expire ends the connections whose sessions have ended by now.
func (l *Live) expire(now forum.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		if ends := c.ends.Load(); ends != 0 && ends <= int64(now) {
			c.finish(unauthorized())
		}
	}
}

// Shutdown ends all connections, tells sockets to connect again, and takes no new ones.
// It returns when all have ended, or with ctx's error when that is done first.
func (l *Live) Shutdown(ctx context.Context) error {
	l.mu.Lock()
	l.ending = true
	l.mu.Unlock()
	l.each(func(c *liveConn) { c.finish(farewell{closeRestart, "Service Restart"}) })
	done := make(chan struct{})
	go func() { // ends with the last connection: they are broken off below
		l.all.Wait()
		close(done)
	}()
	patience := time.NewTimer(2 * l.times.close)
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

func (l *Live) each(do func(*liveConn)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		do(c)
	}
}
