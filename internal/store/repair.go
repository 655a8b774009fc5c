package store

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/pipeline"
)

// Repairer is what package fsck needs of a store in addition to reads: the limits that the data must obey,
// and the repairs, which use the store's own scripts and guards. All of them are idempotent.
type Repairer struct{ s *Store }

// Repairer returns the store's repairer.
func (s *Store) Repairer() Repairer { return Repairer{s} }

// Redis returns the store's client.
func (r Repairer) Redis() *pipeline.Client { return r.s.Engine.Client }

// settleRounds is the maximum number of rounds of Repairer.Flush.
const settleRounds = 1000

// Flush is like Store.Flush, but continues when Redis refuses something: unswept reports what is left. err
// is another failure, such as a lost connection.
func (r Repairer) Flush(ctx context.Context) (unswept, err error) {
	s := r.s
	s.Engine.Cleaner.Flush()
	whole := s.with(func(e *engine.Engine) { e.Bulk, e.WaitForClean = false, true })
	for range settleRounds {
		n, err := whole.Engine.SweepUntil(ctx, s.Engine.Now())
		s.Engine.Cleaner.Flush()
		if err != nil && (!RefusedByRedis(err) || ctx.Err() != nil) {
			return nil, err
		}
		if unswept = err; n == 0 {
			break
		}
	}
	s.shared.stats.forget()
	return unswept, whole.Engine.Drain(ctx, false)
}

// RefusedByRedis reports whether Redis answered a command with an error, such as WRONGTYPE:
// other commands may succeed.
func RefusedByRedis(err error) bool {
	return pipeline.Answered(err) || forum.CodeOf(err) != ""
}

// FlushMarks removes the dirty marks of entities whose indexes are already written.
func (r Repairer) FlushMarks() { r.s.Engine.Cleaner.Flush() }
