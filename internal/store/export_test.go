package store

import "context"

// StatsLife is how long Stats may be old.
const StatsLife = statsLife

// Look checks Redis once, as WatchRedis does again and again.
func (s *Store) Look(ctx context.Context) { s.monitor.Look(ctx) }
