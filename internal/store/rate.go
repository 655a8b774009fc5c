package store

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
)

var rateTake = newScript("rate_take")

// Rate is how often somebody may do something.
type Rate struct {
	// What is limited, such as "sign-in-address".
	What string
	// Who is limited: an address, a name, an id.
	Who string
	// Limit is the most calls in any window of length Per; 0 is no limit.
	Limit int
	Per   time.Duration
}

// Spend counts a call against all of the rates, in one round trip. It returns
// RATE_LIMITED when one of them is used up; the others have counted the call.
func (s *Store) Spend(ctx context.Context, rates ...Rate) error {
	return s.spend(ctx, s.batch(), rates)
}

// spend is Spend in one round trip with what is queued already.
func (s *Store) spend(ctx context.Context, b *batch, rates []Rate) error {
	var cmds []*redis.Cmd
	now := s.Now()
	for _, r := range rates {
		if r.Limit > 0 {
			expires := (int64(now) + (r.Per + forum.ExpiryGrace).Milliseconds()) / 1000
			cmds = append(cmds, b.run(ctx, rateTake, []string{rateKey(r)}, int64(now), r.Limit, r.Per.Milliseconds(), expires))
		}
	}
	if b.pipe.Len() == 0 {
		return nil
	}
	if err := b.exec(ctx); err != nil {
		return fmt.Errorf("count calls: %w", err)
	}
	var wait int64
	for _, cmd := range cmds {
		n, err := cmd.Int64()
		if err != nil {
			return fmt.Errorf("count calls: %w", err)
		}
		wait = max(wait, n)
	}
	if wait > 0 {
		return forum.RateLimited(time.Duration(wait) * time.Millisecond)
	}
	return nil
}
