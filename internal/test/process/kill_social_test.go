package process

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/store"
	"agora/internal/store/bulk"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

const (
	// socialClients write concurrently, each as one user.
	socialClients = 30
	// famous of them have so many followers that fan-out takes two batches to reach all homes.
	famous, fans = 2, forum.FanOutPass + 100
	// archived is how much a user has posted before: more than fits into a home.
	archived = forum.HomeSize + 100
	// inFlight is how long a call that was given up may still change something.
	inFlight = time.Second
	// settled is how soon after the last restart everything must be finished: each kill leaves some tasks, most of
	// which scan a home.
	settled = 3 * time.Minute
)

// TestKillSocial kills server processes at random moments while clients post, delete, tag and move topics, follow,
// block, keep lists, read their homes and delete accounts, and give up on some calls. Afterwards, everything
// acknowledged must be stored and shown, with complete homes, and check must find nothing. KILL_SECONDS is the duration, 4
// if not set. It needs a real redis-server.
func TestKillSocial(t *testing.T) {
	testlevel.LongWithoutRace(t)
	life := killSeconds(t)
	s := startKillSite(t, quick)
	children := []*child{s.start(s.addrs[0]), s.start(s.addrs[1])}
	for _, c := range children {
		s.await(c)
	}
	w := newSocialRun(s)
	w.furnishSocial()

	ctx, cancel := context.WithTimeout(context.Background(), life)
	defer cancel()
	began := time.Now()
	var reapers, clients sync.WaitGroup
	for _, c := range children {
		reapers.Go(func() { s.reap(ctx, c) }) // ends with ctx
	}
	for _, u := range w.users {
		clients.Go(func() { w.work(ctx, u) }) // ends with ctx and its last call
	}
	clients.Wait()
	reapers.Wait()
	took := time.Since(began)

	w.settle()
	truth := readSocial(t, s.redis)
	w.verifyAcknowledged(truth)
	w.verifyShown(truth)
	truth.report(t)
	w.report(took)
	if least := int64(life.Seconds() * killsPerMinute / 60); s.kills.Load() < least {
		t.Errorf("%d kills in %v; want at least %d", s.kills.Load(), took, least)
	}
	if out, code := s.command("check"); code != 0 {
		t.Errorf("check at rest: exit code %d: %s", code, out)
	}
}

// socialRun is what the clients of TestKillSocial sent.
type socialRun struct {
	*killRun
	store   *store.Store // works on the same Redis
	archive forum.UserID

	// Everything below is guarded by mu.
	users  []*socialUser
	posts  map[string]*socialPost // by their text
	values map[string]*socialValue
	homes  int // pages that were read and checked
	// enrolled and sent are counters for unique names.
	enrolled, sent int
}

func newSocialRun(s *killSite) *socialRun {
	w := &socialRun{killRun: newKillRun(s), posts: map[string]*socialPost{}, values: map[string]*socialValue{}}
	w.store = must.Do(store.Open(context.Background(), store.Over(s.redis), store.Layout{}))(s.t)
	s.t.Cleanup(w.store.Close)
	return w
}

// furnishSocial creates accounts, categories, and followers of the first clients, before any process is killed.
func (w *socialRun) furnishSocial() {
	t, ctx := w.site.t, context.Background()
	var all sync.WaitGroup
	for range socialClients {
		all.Go(func() { // ends with an acknowledged call
			if !wait.For(20*time.Second, func() bool { return w.enrol() != nil }) {
				t.Error("a client could not register")
			}
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	if out, code := w.site.command("user", "set-role", w.users[0].login, "MODERATOR"); code != 0 {
		t.Fatalf("user set-role: %s", out)
	}
	for n := range 3 {
		p, f, code := w.mutate(10*time.Second, w.users[0].token, opCreateCategory,
			map[string]any{"name": fmt.Sprintf("Category %d", n)})
		if f != acknowledged {
			t.Fatalf("createCategory: %s", code)
		}
		w.categories = append(w.categories, p.Category.ID)
	}
	if out, code := w.site.command("user", "set-role", w.users[0].login, "USER"); code != 0 {
		t.Fatalf("user set-role: %s", out)
	}
	im := w.store.Import()
	names := append(wanted("fan%d", fans), "archive")
	ids := importUsers(t, im, names)
	w.archive = ids[fans]
	var follows []bulk.NewFollow
	for _, fan := range ids[:fans] {
		for _, u := range w.users[:famous] {
			follows = append(follows, bulk.NewFollow{From: fan, To: u.num})
		}
	}
	must.Do(im.Follows(ctx, follows))(t)
	var topics []posts.NewTopic
	for n := range archived {
		topics = append(topics, posts.NewTopic{Author: w.archive, Kind: forum.Status, Content: fmt.Sprintf("archive %d", n),
			Title:  "old",
			Format: forum.Markdown, Source: fmt.Sprintf("old:%d",
				n), CreatedAt: w.store.Engine.Now() - forum.Time(archived-n)})
	}
	made, err := im.Topics(ctx, topics)
	if err == nil {
		err = im.Publish(ctx, made, nil, nil)
	}
	if err == nil {
		err = w.store.Flush(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// importUsers creates accounts that never sign in. One in ten was inactive for so long that its home is not stored.
func importUsers(t *testing.T, im *bulk.Import, names []string) []forum.UserID {
	t.Helper()
	in := make([]bulk.ImportUser, len(names))
	for i, name := range names {
		in[i] = bulk.ImportUser{Source: "old:" + name, Logins: slices.Values([]string{name}), Name: name,
			CreatedAt: forum.Time(time.Now().UnixMilli())}
		if i%10 == 9 {
			in[i].CreatedAt -= forum.Time(2 * forum.InactiveAfter.Milliseconds())
		}
	}
	ids, _, err := im.Users(context.Background(), in, strings.ToLower)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// settle expires the leases of killed processes, and waits until a new process has finished their work.
func (w *socialRun) settle() {
	t, ctx, r := w.site.t, context.Background(), w.site.redis
	keys := func(pattern string) []string {
		return must.Do(r.Keys(ctx, pattern).Result())(t)
	}
	tasks := 0
	for _, due := range keys("*}:due") {
		for _, task := range r.ZRange(ctx, due, 0, -1).Val() {
			tasks++
			must.OK(t, r.ZAddXX(ctx, due, redis.Z{Member: task}).Err())
		}
	}
	t.Logf("%d tasks and changes in %d partitions are left after the last kill", tasks, len(keys("*}:dirty")))
	w.site.await(w.site.start(w.site.addrs[0]))
	w.site.addrs[1] = w.site.addrs[0] // the only running process
	began := time.Now()
	left := func() []string { return append(keys("*}:due"), keys("*}:dirty")...) }
	finished := func() bool { // two workers
		if _, err := w.store.Engine.RunDueTasks(ctx); err != nil {
			t.Errorf("run due tasks: %v", err)
		}
		return len(left()) == 0
	}
	if !wait.For(settled, finished) {
		t.Errorf("not finished %v after the last restart: %v", settled, left())
		for _, task := range keys("*}:task:*") {
			t.Logf("%s: %v", task, r.HGetAll(ctx, task).Val())
		}
	}
	t.Logf("nothing is left half way %v after the last restart", time.Since(began).Round(time.Millisecond))
}

// numberOf returns the number in a global id.
func numberOf[T ~int64](t *testing.T, id string) T {
	t.Helper()
	_, key, _ := globalid.Split(id)
	n, err := forum.ParseID[T](key)
	if err != nil {
		t.Errorf("id %q: %v", id, err)
	}
	return n
}

// TestKillSocialFinds tests the verifier of TestKillSocial: a small site is found to have what was acknowledged, and a
// loss is reported.
func TestKillSocialFinds(t *testing.T) {
	testlevel.Usual(t)
	tests := []struct {
		name  string
		plant func(x smallSocial) (key string, command []any)
	}{
		{"nothing wrong", func(x smallSocial) (string, []any) { return "", []any{"PING"} }},
		{"an acknowledged follow that is deleted", func(x smallSocial) (string, []any) {
			key := placeOf("u", x.bob, ":following")
			return key, []any{"ZREM", key, int64(x.ann)}
		}},
	}
	for _, tt := range tests {
		x := newSmallSocial(t)
		key, command := tt.plant(x)
		if err := x.redis.Do(context.Background(), command...).Err(); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		truth := readSocial(t, x.redis)
		x.run.verifyAcknowledged(truth)
		if found := slices.ContainsFunc(truth.findings,
			func(f string) bool { return strings.Contains(f, key+":") }); found != (key != "") {
			t.Errorf("%s: the verifier says %q; want something about %q", tt.name, truth.findings, key)
		}
	}
}

// smallSocial is a site with two users, of whom bob follows ann, which is acknowledged.
type smallSocial struct {
	redis    redis.UniversalClient
	run      *socialRun
	ann, bob forum.UserID
}

func newSmallSocial(t *testing.T) smallSocial {
	ctx, r := context.Background(), redistest.Start(t).Client(t)
	s := must.Do(store.Open(ctx, store.Over(r), store.Layout{}))(t)
	defer s.Close()
	ids := importUsers(t, s.Import(), []string{"ann", "bob"})
	x := smallSocial{redis: r, ann: ids[0], bob: ids[1], run: &socialRun{values: map[string]*socialValue{}}}
	must.Do(s.Follows.Follow(ctx, x.bob, forum.Target{User: x.ann}, true))(t)
	x.run.follows(x.bob, "following", itoa(x.ann)).begin("yes").end(acknowledged)
	must.OK(t, s.Flush(ctx))
	return x
}
