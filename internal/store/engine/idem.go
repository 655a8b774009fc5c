package engine

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	mathrand "math/rand/v2"
	"strconv"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
	"agora/internal/turns"
)

// sourceLife is how long a record of an import is valid: forever. Lua represents whole numbers up to there
// exactly.
const sourceLife = 1 << 52

// NewIdem returns what a creating script needs to record, at record, a call with the idempotency key; "" is
// none.
func NewIdem(record, key string, input any, now forum.Time) script.Idempotency {
	i := script.Idempotency{
		Record:  record,
		Now:     now,
		Life:    forum.IdempotencyLife.Milliseconds(),
		Expires: strconv.FormatInt((int64(now)+(forum.IdempotencyLife+forum.ExpiryGrace).Milliseconds())/1000, 10),
	}
	if key != "" {
		text, err := json.Marshal(input)
		if err != nil {
			panic(err) // inputs are plain structs: they always marshal
		}
		sum := sha256.Sum256(text)
		i.Input = hex.EncodeToString(sum[:16])
	}
	return i
}

// NewNonce returns a random name for a registration, or for a change of an account.
func NewNonce() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// Pause waits for a short random time before names are claimed again.
func Pause(ctx context.Context) error {
	turns.From(ctx).Aside(ctx, func() {
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(20+mathrand.IntN(60)) * time.Millisecond):
		}
	})
	return ctx.Err()
}

// Creation returns the arguments with which a script creates an entity of a partition; prefix is the prefix
// of its key.
func Creation(p forum.Partition, prefix string) script.Creation {
	return script.Creation{
		Sequence: key.Sequence(p), Prefix: prefix, Partition: int64(p), Partitions: forum.Partitions,
		Largest: forum.MaxID,
	}
}

// SourceRecord returns the record of an import at a key.
func SourceRecord(key string, now forum.Time) script.Idempotency {
	return script.Idempotency{Record: key, Now: now, Input: record.SourceInput, Life: sourceLife}
}
