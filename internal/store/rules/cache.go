package rules

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// Cache is what a process knows of the site's rules. Sweeps read them twice a second.
type Cache struct {
	rdb     redis.Cmdable
	copies  *Copies    // nil outside a cluster
	reading sync.Mutex // held by who reads because of their age
	failed  time.Time  // when that last failed
	known   atomic.Pointer[knownRules]
	guests  guests
}

// Copies are the copies of the rules in each partition of a cluster.
type Copies struct {
	Read  func(context.Context) (record.Fields, error) // the newest that can be read
	Write func(context.Context) error                  // all of them, or an error
}

// NewCache returns a cache of the rules in a Redis; nothing is known yet.
func NewCache(rdb redis.Cmdable, copies *Copies) *Cache {
	return &Cache{rdb: rdb, copies: copies}
}

type knownRules struct {
	rules forum.Rules
	at    time.Time // when their reading began, by this machine's monotonic clock
	// change counts changes of the blocklist, which is list as of the change listed.
	change, listed string
	list           *texts.Blocklist
}

// queue queues reading the rules; the function that it returns stores what was read, unless they were read again since.
func (c *Cache) queue(ctx context.Context, pipe redis.HashCmdable) func() {
	at := time.Now()
	cmd := pipe.HGetAll(ctx, key.Rules)
	return func() {
		if cmd.Err() == nil {
			c.learn(cmd.Val(), at)
		}
	}
}

// learn stores what was read, from a time on, unless the rules were read again since.
func (c *Cache) learn(rules record.Fields, at time.Time) {
	now := &knownRules{rules: record.ParseRules(rules), at: at, change: rules[record.BlocklistField]}
	for stored := false; !stored; {
		before := c.known.Load()
		if before != nil {
			if before.at.After(at) {
				return
			}
			now.listed, now.list = before.listed, before.list
		}
		stored = c.known.CompareAndSwap(before, now)
	}
	c.guests.follow(&c.known)
}

// sweep queues reading the rules with the marks of a sweep.
func (c *Cache) sweep(ctx context.Context, pipe redis.HashCmdable) func(context.Context) error {
	learn := c.queue(ctx, pipe)
	return func(ctx context.Context) error {
		learn()
		return c.readList(ctx)
	}
}

// refresh reads the rules, at the expense of no request.
func (c *Cache) refresh(ctx context.Context) error {
	ctx = pipeline.WithUsage(ctx, &pipeline.Usage{})
	pipe := c.rdb.Pipeline()
	at := time.Now()
	learn := c.queue(ctx, pipe)
	if _, err := pipe.Exec(ctx); err != nil {
		return c.readCopy(ctx, at, fmt.Errorf("read the rules: %w", err))
	}
	learn()
	return c.readList(ctx)
}

// readCopy reads a copy of the rules, which cannot be read themselves because of err. The blocklist is with them.
func (c *Cache) readCopy(ctx context.Context, at time.Time, err error) error {
	if c.copies == nil {
		return err
	}
	rules, failed := c.copies.Read(ctx)
	if failed != nil {
		return errors.Join(err, failed)
	}
	c.learn(rules, at)
	return nil
}

// take takes the rules from a copy of what key.Rules has. They are read again before they are used, if possible.
func (c *Cache) take(rules record.Fields) {
	c.learn(rules, time.Time{})
}

// readList reads the blocklist, if it has changed.
func (c *Cache) readList(ctx context.Context) error {
	known := c.known.Load()
	if known == nil || known.change == known.listed {
		return nil
	}
	pipe := c.rdb.Pipeline()
	words, domains := pipe.ZRange(ctx, key.Words, 0, -1), pipe.ZRange(ctx, key.Domains, 0, -1)
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("read the blocklist: %w", err)
	}
	now := *known
	now.listed, now.list = known.change, texts.NewBlocklist(words.Val(), domains.Val())
	c.known.CompareAndSwap(known, &now) // whoever has read the rules since reads the list, too
	return nil
}

// knownRules returns the rules of the site. They are at most RulesEvery old; if they cannot be read, those known are
// returned, which are not fresh. The next attempt is a second later, as all callers wait for it.
func (s *Store) knownRules(ctx context.Context) (known *knownRules, fresh bool) {
	c := s.cache
	if known := c.known.Load(); time.Since(known.at) < forum.RulesEvery {
		return known, true
	}
	c.reading.Lock()
	defer c.reading.Unlock()
	if time.Since(c.known.Load().at) >= forum.RulesEvery && time.Since(c.failed) >= forum.RulesEvery {
		// What all callers share counts for none of them.
		ctx, cancel := context.WithTimeout(pipeline.WithUsage(context.WithoutCancel(ctx), &pipeline.Usage{}),
			time.Second)
		defer cancel()
		if c.refresh(ctx) != nil {
			c.failed = time.Now()
		} else {
			return c.known.Load(), true
		}
	}
	known = c.known.Load()
	return known, time.Since(known.at) < forum.RulesEvery
}

// Refresh reads the rules of the site.
func (s *Store) Refresh(ctx context.Context) error { return s.cache.refresh(ctx) }

// Take takes the rules from a copy of what key.Rules has. They are read again before they are used, if possible.
func (s *Store) Take(rules record.Fields) { s.cache.take(rules) }
