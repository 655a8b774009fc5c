package store

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
	"agora/internal/store/accounts"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/test/redistest"
)

// site is an installation under test: a Redis, a clock that tests move, and a first process on it.
type site struct {
	*Store
	t      testing.TB
	ctx    context.Context
	server *redistest.Server
	rdb    redis.UniversalClient // for checks of the keys
	clock  *redistest.Clock
}

// newSite opens a store on an empty database.
func newSite(t testing.TB) *site {
	t.Helper()
	server := redistest.Start(t)
	x := &site{t: t, ctx: t.Context(), server: server, rdb: server.Client(t), clock: redistest.NewClock()}
	x.Store = x.process()
	return x
}

// process opens another process on the same data and clock; it ends with the test.
func (x *site) process(opts ...Option) *Store {
	x.t.Helper()
	opts = append([]Option{WithClock(x.clock.Now), withTicks(nil)}, opts...)
	s, err := Open(x.ctx, Over(x.server.Client(x.t)), Layout{}, append(opts, WithLives(forum.PendingLife, 0))...)
	if err != nil {
		x.t.Fatalf("Open: %v", err)
	}
	x.t.Cleanup(s.Close)
	return s
}

// withTicks renews leases whenever c receives, and not by the time of a process whose clock a test moves.
func withTicks(c <-chan time.Time) Option {
	return func(e *engine.Engine) {
		e.Ticks = func(time.Duration) (<-chan time.Time, func()) { return c, func() {} }
	}
}

// account returns the registration of a login.
func account(login string) accounts.NewUser {
	return accounts.NewUser{
		Login: login, LoginFold: strings.ToLower(login), Name: login,
		Email: login + "@Example.org", EmailFold: strings.ToLower(login) + "@example.org",
		PasswordHash: "hash of " + login,
	}
}

// user registers a user.
func (x *site) user(login string) *forum.Viewer {
	x.t.Helper()
	id, err := x.Register(x.ctx, account(login))
	if err != nil {
		x.t.Fatalf("Register(%q): %v", login, err)
	}
	return &forum.Viewer{ID: id, Role: forum.RoleUser}
}

// userElsewhere registers a user in another partition than p.
func (x *site) userElsewhere(p forum.Partition) *forum.Viewer {
	x.t.Helper()
	for n := 0; ; n++ {
		login := fmt.Sprintf("elsewhere%d", n)
		if key.PartitionOfLogin(login) != p {
			return x.user(login)
		}
	}
}

// userIn registers a user in a partition.
func (x *site) userIn(p forum.Partition) *forum.Viewer {
	x.t.Helper()
	for n := 0; ; n++ {
		login := fmt.Sprintf("here%d", n)
		if key.PartitionOfLogin(login) == p {
			return x.user(login)
		}
	}
}

// moderator registers a user with that role.
func (x *site) moderator(login string) *forum.Viewer {
	x.t.Helper()
	v := x.user(login)
	if err := x.SetRole(x.ctx, v.ID, forum.RoleModerator); err != nil {
		x.t.Fatalf("SetRole(%q): %v", login, err)
	}
	return &forum.Viewer{ID: v.ID, Role: forum.RoleModerator}
}

// category creates a category.
func (x *site) category(name string) forum.CategoryID {
	x.t.Helper()
	id, err := x.CreateCategory(x.ctx, name, strings.ToLower(name), "")
	if err != nil {
		x.t.Fatalf("CreateCategory(%q): %v", name, err)
	}
	return id
}

// tab creates a tab of categories.
func (x *site) tab(name string, categories ...forum.CategoryID) forum.TabID {
	x.t.Helper()
	id, err := x.CreateTab(x.ctx, name, strings.ToLower(name), categories)
	if err != nil {
		x.t.Fatalf("CreateTab(%q): %v", name, err)
	}
	return id
}

// discussion returns a topic to post.
func discussion(by *forum.Viewer, c forum.CategoryID) posts.NewTopic {
	return posts.NewTopic{Author: by.ID, Kind: forum.Discussion, Title: "a title", Content: "a text", Format: forum.Markdown,
		Category: c}
}

// topic posts a discussion.
func (x *site) topic(by *forum.Viewer, c forum.CategoryID) forum.TopicID {
	x.t.Helper()
	id, err := x.CreateTopic(x.ctx, discussion(by, c))
	if err != nil {
		x.t.Fatalf("CreateTopic: %v", err)
	}
	return id
}

// remark returns a comment to post.
func remark(on forum.TopicID, parent forum.CommentID) posts.NewComment {
	return posts.NewComment{Topic: on, Parent: parent, Content: "a reply", Format: forum.Markdown}
}

// comment replies to a topic, or to a parent in it.
func (x *site) comment(by *forum.Viewer, on forum.TopicID, parent forum.CommentID) forum.CommentID {
	x.t.Helper()
	id, err := x.CreateComment(x.ctx, by, remark(on, parent))
	if err != nil {
		x.t.Fatalf("CreateComment: %v", err)
	}
	return id
}

// oneTopic reads a topic that must exist.
func (x *site) oneTopic(id forum.TopicID) *forum.Topic {
	x.t.Helper()
	r := x.Read(x.ctx)
	return one(x, r, r.Topics([]forum.TopicID{id}))
}

// oneComment reads a comment that must exist.
func (x *site) oneComment(id forum.CommentID) *forum.Comment {
	x.t.Helper()
	r := x.Read(x.ctx)
	return one(x, r, r.Comments([]forum.CommentID{id}))
}

// oneUser reads a user who must exist.
func (x *site) oneUser(id forum.UserID) *forum.User {
	x.t.Helper()
	r := x.Read(x.ctx)
	return one(x, r, r.Users([]forum.UserID{id}))
}

// counts reads the counts of a user.
func (x *site) counts(id forum.UserID) forum.UserCounts {
	x.t.Helper()
	r := x.Read(x.ctx)
	get := r.UserCounts([]forum.UserID{id})
	wantOK(x.t, "Exec", r.Exec())
	counts, err := get()
	wantOK(x.t, "UserCounts", err)
	return counts[0]
}

func one[T any](x *site, r *Read, get func() ([]*T, []error)) *T {
	x.t.Helper()
	if err := r.Exec(); err != nil {
		x.t.Fatalf("Exec: %v", err)
	}
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

// exists reports whether there is a key.
func (x *site) exists(key string) bool {
	x.t.Helper()
	n, err := x.rdb.Exists(x.ctx, key).Result()
	if err != nil {
		x.t.Fatalf("EXISTS %s: %v", key, err)
	}
	return n == 1
}

// settle repairs everything and runs all tasks.
func (x *site) settle() {
	x.t.Helper()
	x.engine.Cleaner.Flush() // this may leave tasks
	if _, err := x.RunDueTasks(x.ctx); err != nil {
		x.t.Fatalf("RunDueTasks: %v", err)
	}
	if err := x.Flush(x.ctx); err != nil {
		x.t.Fatalf("Settle: %v", err)
	}
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
	x.Store = x.process(withSizes(x.engine.Sizes))
}

// empty deletes everything except the layout.
func (x *site) empty() {
	x.t.Helper()
	x.engine.Cleaner.Flush()
	layout := x.hash(key.Layout)
	wantOK(x.t, "FLUSHALL", x.rdb.FlushAll(x.ctx).Err())
	wantOK(x.t, "HSET", x.rdb.HSet(x.ctx, key.Layout, layout).Err())
	x.reopen()
}
