package fsck

import (
	"maps"
	"reflect"
	"slices"
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
func thawed(t testing.TB, keys map[string]frozenKey) *site {
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
		case map[string]struct{}:
			pipe.SAdd(x.ctx, k.name, slices.Collect(maps.Keys(v)))
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
func (x *site) freeze() map[string]frozenKey {
	x.t.Helper()
	x.Engine.Cleaner.Flush()
	all := map[string]frozenKey{}
	types, lives := map[string]*redis.StatusCmd{}, map[string]*redis.DurationCmd{}
	pipe := x.rdb.Pipeline()
	for name := range x.keys() {
		types[name], lives[name] = pipe.Type(x.ctx, name), pipe.PTTL(x.ctx, name)
	}
	must.Do(pipe.Exec(x.ctx))(x.t)
	values := map[string]func() any{}
	for name, typ := range types {
		switch typ.Val() {
		case "hash":
			values[name] = valueOf(pipe.HGetAll(x.ctx, name))
		case "zset":
			values[name] = valueOf(pipe.ZRangeWithScores(x.ctx, name, 0, -1))
		case "string":
			values[name] = valueOf(pipe.Get(x.ctx, name))
		case "list":
			values[name] = valueOf(pipe.LRange(x.ctx, name, 0, -1))
		case "set":
			values[name] = valueOf(pipe.SMembersMap(x.ctx, name))
		case "none": // expired since
		default:
			x.t.Fatalf("%s is a %s, which freeze cannot copy", name, typ.Val())
		}
	}
	must.Do(pipe.Exec(x.ctx))(x.t)
	for name, value := range values {
		all[name] = frozenKey{name: name, value: value(), life: lives[name].Val()}
	}
	return all
}

func valueOf[T any](cmd interface{ Val() T }) func() any { return func() any { return cmd.Val() } }

// unchanged reports whether keys that were frozen within a minute are the same, and expire at the same instants.
func unchanged(before, after map[string]frozenKey) bool {
	return maps.EqualFunc(before, after, func(was, is frozenKey) bool {
		passed := was.life - is.life
		return reflect.DeepEqual(was.value, is.value) && (was.life < 0) == (is.life < 0) && passed >= 0 &&
			passed < time.Minute
	})
}
