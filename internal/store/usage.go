package store

import (
	"context"

	"agora/internal/store/internal/pipeline"
)

// Usage counts what one request asked of Redis.
type Usage = pipeline.Usage

// WithUsage returns a context whose Redis commands u counts.
func WithUsage(ctx context.Context, u *Usage) context.Context { return pipeline.WithUsage(ctx, u) }

// UsageFrom returns the usage of the context, or nil.
func UsageFrom(ctx context.Context) *Usage { return pipeline.UsageFrom(ctx) }

// Coalesced returns a context whose reads may go out with those of others, equal ones once; each
// counts in its usage as if it had gone out alone.
func Coalesced(ctx context.Context) context.Context { return pipeline.Coalesced(ctx) }

// IsCoalesced reports whether ctx was made by Coalesced.
func IsCoalesced(ctx context.Context) bool { return pipeline.IsCoalesced(ctx) }

// RetryAfter is after how many seconds what failed because of Redis may be tried again: most
// failures are the restart of a process, which takes about as long.
const RetryAfter = 1

// Unavailable reports whether err is a failure of Redis, or of the way to it, that may be over when
// the same is tried again. The end of the caller's own context counts as slow: look at that first.
func Unavailable(err error) bool { return pipeline.Unavailable(err) }
