// Package ratelimit limits how often a caller may do something. It counts within this process: n
// processes behind a load balancer allow n times as many calls.
package ratelimit

import (
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"

	"agora/internal/auth"
	"agora/internal/forum"
)

const (
	// window is the time for which rates are stated. After a window without calls, a caller has the
	// whole allowance again, and may use it all at once.
	window = time.Minute
	// addressShare is the factor between the allowances of an address and a viewer: a household, a
	// school or a mobile network shares an address.
	addressShare = 4
	// maxNetworks is the maximum number of networks counted for an address.
	maxNetworks = 2
	// maxCallers is how many callers of each sort are remembered for each kind. Beyond it, the
	// least recently seen is dropped, and starts with a full allowance if it returns. Addresses do
	// not displace viewers.
	maxCallers = 16_384
)

// Limiter counts calls. It is safe for concurrent use. A nil Limiter allows everything.
type Limiter struct {
	now   func() time.Time
	kinds map[Kind]*allowance
}

// New returns a limiter for a copy of the rates. now is its clock.
func New(rates Rates, now func() time.Time) *Limiter {
	l := &Limiter{now: now, kinds: map[Kind]*allowance{}}
	for kind, limit := range rates {
		if limit > 0 {
			l.kinds[kind] = newAllowance(limit)
		}
	}
	return l
}

// Take counts one call against the allowances of the viewer, the address and its networks, as far
// as c has them. If one of them is used up, it returns RATE_LIMITED and counts nothing.
func (l *Limiter) Take(kind Kind, c auth.Caller) error {
	if l == nil || l.kinds[kind] == nil {
		return nil
	}
	if wait := l.kinds[kind].take(l.now(), c); wait > 0 {
		return forum.RateLimited(wait)
	}
	return nil
}

// allowance is the remaining calls of one kind, by caller.
type allowance struct {
	mu        sync.Mutex
	viewers   callers[forum.UserID]
	addresses callers[string]
	// networks are those of auth.Caller.Networks, in that order.
	networks []callers[string]
}

func newAllowance(limit int) *allowance {
	a := &allowance{viewers: newCallers[forum.UserID](limit), addresses: newCallers[string](limit * addressShare)}
	share := addressShare
	for range maxNetworks {
		share *= forum.NetworkShare
		a.networks = append(a.networks, newCallers[string](limit*share))
	}
	return a
}

// take counts a call, or returns how long to wait until it would be allowed.
func (a *allowance) take(now time.Time, c auth.Caller) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	var buckets []*rate.Limiter
	if c.Address != "" {
		buckets = append(buckets, a.addresses.bucket(c.Address))
	}
	for i, network := range c.Networks[:min(len(c.Networks), maxNetworks)] {
		buckets = append(buckets, a.networks[i].bucket(network))
	}
	if c.Viewer != nil {
		buckets = append(buckets, a.viewers.bucket(c.Viewer.ID))
	}
	var wait time.Duration
	for _, b := range buckets {
		wait = max(wait, untilNext(b, now))
	}
	if wait == 0 {
		for _, b := range buckets {
			b.AllowN(now, 1)
		}
	}
	return wait
}

// untilNext returns how long it takes until b holds a whole call, rounded up to whole milliseconds.
// Less than a nanosecond counts as nothing, as in rate.Limiter: tokens are sums of fractions, which
// may miss a whole one by that much.
func untilNext(b *rate.Limiter, now time.Time) time.Duration {
	missing := 1 - b.TokensAt(now)
	wait := time.Duration(missing / float64(b.Limit()) * float64(time.Second))
	if wait <= 0 {
		return 0
	}
	return (wait + time.Millisecond - 1).Truncate(time.Millisecond)
}

// callers are recently seen callers with their remaining calls.
type callers[K comparable] struct {
	limit int // calls in a window
	seen  *simplelru.LRU[K, *rate.Limiter]
}

func newCallers[K comparable](limit int) callers[K] {
	seen, err := simplelru.NewLRU[K, *rate.Limiter](maxCallers, nil)
	if err != nil {
		panic(fmt.Sprintf("ratelimit: %v", err)) // maxCallers is not positive
	}
	return callers[K]{limit, seen}
}

func (c callers[K]) bucket(who K) *rate.Limiter {
	b, ok := c.seen.Get(who)
	if !ok {
		b = rate.NewLimiter(rate.Limit(float64(c.limit)/window.Seconds()), c.limit)
		c.seen.Add(who, b)
	}
	return b
}
