package follows_test

import (
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/store/follows"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// socialSite is a storetest.Following with some of everything: ann and bob, carl who follows both and has them on a
// list, dora who follows bob's category and tag and blocks eve, who follows bob. Homes and passes are so small that
// some of the work is left to tasks.
type socialSite struct {
	*storetest.Following
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
	w := storetest.NewFollowing(t, storetest.SmallHomes(5, 4, 2))
	c := &socialSite{Following: w, carl: w.User("carl"), dora: w.User("dora"), eve: w.User("eve")}
	for _, by := range []*forum.Viewer{c.Ann, c.Bob, c.carl} {
		c.Titled(by, 0, "a status")
		c.Clock.Advance(time.Second)
	}
	c.topic = c.PostIn(c.Store, "go")
	for _, by := range []*forum.Viewer{c.Ann, c.carl, c.eve} {
		c.Clock.Advance(time.Second)
		c.Turn(by, storetest.ToUser(c.Bob), true)
	}
	c.Turn(c.carl, storetest.ToUser(c.Ann), true)
	c.Turn(c.Bob, storetest.ToUser(c.Ann), true)
	for _, target := range []forum.Target{storetest.ToCategory(c.A), storetest.ToTag("go")} {
		c.Turn(c.dora, target, true)
	}
	c.Turn(c.carl, storetest.ToCategory(c.B), true)
	c.BlockIn(c.Store, c.dora, c.eve, true)
	c.list = must.Do(c.Follows.CreateList(c.Ctx, c.carl.ID, "x", "x"))(t)
	storetest.WantOK(t, "UpdateListMembers", c.Follows.UpdateListMembers(c.Ctx, c.carl.ID, c.list,
		[]forum.UserID{c.Ann.ID,
			c.Bob.ID}, nil))
	c.WantSoundAfter("at first")
	c.first, c.at0, c.ends = c.Contents(), c.Engine.Now(), map[string]time.Duration{}
	for k := range c.first {
		if c.ends[k] = c.Redis.PTTL(c.Ctx, k).Val(); c.ends[k] <= 0 {
			delete(c.ends, k)
		}
	}
	return c
}

// again restores everything to the start. It closes the processes that died since, because what they had
// queued must not be written later.
func (c *socialSite) again() {
	c.T.Helper()
	for _, s := range c.dead {
		s.Close()
	}
	c.dead = nil
	c.Engine.Cleaner.Flush()
	c.At(c.at0)
	pipe := c.Redis.Pipeline()
	pipe.FlushAll(c.Ctx)
	for key, value := range c.first {
		switch value := value.(type) {
		case map[string]string:
			pipe.HSet(c.Ctx, key, value)
		case map[string]float64:
			for m, score := range value {
				pipe.ZAdd(c.Ctx, key, redis.Z{Score: score, Member: m})
			}
		case string:
			pipe.Set(c.Ctx, key, value, 0)
		}
	}
	for key, left := range c.ends {
		pipe.PExpire(c.Ctx, key, left)
	}
	must.Do(pipe.Exec(c.Ctx))(c.T)
	c.Reopen()
}

// killed runs f in a process that is killed just before its nth step, if it gets that far.
func (c *socialSite) killed(n int, f func(*store.Store)) bool {
	return c.Dies(n, func(s *store.Store) { c.dead, s.Engine.Limits = append(c.dead, s), c.Engine.Limits; f(s) })
}

// killedAt is killed before the first step of that name.
func (c *socialSite) killedAt(step string, f func(*store.Store)) {
	c.T.Helper()
	c.DiesAt(step, 1, func(s *store.Store) { c.dead = append(c.dead, s); f(s) })
}

// has reports whether a user's edge is set.
func (c *socialSite) has(e record.Edge) bool {
	key, member := e.Own()
	return c.Redis.ZScore(c.Ctx, key, member).Err() == nil
}

func (c *socialSite) deleted(id forum.TopicID) bool {
	return c.OneTopic(id).State == forum.TopicDeleted
}

// socialMutations are all mutations that set or end edges, and those of topics that reach homes. done
// reports whether the mutation took effect, which it must as soon as it began.
var socialMutations = []struct {
	name string
	run  func(*store.Store, *socialSite) error
	done func(*socialSite) bool
}{
	{"follow", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Follow(c.Ctx, c.dora.ID, storetest.ToUser(c.Bob), true)
		return err
	}, func(c *socialSite) bool { return c.has(record.FollowEdge(c.dora.ID, storetest.ToUser(c.Bob))) }},
	{"unfollow", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Follow(c.Ctx, c.carl.ID, storetest.ToUser(c.Bob), false)
		return err
	}, func(c *socialSite) bool { return !c.has(record.FollowEdge(c.carl.ID, storetest.ToUser(c.Bob))) }},
	{"follow a category", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Follow(c.Ctx, c.Ann.ID, storetest.ToCategory(c.A), true)
		return err
	}, func(c *socialSite) bool { return c.has(record.FollowEdge(c.Ann.ID, storetest.ToCategory(c.A))) }},
	{"unfollow a tag", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Follow(c.Ctx, c.dora.ID, storetest.ToTag("go"), false)
		return err
	}, func(c *socialSite) bool { return !c.has(record.FollowEdge(c.dora.ID, storetest.ToTag("go"))) }},
	{"block a follower who is followed", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Block(c.Ctx, c.Ann.ID, c.Bob.ID, true)
		return err
	}, func(c *socialSite) bool {
		return c.has(record.Edge{From: c.Ann.ID, Kind: record.BlockUser, To: int64(c.Bob.ID)}) &&
			!c.has(record.FollowEdge(c.Bob.ID, storetest.ToUser(c.Ann)))
	}},
	{"block an author in a category", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Block(c.Ctx, c.Bob.ID, c.dora.ID, true)
		return err
	}, func(c *socialSite) bool {
		return c.has(record.Edge{From: c.Bob.ID, Kind: record.BlockUser, To: int64(c.dora.ID)})
	}},
	{"unblock", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.Block(c.Ctx, c.dora.ID, c.eve.ID, false)
		return err
	}, func(c *socialSite) bool {
		return !c.has(record.Edge{From: c.dora.ID, Kind: record.BlockUser, To: int64(c.eve.ID)})
	}},
	{"create a list", func(s *store.Store, c *socialSite) error {
		_, err := s.Follows.CreateList(c.Ctx, c.Ann.ID, "y", "y")
		if forum.CodeOf(err) == forum.CodeTaken { // created before
			return nil
		}
		return err
	}, func(c *socialSite) bool { return c.Exists(key.Lists(c.Ann.ID)) }},
	{"change a list", func(s *store.Store, c *socialSite) error {
		return s.Follows.UpdateListMembers(c.Ctx, c.carl.ID, c.list, []forum.UserID{c.dora.ID},
			[]forum.UserID{c.Ann.ID})
	}, func(c *socialSite) bool {
		on := storetest.IDs[forum.UserID](c.Site, follows.ListMembers(c.list))
		return slices.Contains(on, c.dora.ID) && !slices.Contains(on, c.Ann.ID)
	}},
	{"delete a list", func(s *store.Store, c *socialSite) error {
		err := s.Follows.DeleteList(c.Ctx, c.carl.ID, c.list)
		if forum.CodeOf(err) == forum.CodeNotFound { // deleted before
			return nil
		}
		return err
	}, func(c *socialSite) bool { return !c.Exists(key.List(c.list)) }},
	{"delete bob's account", func(s *store.Store, c *socialSite) error { return endAccount(s, c, c.Bob, "elsewhere0") },
		func(c *socialSite) bool { return c.Hash(key.User(c.Bob.ID))["state"] == catalogue.UserDeleted }},
	{"delete carl's account", func(s *store.Store, c *socialSite) error { return endAccount(s, c, c.carl, "carl") },
		func(c *socialSite) bool { return c.Hash(key.User(c.carl.ID))["state"] == catalogue.UserDeleted }},
	{"delete dora's account", func(s *store.Store, c *socialSite) error { return endAccount(s, c, c.dora, "dora") },
		func(c *socialSite) bool { return c.Hash(key.User(c.dora.ID))["state"] == catalogue.UserDeleted }},
	{"post", func(s *store.Store, c *socialSite) error {
		in := site.Link(c.Bob, "go")
		in.Category, in.Key = c.A, "k"
		_, err := s.Posts.CreateTopic(c.Ctx, in)
		return err
	}, func(c *socialSite) bool { return c.Redis.ZCard(c.Ctx, key.Profile(c.Bob.ID)).Val() == 3 }},
	{"delete a topic", func(s *store.Store, c *socialSite) error { return s.Posts.DeleteTopic(c.Ctx, c.Bob, c.topic) },
		func(c *socialSite) bool { return c.deleted(c.topic) }},
	{"change tags", func(s *store.Store, c *socialSite) error {
		return s.Posts.TagTopic(c.Ctx, c.Bob, c.topic, site.Tags("new"), site.Tags("go"))
	}, func(c *socialSite) bool { return c.OneTopic(c.topic).Tags.IDs()[0] == storetest.Label("new") }},
	{"move", func(s *store.Store, c *socialSite) error {
		return s.Posts.UpdateTopic(c.Ctx, c.Bob, c.topic, posts.TopicChange{Category: &c.B})
	}, func(c *socialSite) bool { return c.OneTopic(c.topic).CategoryID == c.B }},
}

// endAccount deletes an account, if it was not deleted before, and ends its edges.
func endAccount(s *store.Store, c *socialSite, v *forum.Viewer, login string) error {
	err := s.Accounts.DeleteAccount(c.Ctx, v.ID, "hash of "+login)
	if forum.CodeOf(err) == forum.CodeUnauthenticated {
		return nil
	}
	if err == nil {
		_, err = s.Engine.RunDueTasks(c.Ctx)
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
				c.Clock.Advance(record.TaskLease * time.Millisecond)
				c.WantSoundAfter("after the crash")
				if got := m.done(c); got != (n > 1) {
					t.Errorf("done is %t; want %t", got, n > 1)
				}
				storetest.WantOK(t, m.name+" again", m.run(c.Store, c))
				c.WantSoundAfter("after the repeated call")
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
		c.killedAt("edge_reverse", func(s *store.Store) {
			s.Follows.Follow(c.Ctx, c.Ann.ID, storetest.ToUser(c.Bob), false)
		})
		c.killedAt("block_unfollow", func(s *store.Store) { s.Follows.Block(c.Ctx, c.Bob.ID, c.carl.ID, true) })
		c.killedAt("account_cleanup", func(s *store.Store) { endAccount(s, c, c.dora, "dora") })
		c.killedAt("home_offer", func(s *store.Store) { c.PostIn(s, "go") })
		c.Clock.Advance(record.TaskLease * time.Millisecond)
		died = c.killed(n, func(s *store.Store) { s.Engine.RunDueTasks(c.Ctx); s.Engine.Sweep(c.Ctx) })
		c.Clock.Advance(record.TaskLease * time.Millisecond)
		c.WantSoundAfter("after the crash of the worker")
		if t.Failed() {
			t.Fatalf("killed before step %d", n)
		}
	}
}
