package division

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
)

// maxAge is the age at which a view is read again before it is used. A sweep reads it twice a second.
const maxAge = 5 * time.Second

// retryAfter is how long View waits after a failure: it must not hold up every request.
const retryAfter = time.Second

// Settled is how long after a change of key.Divisions every process has seen it: none uses an older view. A process
// that cannot read it, though it can read the index, goes on with what it knows.
const Settled = 2 * maxAge

// Cache is what a process knows of divisions.
type Cache struct {
	Redis redis.UniversalClient

	reading sync.Mutex // held by who reads because of maxAge
	failed  time.Time  // when that last failed
	known   atomic.Pointer[knownView]
}

type knownView struct {
	view *View
	at   time.Time // when its reading began, by this machine's monotonic clock
}

// Queue queues reading the divisions; the function that it returns stores what was read.
func (c *Cache) Queue(ctx context.Context, pipe redis.HashCmdable) func() {
	at := time.Now()
	cmd := pipe.HGetAll(ctx, key.Divisions)
	return func() {
		if cmd.Err() == nil {
			c.known.Store(&knownView{NewView(cmd.Val()), at})
		}
	}
}

// Take takes the divisions from a copy of what key.Divisions has. They are read again before they are used, if
// possible.
func (c *Cache) Take(divisions map[string]string) {
	c.known.Store(&knownView{NewView(divisions), time.Now().Add(-Settled)})
}

// Refresh reads the divisions.
func (c *Cache) Refresh(ctx context.Context) error {
	pipe := c.Redis.Pipeline()
	store := c.Queue(ctx, pipe)
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	store()
	return nil
}

// View returns what is known of divisions. If that is too old, it is read again, at the expense of no request's
// pipeline.Usage; while that fails, the old view is returned.
func (c *Cache) View(ctx context.Context) *View {
	known := c.known.Load()
	if known == nil {
		return &View{}
	}
	age := time.Since(known.at)
	if age < maxAge {
		return known.view
	}
	if age < Settled && !c.reading.TryLock() { // another caller reads it
		return known.view
	} else if age >= Settled {
		c.reading.Lock()
	}
	defer c.reading.Unlock()
	if time.Since(c.known.Load().at) >= maxAge && time.Since(c.failed) >= retryAfter {
		// All callers wait for it, so it must not end with one of them, nor take long.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), retryAfter)
		defer cancel()
		if err := c.Refresh(pipeline.WithUsage(ctx, &pipeline.Usage{})); err != nil {
			c.failed = time.Now()
		}
	}
	return c.known.Load().view
}
