package check

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/record"
)

// Fix repairs a finding: either a transaction that fails if the data it depends on change, or an
// idempotent function. The zero fix means that only people can repair the finding.
type Fix struct {
	Watch []string
	Do    func(ctx context.Context, pipe redis.Pipeliner)
	// Run is a repair decided by a guard or another script.
	Run func(ctx context.Context) error
}

// None reports whether only people can repair the finding.
func (x Fix) None() bool { return x.Do == nil && x.Run == nil }

// Given returns the fix with more keys on which it depends.
func (x Fix) Given(keys ...string) Fix {
	x.Watch = slices.Concat(x.Watch, keys)
	return x
}

// Transaction returns a fix that writes if none of the keys has changed.
func Transaction(keys []string, do func(context.Context, redis.Pipeliner)) Fix {
	return Fix{Watch: keys, Do: do}
}

// All returns a fix that does what these transactions do, in one.
func All(fixes ...Fix) Fix {
	var x Fix
	for _, y := range fixes {
		x.Watch = append(x.Watch, y.Watch...)
	}
	x.Do = func(ctx context.Context, pipe redis.Pipeliner) {
		for _, y := range fixes {
			y.Do(ctx, pipe)
		}
	}
	return x
}

// Call returns a fix that runs a repair of the store.
func Call[T any](repair func(context.Context, T) error, of T) Fix {
	return Fix{Run: func(ctx context.Context) error { return repair(ctx, of) }}
}

// Set returns a fix that sets fields of a hash, or of an object. Those whose value is "" it removes.
func Set(k string, pairs ...any) Fix {
	return Transaction([]string{k}, func(ctx context.Context, pipe redis.Pipeliner) {
		for i := 0; i < len(pairs); i += 2 {
			if name := pairs[i].(string); pairs[i+1] == "" {
				record.Remove(ctx, pipe, k, name)
			} else {
				record.Set(ctx, pipe, k, name, pairs[i+1])
			}
		}
	})
}

// Unset returns a fix that removes fields of a hash, or of an object.
func Unset(k string, names ...string) Fix {
	return Transaction([]string{k},
		func(ctx context.Context, pipe redis.Pipeliner) { record.Remove(ctx, pipe, k, names...) })
}

// Command returns a fix that runs a command on a key.
func Command(name, k string, args ...any) Fix {
	return Transaction([]string{k}, func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.Do(ctx, slices.Concat([]any{name, k}, args)...)
	})
}

// Put returns a fix that puts a member into a sorted set.
func Put(k, member string, score float64) Fix {
	return Command("zadd", k, record.FormatScore(score), member)
}

// Drop returns a fix that removes members from a sorted set.
func Drop(k string, members ...string) Fix {
	return Transaction([]string{k}, func(ctx context.Context, pipe redis.Pipeliner) {
		if len(members) > 0 {
			pipe.ZRem(ctx, k, members)
		}
	})
}

// Remove returns a fix that deletes keys of one slot.
func Remove(keys ...string) Fix {
	return Transaction(keys, func(ctx context.Context, pipe redis.Pipeliner) { pipe.Del(ctx, keys...) })
}
