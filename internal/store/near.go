package store

import (
	"context"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/near"
)

// WithNearCache keeps up to about so many bytes of users, categories and tabs in memory, while KeepNear runs. It has no
// effect on a Redis with masters that a replica may replace, a cluster or one with Sentinels: there, connections to an
// old and a new master can exist at the same time, so that no order of messages is proven.
func WithNearCache(bytes int) Option {
	return func(s *Store) {
		if bytes > 0 {
			s.near = near.New(bytes, time.Now)
		}
	}
}

// KeepNear listens for changes of what is kept in memory until ctx is done. Only one may run.
func (s *Store) KeepNear(ctx context.Context) {
	if s.near != nil {
		s.near.Run(ctx, s.rdb.Redis)
	}
}

// NearStats are the counters and the state of what is kept in memory.
type NearStats = near.Stats

// NearStats returns them; ok is false if nothing is kept.
func (s *Store) NearStats() (stats NearStats, ok bool) {
	if s.near == nil {
		return NearStats{}, false
	}
	return s.near.Stats(), true
}

// ownWrites is how long after a change of an account its user reads from Redis: near.MaxAge, and 2 s by which the
// clocks of two processes may differ.
const ownWrites = near.MaxAge + 2*time.Second

type nearKey struct{}

// Near returns a context in which what Read reads for a viewer, nil for one who is signed out, may come from memory.
// It is for queries, with a viewer who was read after the query arrived. Nothing is older than a second, and nothing
// older than a change by the viewer: users other than moderators change nothing of what is kept but their own account,
// which records when.
func (s *Store) Near(ctx context.Context, v *forum.Viewer) context.Context {
	if s.near == nil || v.Moderator() || v != nil && s.Now() < v.WroteAt+forum.Time(ownWrites.Milliseconds()) {
		return ctx
	}
	return context.WithValue(ctx, nearKey{}, true)
}

// near returns what may serve the reads, or nil.
func (r *Read) near() *near.Cache {
	if r.ctx.Value(nearKey{}) == nil {
		return nil
	}
	return r.s.near
}
