package fsck

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	built "agora/internal/test/site"
	"agora/internal/test/whole"
)

// dies runs f in a process that is killed right before its nth step. It reports whether f got that
// far.
func (x *site) dies(n int, f func(*store.Store)) bool {
	x.t.Helper()
	s := x.process(store.WithSteps(built.KillAt("", n)))
	return built.Killed(func() { f(s) })
}

// site is an installation under test: a Redis, a clock that tests move, and a first process on it.
type site struct {
	built.Builder
	t      testing.TB
	ctx    context.Context
	server *redistest.Server
	rdb    redis.UniversalClient // reads the keys
	clock  *redistest.Clock
}

// newSite initializes an empty database.
func newSite(t testing.TB) *site {
	t.Helper()
	x := newServer(t)
	x.Builder = built.On(t, x.process())
	return x
}

// newServer starts an empty database.
func newServer(t testing.TB) *site {
	t.Helper()
	server := redistest.Start(t)
	return &site{t: t, ctx: t.Context(), server: server, rdb: server.Client(t), clock: redistest.NewClock()}
}

// process opens another process on the same data and clock; it ends with the test.
func (x *site) process(opts ...store.Option) *store.Store {
	x.t.Helper()
	opts = append([]store.Option{store.WithClock(x.clock.Now)}, opts...)
	s := must.Do(store.Open(x.ctx, store.Over(x.server.Client(x.t)), store.Layout{},
		append(opts, store.WithLives(forum.PendingLife, 0))...))(x.t)
	x.t.Cleanup(s.Close)
	return s
}

// oneTopic reads a topic that must exist.
func (x *site) oneTopic(id forum.TopicID) *forum.Topic {
	x.t.Helper()
	r := x.Read(x.ctx)
	return one(x, r, whole.Topics(r, []forum.TopicID{id}))
}

func one[T any](x *site, r *store.Read, get func() ([]*T, error)) *T {
	x.t.Helper()
	must.OK(x.t, r.Exec())
	found, err := get()
	if err != nil || found[0] == nil {
		x.t.Fatalf("read = %v, %v; want one object", found, err)
	}
	return found[0]
}

// page reads one page of a list.
func (x *site) page(l listing.List, w forum.Window) forum.Page {
	x.t.Helper()
	r := x.Read(x.ctx)
	return built.Sent(x.t, r, r.Listing.Page(l, w))
}

// keys returns the names of all keys.
func (x *site) keys() map[string]bool {
	x.t.Helper()
	names := must.Do(x.rdb.Keys(x.ctx, "*").Result())(x.t)
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

// hash reads a hash, or both hashes of an object.
func (x *site) hash(key string) map[string]string {
	x.t.Helper()
	all := map[string]string{}
	for _, k := range record.Objects(key) {
		h := must.Do(x.rdb.HGetAll(x.ctx, k).Result())(x.t)
		maps.Copy(all, h)
	}
	return all
}

// exists reports whether a key exists.
func (x *site) exists(key string) bool {
	x.t.Helper()
	n := must.Do(x.rdb.Exists(x.ctx, key).Result())(x.t)
	return n == 1
}

// wantOK ends the test if err is not nil.
func wantOK(t testing.TB, call string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
}

// keysLike returns the keys that contain part, sorted.
func (x *site) keysLike(part string) []string {
	x.t.Helper()
	var found []string
	for k := range x.keys() {
		if strings.Contains(k, part) {
			found = append(found, k)
		}
	}
	slices.Sort(found)
	return found
}

// at moves the clock to an instant.
func (x *site) at(t forum.Time) { x.clock.Advance(time.Duration(t-x.Engine.Now()) * time.Millisecond) }
