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
	"agora/internal/test/redistest"
	"agora/internal/test/whole"
)

// crash is the panic value of a killed process.
type crash struct{}

// dies runs f in a process that is killed right before its nth step. It reports whether f got that
// far.
func (x *site) dies(n int, f func(*store.Store)) (died bool) {
	x.t.Helper()
	steps := 0
	s := x.process(store.WithSteps(func(string) {
		if steps++; steps == n {
			panic(crash{})
		}
	}))
	defer func() {
		if r := recover(); r != nil {
			if _, killed := r.(crash); !killed {
				panic(r)
			}
			died = true
		}
	}()
	f(s)
	return false
}

// site is an installation under test: a Redis, a clock that tests move, and a first process on it.
type site struct {
	*store.Store
	t      testing.TB
	ctx    context.Context
	server *redistest.Server
	rdb    redis.UniversalClient // reads the keys
	clock  *redistest.Clock
}

// newSite initializes an empty database.
func newSite(t testing.TB) *site {
	t.Helper()
	server := redistest.Start(t)
	x := &site{t: t, ctx: t.Context(), server: server, rdb: server.Client(t), clock: redistest.NewClock()}
	x.Store = x.process()
	return x
}

// process opens another process on the same data and clock; it ends with the test.
func (x *site) process(opts ...store.Option) *store.Store {
	x.t.Helper()
	opts = append([]store.Option{store.WithClock(x.clock.Now)}, opts...)
	s, err := store.Open(x.ctx, store.Over(x.server.Client(x.t)), store.Layout{},
		append(opts, store.WithLives(forum.PendingLife, 0))...)
	if err != nil {
		x.t.Fatalf("Open: %v", err)
	}
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
	if err := r.Exec(); err != nil {
		x.t.Fatalf("Exec: %v", err)
	}
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
	get := r.Page(l, w)
	if err := r.Exec(); err != nil {
		x.t.Fatalf("Exec: %v", err)
	}
	page, err := get()
	if err != nil {
		x.t.Fatalf("Page(%s, %+v): %v", l.Name, w, err)
	}
	return page
}

// keys returns the names of all keys.
func (x *site) keys() map[string]bool {
	x.t.Helper()
	names, err := x.rdb.Keys(x.ctx, "*").Result()
	if err != nil {
		x.t.Fatalf("KEYS: %v", err)
	}
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
		h, err := x.rdb.HGetAll(x.ctx, k).Result()
		if err != nil {
			x.t.Fatalf("HGETALL %s: %v", k, err)
		}
		maps.Copy(all, h)
	}
	return all
}

// exists reports whether a key exists.
func (x *site) exists(key string) bool {
	x.t.Helper()
	n, err := x.rdb.Exists(x.ctx, key).Result()
	if err != nil {
		x.t.Fatalf("EXISTS %s: %v", key, err)
	}
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
func (x *site) at(t forum.Time) { x.clock.Advance(time.Duration(t-x.Now()) * time.Millisecond) }
