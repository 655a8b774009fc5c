package connection

import (
	"context"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
)

// ReserveIDs ensures that ids up to n are never assigned, so that objects can be imported under their own
// ids. It fails once ids exist or another number was reserved; with the same n it is idempotent, from any
// process.
func ReserveIDs(ctx context.Context, rdb redis.Cmdable, n int64) error {
	if n < 1 || n > forum.MaxID {
		return fmt.Errorf("reserve ids: the number must be between 1 and %d", forum.MaxID)
	}
	if ok, err := sequencesAt(ctx, rdb, n, false); err != nil {
		return err
	} else if !ok {
		return fmt.Errorf("reserve ids: ids already exist")
	}
	// One field decides which number is valid in all partitions.
	pipe := rdb.Pipeline()
	pipe.HSetNX(ctx, key.Layout, "reserved", n)
	reserved := pipe.HGet(ctx, key.Layout, "reserved")
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("reserve ids: %w", err)
	}
	if reserved.Val() != strconv.FormatInt(n, 10) {
		return fmt.Errorf("reserve ids: %s are already reserved", reserved.Val())
	}
	if ok, err := sequencesAt(ctx, rdb, n, true); err != nil {
		return err
	} else if !ok {
		return fmt.Errorf("reserve ids: ids were assigned concurrently")
	}
	return nil
}

// sequencesAt reports whether the sequences of all partitions have the value that they have when the ids up
// to n are reserved. A sequence that has not begun counts as such; with start it is set.
func sequencesAt(ctx context.Context, rdb redis.Cmdable, n int64, start bool) (bool, error) {
	pipe := rdb.Pipeline()
	present := make([]*redis.StringCmd, forum.Partitions)
	for p := range present {
		key := key.Sequence(forum.Partition(p))
		if start {
			pipe.SetNX(ctx, key, LastUpTo(n, p), 0)
		}
		present[p] = pipe.Get(ctx, key)
	}
	if _, err := pipe.Exec(ctx); err != nil && !pipeline.IsNil(err) {
		return false, fmt.Errorf("reserve ids: %w", err)
	}
	for p, cmd := range present {
		if cmd.Err() == nil && cmd.Val() != LastUpTo(n, p) {
			return false, nil
		}
	}
	return true, nil
}
