package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/script"
)

// Rate limits how often a client may do something.
type Rate struct {
	// What is the limited action, such as "sign-in-address".
	What string
	// Who is the limited client: an address, a name, an id.
	Who string
	// Limit is the maximum number of calls in any window of length Per; 0 means no limit.
	Limit int
	Per   time.Duration
}

// Spend counts a call against all of the rates, in one round trip. It returns RATE_LIMITED if one of them
// is used up; the others have still counted the call.
func (s *Engine) Spend(ctx context.Context, rates ...Rate) error {
	b := s.Client.Batch()
	wait := s.QueueSpend(ctx, b, rates)
	if b.Len() == 0 {
		return nil
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("count calls: %w", err)
	}
	return wait()
}

// QueueSpend queues counting a call against the rates. After the batch was sent, spent returns the result
// of Spend.
func (s *Engine) QueueSpend(ctx context.Context, b *pipeline.Batch, rates []Rate) (spent func() error) {
	var cmds []*redis.Cmd
	now := s.Now()
	for _, r := range rates {
		if r.Limit > 0 {
			expires := (int64(now) + (r.Per + forum.ExpiryGrace).Milliseconds()) / 1000
			cmds = append(cmds, b.Run(ctx, script.RateTake{
				Calls: key.Rate(r.What, s.Pseudonym(r.What, r.Who)), Now: now, Most: int64(r.Limit),
				Window: r.Per, Expires: expires,
			}))
		}
	}
	return func() error { return WaitOf(cmds...) }
}

// WaitOf returns RATE_LIMITED with the longest of the waits that scripts returned, in ms,
// or nil if all are 0.
func WaitOf(cmds ...*redis.Cmd) error {
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
