package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/follows"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// socialSite is a followSite with some of everything: ann and bob, carl who follows both and has them on a list, dora
// who follows bob's category and tag and blocks eve, who follows bob. Homes and passes are so small that
// some of the work is left to tasks.
type socialSite struct {
	*followSite
	carl, dora, eve *forum.Viewer
	topic           forum.TopicID // bob's, in category a, with the tag go
	list            forum.ListID
	first           map[string]any // all data at the start, when these expire, and the time
	ends            map[string]time.Duration
	at0             forum.Time
	dead            []*store.Store
}

func newSocialSite(t testing.TB) *socialSite {
	t.Helper()
	w := newFollowSite(t, engine.Sizes{Home: 5, Low: 4, Pass: 2})
	c := &socialSite{followSite: w, carl: w.User("carl"), dora: w.User("dora"), eve: w.User("eve")}
	for _, by := range []*forum.Viewer{c.ann, c.bob, c.carl} {
		c.Titled(by, 0, "a status")
		c.clock.Advance(time.Second)
	}
	c.topic = c.postIn(c.Store, "go")
	for _, by := range []*forum.Viewer{c.ann, c.carl, c.eve} {
		c.clock.Advance(time.Second)
		c.Turn(by, toUser(c.bob), true)
	}
	c.Turn(c.carl, toUser(c.ann), true)
	c.Turn(c.bob, toUser(c.ann), true)
	for _, target := range []forum.Target{toCategory(c.a), toTag("go")} {
		c.Turn(c.dora, target, true)
	}
	c.Turn(c.carl, toCategory(c.b), true)
	c.blockIn(c.Store, c.dora, c.eve, true)
	c.list = must.Do(c.Follows.CreateList(c.ctx, c.carl.ID, "x", "x"))(t)
	wantOK(t, "UpdateListMembers", c.Follows.UpdateListMembers(c.ctx, c.carl.ID, c.list, []forum.UserID{c.ann.ID,
		c.bob.ID}, nil))
	c.wantSoundAfter("at first")
	c.first, c.at0, c.ends = c.contents(), c.Engine.Now(), map[string]time.Duration{}
	for k := range c.first {
		if c.ends[k] = c.rdb.PTTL(c.ctx, k).Val(); c.ends[k] <= 0 {
			delete(c.ends, k)
		}
	}
	return c
}

// again restores everything to the start. It closes the processes that died since, because what they had
// queued must not be written later.
func (c *socialSite) again() {
	c.t.Helper()
	for _, s := range c.dead {
		s.Close()
	}
	c.dead = nil
	c.Engine.Cleaner.Flush()
	c.at(c.at0)
	pipe := c.rdb.Pipeline()
	pipe.FlushAll(c.ctx)
	for key, value := range c.first {
		switch value := value.(type) {
		case map[string]string:
			pipe.HSet(c.ctx, key, value)
		case map[string]float64:
			for m, score := range value {
				pipe.ZAdd(c.ctx, key, redis.Z{Score: score, Member: m})
			}
		case string:
			pipe.Set(c.ctx, key, value, 0)
		}
	}
	for key, left := range c.ends {
		pipe.PExpire(c.ctx, key, left)
	}
	must.Do(pipe.Exec(c.ctx))(c.t)
	c.reopen()
}

// killed runs f in a process that is killed just before its nth step, if it gets that far.
func (c *socialSite) killed(n int, f func(*store.Store)) bool {
	return c.dies(n, func(s *store.Store) { c.dead, s.Engine.Sizes = append(c.dead, s), c.Engine.Sizes; f(s) })
}

// killedAt is killed before the first step of that name.
func (c *socialSite) killedAt(step string, f func(*store.Store)) {
	c.t.Helper()
	c.diesAt(step, 1, func(s *store.Store) { c.dead = append(c.dead, s); f(s) })
}

// has reports whether a user's edge is set.
func (c *socialSite) has(e record.Edge) bool {
	key, member := e.Own()
	return c.rdb.ZScore(c.ctx, key, member).Err() == nil
}

func (c *socialSite) deleted(id forum.TopicID) bool {
	return c.oneTopic(id).State == forum.TopicDeleted
}

// socialMutations are all mutations that set or end edges, and those of topics that reach homes. done
// reports whether the mutation took effect, which it must as soon as it began.
var socialMutations = []struct {
	name string
	run  func(*store.Store, *socialSite) error
	done func(*socialSite) bool
}{
	{"follow", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Follow(c.ctx, c.dora.ID, toUser(c.bob), true)
		return err
	}, func(c *socialSite) bool { return c.has(record.FollowEdge(c.dora.ID, toUser(c.bob))) }},
	{"unfollow", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Follow(c.ctx, c.carl.ID, toUser(c.bob), false)
		return err
	}, func(c *socialSite) bool { return !c.has(record.FollowEdge(c.carl.ID, toUser(c.bob))) }},
	{"follow a category", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Follow(c.ctx, c.ann.ID, toCategory(c.a), true)
		return err
	}, func(c *socialSite) bool { return c.has(record.FollowEdge(c.ann.ID, toCategory(c.a))) }},
	{"unfollow a tag", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Follow(c.ctx, c.dora.ID, toTag("go"), false)
		return err
	}, func(c *socialSite) bool { return !c.has(record.FollowEdge(c.dora.ID, toTag("go"))) }},
	{"block a follower who is followed", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Block(c.ctx, c.ann.ID, c.bob.ID, true)
		return err
	}, func(c *socialSite) bool {
		return c.has(record.Edge{From: c.ann.ID, Kind: record.BlockUser, To: int64(c.bob.ID)}) &&
			!c.has(record.FollowEdge(c.bob.ID, toUser(c.ann)))
	}},
	{"block an author in a category", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Block(c.ctx, c.bob.ID, c.dora.ID, true)
		return err
	}, func(c *socialSite) bool {
		return c.has(record.Edge{From: c.bob.ID, Kind: record.BlockUser, To: int64(c.dora.ID)})
	}},
	{"unblock", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Block(c.ctx, c.dora.ID, c.eve.ID, false)
		return err
	}, func(c *socialSite) bool {
		return !c.has(record.Edge{From: c.dora.ID, Kind: record.BlockUser, To: int64(c.eve.ID)})
	}},
	{"create a list", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.CreateList(c.ctx, c.ann.ID, "y", "y")
		if forum.CodeOf(err) == forum.CodeTaken { // created before
			return nil
		}
		return err
	}, func(c *socialSite) bool { return c.exists(key.Lists(c.ann.ID)) }},
	{"change a list", func(s *store.Store, c *socialSite) error {
		return s.Follows.UpdateListMembers(c.ctx, c.carl.ID, c.list, []forum.UserID{c.dora.ID},
			[]forum.UserID{c.ann.ID})
	}, func(c *socialSite) bool {
		on := ids[forum.UserID](c.site, follows.ListMembers(c.list))
		return slices.Contains(on, c.dora.ID) && !slices.Contains(on, c.ann.ID)
	}},
	{"delete a list", func(s *store.Store, c *socialSite) error {
		err := s.Follows.DeleteList(c.ctx, c.carl.ID, c.list)
		if forum.CodeOf(err) == forum.CodeNotFound { // deleted before
			return nil
		}
		return err
	}, func(c *socialSite) bool { return !c.exists(key.List(c.list)) }},
	{"delete bob's account", func(s *store.Store, c *socialSite) error { return endAccount(s, c, c.bob, "elsewhere0") },
		func(c *socialSite) bool { return c.hash(key.User(c.bob.ID))["state"] == catalogue.UserDeleted }},
	{"delete carl's account", func(s *store.Store, c *socialSite) error { return endAccount(s, c, c.carl, "carl") },
		func(c *socialSite) bool { return c.hash(key.User(c.carl.ID))["state"] == catalogue.UserDeleted }},
	{"delete dora's account", func(s *store.Store, c *socialSite) error { return endAccount(s, c, c.dora, "dora") },
		func(c *socialSite) bool { return c.hash(key.User(c.dora.ID))["state"] == catalogue.UserDeleted }},
	{"post", func(s *store.Store, c *socialSite) error {
		in := link(c.bob, "go")
		in.Category, in.Key = c.a, "k"
		_, err := s.Posts.CreateTopic(c.ctx, in)
		return err
	}, func(c *socialSite) bool { return c.rdb.ZCard(c.ctx, key.Profile(c.bob.ID)).Val() == 3 }},
	{"delete a topic", func(s *store.Store, c *socialSite) error { return s.Posts.DeleteTopic(c.ctx, c.bob, c.topic) },
		func(c *socialSite) bool { return c.deleted(c.topic) }},
	{"change tags", func(s *store.Store, c *socialSite) error {
		return s.Posts.TagTopic(c.ctx, c.bob, c.topic, labels("new"), labels("go"))
	}, func(c *socialSite) bool { return c.oneTopic(c.topic).Tags.IDs()[0] == label("new") }},
	{"move", func(s *store.Store, c *socialSite) error {
		return s.Posts.UpdateTopic(c.ctx, c.bob, c.topic, posts.TopicChange{Category: &c.b})
	}, func(c *socialSite) bool { return c.oneTopic(c.topic).CategoryID == c.b }},
}

// endAccount deletes an account, if it was not deleted before, and ends its edges.
func endAccount(s *store.Store, c *socialSite, v *forum.Viewer, login string) error {
	err := s.Accounts.DeleteAccount(c.ctx, v.ID, "hash of "+login)
	if forum.CodeOf(err) == forum.CodeUnauthenticated {
		return nil
	}
	if err == nil {
		_, err = s.Engine.RunDueTasks(c.ctx)
	}
	return err
}

// A process may be killed before any step: sweeper and tasks of another process finish what the first
// script began, and a repeated call does no harm.
func TestCrashAtEveryStepOfFollowing(t *testing.T) {
	testlevel.Sequential(t)
	for _, m := range socialMutations {
		t.Run(m.name, func(t *testing.T) {
			c := newSocialSite(t)
			for n, died := 1, true; died; n++ {
				c.again()
				died = c.killed(n, func(s *store.Store) { m.run(s, c) })
				c.clock.Advance(record.TaskLease * time.Millisecond)
				c.wantSoundAfter("after the crash")
				if got := m.done(c); got != (n > 1) {
					t.Errorf("done is %t; want %t", got, n > 1)
				}
				wantOK(t, m.name+" again", m.run(c.Store, c))
				c.wantSoundAfter("after the repeated call")
				if !m.done(c) {
					t.Error("not done after the repeated call")
				}
				if t.Failed() {
					t.Fatalf("killed before step %d", n)
				}
			}
		})
	}
}

// A worker that finishes others' work may be killed too.
func TestCrashOfTheWorkerOfFollowing(t *testing.T) {
	testlevel.Sequential(t)
	c := newSocialSite(t)
	for n, died := 1, true; died; n++ {
		c.again()
		c.killedAt("edge_reverse", func(s *store.Store) { s.Follows.Follow(c.ctx, c.ann.ID, toUser(c.bob), false) })
		c.killedAt("block_unfollow", func(s *store.Store) { s.Follows.Block(c.ctx, c.bob.ID, c.carl.ID, true) })
		c.killedAt("account_cleanup", func(s *store.Store) { endAccount(s, c, c.dora, "dora") })
		c.killedAt("home_offer", func(s *store.Store) { c.postIn(s, "go") })
		c.clock.Advance(record.TaskLease * time.Millisecond)
		died = c.killed(n, func(s *store.Store) { s.Engine.RunDueTasks(c.ctx); s.Engine.Sweep(c.ctx) })
		c.clock.Advance(record.TaskLease * time.Millisecond)
		c.wantSoundAfter("after the crash of the worker")
		if t.Failed() {
			t.Fatalf("killed before step %d", n)
		}
	}
}
