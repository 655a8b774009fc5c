package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// idem is what a creating script needs to remember that a call was made.
type idem struct {
	input   string // hash of the input; "" without a key
	life    int64  // ms
	expires int64  // Unix s
}

// newIdem prepares the record of a call with the idempotency key.
func newIdem(key string, input any, now forum.Time) idem {
	i := idem{
		life:    forum.IdempotencyLife.Milliseconds(),
		expires: (int64(now) + (forum.IdempotencyLife + forum.ExpiryGrace).Milliseconds()) / 1000,
	}
	if key != "" {
		text, err := json.Marshal(input)
		if err != nil {
			panic(err) // inputs are plain structs: they always marshal
		}
		sum := sha256.Sum256(text)
		i.input = hex.EncodeToString(sum[:16])
	}
	return i
}

// args are the record as creating scripts take it.
func (i idem) args() []any { return []any{i.input, i.life, i.expires} }

// bindKey binds an idempotency key to one input in the user's own slot, for
// mutations whose script runs in another: there the same key with other input
// would lie in another partition and never be met. The result of the call is
// recorded by that script.
func (s *Store) bindKey(ctx context.Context, by forum.UserID, k string, record idem, now forum.Time) error {
	if k == "" {
		return nil
	}
	s.step("idem_bind")
	err := s.rdb.Run(ctx, idemBind, []string{key.Idempotency(by.Partition(), by, "bind:"+k)}, int64(now), record.input, record.life, record.expires).Err()
	return scriptError(err)
}

// unbindKey gives the key free again after a call that was refused.
func (s *Store) unbindKey(ctx context.Context, by forum.UserID, k string, record idem) error {
	if k == "" {
		return nil
	}
	if err := s.rdb.Run(ctx, idemUnbind, []string{key.Idempotency(by.Partition(), by, "bind:"+k)}, record.input).Err(); err != nil {
		return fmt.Errorf("give an idempotency key free: %w", err)
	}
	return nil
}
