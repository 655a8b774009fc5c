package fsck

import (
	"testing"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/follows"
	"agora/internal/store/homes"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/test/testlevel"
)

// Pending writes of a task are not findings.
func TestCheckIgnoresEdgesAndHomesWithPendingTask(t *testing.T) {
	testlevel.Usual(t)
	x := newCheckSite(t)
	p, follow := x.ann.ID.Partition(), record.FollowEdge(x.ann.ID, forum.Target{User: x.bob.ID})
	home := x.homed(x.status)
	tests := []struct {
		name            string
		rule            Rule
		key             string
		damage, restore []any
		at              forum.Partition
		task            string
	}{
		{"a follower", follows.RuleEdgeMissing, key.Followers(x.bob.ID), []any{"ZREM", key.Followers(x.bob.ID), x.ann.ID},
			[]any{"ZADD", key.Followers(x.bob.ID),
				record.FormatMicros(x.rdb.ZScore(x.ctx, key.Following(x.ann.ID),
					key.Itoa(x.bob.ID)).Val()), x.ann.ID}, p,
			follow.Task()},
		{"a user on a list", follows.RuleEdgeStray, key.Listed(x.mod.ID),
			[]any{"ZADD", key.Listed(x.mod.ID), 5, key.Itoa(x.ann.ID) + ":" + key.Itoa(x.friends)},
			[]any{"DEL", key.Listed(x.mod.ID)}, p, record.ListTask(x.ann.ID, x.friends)},
		{"a follower of a deleted user", follows.RuleEdgeStray, key.Followers(x.mod.ID),
			[]any{"ZADD", key.Followers(x.mod.ID), 5, x.ann.ID},
			[]any{"DEL", key.Followers(x.mod.ID)}, x.mod.ID.Partition(), record.AccountCleanupTask(x.mod.ID)},
		{"the edges of a deleted user", check.RuleOrphanKey, key.Blocked(x.eve),
			[]any{"ZADD", key.Blocked(x.eve), 5, x.ann.ID},
			[]any{"DEL", key.Blocked(x.eve)}, x.eve.Partition(), record.AccountCleanupTask(x.eve)},
		{"a home that is refilled", homes.RuleHomeMissing, key.Home(x.ann.ID), []any{"ZREM", key.Home(x.ann.ID), home},
			nil, p, record.HomeTask(x.ann.ID)},
		{"the home of a follower", homes.RuleHomeMissing, key.Home(x.ann.ID), nil, nil, p, follow.Task()},
		{"the home of a blocked user", homes.RuleHomeMissing, key.Home(x.ann.ID), nil, nil,
			x.bob.ID.Partition(), record.Edge{From: x.bob.ID, Kind: record.BlockUser, To: int64(x.ann.ID)}.Task()},
		{"a topic with a pending fan-out", homes.RuleHomeMissing, key.Home(x.ann.ID), nil,
			[]any{"ZADD", key.Home(x.ann.ID), x.oneTopic(x.status).CreatedAt, home}, p, record.FanOutTask(x.status)},
	}
	for _, tt := range tests {
		if tt.damage != nil {
			x.do(tt.damage...)
		}
		if !x.check(false).says(tt.rule, "  "+tt.key+"  ") {
			t.Errorf("%s: without %s %s was not found", tt.name, tt.task, tt.rule)
		}
		x.do("HSET", key.Task(tt.at, tt.task), "n", 1, "attempts", 1, "cursor", "")
		x.do("ZADD", key.Due(tt.at), int64(x.Engine.Now()), tt.task)
		if r := x.check(false); r.says(tt.rule, "  "+tt.key+"  ") {
			t.Errorf("%s: with %s found %v", tt.name, tt.task, r.Findings)
		}
		x.do("DEL", key.Task(tt.at, tt.task))
		x.do("ZREM", key.Due(tt.at), tt.task)
		if tt.restore != nil {
			x.do(tt.restore...)
		}
	}
	if r := x.check(false); r.Found > 0 {
		t.Errorf("at the end Check found %v; want nothing", r.Findings)
	}
}

// A topic that is marked for the sweeper may not be in homes yet.
func TestCheckIgnoresHomesOfMarkedTopics(t *testing.T) {
	x := newCheckSite(t)
	x.do("ZREM", key.Home(x.ann.ID), x.homed(x.status))
	x.do("ZADD", key.Dirty(x.status.Partition()), int64(x.Engine.Now()), "t:"+key.Itoa(x.status))
	if r := x.check(false); r.Found > 0 {
		t.Errorf("Check found %v; want nothing", r.Findings)
	}
	x.do("HSET", key.Topic(x.status), "fan", 1)
	if r := x.check(true); r.Found > 0 {
		t.Errorf("Repair found %v; want nothing, as the sweeper comes first", r.Findings)
	}
	if x.rdb.ZScore(x.ctx, key.Home(x.ann.ID), x.homed(x.status)).Err() != nil {
		t.Errorf("the topic is not in the home")
	}
}

// A restarted task gets a token that was never assigned, however often the task was created.
func TestRepairedTasksHaveNewTokens(t *testing.T) {
	x := newCheckSite(t)
	armed := record.Atoi(x.hash(key.User(x.ann.ID))["armed"])
	k := key.Task(x.ann.ID.Partition(), record.HomeTask(x.ann.ID))
	for _, n := range []int64{1, 1000*armed + 2000} {
		x.do("HSET", k, "n", n, "attempts", -1, "cursor", "")
		x.do("ZADD", key.Due(x.ann.ID.Partition()), int64(x.Engine.Now()), record.HomeTask(x.ann.ID))
		if r := x.check(true); !r.says(RuleTaskFields, k, "(repaired)") {
			t.Errorf("Repair found %v; want %s", r.Findings, RuleTaskFields)
		}
		armed++
		if got, want := record.Atoi(x.hash(k)["n"]), max(n+1, 1000*armed); got != want {
			t.Errorf("token after %d = %d; want %d", n, got, want)
		}
		if got := record.Atoi(x.hash(key.User(x.ann.ID))["armed"]); got != armed {
			t.Errorf("armed after %d = %d; want %d", n, got, armed)
		}
	}
}
