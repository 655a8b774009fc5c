package limit

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/bench/keys"
)

// plain is a level written with go-redis's own calls.
type plain struct {
	ctx  context.Context
	pipe redis.Pipeliner
	room [48]byte // buffer for keys
}

func newPlain(ctx context.Context, rdb redis.UniversalClient) level {
	return &plain{ctx: ctx, pipe: rdb.Pipeline()}
}

func (l *plain) key(of key, id int64) string { return string(of(l.room[:0], id)) }

func (l *plain) hash(of key, id int64, names fields) hash {
	return hash{plain: l.pipe.HMGet(l.ctx, l.key(of, id), names.strings...)}
}

func (l *plain) count(of key, id int64) *redis.IntCmd { return l.pipe.ZCard(l.ctx, l.key(of, id)) }

func (l *plain) first(of key, id int64, n int) *redis.StringSliceCmd {
	return l.pipe.ZRange(l.ctx, l.key(of, id), 0, int64(n-1))
}

func (l *plain) after(of key, id int64, score string, n int) *redis.StringSliceCmd {
	return l.pipe.ZRangeArgs(
		l.ctx,
		redis.ZRangeArgs{Key: l.key(of, id), Start: "(" + score, Stop: "+inf", ByScore: true, Count: int64(n)},
	)
}

func (l *plain) front(n int) (*redis.IntCmd, *redis.StringSliceCmd) {
	return l.pipe.ZCard(l.ctx, keys.Front), l.pipe.ZRevRange(l.ctx, keys.Front, 0, int64(n-1))
}

func (l *plain) send() error {
	_, err := l.pipe.Exec(l.ctx)
	return err
}

func (*plain) free() {}
