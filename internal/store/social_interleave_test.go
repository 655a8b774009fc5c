package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/store/script"
	"agora/internal/test/must"
	built "agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// followSite is the site of the interleavings: ann and bob, of two partitions, and two categories.
type followSite struct {
	*site
	ann, bob *forum.Viewer
	a, b     forum.CategoryID
	hides    bool // the first write is hidden
}

func newFollowSite(t testing.TB, of engine.Sizes) *followSite {
	t.Helper()
	w := &followSite{site: newSite(t, withSizes(of))}
	w.ann = w.User("ann")
	w.bob = w.UserElsewhere(w.ann.ID.Partition())
	w.a, w.b = w.Category("a"), w.Category("b")
	return w
}

func toUser(v *forum.Viewer) forum.Target         { return forum.Target{User: v.ID} }
func toCategory(id forum.CategoryID) forum.Target { return forum.Target{Category: id} }
func toTag(name string) forum.Target              { return forum.Target{Tag: label(name)} }

// without disables a rule in a script, as it is sent, until the test ends.
func (x *site) without(of pipeline.Caller, rule, instead string) {
	x.t.Helper()
	sc := of.Call().Script
	was, text := *sc, strings.Replace(sc.Text(), rule, instead, 1)
	if text == sc.Text() {
		x.t.Fatalf("%s has no rule %q", sc.Name(), rule)
	}
	*sc = *pipeline.NewScript(sc.Name(), text)
	x.t.Cleanup(func() { *sc = was })
	wantOK(x.t, "SCRIPT LOAD", x.rdb.ScriptLoad(x.ctx, text).Err())
}

// hiding runs f while a member is not in its sorted set.
func (x *site) hiding(key, member string, f func()) {
	x.t.Helper()
	score := must.Do(x.rdb.ZScore(x.ctx, key, member).Result())(x.t)
	wantOK(x.t, "ZREM", x.rdb.ZRem(x.ctx, key, member).Err())
	f()
	wantOK(x.t, "ZADD", x.rdb.ZAdd(x.ctx, key, redis.Z{Score: score, Member: member}).Err())
}

// diesAt runs f in a process that is killed just before its nth step of that name.
func (x *site) diesAt(step string, n int, f func(*store.Store)) {
	x.t.Helper()
	s := x.process(store.WithSteps(built.KillAt(step, n)), withSizes(x.Engine.Sizes))
	if !built.Killed(func() { f(s) }) {
		x.t.Errorf("the process never reached step %q", step)
	}
}

// sleeps is asleep in a process with the site's sizes, which continues when the sweeper has no work left
// from others.
func (w *followSite) sleeps(step string, f func(*store.Store)) (wake func()) {
	on := w.asleepAt(step, 1, func(s *store.Store) { s.Engine.Sizes = w.Engine.Sizes; f(s) })
	return func() { w.Engine.Cleaner.Flush(); on() }
}

func (w *followSite) followIn(s *store.Store, by *forum.Viewer, to forum.Target, want bool) {
	must.Do(s.Follows.Follow(w.ctx, by.ID, to, want))(w.t)
	s.Engine.Cleaner.Flush()
}

func (w *followSite) blockIn(s *store.Store, by, other *forum.Viewer, want bool) {
	must.Do(s.Follows.Block(w.ctx, by.ID, other.ID, want))(w.t)
	s.Engine.Cleaner.Flush()
}

// postIn posts an article of bob's in category a.
func (w *followSite) postIn(s *store.Store, tags ...string) forum.TopicID {
	in := link(w.bob, tags...)
	in.Category = w.a
	id := built.On(w.t, s).Post(in)
	s.Engine.Cleaner.Flush()
	return id
}

// last returns bob's latest topic.
func (w *followSite) last() forum.TopicID {
	page := w.page(listing.List{Name: "profile", Key: key.Profile(w.bob.ID), Newest: true, Packed: true}, forum.Window{Count: 1})
	return forum.TopicID(page.Rows[0].ID)
}

func (w *followSite) delete(id forum.TopicID) {
	w.t.Helper()
	wantOK(w.t, "DeleteTopic", w.Posts.DeleteTopic(w.ctx, w.bob, id))
}

func (w *followSite) retag(s *store.Store, id forum.TopicID, add, remove string) {
	wantOK(w.t, "TagTopic", s.Posts.TagTopic(w.ctx, w.bob, id, labels(strings.Fields(add)...),
		labels(strings.Fields(remove)...)))
	s.Engine.Cleaner.Flush()
}

// makeUnkept makes a user's home one that is not kept, as after a long absence.
func (w *followSite) makeUnkept(v *forum.Viewer) {
	w.rdb.Del(w.ctx, key.Home(v.ID))
	w.rdb.HSet(w.ctx, key.Internal(key.User(v.ID)), "homeFloor", record.HomeNotKept)
}

// fillIn fills ann's home, as a task does.
func (w *followSite) fillIn(s *store.Store) {
	wantOK(w.t, "fillHome", s.Homes.FillHome(w.ctx, w.ann.ID))
}

// interleaving is an interleaving of two calls at a step, and the rule that makes it correct.
type interleaving struct {
	name string
	run  func(*followSite)
	off  func(*followSite) // disables the rule
	lost string            // the problem without the rule
	ok   func(*followSite) bool
}

// After each interleaving there are no problems; with its rule disabled there are.
func TestInterleavings(t *testing.T) {
	testlevel.LongSequential(t)
	for _, m := range slices.Concat(topicInterleavings, edgeInterleavings, lateInterleavings) {
		t.Run(m.name, func(t *testing.T) {
			w := newFollowSite(t, engine.Sizes{Home: 5, Low: 4, Pass: 3})
			m.run(w)
			w.clock.Advance(record.TaskLease * time.Millisecond)
			w.wantSoundAfter("after the interleaving")
			if m.ok != nil && !m.ok(w) {
				t.Errorf("after the interleaving: %s", m.lost)
			}
		})
		if m.off == nil {
			continue
		}
		t.Run(m.name+", without its rule", func(t *testing.T) {
			w := newFollowSite(t, engine.Sizes{Home: 5, Low: 4, Pass: 3})
			m.off(w)
			m.run(w)
			w.clock.Advance(record.TaskLease * time.Millisecond)
			if m.ok == nil {
				w.settleHomes()
				w.wantUnsound(m.lost)
			} else if w.settleHomes(); m.ok(w) {
				t.Errorf("with the rule disabled there are no problems; want %s", m.lost)
			}
		})
	}
}

func noFences(w *followSite) {
	w.without(script.HomeOffer{}, `redis.call("HSET", fence, topic, refuse)`, "")
}
func noRevalidation(w *followSite) {
	w.without(script.HomeDrop{}, `redis.call("ZREM", home, member)`, "0")
}
func noEpoch(w *followSite)  { w.without(script.HomeMerge{}, `(now_epoch or "") ~= epoch`, "false") }
func noTarget(w *followSite) { w.without(script.EdgeReverse{}, "if not there then", "if false then") }

// topicInterleavings are interleavings of topics with followers and readers of homes.
var topicInterleavings = []interleaving{
	{name: "publish against delete", run: func(w *followSite) {
		w.Turn(w.ann, toUser(w.bob), true)
		wake := w.sleeps("home_offer", func(s *store.Store) { w.postIn(s) })
		w.delete(w.last())
		wake()
	}, off: noFences, lost: "a deleted topic in a home"},
	{name: "publish against unfollow", run: func(w *followSite) {
		w.Turn(w.ann, toUser(w.bob), true)
		wake := w.sleeps("home_offer", func(s *store.Store) { w.postIn(s) })
		w.Turn(w.ann, toUser(w.bob), false)
		wake()
	}, off: func(w *followSite) { w.without(script.HomeOffer{}, " or not follows(i, owner)", "") },
		lost: "a stranger's topic in a home"},
	{name: "backfill against delete", run: func(w *followSite) {
		id := w.postIn(w.Store)
		wake := w.sleeps("home_backfill", func(s *store.Store) { w.followIn(s, w.ann, toUser(w.bob), true) })
		w.delete(id)
		wake()
	}, off: noRevalidation, lost: "a deleted topic in a home"},
	{name: "tag removed while publishing", run: func(w *followSite) {
		w.postIn(w.Store, "go") // otherwise the tag does not exist
		w.Turn(w.ann, toTag("go"), true)
		w.clock.Advance(time.Second)
		wake := w.sleeps("home_offer", func(s *store.Store) { w.postIn(s, "go") })
		w.retag(w.Store, w.last(), "", "go")
		wake()
	}, off: noFences, lost: "a topic in a home without tags"},
	{name: "move against publish", run: func(w *followSite) {
		w.Turn(w.ann, toCategory(w.a), true)
		wake := w.sleeps("home_offer", func(s *store.Store) { w.postIn(s) })
		wantOK(w.t, "UpdateTopic", w.Posts.UpdateTopic(w.ctx, w.bob, w.last(), posts.TopicChange{Category: &w.b}))
		wake()
	}, off: noFences, lost: "a topic in a home that was moved away"},
	{name: "vote against tagging", run: func(w *followSite) {
		w.postIn(w.Store, "go")
		neighbour := w.userIn(w.bob.ID.Partition()) // in the partition that every write of the topic visits
		w.Turn(neighbour, toTag("go"), true)
		w.clock.Advance(time.Second)
		id := w.postIn(w.Store)
		wake := w.sleeps("home_offer", func(s *store.Store) { w.retag(s, id, "go", "") })
		w.diesAt("home_offer", 1, func(s *store.Store) { s.Votes.VoteTopic(w.ctx, w.ann, id, forum.VoteUp) })
		wake()
	}, off: func(w *followSite) { // a vote makes homes refuse writers without it
		w.without(script.HomeOffer{}, `redis.call("HSET", fence, topic, refuse)`, `redis.call("HSET", fence, topic, tonumber(refuse) + 1)`)
	}, lost: "a home without a topic with a tag"},
	{name: "refill against follow", run: func(w *followSite) {
		w.postIn(w.Store)
		w.makeUnkept(w.ann)
		wake := w.sleeps("fill_install", w.fillIn)
		w.Turn(w.ann, toUser(w.bob), true)
		wake()
	}, off: noEpoch, lost: "a home without the topics of a followed user"},
	{name: "refill against delete", run: func(w *followSite) {
		id := w.postIn(w.Store)
		w.Turn(w.ann, toUser(w.bob), true)
		w.makeUnkept(w.ann)
		wake := w.sleeps("fill_install", w.fillIn)
		w.delete(id)
		wake()
	}, off: noEpoch, lost: "a deleted topic in a home"},
	{name: "refill against delete before the followers are written", run: func(w *followSite) {
		id := w.postIn(w.Store)
		followed := w.sleeps("edge_reverse", func(s *store.Store) { w.followIn(s, w.ann, toUser(w.bob), true) })
		filled := w.sleeps("fill_install", w.fillIn)
		w.delete(id)
		followed()
		filled()
	}, off: func(w *followSite) {
		w.without(script.HomeMerge{}, `redis.call("HINCRBY", account, "homeEpoch", 1)`, "")
	}, lost: "a deleted topic in a home"},
	{name: "publish below the watermark against refill", run: func(w *followSite) {
		w.Turn(w.ann, toUser(w.bob), true)
		w.makeUnkept(w.ann)
		wake := w.sleeps("fill_install", w.fillIn)
		w.postIn(w.Store)
		wake()
	}, off: func(w *followSite) {
		w.without(script.HomeOffer{}, `redis.call("HINCRBY", account, "homeEpoch", 1)`, "")
	}, lost: "a home without a topic"},
	{name: "refill against trim", run: func(w *followSite) {
		w.Turn(w.ann, toUser(w.bob), true)
		for range 5 {
			w.postIn(w.Store)
			w.clock.Advance(time.Second)
		}
		wake := w.sleeps("fill_install", w.fillIn)
		w.postIn(w.Store)
		w.postIn(w.Store)
		wake()
	}},
	{name: "tag removed and added again against revalidation", run: func(w *followSite) {
		id := w.postIn(w.Store, "go")
		for _, login := range []string{"carl", "dora", "eve"} { // as many as one pass handles
			w.Turn(w.User(login), toTag("go"), true)
			w.clock.Advance(time.Second)
		}
		w.Turn(w.ann, toTag("go"), true)
		removed := w.sleeps("fan_out_rest", func(s *store.Store) { w.retag(s, id, "", "go") })
		revalidated := w.sleeps("home_drop", func(s *store.Store) {
			wantOK(w.t, "revalidateHome", s.Homes.RevalidateHome(w.ctx, w.ann.ID))
		})
		w.retag(w.Store, id, "go", "")
		_, err := w.Engine.RunDueTasks(w.ctx)
		wantOK(w.t, "RunDueTasks", err)
		removed()
		revalidated()
	}, off: func(w *followSite) {
		w.without(script.HomeOffer{}, "redis.call(\"HINCRBY\", account, \"homeEpoch\", 1)\nelseif only", "elseif only")
	}, lost: "a home without a topic with its tag again"},
}
