package loader

import (
	"context"
	"sync"

	"github.com/graph-gophers/dataloader/v7"
)

// cache is dataloader's cache for one response. It tells when a key is asked
// for the first time, and which keys have not come yet.
type cache[K comparable, V any] struct {
	mu      sync.Mutex
	entries map[K]entry[V]
	miss    func(context.Context) *batch
}

type entry[V any] struct {
	thunk dataloader.Thunk[V]
	batch *batch
}

// pending tells whether one of the keys has not come yet.
func (c *cache[K, V]) pending(keys []K) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		if e, ok := c.entries[k]; ok && !e.batch.come.Load() {
			return true
		}
	}
	return false
}

// Get implements dataloader.Cache.
func (c *cache[K, V]) Get(_ context.Context, key K) (dataloader.Thunk[V], bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	return e.thunk, ok
}

// Set implements dataloader.Cache; it is called when a key is put into a batch.
func (c *cache[K, V]) Set(ctx context.Context, key K, t dataloader.Thunk[V]) {
	b := c.miss(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		c.entries = map[K]entry[V]{}
	}
	c.entries[key] = entry[V]{t, b}
}

// Delete implements dataloader.Cache.
func (c *cache[K, V]) Delete(_ context.Context, key K) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.entries[key]
	delete(c.entries, key)
	return ok
}

// Clear implements dataloader.Cache.
func (c *cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.entries)
}
