package redistest

import (
	"sync"
	"time"
)

// Clock is a clock that a test sets. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock at a fixed instant, 2096-01-02 03:04:05 UTC. It is in the future because EXPIREAT uses the
// clock of the Redis under test, which immediately deletes a key that should expire in its past.
func NewClock() *Clock { return &Clock{now: time.Date(2096, 1, 2, 3, 4, 5, 0, time.UTC)} }

// Now returns the time on the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance advances the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
