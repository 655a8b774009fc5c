package pipeline

import (
	"context"
	"slices"
	"sync"

	"github.com/redis/go-redis/v9"
)

// EachMaster calls do with each server that holds keys: the masters of a cluster, or the only server. The
// calls may run concurrently.
func EachMaster(
	ctx context.Context, rdb redis.Cmdable, do func(context.Context, redis.Cmdable) error,
) error {
	if cluster, ok := rdb.(*redis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, c *redis.Client) error { return do(ctx, c) })
	}
	return do(ctx, rdb)
}

// EachKey passes all keys to do, at most size at a time, in no order, and perhaps twice. Calls of do do not
// overlap.
func EachKey(ctx context.Context, rdb redis.Cmdable, size int, do func(keys []string) error) error {
	var one sync.Mutex
	return EachMaster(ctx, rdb, func(ctx context.Context, c redis.Cmdable) error {
		for cursor := uint64(0); ; {
			keys, next, err := c.Scan(ctx, cursor, "", int64(size)).Result()
			if err != nil {
				return err
			}
			// The embedded store returns all keys in one reply.
			for chunk := range slices.Chunk(keys, size) {
				one.Lock()
				err := do(chunk)
				one.Unlock()
				if err != nil {
					return err
				}
			}
			if cursor = next; cursor == 0 {
				return nil
			}
		}
	})
}
