package store

import (
	"testing"

	"agora/internal/test/testlevel"

	"agora/internal/forum"
)

// What a task will write is not missed, nor what it will take away.
func TestCheckPassesOverEdgesAndHomesThatTasksWillWrite(t *testing.T) {
	testlevel.Usual(t)
	x := newCheckSite(t)
	p, follow := x.ann.ID.Partition(), followEdge(x.ann.ID, forum.Target{User: x.bob.ID})
	gone := x.homed(x.status)
	tests := []struct {
		name         string
		rule         Rule
		key          string
		damage, mend []any
		at           forum.Partition
		task         string
	}{
		{"a follower", RuleEdgeMissing, followersKey(x.bob.ID), []any{"ZREM", followersKey(x.bob.ID), x.ann.ID},
			[]any{"ZADD", followersKey(x.bob.ID), micros(x.rdb.ZScore(x.ctx, followingKey(x.ann.ID), itoa(x.bob.ID)).Val()), x.ann.ID}, p, follow.task()},
		{"somebody on a list", RuleEdgeStray, listedKey(x.mod.ID), []any{"ZADD", listedKey(x.mod.ID), 5, itoa(x.ann.ID) + ":" + itoa(x.friends)},
			[]any{"DEL", listedKey(x.mod.ID)}, p, listTask(x.ann.ID, x.friends)},
		{"a follower of somebody who leaves", RuleEdgeStray, followersKey(x.mod.ID), []any{"ZADD", followersKey(x.mod.ID), 5, x.ann.ID},
			[]any{"DEL", followersKey(x.mod.ID)}, x.mod.ID.Partition(), departTask(x.mod.ID)},
		{"the edges of a deleted user", RuleDeparted, userKey(x.eve), []any{"ZADD", blockedKey(x.eve), 5, x.ann.ID},
			[]any{"DEL", blockedKey(x.eve)}, x.eve.Partition(), departTask(x.eve)},
		{"a home that is filled up", RuleHomeMissing, homeKey(x.ann.ID), []any{"ZREM", homeKey(x.ann.ID), gone}, nil, p, homeTask(x.ann.ID)},
		{"the home of a follower", RuleHomeMissing, homeKey(x.ann.ID), nil, nil, p, follow.task()},
		{"the home of somebody blocked", RuleHomeMissing, homeKey(x.ann.ID), nil, nil,
			x.bob.ID.Partition(), edge{from: x.bob.ID, kind: blockUser, to: int64(x.ann.ID)}.task()},
		{"a topic on its way", RuleHomeMissing, homeKey(x.ann.ID), nil,
			[]any{"ZADD", homeKey(x.ann.ID), x.oneTopic(x.status).CreatedAt, gone}, p, spreadTask(x.status)},
	}
	for _, tt := range tests {
		if tt.damage != nil {
			x.do(tt.damage...)
		}
		if !x.check(false).says(tt.rule, "  "+tt.key+"  ") {
			t.Errorf("%s: without %s %s was not found", tt.name, tt.task, tt.rule)
		}
		x.do("HSET", taskKey(tt.at, tt.task), "n", 1, "attempts", 1, "cursor", "")
		x.do("ZADD", dueKey(tt.at), int64(x.Now()), tt.task)
		if r := x.check(false); r.says(tt.rule, "  "+tt.key+"  ") {
			t.Errorf("%s: with %s found %v", tt.name, tt.task, r.Findings)
		}
		x.do("DEL", taskKey(tt.at, tt.task))
		x.do("ZREM", dueKey(tt.at), tt.task)
		if tt.mend != nil {
			x.do(tt.mend...)
		}
	}
	if r := x.check(false); r.Found > 0 {
		t.Errorf("at the end Check found %v; want nothing", r.Findings)
	}
}

// A topic that is marked for the sweeper may not be home yet.
func TestCheckPassesOverHomesOfMarkedTopics(t *testing.T) {
	x := newCheckSite(t)
	x.do("ZREM", homeKey(x.ann.ID), x.homed(x.status))
	x.do("ZADD", dirtyKey(x.status.Partition()), int64(x.Now()), "t:"+itoa(x.status))
	if r := x.check(false); r.Found > 0 {
		t.Errorf("Check found %v; want nothing", r.Findings)
	}
	x.do("HSET", topicKey(x.status), "fan", 1)
	if r := x.check(true); r.Found > 0 {
		t.Errorf("Repair found %v; want nothing, as the sweeper comes first", r.Findings)
	}
	if x.rdb.ZScore(x.ctx, homeKey(x.ann.ID), x.homed(x.status)).Err() != nil {
		t.Errorf("the topic is not home")
	}
}

// A task that is begun anew gets a token that none had, however often it was made.
func TestRepairedTasksHaveNewTokens(t *testing.T) {
	x := newCheckSite(t)
	armed := whole(x.hash(userKey(x.ann.ID))["armed"])
	key := taskKey(x.ann.ID.Partition(), homeTask(x.ann.ID))
	for _, n := range []int64{1, 1000*armed + 2000} {
		x.do("HSET", key, "n", n, "attempts", -1, "cursor", "")
		x.do("ZADD", dueKey(x.ann.ID.Partition()), int64(x.Now()), homeTask(x.ann.ID))
		if r := x.check(true); !r.says(RuleTaskFields, key, "(repaired)") {
			t.Errorf("Repair found %v; want %s", r.Findings, RuleTaskFields)
		}
		armed++
		if got, want := whole(x.hash(key)["n"]), max(n+1, 1000*armed); got != want {
			t.Errorf("token after %d = %d; want %d", n, got, want)
		}
		if got := whole(x.hash(userKey(x.ann.ID))["armed"]); got != armed {
			t.Errorf("armed after %d = %d; want %d", n, got, armed)
		}
	}
}
