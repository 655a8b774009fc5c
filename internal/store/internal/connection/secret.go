package connection

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// OpenSecret reads the site's secret. The first process creates one in data that have none.
func OpenSecret(ctx context.Context, rdb redis.Cmdable) (record.Secret, error) {
	pipe := rdb.Pipeline()
	pipe.SetNX(ctx, key.Secret, hex.EncodeToString(record.NewSecret()), 0)
	have := pipe.Get(ctx, key.Secret)
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read the site's secret: %w", err)
	}
	return record.ParseSecret(have.Val())
}

// ReadSecret reads the site's secret without writing. Data without a secret have no pseudonyms either, so
// any secret will do.
func ReadSecret(ctx context.Context, rdb redis.Cmdable) (record.Secret, error) {
	text, err := rdb.Get(ctx, key.Secret).Result()
	if pipeline.IsNil(err) {
		return record.NewSecret(), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the site's secret: %w", err)
	}
	return record.ParseSecret(text)
}
