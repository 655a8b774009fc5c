package homes_test

import (
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// fanOutSite is bob with followers who all followed in the same microsecond.
type fanOutSite struct {
	*storetest.Following
	fans []forum.UserID
}

// newFame writes the followers' sides, and the reverse side, without their accounts.
func newFanOutSite(t testing.TB, fans int, of forum.Limits) *fanOutSite {
	t.Helper()
	f := &fanOutSite{Following: storetest.NewFollowing(t, of)}
	at := float64(f.Engine.NowMicros())
	pipe := f.Redis.Pipeline()
	for n := range fans {
		id := forum.UserID(1_000_000 + 7*n)
		f.fans = append(f.fans, id)
		pipe.HSet(f.Ctx, key.User(id), "state", catalogue.UserActive, "created", int64(f.Engine.Now()))
		pipe.ZAdd(f.Ctx, key.Following(id), redis.Z{Score: at, Member: key.Itoa(f.Bob.ID)})
		pipe.ZAdd(f.Ctx, key.Followers(f.Bob.ID), redis.Z{Score: at, Member: key.Itoa(id)})
	}
	must.Do(pipe.Exec(f.Ctx))(t)
	return f
}

// holding returns the number of followers' homes that hold just this topic, and of empty ones.
func (f *fanOutSite) holding(id forum.TopicID) (holds, empty int) {
	f.T.Helper()
	pipe := f.Redis.Pipeline()
	homes := make([]*redis.StringSliceCmd, len(f.fans))
	for i, fan := range f.fans {
		homes[i] = pipe.ZRange(f.Ctx, key.Home(fan), 0, -1)
	}
	must.Do(pipe.Exec(f.Ctx))(f.T)
	at := record.HomeMember(record.Member(0, int64(id)))
	for _, home := range homes {
		switch {
		case len(home.Val()) == 0:
			empty++
		case slices.Equal(home.Val(), []string{at}):
			holds++
		}
	}
	return holds, empty
}

// finish runs due tasks until there are none.
func (f *fanOutSite) finish(s *store.Store) {
	f.T.Helper()
	for n := 0; ; n++ {
		done := must.Do(s.Engine.RunDueTasks(f.Ctx))(f.T)
		if done == 0 {
			return
		}
		if n > 100 {
			f.T.Fatal("tasks never end")
		}
	}
}

// Behaviours C12, X32: 5,000 followers with the same score each get a post, in passes of 1,000 that end.
func TestFanOutToEqualScores(t *testing.T) {
	testlevel.Sequential(t)
	f := newFanOutSite(t, 5000, forum.DefaultLimits)
	passes := 0
	s := f.Process(store.WithSteps(func(name string) {
		if name == "home_offer" {
			passes++
		}
	}))
	id := must.Do(s.Posts.CreateTopic(t.Context(),
		posts.NewTopic{Author: f.Bob.ID, Kind: forum.Status, Title: "a status", Format: forum.Markdown}))(t)
	if holds, empty := f.holding(id); passes != 1 || holds != 1000 || empty != 4000 {
		t.Errorf("the request ran %d passes: %d homes hold the post, %d are empty; want 1, 1000, 4000", passes, holds,
			empty)
	}
	f.finish(s)
	if holds, empty := f.holding(id); passes < 5 || passes > 6 || holds != 5000 {
		t.Errorf("after %d passes %d homes hold the post, %d are empty; want 5000 after 5 or 6", passes, holds, empty)
	}
	if keys := f.KeysLike(":due"); len(keys) > 0 {
		t.Errorf("left: %v; want nothing due", keys)
	}
}

// Row X32: a fan-out in small passes gets beyond equal scores.
func TestFanOutGetsBeyondEqualScores(t *testing.T) {
	f := newFanOutSite(t, 5, storetest.SmallHomes(5, 4, 3))
	id := f.PostIn(f.Store)
	f.finish(f.Store)
	if holds, _ := f.holding(id); holds != 5 {
		t.Errorf("%d of 5 homes hold the post", holds)
	}
}

// A process may die before any step of posting, and the worker that continues too: the next worker
// finishes.
func TestCrashAtEveryStepOfFanOut(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		f := newFanOutSite(t, 7, storetest.SmallHomes(5, 4, 2))
		f.DiesAt("home_offer", 1+n%2, func(s *store.Store) { f.PostIn(s); f.finish(s) })
		f.Clock.Advance(record.TaskLease * time.Millisecond)
		died = f.Dies(n, func(s *store.Store) {
			s.Engine.Limits = f.Engine.Limits
			s.Engine.Sweep(f.Ctx)
			s.Engine.Cleaner.Flush()
			f.finish(s)
		})
		f.Clock.Advance(record.TaskLease * time.Millisecond)
		f.SettleHomes()
		if holds, _ := f.holding(f.Last()); holds != 7 {
			t.Fatalf("worker killed before step %d: %d of 7 homes hold the post", n, holds)
		}
	}
}

// Rows X33, X34: a topic that is deleted during its fan-out is in no home at the end, and pages are full
// immediately.
func TestDeletionWhileFanningOut(t *testing.T) {
	testlevel.Sequential(t)
	f := newFanOutSite(t, 7, storetest.SmallHomes(5, 4, 2))
	var older []forum.TopicID
	for range 3 {
		older = append(older, f.PostIn(f.Store))
		f.finish(f.Store)
		f.Clock.Advance(time.Second)
	}
	id := f.PostIn(f.Store) // to two homes
	wake := f.Sleeps("home_offer", func(s *store.Store) { s.Engine.RunDueTasks(f.Ctx) })
	f.Delete(id)
	wake()
	fan := record.HomeMember(record.Member(0, int64(id)))
	wantNone := func(when string) {
		t.Helper()
		for _, home := range f.fans {
			if f.Redis.ZScore(f.Ctx, key.Home(home), fan).Err() == nil {
				t.Errorf("%s: the home of %d holds the deleted topic", when, home)
			}
		}
	}
	f.SettleHomes()
	wantNone("deleted during a pass")

	id = f.PostIn(f.Store)
	f.finish(f.Store)
	f.Delete(id) // removed from two homes, from the others by a task
	fan = record.HomeMember(record.Member(0, int64(id)))
	held := 0
	slices.Reverse(older)
	for _, home := range f.fans {
		if f.Redis.ZScore(f.Ctx, key.Home(home), fan).Err() == nil {
			held++
		}
		got := []forum.TopicID{}
		for _, row := range f.HomePageOf(home, forum.Window{Count: 3}).Rows {
			got = append(got, forum.TopicID(row.ID))
		}
		if !slices.Equal(got, older) {
			t.Errorf("page of the home of %d = %v; want %v", home, got, older)
		}
	}
	if held == 0 {
		t.Error("the topic left all homes immediately; want some left to a task")
	}
	f.SettleHomes()
	wantNone("deleted after all passes")
}

// A task that cannot succeed is given up, and is listed with other such tasks.
func TestFanOutThatIsGivenUp(t *testing.T) {
	f := newFanOutSite(t, 7, storetest.SmallHomes(5, 4, 2))
	id := f.PostIn(f.Store)
	p, name := id.Partition(), record.FanOutTask(id)
	f.Redis.HSet(f.Ctx, key.Task(p, name), "cursor", "nobody")
	for range engine.MaxAttempts {
		f.RunDue()
		f.Clock.Advance(engine.MaxBackoff * time.Millisecond)
	}
	f.RunDue()
	if err := f.Redis.ZScore(f.Ctx, key.Dead(p), name).Err(); err != nil || f.Exists(key.Due(p)) {
		t.Errorf("task given up: %v, tasks due %t; want it among the dead tasks", err, f.Exists(key.Due(p)))
	}
}
