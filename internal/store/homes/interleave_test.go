package homes_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/script"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// without disables a rule in a script, as it is sent, until the test ends.
func without(x *storetest.Site, of pipeline.Caller, rule, instead string) {
	x.T.Helper()
	sc := of.Call().Script
	was, text := *sc, strings.Replace(sc.Text(), rule, instead, 1)
	if text == sc.Text() {
		x.T.Fatalf("%s has no rule %q", sc.Name(), rule)
	}
	*sc = *pipeline.NewScript(sc.Name(), text)
	x.T.Cleanup(func() { *sc = was })
	storetest.WantOK(x.T, "SCRIPT LOAD", x.Redis.ScriptLoad(x.Ctx, text).Err())
}

// hiding runs f while a member is not in its sorted set.
func hiding(x *storetest.Site, key, member string, f func()) {
	x.T.Helper()
	score := must.Do(x.Redis.ZScore(x.Ctx, key, member).Result())(x.T)
	storetest.WantOK(x.T, "ZREM", x.Redis.ZRem(x.Ctx, key, member).Err())
	f()
	storetest.WantOK(x.T, "ZADD", x.Redis.ZAdd(x.Ctx, key, redis.Z{Score: score, Member: member}).Err())
}

// interleaving is an interleaving of two calls at a step, and the rule that makes it correct.
type interleaving struct {
	name string
	run  func(*storetest.Following)
	off  func(*storetest.Following) // disables the rule
	lost string                     // the problem without the rule
	ok   func(*storetest.Following) bool
}

// After each interleaving there are no problems; with its rule disabled there are.
func TestInterleavings(t *testing.T) {
	testlevel.LongSequential(t)
	for _, m := range slices.Concat(topicInterleavings, edgeInterleavings, lateInterleavings) {
		t.Run(m.name, func(t *testing.T) {
			w := storetest.NewFollowing(t, storetest.SmallHomes(5, 4, 3))
			m.run(w)
			w.Clock.Advance(record.TaskLease * time.Millisecond)
			w.WantSoundAfter("after the interleaving")
			if m.ok != nil && !m.ok(w) {
				t.Errorf("after the interleaving: %s", m.lost)
			}
		})
		if m.off == nil {
			continue
		}
		t.Run(m.name+", without its rule", func(t *testing.T) {
			w := storetest.NewFollowing(t, storetest.SmallHomes(5, 4, 3))
			m.off(w)
			m.run(w)
			w.Clock.Advance(record.TaskLease * time.Millisecond)
			if m.ok == nil {
				w.SettleHomes()
				wantUnsound(w.Site, m.lost)
			} else if w.SettleHomes(); m.ok(w) {
				t.Errorf("with the rule disabled there are no problems; want %s", m.lost)
			}
		})
	}
}

func noFences(w *storetest.Following) {
	without(w.Site, script.HomeOffer{}, `redis.call("HSET", fence, topic, refuse)`, "")
}

func noRevalidation(w *storetest.Following) {
	without(w.Site, script.HomeDrop{}, `redis.call("ZREM", home, member)`, "0")
}

func noEpoch(w *storetest.Following) {
	without(w.Site, script.HomeMerge{}, `(now_epoch or "") ~= epoch`, "false")
}

func noTarget(w *storetest.Following) {
	without(w.Site, script.EdgeReverse{}, "if not there then", "if false then")
}

// topicInterleavings are interleavings of topics with followers and readers of homes.
var topicInterleavings = []interleaving{
	{name: "publish against delete", run: func(w *storetest.Following) {
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		wake := w.Sleeps("home_offer", func(s *store.Store) { w.PostIn(s) })
		w.Delete(w.Last())
		wake()
	}, off: noFences, lost: "a deleted topic in a home"},
	{name: "publish against unfollow", run: func(w *storetest.Following) {
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		wake := w.Sleeps("home_offer", func(s *store.Store) { w.PostIn(s) })
		w.Turn(w.Ann, storetest.ToUser(w.Bob), false)
		wake()
	}, off: func(w *storetest.Following) { without(w.Site, script.HomeOffer{}, " or not follows(i, owner)", "") },
		lost: "a stranger's topic in a home"},
	{name: "backfill against delete", run: func(w *storetest.Following) {
		id := w.PostIn(w.Store)
		wake := w.Sleeps("home_backfill", func(s *store.Store) { w.FollowIn(s, w.Ann, storetest.ToUser(w.Bob), true) })
		w.Delete(id)
		wake()
	}, off: noRevalidation, lost: "a deleted topic in a home"},
	{name: "tag removed while publishing", run: func(w *storetest.Following) {
		w.PostIn(w.Store, "go") // otherwise the tag does not exist
		w.Turn(w.Ann, storetest.ToTag("go"), true)
		w.Clock.Advance(time.Second)
		wake := w.Sleeps("home_offer", func(s *store.Store) { w.PostIn(s, "go") })
		w.Retag(w.Store, w.Last(), "", "go")
		wake()
	}, off: noFences, lost: "a topic in a home without tags"},
	{name: "move against publish", run: func(w *storetest.Following) {
		w.Turn(w.Ann, storetest.ToCategory(w.A), true)
		wake := w.Sleeps("home_offer", func(s *store.Store) { w.PostIn(s) })
		storetest.WantOK(w.T, "UpdateTopic", w.Posts.UpdateTopic(w.Ctx, w.Bob, w.Last(),
			posts.TopicChange{Category: &w.B}))
		wake()
	}, off: noFences, lost: "a topic in a home that was moved away"},
	{name: "vote against tagging", run: func(w *storetest.Following) {
		w.PostIn(w.Store, "go")
		neighbour := userIn(w.Site, w.Bob.ID.Partition()) // in the partition that every write of the topic visits
		w.Turn(neighbour, storetest.ToTag("go"), true)
		w.Clock.Advance(time.Second)
		id := w.PostIn(w.Store)
		wake := w.Sleeps("home_offer", func(s *store.Store) { w.Retag(s, id, "go", "") })
		w.DiesAt("home_offer", 1, func(s *store.Store) { s.Votes.VoteTopic(w.Ctx, w.Ann, id, forum.VoteUp) })
		wake()
	}, off: func(w *storetest.Following) { // a vote makes homes refuse writers without it
		without(w.Site, script.HomeOffer{}, `redis.call("HSET", fence, topic, refuse)`,
			`redis.call("HSET", fence, topic, tonumber(refuse) + 1)`)
	}, lost: "a home without a topic with a tag"},
	{name: "refill against follow", run: func(w *storetest.Following) {
		w.PostIn(w.Store)
		w.MakeUnkept(w.Ann)
		wake := w.Sleeps("fill_install", w.FillIn)
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		wake()
	}, off: noEpoch, lost: "a home without the topics of a followed user"},
	{name: "refill against delete", run: func(w *storetest.Following) {
		id := w.PostIn(w.Store)
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		w.MakeUnkept(w.Ann)
		wake := w.Sleeps("fill_install", w.FillIn)
		w.Delete(id)
		wake()
	}, off: noEpoch, lost: "a deleted topic in a home"},
	{name: "refill against delete before the followers are written", run: func(w *storetest.Following) {
		id := w.PostIn(w.Store)
		followed := w.Sleeps("edge_reverse", func(s *store.Store) {
			w.FollowIn(s, w.Ann, storetest.ToUser(w.Bob), true)
		})
		filled := w.Sleeps("fill_install", w.FillIn)
		w.Delete(id)
		followed()
		filled()
	}, off: func(w *storetest.Following) {
		without(w.Site, script.HomeMerge{}, `redis.call("HINCRBY", account, "homeEpoch", 1)`, "")
	}, lost: "a deleted topic in a home"},
	{name: "publish below the watermark against refill", run: func(w *storetest.Following) {
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		w.MakeUnkept(w.Ann)
		wake := w.Sleeps("fill_install", w.FillIn)
		w.PostIn(w.Store)
		wake()
	}, off: func(w *storetest.Following) {
		without(w.Site, script.HomeOffer{}, `redis.call("HINCRBY", account, "homeEpoch", 1)`, "")
	}, lost: "a home without a topic"},
	{name: "refill against trim", run: func(w *storetest.Following) {
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		for range 5 {
			w.PostIn(w.Store)
			w.Clock.Advance(time.Second)
		}
		wake := w.Sleeps("fill_install", w.FillIn)
		w.PostIn(w.Store)
		w.PostIn(w.Store)
		wake()
	}},
	{name: "tag removed and added again against revalidation", run: func(w *storetest.Following) {
		id := w.PostIn(w.Store, "go")
		for _, login := range []string{"carl", "dora", "eve"} { // as many as one pass handles
			w.Turn(w.User(login), storetest.ToTag("go"), true)
			w.Clock.Advance(time.Second)
		}
		w.Turn(w.Ann, storetest.ToTag("go"), true)
		removed := w.Sleeps("fan_out_rest", func(s *store.Store) { w.Retag(s, id, "", "go") })
		revalidated := w.Sleeps("home_drop", func(s *store.Store) {
			storetest.WantOK(w.T, "revalidateHome", s.Homes.RevalidateHome(w.Ctx, w.Ann.ID))
		})
		w.Retag(w.Store, id, "go", "")
		_, err := w.Engine.RunDueTasks(w.Ctx)
		storetest.WantOK(w.T, "RunDueTasks", err)
		removed()
		revalidated()
	}, off: func(w *storetest.Following) {
		without(w.Site, script.HomeOffer{}, "redis.call(\"HINCRBY\", account, \"homeEpoch\", 1)\nelseif only",
			"elseif only")
	}, lost: "a home without a topic with its tag again"},
}
