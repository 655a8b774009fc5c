package store_test

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
	built "agora/internal/test/site"
)

// site is an installation under test: a Redis, a clock that tests move, and a first process on it.
type site struct {
	built.Builder
	t      testing.TB
	ctx    context.Context
	server *redistest.Server
	rdb    redis.UniversalClient // for checks of the keys
	clock  *redistest.Clock
	data   store.Layout // with which processes open it
}

// newSite opens a store on an empty database. Options come after those of process.
func newSite(t testing.TB, opts ...store.Option) *site {
	t.Helper()
	return newSiteIn(t, store.Layout{}, opts...)
}

// newSiteIn is newSite for a layout, which says where the site's days begin.
func newSiteIn(t testing.TB, layout store.Layout, opts ...store.Option) *site {
	t.Helper()
	server := redistest.Start(t)
	x := &site{t: t, ctx: t.Context(), server: server, rdb: server.Client(t), clock: redistest.NewClock(),
		data: layout}
	x.Builder = built.On(t, x.process(opts...))
	return x
}

// process opens another process on the same data and clock; it ends with the test.
func (x *site) process(opts ...store.Option) *store.Store {
	x.t.Helper()
	opts = append([]store.Option{store.WithClock(x.clock.Now), withTicks(nil)}, opts...)
	s := must.Do(store.Open(x.ctx, store.Over(x.server.Client(x.t)), x.data, append(opts,
		store.WithLives(forum.PendingLife, 0))...))(x.t)
	x.t.Cleanup(s.Close)
	return s
}

// withTicks renews leases whenever c receives, and not by the time of a process whose clock a test moves.
func withTicks(c <-chan time.Time) store.Option {
	return func(e *engine.Engine) {
		e.Ticks = func(time.Duration) (<-chan time.Time, func()) { return c, func() {} }
	}
}

// What users and importers enter.
var (
	account, labels          = built.Account, built.Tags
	discussion, link, remark = built.Discussion, built.Link, built.Remark
	importedTopic            = built.ImportedTopic
	importedReply, newMember = built.ImportedReply, built.Member
)

// importedAt is the time of all imported objects.
const importedAt = built.ImportedAt

// userIn registers a user in a partition.
func (x *site) userIn(p forum.Partition) *forum.Viewer {
	x.t.Helper()
	for n := 0; ; n++ {
		login := fmt.Sprintf("here%d", n)
		if key.PartitionOfLogin(login) == p {
			return x.User(login)
		}
	}
}

// oneTopic reads a topic that must exist.
func (x *site) oneTopic(id forum.TopicID) *forum.Topic {
	x.t.Helper()
	r := x.Read(x.ctx)
	return one(x, r, r.Listing.Topics([]forum.TopicID{id}))
}

// oneComment reads a comment that must exist.
func (x *site) oneComment(id forum.CommentID) *forum.Comment {
	x.t.Helper()
	r := x.Read(x.ctx)
	return one(x, r, r.Listing.Comments([]forum.CommentID{id}))
}

// oneUser reads a user who must exist.
func (x *site) oneUser(id forum.UserID) *forum.User {
	x.t.Helper()
	r := x.Read(x.ctx)
	return one(x, r, r.Listing.Users([]forum.UserID{id}))
}

// counts reads the counts of a user.
func (x *site) counts(id forum.UserID) forum.UserCounts {
	x.t.Helper()
	r := x.Read(x.ctx)
	return built.Sent(x.t, r, r.Accounts.UserCounts([]forum.UserID{id}))[0]
}

func one[T any](x *site, r *store.Read, get func() ([]*T, []error)) *T {
	x.t.Helper()
	must.OK(x.t, r.Exec())
	found, errs := get()
	if errs != nil || found[0] == nil {
		x.t.Fatalf("read = %v, %v; want one object", found, errs)
	}
	return found[0]
}

// page reads one page of a list.
func (x *site) page(l listing.List, w forum.Window) forum.Page {
	x.t.Helper()
	r := x.Read(x.ctx)
	return built.Sent(x.t, r, r.Listing.Page(l, w))
}

// ids returns the ids of a list's first hundred entries.
func ids[ID ~int64](x *site, l listing.List) []ID {
	x.t.Helper()
	found := []ID{}
	for _, row := range x.page(l, forum.Window{Count: forum.MaxPage}).Rows {
		found = append(found, ID(row.ID))
	}
	return found
}

// timeline returns the only list of a timeline of the front or a category.
func timeline(kind forum.TimelineKind, owner forum.CategoryID, order forum.TopicOrderField) listing.List {
	tl := forum.Timeline{Kind: kind, Owner: int64(owner), Order: order, Direction: forum.Descending}
	return listing.TimelineLists(tl, nil)[0]
}

// frontTopics returns the topics of the front, newest first.
func (x *site) frontTopics() []forum.TopicID {
	x.t.Helper()
	return ids[forum.TopicID](x, timeline(forum.FrontTimeline, 0, forum.ByCreated))
}

// categoryTopics returns the topics of a category, newest first.
func (x *site) categoryTopics(c forum.CategoryID) []forum.TopicID {
	x.t.Helper()
	return ids[forum.TopicID](x, listing.CategoryTopics(c))
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

// exists reports whether there is a key.
func (x *site) exists(key string) bool {
	x.t.Helper()
	n := must.Do(x.rdb.Exists(x.ctx, key).Result())(x.t)
	return n == 1
}

// settle repairs everything and runs all tasks.
func (x *site) settle() {
	x.t.Helper()
	x.Engine.Cleaner.Flush() // this may leave tasks
	must.Do(x.Engine.RunDueTasks(x.ctx))(x.t)
	must.OK(x.t, x.Flush(x.ctx))
}

// wantCode fails the test unless err has the code.
func wantCode(t testing.TB, call string, err error, want forum.Code) {
	t.Helper()
	if got := forum.CodeOf(err); err == nil || got != want {
		t.Errorf("%s = %v; want code %s", call, err, want)
	}
}

// wantOK ends the test if err is not nil.
func wantOK(t testing.TB, call string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
}

// pathOf returns the path of an error.
func pathOf(err error) []string {
	var e *forum.Error
	if errors.As(err, &e) {
		return e.Path
	}
	return nil
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

// reopen ends the first process and begins another, which remembers nothing of the data.
func (x *site) reopen() {
	x.t.Helper()
	x.Close()
	x.Store = x.process(withSizes(x.Engine.Sizes))
}

// empty deletes everything except the layout.
func (x *site) empty() {
	x.t.Helper()
	x.Engine.Cleaner.Flush()
	layout := x.hash(key.Layout)
	wantOK(x.t, "FLUSHALL", x.rdb.FlushAll(x.ctx).Err())
	wantOK(x.t, "HSET", x.rdb.HSet(x.ctx, key.Layout, layout).Err())
	x.reopen()
}
