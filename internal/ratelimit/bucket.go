package ratelimit

import "golang.org/x/time/rate"

// Bucket limits the rate of one thing that is not counted per caller, such as the messages of a
// connection. It is safe for concurrent use.
type Bucket struct{ left *rate.Limiter }

// NewBucket returns a full bucket of the given number of calls, which refills within a minute.
func NewBucket(calls int) *Bucket {
	return &Bucket{rate.NewLimiter(rate.Limit(float64(calls)/window.Seconds()), calls)}
}

// Take takes a call from the bucket, and reports whether there was one.
func (b *Bucket) Take() bool { return b.left.Allow() }
