package posts

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// bindKey binds an idempotency key to one input in the user's own slot, for mutations whose script runs in
// another slot: with other input, the same key would be in another partition and not be found. That script
// records the result of the call.
func (s *Store) bindKey(ctx context.Context, bound script.Idempotency) error {
	if bound.Input == "" {
		return nil
	}
	s.engine.Step("idem_bind")
	return record.ScriptError(s.engine.Client.Run(ctx, script.IdemBind{Idempotency: bound}).Err())
}

// binding returns the record for bindKey.
func binding(by forum.UserID, k string, input any, now forum.Time) script.Idempotency {
	return engine.NewIdem(key.Idempotency(by.Partition(), by, "bind:"+k), k, input, now)
}

// unbindKey releases the key after a call that was refused.
func (s *Store) unbindKey(ctx context.Context, bound script.Idempotency) error {
	if bound.Input == "" {
		return nil
	}
	if err := s.engine.Client.Run(ctx, script.IdemUnbind{Record: bound.Record, BoundTo: bound.Input}).Err(); err != nil {
		return fmt.Errorf("release an idempotency key: %w", err)
	}
	return nil
}
