// Package ratelimit limits how often a caller may do something. It counts within this process: n
// processes behind a load balancer allow n times as many calls.
package ratelimit

import (
	"errors"
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

// Left is what a caller has left of an allowance: of the one with the least left, where several count. The zero value
// is that of a kind without a limit.
type Left struct {
	// Limit is the whole allowance of a minute, Calls what is left of it.
	Limit, Calls int
	// Full is when the caller has the whole allowance again.
	Full time.Time
	// Wait is how long that takes.
	Wait time.Duration
}

// ErrNever reports that a call takes more than the whole allowance.
var ErrNever = errors.New("more than the whole allowance")

// Take counts one call against the allowances of the viewer, the address and its networks, as far
// as c has them. If one of them is used up, it returns RATE_LIMITED and counts nothing.
func (l *Limiter) Take(kind Kind, c auth.Caller) error {
	_, err := l.TakeN(kind, 1, c)
	return err
}

// TakeN counts n calls as Take does, and returns what is left. It counts nothing and returns ErrNever if n exceeds a
// whole allowance. With n 0 it only looks.
func (l *Limiter) TakeN(kind Kind, n int, c auth.Caller) (Left, error) {
	if l == nil || l.kinds[kind] == nil {
		return Left{}, nil
	}
	now := l.now()
	left, wait, err := l.kinds[kind].take(now, n, c)
	left.Full = now.Add(left.Wait)
	if err == nil && wait > 0 {
		err = forum.RateLimited(wait)
	}
	return left, err
}

// Owe counts n calls, also more than are left: until the debt is paid, which is at most a whole allowance, Take and TakeN
// refuse.
func (l *Limiter) Owe(kind Kind, n int, c auth.Caller) {
	if l != nil && l.kinds[kind] != nil {
		l.kinds[kind].owe(l.now(), n, c)
	}
}

// sender is a viewer, by sessions or by one API token with this digest, which is counted by itself.
type sender struct {
	id    forum.UserID
	token string
}

// allowance is the remaining calls of one kind, by caller.
type allowance struct {
	mu        sync.Mutex
	viewers   callers[sender]
	addresses callers[string]
	// networks are those of auth.Caller.Networks, in that order.
	networks []callers[string]
}

func newAllowance(limit int) *allowance {
	a := &allowance{viewers: newCallers[sender](limit), addresses: newCallers[string](limit * addressShare)}
	share := addressShare
	for range maxNetworks {
		share *= forum.NetworkShare
		a.networks = append(a.networks, newCallers[string](limit*share))
	}
	return a
}

// of returns what the allowances of a caller hold.
func (a *allowance) of(c auth.Caller) []*rate.Limiter {
	buckets := make([]*rate.Limiter, 0, 2+maxNetworks)
	if c.Address != "" {
		buckets = append(buckets, a.addresses.bucket(c.Address))
	}
	for i, network := range c.Networks[:min(len(c.Networks), maxNetworks)] {
		buckets = append(buckets, a.networks[i].bucket(network))
	}
	if c.Viewer != nil {
		buckets = append(buckets, a.viewers.bucket(sender{c.Viewer.ID, c.Viewer.TokenDigest()}))
	}
	return buckets
}

// take counts n calls, or returns how long to wait until they would be allowed.
func (a *allowance) take(now time.Time, n int, c auth.Caller) (left Left, wait time.Duration, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	buckets := a.of(c)
	for _, b := range buckets {
		if n > b.Burst() {
			err = ErrNever
		}
		wait = max(wait, until(b, n, now))
	}
	for _, b := range buckets {
		if wait == 0 && err == nil {
			b.AllowN(now, n)
		}
		if l := leftOf(b, now); left.Limit == 0 || l.Calls <= left.Calls {
			left = l
		}
	}
	return left, wait, err
}

// owe counts n calls in any case, but so that at most a whole allowance is owed.
func (a *allowance) owe(now time.Time, n int, c auth.Caller) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, b := range a.of(c) {
		for more := min(n, int(b.TokensAt(now))+b.Burst()); more > 0; more -= b.Burst() {
			b.ReserveN(now, min(more, b.Burst()))
		}
	}
}

// leftOf returns what a bucket holds.
func leftOf(b *rate.Limiter, now time.Time) Left {
	tokens := b.TokensAt(now)
	return Left{Limit: b.Burst(), Calls: max(0, int(tokens+nothing)), Wait: refill(b, float64(b.Burst())-tokens)}
}

// nothing is how much of a call counts as nothing: tokens are sums of fractions, which may miss a whole one.
const nothing = 1e-6

// until returns how long it takes until b holds n whole calls, rounded up to whole milliseconds. Less than a
// nanosecond counts as nothing, as in rate.Limiter: tokens are sums of fractions, which may miss a whole one by that
// much.
func until(b *rate.Limiter, n int, now time.Time) time.Duration {
	return refill(b, float64(n)-b.TokensAt(now))
}

// refill returns how long it takes until b has so many calls more, rounded up to whole milliseconds.
func refill(b *rate.Limiter, missing float64) time.Duration {
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
