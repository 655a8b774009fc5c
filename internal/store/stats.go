package store

import (
	"context"
	"sync"
	"time"

	"agora/internal/store/engine"
	"agora/internal/store/internal/count"
	"agora/internal/store/listing"
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
	s.shared.stats.mu.Lock()
	defer s.shared.stats.mu.Unlock()
	if s.Engine.Clock().Before(s.shared.stats.until) {
		return s.shared.stats.stats, nil
	}
	sum, err := count.Site(ctx, s.Engine.Client)
	if err != nil {
		return Stats{}, err
	}
	s.shared.stats.stats, s.shared.stats.until = sum, s.Engine.Clock().Add(statsLife)
	return sum, nil
}

// Empty reports whether nothing but the layout has been written yet.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	s.shared.stats.forget()
	stats, err := s.Stats(ctx)
	if err != nil {
		return false, err
	}
	s.shared.stats.forget()
	read := s.Read(ctx)
	sections := read.Listing.Lengths([]listing.List{listing.AllCategories(), listing.AllTabs()})
	if err := read.Exec(); err != nil {
		return false, err
	}
	lengths, err := sections()
	return stats == (Stats{}) && lengths[0]+lengths[1] == 0, err
}

// Flush sweeps all marks that are set, however young, until nothing is left to do, and has consumers handle all
// changes: after a bulk write, or before a check. Marks that are set while it works are left to the next sweep.
func (s *Store) Flush(ctx context.Context) error {
	if s.Engine.Bulk || !s.Engine.WaitForClean { // otherwise a mark that could not be queued would be handled again
		return s.with(func(e *engine.Engine) { e.Bulk, e.WaitForClean = false, true }).Flush(ctx)
	}
	for until := s.Engine.Now(); ; {
		n, err := s.Engine.SweepUntil(ctx, until)
		if err != nil {
			return err
		}
		s.Engine.Cleaner.Flush()
		if n == 0 {
			s.shared.stats.forget()
			return s.Engine.Drain(ctx, true)
		}
	}
}
