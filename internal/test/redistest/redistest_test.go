package redistest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

const getBoth = `return {redis.call("GET", KEYS[1]), KEYS[2]}`

// Commands that a cluster would refuse are refused, however they are sent.
func TestCommandsAcrossSlotsFail(t *testing.T) {
	tests := []struct {
		name string
		call func(context.Context, redis.Cmdable) error
		want bool // that it is refused
	}{
		{
			"DEL of one slot",
			func(ctx context.Context, c redis.Cmdable) error { return c.Del(ctx, "{a}:1", "{a}:2").Err() },
			false,
		},
		{
			"DEL of two slots",
			func(ctx context.Context, c redis.Cmdable) error { return c.Del(ctx, "{a}:1", "{b}:1").Err() },
			true,
		},
		{"MGET without tags", func(ctx context.Context, c redis.Cmdable) error { return c.MGet(ctx, "a", "b").Err() }, true},
		{"one key twice", func(ctx context.Context, c redis.Cmdable) error { return c.MGet(ctx, "a", "a").Err() }, false},
		{
			"an empty tag is none",
			func(ctx context.Context, c redis.Cmdable) error { return c.MGet(ctx, "{}a", "{}b").Err() },
			true,
		},
		{"script on one slot", func(ctx context.Context, c redis.Cmdable) error {
			return c.Eval(ctx, getBoth, []string{"{a}:1", "{a}:2"}).Err()
		}, false},
		{"script on two slots", func(ctx context.Context, c redis.Cmdable) error {
			return c.Eval(ctx, getBoth, []string{"{a}:1", "{b}:2"}).Err()
		}, true},
		{"script with a prefix of its slot", func(ctx context.Context, c redis.Cmdable) error {
			return c.Eval(ctx, "return 1", []string{"{a}:1"}, "{a}:t:").Err()
		}, false},
		{"script with a prefix of another slot", func(ctx context.Context, c redis.Cmdable) error {
			return c.Eval(ctx, "return 1", []string{"{a}:1"}, "{b}:t:").Err()
		}, true},
	}
	client := redistest.New(t)
	for _, tt := range tests {
		alone := tt.call(t.Context(), client)
		_, piped := client.Pipelined(t.Context(), func(p redis.Pipeliner) error {
			tt.call(t.Context(), p)
			return nil
		})
		for way, err := range map[string]error{"alone": alone, "in a pipeline": piped} {
			if refused := err != nil && strings.Contains(err.Error(), "crosses slots"); refused != tt.want {
				t.Errorf("%s, %s = %v; want it refused: %t", tt.name, way, err, tt.want)
			}
		}
	}
}

func TestEachServerIsSeparate(t *testing.T) {
	one, two := redistest.New(t), redistest.New(t)
	one.Set(t.Context(), "k", "v", 0)
	if n := two.Exists(t.Context(), "k").Val(); n != 0 {
		t.Error("a key of one server is on the other")
	}
	server := redistest.Start(t)
	server.Client(t).Set(t.Context(), "k", "v", 0)
	if got := server.Client(t).Get(t.Context(), "k").Val(); got != "v" {
		t.Errorf("GET by another client of the same server = %q; want v", got)
	}
}

// Keys that expire by the clock must not expire by that of Redis.
func TestClockIsInTheFutureAndMovesOnlyOnRequest(t *testing.T) {
	clock := redistest.NewClock()
	start := clock.Now()
	if start.Before(time.Now().AddDate(1, 0, 0)) {
		t.Errorf("Now() = %v; want a time that Redis's clock does not reach", start)
	}
	clock.Advance(time.Hour)
	if got := clock.Now().Sub(start); got != time.Hour {
		t.Errorf("the clock moved by %v; want an hour", got)
	}
	client := redistest.New(t)
	client.Set(t.Context(), "k", "v", 0)
	client.ExpireAt(t.Context(), "k", clock.Now())
	if n := client.Exists(t.Context(), "k").Val(); n != 1 {
		t.Error("a key that expires by the clock is deleted immediately")
	}
}

// A script that changes something and does not say so fails, and so does one that says more.
func TestSilentChangesFail(t *testing.T) {
	const say = `redis.call("PUBLISH", "{p07}:changes", "t:7 VOTES")`
	client := redistest.Start(t).Client(t)
	for _, tt := range []struct {
		name, before, script string
		want                 bool // that it fails
	}{
		{"a field", "", `redis.call("HSET", KEYS[1], "up", "1")`, true},
		{"the same value", "", `redis.call("HSET", KEYS[1], "up", "0")`, false},
		{"a field less", "", `redis.call("HDEL", KEYS[1], "up")`, true},
		{"all fields", "", `redis.call("DEL", "other", KEYS[1])`, true},
		{"a comment", "", `redis.call("ZADD", KEYS[1] .. ":comments", 1, 1)`, true},
		{"a session", "", `redis.call("HDEL", KEYS[1] .. ":sessions", "a")`, true},
		{"a session for another", "", `redis.call("HDEL", KEYS[1] .. ":sessions", "a")
redis.call("HSET", KEYS[1] .. ":sessions", "b", "")`, false},
		{"what readers are not shown", "", `redis.call("HSET", KEYS[1] .. ":internal", "rev", "1")`, false},
		{"what it says", say + "\n", `redis.call("HSET", KEYS[1], "up", "1")`, false},
		{"what it says twice", say + "\n" + say + "\n", `redis.call("HSET", KEYS[1], "up", "1")`, true},
		{"nothing, and says so", say + "\n", `redis.call("HSET", KEYS[1], "up", "0")`, true},
		{"a comment, and says that votes changed", say + "\n", `redis.call("ZADD", KEYS[1] .. ":comments", 1, 1)`, true},
	} {
		client.HSet(t.Context(), "{p07}:t:7", "up", "0")
		client.HSet(t.Context(), "{p07}:t:7:sessions", "a", "")
		sc := redis.NewScript(tt.before + tt.script + "\nreturn 1")
		must.OK(t, sc.Load(t.Context(), client).Err())
		err := sc.EvalSha(t.Context(), client, []string{"{p07}:t:7"}).Err()
		if failed := err != nil && strings.Contains(err.Error(), "UNNAMED"); failed != tt.want || err != nil && !failed {
			t.Errorf("a script that changes %s: %v; want that it fails: %v", tt.name, err, tt.want)
		}
	}
}
