package division

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/key"
	"agora/internal/store/script"
)

// Close closes an index if it is empty, and reports whether it is closed. Of a divided index all parts are closed,
// one after the other; if a topic was posted into one of them meanwhile, those before it are opened again.
func (d *Divider) Close(ctx context.Context, c key.Container) (closed bool, err error) {
	d.Step("index_close")
	n, err := d.Client.Run(ctx, closing(c)).Int64()
	if err != nil || n <= 1 {
		return n == 1, err
	}
	parts := PartsOf(c, int(n))
	empty, err := d.areEmpty(ctx, parts)
	if err != nil || !empty {
		return false, err
	}
	for i, part := range parts {
		d.Step("index_close_part")
		if n, err = d.Client.Run(ctx, closing(part)).Int64(); err != nil {
			return false, err
		}
		if n == 0 {
			return false, d.open(ctx, parts[:i])
		}
	}
	call := closing(c)
	call.PartsClosed = true
	return true, d.Client.Run(ctx, call).Err()
}

func closing(c key.Container) script.IndexClose {
	return script.IndexClose{Closed: c.Closed(), Order: c.Order(key.OrderCreated), Division: c.Division()}
}

// areEmpty reports whether no index has an entry.
func (d *Divider) areEmpty(ctx context.Context, indexes []key.Container) (bool, error) {
	pipe := d.Client.Redis.Pipeline()
	for _, c := range indexes {
		pipe.ZCard(ctx, c.Order(key.OrderCreated))
	}
	sizes, err := pipe.Exec(ctx)
	full := slices.ContainsFunc(sizes, func(cmd redis.Cmder) bool { return cmd.(*redis.IntCmd).Val() > 0 })
	return !full, err
}

// open opens indexes that were closed.
func (d *Divider) open(ctx context.Context, indexes []key.Container) error {
	pipe := d.Client.Redis.Pipeline()
	for _, c := range indexes {
		pipe.Del(ctx, c.Closed())
	}
	_, err := pipe.Exec(ctx)
	return err
}
