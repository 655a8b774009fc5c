package storetest

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/test/must"
)

// Contents returns all keys: strings, hashes as map[string]string, and zsets as map[string]float64.
func (x *Site) Contents() map[string]any {
	x.T.Helper()
	types := map[string]*redis.StatusCmd{}
	pipe := x.Redis.Pipeline()
	for k := range x.Keys() {
		types[k] = pipe.Type(x.Ctx, k)
	}
	must.Do(pipe.Exec(x.Ctx))(x.T)
	all := make(map[string]any, len(types))
	reads := map[string]redis.Cmder{}
	for k, cmd := range types {
		switch cmd.Val() {
		case "hash":
			reads[k] = pipe.HGetAll(x.Ctx, k)
		case "zset":
			reads[k] = pipe.ZRangeWithScores(x.Ctx, k, 0, -1)
		case "string":
			reads[k] = pipe.Get(x.Ctx, k)
		default:
			all[k] = cmd.Val()
		}
	}
	must.Do(pipe.Exec(x.Ctx))(x.T)
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

// ServerError is an error reply of Redis.
type ServerError string

// Error returns the reply.
func (e ServerError) Error() string { return string(e) }

// RedisError makes it an error of Redis.
func (ServerError) RedisError() {}

// Entry returns an entry of a sorted set.
func Entry(score forum.Time, member string) redis.Z {
	return redis.Z{Score: float64(score), Member: member}
}

// WantCost makes a call, which must take so many round trips and commands.
func (x *Site) WantCost(name string, call func(context.Context) error, trips, commands int64) {
	x.T.Helper()
	var usage store.Usage
	WantOK(x.T, name, call(store.WithUsage(x.Ctx, &usage)))
	if r, c := usage.RoundTrips.Load(), usage.Commands.Load(); r != trips || c != commands {
		x.T.Errorf("%s: %d round trips, %d commands; want %d and %d", name, r, c, trips, commands)
	}
	x.Settle()
}
