package fsck

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
	built "agora/internal/test/site"
)

// frozenKey is a key with its content.
type frozenKey struct {
	name  string
	value any // in the form of the commands that write it
	life  time.Duration
}

// thawed returns a site with these keys.
func thawed(t testing.TB, keys []frozenKey) *site {
	t.Helper()
	x := newServer(t)
	pipe := x.rdb.Pipeline()
	for _, k := range keys {
		switch v := k.value.(type) {
		case map[string]string:
			pipe.HSet(x.ctx, k.name, v)
		case []redis.Z:
			pipe.ZAdd(x.ctx, k.name, v...)
		case string:
			pipe.Set(x.ctx, k.name, v, 0)
		case []string:
			pipe.RPush(x.ctx, k.name, v)
		}
		if k.life > 0 {
			pipe.PExpire(x.ctx, k.name, k.life)
		}
	}
	must.Do(pipe.Exec(x.ctx))(t)
	x.Store = x.process()
	x.Builder = built.On(t, x.Store)
	return x
}

// freeze reads all keys, when the site's process has removed the marks of what it finished.
func (x *site) freeze() []frozenKey {
	x.t.Helper()
	x.Engine.Cleaner.Flush()
	var all []frozenKey
	for name := range x.keys() {
		k := frozenKey{name: name, life: x.rdb.PTTL(x.ctx, name).Val()}
		switch typ := x.rdb.Type(x.ctx, name).Val(); typ {
		case "hash":
			k.value = x.rdb.HGetAll(x.ctx, name).Val()
		case "zset":
			k.value = x.rdb.ZRangeWithScores(x.ctx, name, 0, -1).Val()
		case "string":
			k.value = x.rdb.Get(x.ctx, name).Val()
		case "list":
			k.value = x.rdb.LRange(x.ctx, name, 0, -1).Val()
		default:
			x.t.Fatalf("%s is a %s, which freeze cannot copy", name, typ)
		}
		all = append(all, k)
	}
	return all
}
