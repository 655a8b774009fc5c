// Package storetest has the site on which the tests of the store and of its subjects run: a store, the Redis behind it,
// a clock, other processes, and checks of the keys. Only tests use it.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
)

// Site is an installation under test: a Redis, a clock that tests move, and a first process on it.
type Site struct {
	site.Builder
	T      testing.TB
	Ctx    context.Context
	Server *redistest.Server
	Redis  redis.UniversalClient // for checks of the keys
	Clock  *redistest.Clock
	Data   store.Layout // with which processes open it
}

// New opens a store on an empty database. Options come after those of Process.
func New(t testing.TB, opts ...store.Option) *Site {
	t.Helper()
	return NewIn(t, store.Layout{}, opts...)
}

// NewIn is New for a layout, which says where the site's days begin.
func NewIn(t testing.TB, layout store.Layout, opts ...store.Option) *Site {
	t.Helper()
	server := redistest.Start(t)
	x := &Site{T: t, Ctx: t.Context(), Server: server, Redis: server.Client(t), Clock: redistest.NewClock(),
		Data: layout}
	x.Builder = site.On(t, x.Process(opts...))
	return x
}

// Process opens another process on the same data and clock; it ends with the test.
func (x *Site) Process(opts ...store.Option) *store.Store {
	x.T.Helper()
	opts = append([]store.Option{store.WithClock(x.Clock.Now), WithTicks(nil)}, opts...)
	s := must.Do(store.Open(x.Ctx, store.Over(x.Server.Client(x.T)), x.Data, append(opts,
		store.WithLives(forum.PendingLife, 0))...))(x.T)
	x.T.Cleanup(s.Close)
	return s
}

// WithTicks renews leases whenever c receives, and not by the time of a process whose clock a test moves.
func WithTicks(c <-chan time.Time) store.Option {
	return func(e *engine.Engine) {
		e.Ticks = func(time.Duration) (<-chan time.Time, func()) { return c, func() {} }
	}
}

// OneTopic reads a topic that must exist.
func (x *Site) OneTopic(id forum.TopicID) *forum.Topic {
	x.T.Helper()
	r := x.Read(x.Ctx)
	return One(x, r, r.Listing.Topics([]forum.TopicID{id}))
}

// OneComment reads a comment that must exist.
func (x *Site) OneComment(id forum.CommentID) *forum.Comment {
	x.T.Helper()
	r := x.Read(x.Ctx)
	return One(x, r, r.Listing.Comments([]forum.CommentID{id}))
}

// OneUser reads a user who must exist.
func (x *Site) OneUser(id forum.UserID) *forum.User {
	x.T.Helper()
	r := x.Read(x.Ctx)
	return One(x, r, r.Listing.Users([]forum.UserID{id}))
}

// Counts reads the counts of a user.
func (x *Site) Counts(id forum.UserID) forum.UserCounts {
	x.T.Helper()
	r := x.Read(x.Ctx)
	return site.Sent(x.T, r, r.Accounts.UserCounts([]forum.UserID{id}))[0]
}

// One sends a read, and returns its only object, which must exist.
func One[T any](x *Site, r *store.Read, get func() ([]*T, []error)) *T {
	x.T.Helper()
	must.OK(x.T, r.Exec())
	found, errs := get()
	if errs != nil || found[0] == nil {
		x.T.Fatalf("read = %v, %v; want one object", found, errs)
	}
	return found[0]
}

// Page reads one page of a list.
func (x *Site) Page(l listing.List, w forum.Window) forum.Page {
	x.T.Helper()
	r := x.Read(x.Ctx)
	return site.Sent(x.T, r, r.Listing.Page(l, w))
}

// IDs returns the ids of a list's first hundred entries.
func IDs[ID ~int64](x *Site, l listing.List) []ID {
	x.T.Helper()
	found := []ID{}
	for _, row := range x.Page(l, forum.Window{Count: forum.MaxPage}).Rows {
		found = append(found, ID(row.ID))
	}
	return found
}

// Timeline returns the only list of a timeline of the front or a category.
func Timeline(kind forum.TimelineKind, owner forum.CategoryID, order forum.TopicOrderField) listing.List {
	tl := forum.Timeline{Kind: kind, Owner: int64(owner), Order: order, Direction: forum.Descending}
	return listing.TimelineLists(tl, nil)[0]
}

// FrontTopics returns the topics of the front, newest first.
func (x *Site) FrontTopics() []forum.TopicID {
	x.T.Helper()
	return IDs[forum.TopicID](x, Timeline(forum.FrontTimeline, 0, forum.ByCreated))
}

// CategoryTopics returns the topics of a category, newest first.
func (x *Site) CategoryTopics(c forum.CategoryID) []forum.TopicID {
	x.T.Helper()
	return IDs[forum.TopicID](x, listing.CategoryTopics(c))
}

// Keys returns the names of all keys.
func (x *Site) Keys() map[string]bool {
	x.T.Helper()
	names := must.Do(x.Redis.Keys(x.Ctx, "*").Result())(x.T)
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

// Hash reads a hash, or both hashes of an object.
func (x *Site) Hash(key string) map[string]string {
	x.T.Helper()
	all := map[string]string{}
	for _, k := range record.Objects(key) {
		h := must.Do(x.Redis.HGetAll(x.Ctx, k).Result())(x.T)
		maps.Copy(all, h)
	}
	return all
}

// Exists reports whether there is a key.
func (x *Site) Exists(key string) bool {
	x.T.Helper()
	n := must.Do(x.Redis.Exists(x.Ctx, key).Result())(x.T)
	return n == 1
}

// Settle repairs everything and runs all tasks.
func (x *Site) Settle() {
	x.T.Helper()
	x.Engine.Cleaner.Flush() // this may leave tasks
	must.Do(x.Engine.RunDueTasks(x.Ctx))(x.T)
	must.OK(x.T, x.Flush(x.Ctx))
}

// WantCode fails the test unless err has the code.
func WantCode(t testing.TB, call string, err error, want forum.Code) {
	t.Helper()
	if got := forum.CodeOf(err); err == nil || got != want {
		t.Errorf("%s = %v; want code %s", call, err, want)
	}
}

// WantOK ends the test if err is not nil.
func WantOK(t testing.TB, call string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
}

// PathOf returns the path of an error.
func PathOf(err error) []string {
	var e *forum.Error
	if errors.As(err, &e) {
		return e.Path
	}
	return nil
}

// KeysLike returns the keys that contain part, sorted.
func (x *Site) KeysLike(part string) []string {
	x.T.Helper()
	var found []string
	for k := range x.Keys() {
		if strings.Contains(k, part) {
			found = append(found, k)
		}
	}
	slices.Sort(found)
	return found
}

// Reopen ends the first process and begins another, which remembers nothing of the data.
func (x *Site) Reopen() {
	x.T.Helper()
	x.Close()
	x.Store = x.Process(store.WithLimits(x.Engine.Limits))
}

// Clear deletes everything except the layout.
func (x *Site) Clear() {
	x.T.Helper()
	x.Engine.Cleaner.Flush()
	layout := x.Hash(key.Layout)
	WantOK(x.T, "FLUSHALL", x.Redis.FlushAll(x.Ctx).Err())
	WantOK(x.T, "HSET", x.Redis.HSet(x.Ctx, key.Layout, layout).Err())
	x.Reopen()
}

// SomeCategories creates n categories.
func (x *Site) SomeCategories(n int) []forum.CategoryID {
	x.T.Helper()
	created := make([]forum.CategoryID, n)
	for i := range created {
		created[i] = x.Category(fmt.Sprintf("category %d", i))
	}
	return created
}
