package fsck

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/check"
	"agora/internal/store/follows"
	"agora/internal/store/homes"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/test/testlevel"
)

// homed returns a topic's member in homes.
func (x *checkSite) homed(id forum.TopicID) string { return record.HomeMember(x.entry(id)) }

// later returns a future time in microseconds.
func (x *checkSite) later(d time.Duration) int64 { return x.Engine.NowMicros() + d.Microseconds() }

// fence returns a fence of some partition.
func (x *checkSite) fence() string { return x.keyLike(":gone:") }

// unusedList returns the key of a list in eve's partition, with an id that was assigned to another
// object.
func (x *checkSite) unusedList() string { return key.List(forum.ListID(x.left)) }

var socialBreaks = []siteBreak{
	{"a lost follower", follows.RuleEdgeMissing, func(x *checkSite) { x.do("ZREM", key.Followers(x.bob.ID), x.ann.ID) },
		fixed},
	{"a user following themselves", follows.RuleEdgeTarget,
		func(x *checkSite) { x.do("ZADD", key.Following(x.ann.ID), 5, x.ann.ID) }, fixed},
	{"a blocked user who is followed", follows.RuleEdgeTarget, func(x *checkSite) {
		x.do("ZADD", key.Following(x.mod.ID), 6, x.bob.ID)
		x.do("ZADD", key.Followers(x.bob.ID), 6, x.mod.ID)
	}, fixed},
	{"a list of a deleted user", follows.RuleListOwner, func(x *checkSite) {
		x.do("HSET", x.unusedList(), "owner", x.eve, "name", "Old", "fold", "old", "created", 5)
	}, fixed},
	{"a list of a missing user", follows.RuleListOwner,
		func(x *checkSite) { x.do("HSET", key.List(x.none), "owner", int64(noUser)) },
		stays},
	{"a list that its owner does not list", follows.RuleListPosition,
		func(x *checkSite) { x.do("ZREM", key.Lists(x.ann.ID), int64(x.none)) }, fixed},
	{"a list's lost name", follows.RuleListName, func(x *checkSite) { x.do("DEL", key.ListNames(x.ann.ID)) }, fixed},
	{"too many lists", check.RuleCap, func(x *checkSite) {
		p := x.bob.ID.Partition()
		x.do("SET", key.Sequence(p), 5000)
		for n := range int64(forum.MaxLists) {
			id, fold := (n+4000)*forum.Partitions+int64(p), fmt.Sprint("n", n)
			x.do("HSET", key.List(forum.ListID(id)), "owner", x.bob.ID, "name", fold, "fold", fold, "created", 5)
			x.do("ZADD", key.Lists(x.bob.ID), id, id)
			x.do("HSET", key.ListNames(x.bob.ID), fold, id)
		}
	}, stays},
	{"a malformed watermark", homes.RuleHomeWatermark,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "homeFloor", "low") }, fixed},
	{"a topic missing in a home", homes.RuleHomeMissing,
		func(x *checkSite) { x.do("ZREM", key.Home(x.ann.ID), x.homed(x.status)) }, fixed},
	{"a deleted topic in a home", homes.RuleHomeStray,
		func(x *checkSite) { x.do("ZADD", key.Home(x.ann.ID), 5, x.homed(x.deleted)) }, fixed},
	{"a home with too many topics", check.RuleCap,
		func(x *checkSite) {
			limits := forum.DefaultLimits
			limits.Home, limits.HomeLow = 3, 2
			x.Store = x.process(store.WithLimits(limits))
		}, fixed},
	{"a status in a category", posts.RuleTopicCategory,
		func(x *checkSite) { x.do("HSET", key.Topic(x.status), "category", int64(x.talk)) }, fixed},
	{"a status with a link", posts.RuleTopicFields,
		func(x *checkSite) { x.do("HSET", key.Topic(x.status), "link", "https://example.org/") }, stays},
	{"seen at an invalid time", accounts.RuleUserFields,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "seen", "today") }, stays},
}

// damage is one of several breaks of a site that are found and repaired together.
type damage struct {
	rule Rule
	key  string
	do   []any
}

// socialDamages returns kinds of damage, each for a site of its own.
func socialDamages(x *checkSite) map[string][]damage {
	return map[string][]damage{
		"reverse sides": x.farDamages(), "own sides": x.nearDamages(), "lists and homes": x.listDamages(),
		"temporary data": x.temporaryDamages(),
	}
}

// farDamages is damage on the reverse sides of edges.
func (x *checkSite) farDamages() []damage {
	ann, bob, mod, cyd := x.ann.ID, x.bob.ID, x.mod.ID, x.cyd
	news, talk, golang, friends, fans := key.CategoryContainer(x.news).Followers(),
		key.CategoryContainer(x.talk).Followers(), key.TagContainer(x.tag("go")).Followers(),
		key.Itoa(ann)+":"+key.Itoa(x.friends), key.Itoa(bob)+":"+key.Itoa(x.fans)
	return []damage{
		{follows.RuleEdgeMissing, news, []any{"ZREM", news, ann}},
		{follows.RuleEdgeMissing, golang, []any{"DEL", golang}},
		{follows.RuleEdgeMissing, key.Blockers(bob), []any{"DEL", key.Blockers(bob)}},
		{follows.RuleEdgeMissing, key.Listed(bob), []any{"DEL", key.Listed(bob)}},
		{follows.RuleEdgeMissing, key.Listed(ann), []any{"ZADD", key.Listed(ann), int64(8_999_999_999_999_999), fans}},
		{follows.RuleEdgeMissing, key.Followers(bob), []any{"ZADD", key.Followers(bob), int64(8_999_999_999_999_999),
			ann}},
		{follows.RuleEdgeMissing, key.Followers(ann), []any{"ZADD", key.Followers(ann), 5, mod}},
		{follows.RuleEdgeStray, key.Followers(mod), []any{"ZADD", key.Followers(mod), int64(8_999_999_999_999_999),
			ann}},
		{follows.RuleEdgeStray, key.Followers(cyd), []any{"ZADD", key.Followers(cyd), 5, int64(noUser)}},
		{follows.RuleEdgeStray, key.Blockers(mod), []any{"ZADD", key.Blockers(mod), 5, x.eve}},
		{follows.RuleEdgeStray, key.Blockers(cyd), []any{"ZADD", key.Blockers(cyd), 5, bob}},
		{follows.RuleEdgeStray, key.Listed(mod), []any{"ZADD", key.Listed(mod), 5, friends}},
		{follows.RuleEdgeStray, key.Listed(cyd), []any{"ZADD", key.Listed(cyd), 5, "512:512"}},
		{follows.RuleEdgeStray, talk, []any{"ZADD", talk, 5, ann}},
		{check.RuleValue, key.ListMembers(x.none), []any{"ZADD", key.ListMembers(x.none), 5, "x"}},
		{check.RuleValue, key.Followers(x.member), []any{"ZADD", key.Followers(x.member), 5, "05"}},
	}
}

// nearDamages is damage on the users' sides of edges.
func (x *checkSite) nearDamages() []damage {
	ann, bob, mod, cyd := x.ann.ID, x.bob.ID, x.mod.ID, x.cyd
	return []damage{
		{check.RuleValue, key.Following(ann), []any{"ZADD", key.Following(ann), 5, "x"}},
		{check.RuleValue, key.Subjects(ann), []any{"ZADD", key.Subjects(ann), 5, "u512"}},
		{check.RuleValue, key.Listed(ann), []any{"ZADD", key.Listed(ann), 5, "x"}},
		{follows.RuleEdgeTarget, key.Subjects(bob),
			[]any{"ZADD", key.Subjects(bob), 5, "c99", 6, "g77", 7, "c" + key.Itoa(x.lost)}},
		{follows.RuleEdgeTarget, key.Blocked(bob), []any{"ZADD", key.Blocked(bob), 5, int64(noUser)}},
		{follows.RuleEdgeTarget, key.Following(mod), []any{"ZADD", key.Following(mod), 5, x.eve}},
		{follows.RuleEdgeTarget, key.ListMembers(x.fans), []any{"ZADD", key.ListMembers(x.fans), 5, int64(noUser)}},
		{follows.RuleEdgeTarget, key.Following(ann), []any{"ZADD", key.Following(ann), 5, ann}},
		{follows.RuleEdgeTarget, key.Blocked(cyd), []any{"ZADD", key.Blocked(cyd), 5, cyd}},
		{check.RuleCount, key.User(ann), []any{"HDEL", key.User(ann), "ltime"}},
		{check.RuleCount, key.User(x.member), []any{"ZADD", key.Following(x.member), 5, ann}},
		{check.RuleCount, key.User(mod), []any{"HDEL", key.User(mod), "following"}},
		{check.RuleCount, key.User(bob), []any{"HSET", key.User(bob), "followers", 9}},
		{check.RuleOrphanKey, key.Followers(noUser), []any{"ZADD", key.Followers(noUser), 5, ann}},
		{check.RuleOrphanKey, key.Following(noUser), []any{"ZADD", key.Following(noUser), 5, ann}},
		{check.RuleOrphanKey, key.ListMembers(9_999_872), []any{"ZADD", key.ListMembers(9_999_872), 5, ann}},
		{check.RuleOrphanKey, key.Following(x.eve), []any{"ZADD", key.Following(x.eve), 5, bob, 6, mod}},
	}
}

// listDamages is damage in lists and homes.
func (x *checkSite) listDamages() []damage {
	ann, bob, mod, cyd := x.ann.ID, x.bob.ID, x.mod.ID, x.cyd
	return []damage{
		{follows.RuleListPosition, key.Lists(ann), []any{"ZADD", key.Lists(ann), 9, int64(x.friends)}},
		{follows.RuleListPosition, key.Lists(mod), []any{"ZADD", key.Lists(mod), 512, 512}},
		{follows.RuleListName, key.ListNames(ann), []any{"HSET", key.ListNames(ann), "nowhere", 512, "friends",
			int64(x.none)}},
		{follows.RuleListFields, key.List(x.fans), []any{"HSET", key.List(x.fans), "name", "Followers"}},
		{follows.RuleListFields, key.List(x.friends), []any{"HSET", key.List(x.friends), "fold", "FRIENDS"}},
		{check.RuleOrphanKey, key.Lists(x.eve), []any{"ZADD", key.Lists(x.eve), 512, 512}},
		{check.RuleOrphanKey, key.ListNames(noUser), []any{"HSET", key.ListNames(noUser), "nowhere", 512}},
		{homes.RuleHomeMissing, key.Home(bob), []any{"HDEL", key.User(bob), "homeFloor"}},
		{homes.RuleHomeMissing, key.Home(ann), []any{"ZADD", key.Home(ann), 5, x.homed(x.thread)}},
		{homes.RuleHomeStray, key.Home(mod),
			[]any{"ZADD", key.Home(mod), x.oneTopic(x.moved).CreatedAt, x.homed(x.moved)}},
		{homes.RuleHomeStray, key.Home(cyd),
			[]any{"ZADD", key.Home(cyd), x.oneTopic(x.thread).CreatedAt, x.homed(x.thread)}},
		{homes.RuleHomeStray, key.Home(x.member), []any{"ZADD", key.Home(x.member), 5, "x"}},
		{accounts.RuleDeletedUser, key.User(x.eve), []any{"HSET", key.User(x.eve), "homeFloor", record.HomeNotKept}},
	}
}

// temporaryDamages is damage in temporary data: fences, tombstones, tasks.
func (x *checkSite) temporaryDamages() []damage {
	ann, bob, mod, cyd := x.ann.ID, x.bob.ID, x.mod.ID, x.cyd
	news, p := key.CategoryContainer(x.news).Followers(), ann.Partition()
	return []damage{
		{homes.RuleHomeStray, key.Home(bob),
			[]any{"ZADD", key.Home(bob), x.oneTopic(x.closed).CreatedAt, x.homed(x.closed)}},
		{check.RuleOrphanKey, key.Home(x.eve), []any{"ZADD", key.Home(x.eve), 5, x.homed(x.left)}},
		{RuleHomeFence, x.fence(), []any{"HSET", x.fence(), x.thread, "d"}},
		{follows.RuleEdgeEnded, key.Ended(key.Followers(bob)),
			[]any{"ZADD", key.Ended(key.Followers(bob)), x.later(time.Second), ann}},
		{RuleHomeFence, key.HomeFence(p, 5), []any{"HSET", key.HomeFence(p, 5), x.thread, 99}},
		{RuleHomeFence, key.HomeFence(p, 6), []any{"HSET", key.HomeFence(p, 6), "x", "d"}},
		{RuleHomeFence, key.HomeFence(p, 7), []any{"HSET", key.HomeFence(p, 7), x.deleted, "D"}},
		{RuleExpiryMissing, key.HomeFence(p, 8), []any{"HSET", key.HomeFence(p, 8), x.deleted, "d"}},
		{RuleExpiryMissing, key.Ended(key.Blockers(mod)), []any{"ZADD", key.Ended(key.Blockers(mod)), 5, ann}},
		{RuleExpiryLong, x.fence(), []any{"EXPIRE", x.fence(), 86400}},
		{follows.RuleEdgeEnded, key.Ended(key.Followers(mod)),
			[]any{"ZADD", key.Ended(key.Followers(mod)), x.later(time.Hour), bob}},
		{check.RuleValue, key.Ended(key.Followers(bob)), []any{"ZADD", key.Ended(key.Followers(bob)), 5, "x"}},
		{follows.RuleEdgeEnded, key.Ended(news), []any{"ZADD", key.Ended(news), x.later(time.Second), ann}},
		{posts.RuleTopicLeft, key.Topic(x.thread), []any{"HSET", key.Topic(x.thread), "fan", 99}},
		{posts.RuleTopicLeft, key.Topic(x.moved), []any{"HSET", key.Topic(x.moved), "fan", 1}},
		{RuleTaskName, key.Task(p, "e:512:u768"), []any{"HSET", key.Task(p, "e:512:u768"), "n", 1}},
		{RuleTaskName, key.Task(cyd.Partition(), record.AccountCleanupTask(cyd)),
			[]any{"HSET", key.Task(cyd.Partition(), record.AccountCleanupTask(cyd)), "n", 1}},
		{RuleTaskName, key.Task(p, record.HomeTask(512)), []any{"HSET", key.Task(p, record.HomeTask(512)), "n", 1}},
		{RuleTaskName, key.Task(p, "l:"+key.Itoa(ann)+":x"),
			[]any{"HSET", key.Task(p, "l:"+key.Itoa(ann)+":x"), "n", 1}},
		{RuleTaskName, key.Task(0, record.FanOutTask(9_999_872)),
			[]any{"HSET", key.Task(0, record.FanOutTask(9_999_872)), "n", 1}},
		{RuleTaskFields, key.Task(p, record.FanOutTask(x.status)),
			[]any{"HSET", key.Task(p, record.FanOutTask(x.status)), "n", 1, "attempts", 1, "cursor", "z5"}},
		{RuleTaskFields, key.Task(p, record.ListTask(ann, x.none)),
			[]any{"HSET", key.Task(p, record.ListTask(ann, x.none)), "n", 1, "attempts", 1, "cursor", "x"}},
		{RuleTaskFields, key.Task(p, record.HomeTask(ann)),
			[]any{"HSET", key.Task(p, record.HomeTask(ann)), "n", 1, "attempts", 1, "cursor", "x"}},
	}
}

func TestCheckFindsManySocialBreaksTogether(t *testing.T) {
	testlevel.Usual(t)
	for _, name := range []string{"reverse sides", "own sides", "lists and homes", "temporary data"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newCheckSite(t)
			damages := socialDamages(x)[name]
			for _, d := range damages {
				x.do(slices.Clone(d.do)...)
			}
			found, repaired := x.check(false), x.check(true)
			for _, d := range damages {
				if !found.says(d.rule, "  "+d.key+"  ") {
					t.Errorf("Check after %v did not find %s at %s", d.do, d.rule, d.key)
				}
				if !repaired.says(d.rule, "  "+d.key+"  ", "(repaired)") {
					t.Errorf("Repair after %v did not repair %s at %s", d.do, d.rule, d.key)
				}
			}
			if repaired.Broken() > 0 {
				t.Errorf("Repair left %v", repaired.Findings)
			}
			again := x.check(false)
			if again.Found > 0 {
				t.Errorf("Check after repair found %v; want nothing", again.Findings)
			}
		})
	}
}
