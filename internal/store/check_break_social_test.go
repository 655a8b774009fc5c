package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/test/testlevel"

	"agora/internal/forum"
)

// homed is how a topic stands in homes.
func (x *checkSite) homed(id forum.TopicID) string { return homeMember(x.entry(id)) }

// later is a time in microseconds.
func (x *checkSite) later(d time.Duration) int64 { return x.micros() + d.Microseconds() }

// bar is what homes of some partition must not take.
func (x *checkSite) bar() string { return x.keyLike(":gone:") }

// buried is the key of a list in eve's partition, under a number that was given out.
func (x *checkSite) buried() string { return listKey(forum.ListID(x.left)) }

var socialBreaks = []siteBreak{
	{"a follower forgotten", RuleEdgeMissing, func(x *checkSite) { x.do("ZREM", followersKey(x.bob.ID), x.ann.ID) }, mended},
	{"oneself followed", RuleEdgeSelf, func(x *checkSite) { x.do("ZADD", followingKey(x.ann.ID), 5, x.ann.ID) }, mended},
	{"somebody followed who is blocked", RuleEdgeBlocked, func(x *checkSite) {
		x.do("ZADD", followingKey(x.mod.ID), 6, x.bob.ID)
		x.do("ZADD", followersKey(x.bob.ID), 6, x.mod.ID)
	}, mended},
	{"a list of a deleted user", RuleListOwner, func(x *checkSite) {
		x.do("HSET", x.buried(), "owner", x.eve, "name", "Old", "fold", "old", "created", 5)
	}, mended},
	{"a list of nobody", RuleListOwner, func(x *checkSite) { x.do("HSET", listKey(x.none), "owner", int64(nobody)) }, stays},
	{"a list that its owner does not know", RuleListPlace, func(x *checkSite) { x.do("ZREM", listsKey(x.ann.ID), int64(x.none)) }, mended},
	{"a list's name lost", RuleListName, func(x *checkSite) { x.do("DEL", listNamesKey(x.ann.ID)) }, mended},
	{"too many lists", RuleListCap, func(x *checkSite) {
		p := x.bob.ID.Partition()
		x.do("SET", seqKey(p), 5000)
		for n := range int64(forum.MaxLists) {
			id, fold := (n+4000)*forum.Partitions+int64(p), fmt.Sprint("n", n)
			x.do("HSET", listKey(forum.ListID(id)), "owner", x.bob.ID, "name", fold, "fold", fold, "created", 5)
			x.do("ZADD", listsKey(x.bob.ID), id, id)
			x.do("HSET", listNamesKey(x.bob.ID), fold, id)
		}
	}, stays},
	{"a floor of another form", RuleHomeFloor, func(x *checkSite) { x.do("HSET", userKey(x.ann.ID), "homeFloor", "low") }, mended},
	{"a topic that did not come home", RuleHomeMissing, func(x *checkSite) { x.do("ZREM", homeKey(x.ann.ID), x.homed(x.status)) }, mended},
	{"a deleted topic at home", RuleHomeStray, func(x *checkSite) { x.do("ZADD", homeKey(x.ann.ID), 5, x.homed(x.deleted)) }, mended},
	{"a home too full", RuleHomeSize, func(x *checkSite) { x.sizes = sizes{home: 3, low: 2, pass: 10} }, mended},
	{"a status in a category", RuleTopicCategory, func(x *checkSite) { x.do("HSET", topicKey(x.status), "category", int64(x.talk)) }, mended},
	{"a status with a link", RuleTopicFields, func(x *checkSite) { x.do("HSET", topicKey(x.status), "link", "https://example.org/") }, stays},
	{"seen at no time", RuleUserFields, func(x *checkSite) { x.do("HSET", userKey(x.ann.ID), "seen", "today") }, stays},
}

// damage is one of several breaks of a site that are found, and put right, together.
type damage struct {
	rule Rule
	key  string
	do   []any
}

// socialDamages are kinds of damage, each for a site of its own.
func socialDamages(x *checkSite) map[string][]damage {
	return map[string][]damage{
		"far sides": x.farDamages(), "own sides": x.nearDamages(), "lists and homes": x.listDamages(), "what passes": x.passingDamages(),
	}
}

// farDamages is what is on far sides of edges.
func (x *checkSite) farDamages() []damage {
	ann, bob, mod, cyd := x.ann.ID, x.bob.ID, x.mod.ID, x.cyd
	news, talk, golang, friends, fans := categoryContainer(x.news).followers(), categoryContainer(x.talk).followers(), tagContainer(x.tag("go")).followers(), itoa(ann)+":"+itoa(x.friends), itoa(bob)+":"+itoa(x.fans)
	return []damage{
		{RuleEdgeMissing, news, []any{"ZREM", news, ann}},
		{RuleEdgeMissing, golang, []any{"DEL", golang}},
		{RuleEdgeMissing, blockersKey(bob), []any{"DEL", blockersKey(bob)}},
		{RuleEdgeMissing, listedKey(bob), []any{"DEL", listedKey(bob)}},
		{RuleEdgeMissing, listedKey(ann), []any{"ZADD", listedKey(ann), int64(8_999_999_999_999_999), fans}},
		{RuleEdgeMissing, followersKey(bob), []any{"ZADD", followersKey(bob), int64(8_999_999_999_999_999), ann}},
		{RuleEdgeMissing, followersKey(ann), []any{"ZADD", followersKey(ann), 5, mod}},
		{RuleEdgeStray, followersKey(mod), []any{"ZADD", followersKey(mod), int64(8_999_999_999_999_999), ann}},
		{RuleEdgeStray, followersKey(cyd), []any{"ZADD", followersKey(cyd), 5, int64(nobody)}},
		{RuleEdgeStray, blockersKey(mod), []any{"ZADD", blockersKey(mod), 5, x.eve}},
		{RuleEdgeStray, blockersKey(cyd), []any{"ZADD", blockersKey(cyd), 5, bob}},
		{RuleEdgeStray, listedKey(mod), []any{"ZADD", listedKey(mod), 5, friends}},
		{RuleEdgeStray, listedKey(cyd), []any{"ZADD", listedKey(cyd), 5, "512:512"}},
		{RuleEdgeStray, talk, []any{"ZADD", talk, 5, ann}},
		{RuleEdgeMember, listMembersKey(x.none), []any{"ZADD", listMembersKey(x.none), 5, "x"}},
		{RuleEdgeMember, followersKey(x.member), []any{"ZADD", followersKey(x.member), 5, "05"}},
	}
}

// nearDamages is what is on users' own sides of edges.
func (x *checkSite) nearDamages() []damage {
	ann, bob, mod, cyd := x.ann.ID, x.bob.ID, x.mod.ID, x.cyd
	return []damage{
		{RuleEdgeMember, followingKey(ann), []any{"ZADD", followingKey(ann), 5, "x"}},
		{RuleEdgeMember, subjectsKey(ann), []any{"ZADD", subjectsKey(ann), 5, "u512"}},
		{RuleEdgeMember, listedKey(ann), []any{"ZADD", listedKey(ann), 5, "x"}},
		{RuleEdgeTarget, subjectsKey(bob), []any{"ZADD", subjectsKey(bob), 5, "c99", 6, "g77", 7, "c" + itoa(x.lost)}},
		{RuleEdgeTarget, blockedKey(bob), []any{"ZADD", blockedKey(bob), 5, int64(nobody)}},
		{RuleEdgeTarget, followingKey(mod), []any{"ZADD", followingKey(mod), 5, x.eve}},
		{RuleEdgeTarget, listMembersKey(x.fans), []any{"ZADD", listMembersKey(x.fans), 5, int64(nobody)}},
		{RuleEdgeSelf, followingKey(ann), []any{"ZADD", followingKey(ann), 5, ann}},
		{RuleEdgeSelf, blockedKey(cyd), []any{"ZADD", blockedKey(cyd), 5, cyd}},
		{RuleEdgeTime, userKey(ann), []any{"HDEL", userKey(ann), "ltime"}},
		{RuleEdgeTime, userKey(x.member), []any{"ZADD", followingKey(x.member), 5, ann}},
		{RuleFollowCount, userKey(mod), []any{"HDEL", userKey(mod), "following"}},
		{RuleFollowCount, userKey(bob), []any{"HSET", userKey(bob), "followers", 9}},
		{RuleOrphanKey, followersKey(nobody), []any{"ZADD", followersKey(nobody), 5, ann}},
		{RuleOrphanKey, followingKey(nobody), []any{"ZADD", followingKey(nobody), 5, ann}},
		{RuleOrphanKey, listMembersKey(9_999_872), []any{"ZADD", listMembersKey(9_999_872), 5, ann}},
		{RuleDeparted, userKey(x.eve), []any{"ZADD", followingKey(x.eve), 5, bob, 6, mod}},
	}
}

// listDamages is what is in lists and homes.
func (x *checkSite) listDamages() []damage {
	ann, bob, mod, cyd := x.ann.ID, x.bob.ID, x.mod.ID, x.cyd
	return []damage{
		{RuleListPlace, listsKey(ann), []any{"ZADD", listsKey(ann), 9, int64(x.friends)}},
		{RuleListPlace, listsKey(mod), []any{"ZADD", listsKey(mod), 512, 512}},
		{RuleListName, listNamesKey(ann), []any{"HSET", listNamesKey(ann), "nowhere", 512, "friends", int64(x.none)}},
		{RuleListFields, listKey(x.fans), []any{"HSET", listKey(x.fans), "name", "Followers"}},
		{RuleListFields, listKey(x.friends), []any{"HSET", listKey(x.friends), "fold", "FRIENDS"}},
		{RuleDeparted, userKey(x.eve), []any{"ZADD", listsKey(x.eve), 512, 512}},
		{RuleOrphanKey, listNamesKey(nobody), []any{"HSET", listNamesKey(nobody), "nowhere", 512}},
		{RuleHomeMissing, homeKey(bob), []any{"HDEL", userKey(bob), "homeFloor"}},
		{RuleHomeMissing, homeKey(ann), []any{"ZADD", homeKey(ann), 5, x.homed(x.thread)}},
		{RuleHomeStray, homeKey(mod), []any{"ZADD", homeKey(mod), x.oneTopic(x.moved).CreatedAt, x.homed(x.moved)}},
		{RuleHomeStray, homeKey(cyd), []any{"ZADD", homeKey(cyd), x.oneTopic(x.thread).CreatedAt, x.homed(x.thread)}},
		{RuleHomeStray, homeKey(x.member), []any{"ZADD", homeKey(x.member), 5, "x"}},
		{RuleDeletedUser, userKey(x.eve), []any{"HSET", userKey(x.eve), "homeFloor", noHome}},
	}
}

// passingDamages is what is in what passes: what homes must not take, who has left, tasks.
func (x *checkSite) passingDamages() []damage {
	ann, bob, mod, cyd := x.ann.ID, x.bob.ID, x.mod.ID, x.cyd
	news, p := categoryContainer(x.news).followers(), ann.Partition()
	return []damage{
		{RuleHomeStray, homeKey(bob), []any{"ZADD", homeKey(bob), x.oneTopic(x.closed).CreatedAt, x.homed(x.closed)}},
		{RuleDeparted, userKey(x.eve), []any{"ZADD", homeKey(x.eve), 5, x.homed(x.left)}},
		{RuleHomeBar, x.bar(), []any{"HSET", x.bar(), x.thread, "d"}},
		{RuleEdgeEnded, endedKey(followersKey(bob)), []any{"ZADD", endedKey(followersKey(bob)), x.later(time.Second), ann}},
		{RuleHomeBar, goneKey(p, 5), []any{"HSET", goneKey(p, 5), x.thread, 99}},
		{RuleHomeBar, goneKey(p, 6), []any{"HSET", goneKey(p, 6), "x", "d"}},
		{RuleHomeBar, goneKey(p, 7), []any{"HSET", goneKey(p, 7), x.deleted, "D"}},
		{RuleExpiryMissing, goneKey(p, 8), []any{"HSET", goneKey(p, 8), x.deleted, "d"}},
		{RuleExpiryMissing, endedKey(blockersKey(mod)), []any{"ZADD", endedKey(blockersKey(mod)), 5, ann}},
		{RuleExpiryLong, x.bar(), []any{"EXPIRE", x.bar(), 86400}},
		{RuleEdgeEnded, endedKey(followersKey(mod)), []any{"ZADD", endedKey(followersKey(mod)), x.later(time.Hour), bob}},
		{RuleEdgeMember, endedKey(followersKey(bob)), []any{"ZADD", endedKey(followersKey(bob)), 5, "x"}},
		{RuleEdgeEnded, endedKey(news), []any{"ZADD", endedKey(news), x.later(time.Second), ann}},
		{RuleTopicFan, topicKey(x.thread), []any{"HSET", topicKey(x.thread), "fan", 99}},
		{RuleTopicFan, topicKey(x.moved), []any{"HSET", topicKey(x.moved), "fan", 1}},
		{RuleTaskName, taskKey(p, "e:512:u768"), []any{"HSET", taskKey(p, "e:512:u768"), "n", 1}},
		{RuleTaskName, taskKey(cyd.Partition(), departTask(cyd)), []any{"HSET", taskKey(cyd.Partition(), departTask(cyd)), "n", 1}},
		{RuleTaskName, taskKey(p, homeTask(512)), []any{"HSET", taskKey(p, homeTask(512)), "n", 1}},
		{RuleTaskName, taskKey(p, "l:"+itoa(ann)+":x"), []any{"HSET", taskKey(p, "l:"+itoa(ann)+":x"), "n", 1}},
		{RuleTaskName, taskKey(0, spreadTask(9_999_872)), []any{"HSET", taskKey(0, spreadTask(9_999_872)), "n", 1}},
		{RuleTaskFields, taskKey(p, spreadTask(x.status)), []any{"HSET", taskKey(p, spreadTask(x.status)), "n", 1, "attempts", 1, "cursor", "z5"}},
		{RuleTaskFields, taskKey(p, listTask(ann, x.none)), []any{"HSET", taskKey(p, listTask(ann, x.none)), "n", 1, "attempts", 1, "cursor", "x"}},
		{RuleTaskFields, taskKey(p, homeTask(ann)), []any{"HSET", taskKey(p, homeTask(ann)), "n", 1, "attempts", 1, "cursor", "x"}},
	}
}

func TestCheckFindsManySocialBreaksAtOnce(t *testing.T) {
	testlevel.Usual(t)
	for _, name := range []string{"far sides", "own sides", "lists and homes", "what passes"} {
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
