package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Stats are the site's counts.
type Stats struct{ Users, Topics, Comments int }

// statsLife is the maximum age of the cached counts.
const statsLife = 10 * time.Second

type statsCache struct {
	mu    sync.Mutex
	stats Stats
	until time.Time
}

// forget makes the next call read the counters again.
func (c *statsCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = time.Time{}
}

// Stats sums the counters of all partitions, in one round trip at most every statsLife.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	s.stats.mu.Lock()
	defer s.stats.mu.Unlock()
	if s.now().Before(s.stats.until) {
		return s.stats.stats, nil
	}
	names := []string{"users", "topics", "comments"}
	b := s.rdb.Batch()
	cmds := make([]*redis.SliceCmd, forum.Partitions)
	for p := range cmds {
		cmds[p] = b.HMGet(ctx, key.Stats(forum.Partition(p)), names...)
	}
	if err := b.Exec(ctx); err != nil {
		return Stats{}, fmt.Errorf("read site counters: %w", err)
	}
	var sum Stats
	for _, cmd := range cmds {
		f := record.HMGet(names, cmd)
		sum.Users += f.Int("users")
		sum.Topics += f.Int("topics")
		sum.Comments += f.Int("comments")
	}
	s.stats.stats, s.stats.until = sum, s.now().Add(statsLife)
	return sum, nil
}

// Empty reports whether nothing but the layout has been written yet.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	s.stats.forget()
	stats, err := s.Stats(ctx)
	if err != nil {
		return false, err
	}
	s.stats.forget()
	read := s.Read(ctx)
	sections := read.Lengths([]List{AllCategories(), AllTabs()})
	if err := read.Exec(); err != nil {
		return false, err
	}
	lengths, err := sections()
	return stats == (Stats{}) && lengths[0]+lengths[1] == 0, err
}
