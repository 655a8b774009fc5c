package store

import (
	"context"

	"agora/internal/store/internal/pipeline"
)

// Usage counts one request's use of Redis.
type Usage = pipeline.Usage

// WithUsage returns a context whose Redis commands u counts.
func WithUsage(ctx context.Context, u *Usage) context.Context { return pipeline.WithUsage(ctx, u) }

// WithDebts returns a context whose caller owes for what it causes to be done besides reads, such as snapshots.
func WithDebts(ctx context.Context, d pipeline.Debtor) context.Context {
	return pipeline.WithDebts(ctx, d)
}

// UsageFrom returns the usage of the context, or nil.
func UsageFrom(ctx context.Context) *Usage { return pipeline.UsageFrom(ctx) }

// Coalesced returns a context whose reads may be sent together with those of other requests, equal reads
// only once. Usage counts each as if it had been sent alone.
func Coalesced(ctx context.Context) context.Context { return pipeline.Coalesced(ctx) }

// IsCoalesced reports whether ctx was returned by Coalesced.
func IsCoalesced(ctx context.Context) bool { return pipeline.IsCoalesced(ctx) }

// RetryAfter is the number of seconds after which a failure because of Redis may be retried: most failures
// are restarts of a process, which take about as long.
const RetryAfter = 1

// Unavailable reports whether err is a failure of Redis, or of the connection to it, that may not recur on
// a retry. The end of the caller's own context counts as slow: check that first.
func Unavailable(err error) bool { return pipeline.Unavailable(err) }
