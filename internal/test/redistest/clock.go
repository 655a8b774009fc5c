package redistest

import (
	"sync"
	"time"
)

// Clock is a clock that a test moves. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock starts a clock at a fixed instant, 2096-01-02 03:04:05 UTC. It lies in
// the future because EXPIREAT goes by the clock of the Redis under test, which
// takes a key away at once that is to expire in its past.
func NewClock() *Clock { return &Clock{now: time.Date(2096, 1, 2, 3, 4, 5, 0, time.UTC)} }

// Now is the time on the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock on.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
