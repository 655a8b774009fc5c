package clustertest

import (
	"context"
	"sync"
	"testing"
)

// pool are clusters that no test uses.
var pool struct {
	mu   sync.Mutex
	free []*Cluster
}

// Borrow lends an empty cluster of three masters to a test. Tests that break nothing share clusters, one after the
// other, because to start one takes seconds. Scripts stay loaded, because to load them takes
// longer than most tests.
func Borrow(t testing.TB, program string) *Cluster {
	t.Helper()
	c := take(t, program)
	c.t = t
	for _, n := range c.Nodes {
		c.must(n.Redis.FlushAll(context.Background()).Err())
	}
	t.Cleanup(func() {
		pool.mu.Lock()
		defer pool.mu.Unlock()
		pool.free = append(pool.free, c)
	})
	return c
}

func take(t testing.TB, program string) *Cluster {
	pool.mu.Lock()
	defer pool.mu.Unlock()
	if n := len(pool.free); n > 0 {
		c := pool.free[n-1]
		pool.free = pool.free[:n-1]
		return c
	}
	return Start(lasting{t}, program, 3, 0)
}

// lasting is a test whose clusters outlast it: they end with the process.
type lasting struct{ testing.TB }

// Cleanup implements testing.TB. It does nothing.
func (lasting) Cleanup(func()) {}
