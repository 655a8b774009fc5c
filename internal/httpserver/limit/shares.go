package limit

import (
	"fmt"
	"sync"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/auth"
	"agora/internal/forum"
)

// addressShare is how many callers' shares of live work one address has: a household, a school or a mobile network
// shares one. Source: package ratelimit.
const addressShare = 4

// Shares count what running subscriptions use of their callers' shares: their number and the values that one event of
// each asks for. A caller is a viewer, or all signed-out visitors of one address. It is safe for concurrent use.
type Shares struct {
	mu   sync.Mutex
	used map[holder]use
}

// holder is the owner of a share: a viewer, the signed-out visitors of an address, or the address as a whole.
type holder struct {
	viewer  forum.UserID
	address string
	whole   bool
}

// use is the total of subscriptions and their values.
type use struct{ subscriptions, values int }

// Charge is what one subscription uses, and of which shares.
type Charge struct {
	viewer  forum.UserID // 0 if signed out
	address string
	values  int
	// Caller pays for its events.
	Caller auth.Caller
}

// caller returns the holder whose share is checked first.
func (c Charge) caller() holder {
	if c.viewer != 0 {
		return holder{viewer: c.viewer}
	}
	return holder{address: c.address}
}

// whole returns the address as a whole.
func (c Charge) whole() holder { return holder{address: c.address, whole: true} }

// NewShares returns empty shares.
func NewShares() Shares { return Shares{used: map[holder]use{}} }

// ChargeOf returns the charge of a subscription that asks for that many values.
func ChargeOf(c auth.Caller, values int) Charge {
	to := Charge{address: c.Address, values: values, Caller: c}
	if c.Viewer != nil {
		to.viewer = c.Viewer.ID
	}
	return to
}

// Take takes a subscription's share, which must be returned with Give. It returns LIVE_LIMIT_EXCEEDED, and takes
// nothing, if that exceeds the limits.
func (s *Shares) Take(c Charge, l Limits) *gqlerror.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range []struct {
		holder
		what  string
		times int
	}{{c.caller(), "caller", 1}, {c.whole(), "address", addressShare}} {
		used := s.used[of.holder]
		if limit := product(l.LiveSubscriptions, of.times); used.subscriptions >= limit {
			return overShare("subscriptions", of.what, limit, used.subscriptions+1)
		}
		if limit := product(l.LiveValues, of.times); sum(used.values, c.values) > limit {
			return overShare("values", of.what, limit, sum(used.values, c.values))
		}
	}
	s.add(c, 1)
	return nil
}

// overShare refuses a subscription that is too much for a "caller" or an "address".
func overShare(unit, of string, limit, value int) *gqlerror.Error {
	err := Exceeded(
		"LIVE_LIMIT_EXCEEDED",
		fmt.Sprintf("The subscriptions of this %s take too many %s", of, unit),
		limit,
		value,
	)
	if unit == "subscriptions" {
		err = Exceeded("LIVE_LIMIT_EXCEEDED", fmt.Sprintf("Too many subscriptions of this %s run", of), limit, value)
	}
	err.Extensions["unit"], err.Extensions["of"] = unit, of
	return err
}

// Give returns what Take took.
func (s *Shares) Give(c Charge) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(c, -1)
}

// add counts a new subscription, or with -1 an ended one. The caller holds mu.
func (s *Shares) add(c Charge, n int) {
	for _, key := range [...]holder{c.caller(), c.whole()} {
		used := s.used[key]
		used.subscriptions += n
		used.values += n * c.values
		if used.subscriptions == 0 {
			delete(s.used, key)
		} else {
			s.used[key] = used
		}
	}
}
