package fsck

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// readCommands are commands that a replica and a Redis out of memory execute.
var readCommands = strings.Fields("scan type ttl pttl expiretime pexpiretime exists get mget strlen hstrlen hget " +
	"hmget hgetall hexists hlen hkeys hscan " +
	"zcard zcount zrange zrevrange zscore zmscore zscan zrangebyscore zinter smembers sismember scard sscan llen lrange xlen xinfo multi exec hello client ping info time dbsize config")

// A check without repair only reads, whatever is broken.
func TestCheckOnlyReads(t *testing.T) {
	testlevel.WithoutRace(t)
	some := []siteBreak{{name: "nothing", damage: func(*checkSite) {}}}
	for i, b := range breaks() {
		if i%10 == 0 {
			some = append(some, b)
		}
	}
	for _, b := range some {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			x := newCheckSite(t)
			b.damage(x)
			x.Engine.Cleaner.Flush() // of what the damage has made
			before := x.keys()
			rdb := x.server.Client(t)
			var names sync.Map // of all commands
			rdb.AddHook(redistest.Hook(func(ctx context.Context, cmds []redis.Cmder,
				next redis.ProcessPipelineHook) error {
				for _, cmd := range cmds {
					names.Store(cmd.Name(), true)
				}
				return next(ctx, cmds)
			}))
			s, err := store.OpenReadOnly(x.ctx, store.Over(rdb), store.Layout{}, store.WithClock(x.clock.Now),
				store.WithLimits(x.Engine.Limits)) // those of the break
			if b.rule == RuleLayout {
				return // some of these are refused
			}
			wantOK(t, "OpenReadOnly", err)
			defer s.Close()
			report := must.Do(Check(x.ctx, s, Options{Rest: time.Nanosecond}))(t)
			if b.rule != "" && !report.has(b.rule, false) {
				t.Errorf("Check finds %v; want %s, and nothing repaired", report.Findings, b.rule)
			}
			for name := range names.Range {
				if !slices.Contains(readCommands, name.(string)) {
					t.Errorf("Check sends %s, which is not a known read command", name)
				}
			}
			if after := x.keys(); !maps.Equal(before, after) {
				t.Errorf("Check changed the keys: %d before, %d after", len(before), len(after))
			}
		})
	}
}

// A check writes no layout if the layout is lost or the database is empty.
func TestCheckOfNoDataWritesNoLayout(t *testing.T) {
	rdb := redistest.New(t)
	if _, err := store.OpenReadOnly(t.Context(), store.Over(rdb), store.Layout{}); err == nil ||
		!strings.Contains(err.Error(), "no Agora data") {
		t.Errorf("OpenReadOnly of an empty database = %v; want an error", err)
	}
	if n := rdb.DBSize(t.Context()).Val(); n != 0 {
		t.Errorf("it has %d keys after that; want none", n)
	}
}

// A check works on a replica, and on a Redis that refuses writes because it is out of memory.
func TestCheckOfARedisThatRefusesWrites(t *testing.T) {
	testlevel.RealRedis(t)
	for name, commands := range map[string][]string{
		"a replica": {"REPLICAOF 127.0.0.1 1"},
		"full":      {"CONFIG SET maxmemory 1mb"},
	} {
		x := newCheckSite(t)
		for _, command := range commands {
			args := []any{}
			for _, a := range strings.Fields(command) {
				args = append(args, a)
			}
			x.do(args...)
		}
		if err := x.rdb.Set(x.ctx, "x", "1", 0).Err(); err == nil {
			t.Fatalf("%s: SET succeeds; want an error", name)
		}
		conn, err := store.Connect(x.ctx, x.server.URL(), store.ConnectOptions{ReadOnly: true})
		wantOK(t, "Connect to "+name, err)
		defer conn.Close()
		s, err := store.OpenReadOnly(x.ctx, conn, store.Layout{}, store.WithClock(x.clock.Now))
		wantOK(t, "OpenReadOnly of "+name, err)
		defer s.Close()
		r, err := Check(x.ctx, s, Options{Rest: time.Nanosecond})
		wantOK(t, "Check of "+name, err)
		if r.Found != 0 || r.Topics == 0 {
			t.Errorf("Check of %s found %v in %d topics; want nothing in some", name, r.Findings, r.Topics)
		}
	}
}

// A failed repair does not prevent others, and is reported.
func TestRepairContinuesAfterAFailure(t *testing.T) {
	x := newCheckSite(t)
	x.do("HINCRBY", key.Topic(x.thread), "comments", 1)
	for _, key := range []string{key.FrontContainer.Revisions(), key.Profile(x.mod.ID), key.Home(x.bob.ID)} {
		x.do("DEL", key)
	}
	x.do("SADD", key.FrontContainer.Revisions(), "1") // makes every rewrite of an entry of the front page fail
	x.do("SADD", key.Profile(x.mod.ID), "1")
	x.do("SADD", key.Home(x.bob.ID), "1")
	x.do("HSET", key.CategoryContainer(x.talk).Revisions(), "", "5")
	x.do("ZADD", x.dirty(x.ann), int64(x.Engine.Now()-check.MarkLife-1),
		"t:"+key.Itoa(x.thread)) // the sweep cannot index it
	r := x.check(true)
	if !r.has(check.RuleCount, true) {
		t.Errorf("Repair found %v; want %s repaired", r.Findings, check.RuleCount)
	}
	if !r.has(RuleKeyType, false) {
		t.Errorf("Repair found %v; want %s left", r.Findings, RuleKeyType)
	}
	reported := slices.ContainsFunc(r.Findings,
		func(f Finding) bool { return strings.Contains(f.String(), "repair failed: ") })
	if !reported || r.Unswept == nil {
		t.Errorf("Repair found %v, unswept %v; want it to report the failure", r.Findings, r.Unswept)
	}
}
