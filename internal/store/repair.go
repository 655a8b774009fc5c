package store

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/pipeline"
)

// settleRounds is the maximum number of rounds of FlushDespite.
const settleRounds = 1000

// FlushDespite is like Flush, but continues when Redis refuses something: unswept reports what is left. err
// is another failure, such as a lost connection.
func (s *Store) FlushDespite(ctx context.Context) (unswept, err error) {
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
