package pipeline

import (
	"context"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/redistest"
)

// A connection that Redis refuses by an error reply, as while it loads its data, fails all commands of a pipeline: they
// do not look as if they had found nothing.
func TestRefusedConnectionsFailPipelines(t *testing.T) {
	o := redistest.Start(t).Options
	o.MaxRetries = -1
	o.OnConnect = func(ctx context.Context, cn *redis.Conn) error { return cn.Do(ctx, "no", "such", "command").Err() }
	rdb := redis.NewClient(&o)
	defer rdb.Close()
	c := NewClient(rdb, Options{})
	for name, ctx := range map[string]context.Context{"alone": t.Context(), "coalesced": Coalesced(t.Context())} {
		b := c.Batch()
		get := b.Get(ctx, "key")
		if err := b.Exec(ctx); err == nil || get.Err() == nil || IsNil(get.Err()) {
			t.Errorf("%s: Exec: %v, GET: %v; want the refusal", name, err, get.Err())
		}
	}
}
