package store

import (
	"context"
	"sync"
	"time"

	"agora/internal/store/internal/count"
)

// Stats are the site's counts.
type Stats = count.Stats

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
	sum, err := count.Site(ctx, s.rdb)
	if err != nil {
		return Stats{}, err
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

// Flush sweeps all marks that are set, however young, until nothing is left to do: after a bulk write, or
// before a check. Marks that are set while it works are left to the next sweep.
func (s *Store) Flush(ctx context.Context) error {
	if s.bulk || !s.waitForClean { // otherwise a mark that could not be queued would be handled again
		return s.with(func(c *Store) { c.bulk, c.waitForClean = false, true }).Flush(ctx)
	}
	for until := s.Now(); ; {
		n, err := s.sweep(ctx, until)
		if err != nil {
			return err
		}
		s.cleaner.flush()
		if n == 0 {
			s.stats.forget()
			return nil
		}
	}
}
