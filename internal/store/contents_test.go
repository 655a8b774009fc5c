package store_test

import (
	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
)

// contents returns all keys: strings, hashes as map[string]string, and zsets as map[string]float64.
func (x *site) contents() map[string]any {
	x.t.Helper()
	types := map[string]*redis.StatusCmd{}
	pipe := x.rdb.Pipeline()
	for k := range x.keys() {
		types[k] = pipe.Type(x.ctx, k)
	}
	must.Do(pipe.Exec(x.ctx))(x.t)
	all := make(map[string]any, len(types))
	reads := map[string]redis.Cmder{}
	for k, cmd := range types {
		switch cmd.Val() {
		case "hash":
			reads[k] = pipe.HGetAll(x.ctx, k)
		case "zset":
			reads[k] = pipe.ZRangeWithScores(x.ctx, k, 0, -1)
		case "string":
			reads[k] = pipe.Get(x.ctx, k)
		default:
			all[k] = cmd.Val()
		}
	}
	must.Do(pipe.Exec(x.ctx))(x.t)
	for k, cmd := range reads {
		switch cmd := cmd.(type) {
		case *redis.MapStringStringCmd:
			all[k] = cmd.Val()
		case *redis.ZSliceCmd:
			zset := map[string]float64{}
			for _, z := range cmd.Val() {
				zset[z.Member.(string)] = z.Score
			}
			all[k] = zset
		case *redis.StringCmd:
			all[k] = cmd.Val()
		}
	}
	return all
}
