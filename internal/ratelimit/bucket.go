package ratelimit

import "golang.org/x/time/rate"

// Bucket bounds how often one thing happens that belongs to nobody but itself, such as
// the messages of a connection. It is safe for concurrent use.
type Bucket struct{ left *rate.Limiter }

// NewBucket makes a full bucket of so many calls, which fills again within a minute.
func NewBucket(calls int) *Bucket {
	return &Bucket{rate.NewLimiter(rate.Limit(float64(calls)/window.Seconds()), calls)}
}

// Take takes a call out of the bucket, and reports whether there was one.
func (b *Bucket) Take() bool { return b.left.Allow() }
