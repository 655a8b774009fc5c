package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"agora/internal/test/redistest"
	_ "agora/internal/test/testseed"
)

// Only reads are sent together with those of others.
func TestWritesAreNotCoalesced(t *testing.T) {
	client := NewClient(redistest.New(t), Options{})
	ctx := Coalesced(t.Context())
	for name, queue := range map[string]func(*Batch){
		"nothing":  func(*Batch) {},
		"a write":  func(b *Batch) { b.Get(ctx, "a"); b.Set(ctx, "a", 1, 0) },
		"a script": func(b *Batch) { b.Run(ctx, Call{Script: NewScript("a", "return 1"), Keys: []string{"a"}}) },
	} {
		b := client.Batch()
		if queue(b); b.coalesces(ctx) {
			t.Errorf("%s is coalesced", name)
		}
	}
	b := client.Batch()
	if b.Get(ctx, "a"); !b.coalesces(ctx) || b.coalesces(t.Context()) {
		t.Error("a read must be coalesced exactly if its context asks for that")
	}
}

// A coalesced read returns the same as the read alone.
func TestCoalescedReadsAgreeWithReadsAlone(t *testing.T) {
	client, c := NewClient(redistest.New(t), Options{}), t.Context()
	for i, key := range []string{"{a}1", "{a}11"} {
		client.Redis.Set(c, key+"s", fmt.Sprint("text", i), 0)
		client.Redis.HSet(c, key+"h", "1", "one", "11", i)
		client.Redis.ZAdd(c, key+"z", redis.Z{Score: 1, Member: "1"}, redis.Z{Score: 2.5, Member: "11"})
	}
	ways := map[string][]func(p redis.Pipeliner, key, word string){
		"exists":    {func(p redis.Pipeliner, key, _ string) { p.Exists(c, key) }},
		"get":       {func(p redis.Pipeliner, key, _ string) { p.Get(c, key) }},
		"getrange":  {func(p redis.Pipeliner, key, _ string) { p.GetRange(c, key, 0, 2) }},
		"hexists":   {func(p redis.Pipeliner, key, word string) { p.HExists(c, key, word) }},
		"hget":      {func(p redis.Pipeliner, key, word string) { p.HGet(c, key, word) }},
		"hgetall":   {func(p redis.Pipeliner, key, _ string) { p.HGetAll(c, key) }},
		"hmget":     {func(p redis.Pipeliner, key, word string) { p.HMGet(c, key, word, "1") }, func(p redis.Pipeliner, key, word string) { p.HMGet(c, key, "1"+word) }},
		"hstrlen":   {func(p redis.Pipeliner, key, word string) { p.HStrLen(c, key, word) }},
		"strlen":    {func(p redis.Pipeliner, key, _ string) { p.StrLen(c, key) }},
		"zcard":     {func(p redis.Pipeliner, key, _ string) { p.ZCard(c, key) }},
		"zcount":    {func(p redis.Pipeliner, key, _ string) { p.ZCount(c, key, "1", "2") }},
		"zlexcount": {func(p redis.Pipeliner, key, _ string) { p.ZLexCount(c, key, "-", "+") }},
		"zrange":    {func(p redis.Pipeliner, key, _ string) { p.ZRange(c, key, 0, -1) }, func(p redis.Pipeliner, key, _ string) { p.ZRangeWithScores(c, key, 0, -1) }},
		"zrangebyscore": {func(p redis.Pipeliner, key, word string) {
			p.ZRangeByScore(c, key, &redis.ZRangeBy{Min: "-inf", Max: "1" + word})
		}},
		"zrevrange": {func(p redis.Pipeliner, key, _ string) { p.ZRevRange(c, key, 0, 1) }, func(p redis.Pipeliner, key, _ string) { p.ZRevRangeWithScores(c, key, 0, 1) }},
		"zscore":    {func(p redis.Pipeliner, key, word string) { p.ZScore(c, key, word) }},
	}
	for name := range reads {
		if ways[name] == nil {
			t.Errorf("no test covers %s", name)
		}
	}
	names := slices.Sorted(maps.Keys(ways))
	rapid.Check(t, func(r *rapid.T) {
		pipe, alone := client.Redis.Pipeline(), client.Redis.Pipeline()
		for range rapid.IntRange(1, 30).Draw(r, "reads") {
			read := rapid.SampledFrom(ways[rapid.SampledFrom(names).Draw(r, "name")]).Draw(r, "way")
			key := rapid.SampledFrom([]string{"{a}1", "{a}11", "{a}none"}).Draw(r,
				"key") + rapid.SampledFrom([]string{"s", "h", "z"}).Draw(r, "type")
			word := rapid.SampledFrom([]string{"1", "11", "none", ""}).Draw(r, "word")
			read(pipe, key, word)
			read(alone, key, word)
		}
		client.coalescer.send([]*waiter{{ctx: c, cmds: pipe.Cmds()}})
		want, _ := alone.Exec(c)
		for i, cmd := range pipe.Cmds() {
			if cmd.String() != want[i].String() {
				r.Errorf("%v; alone %v", cmd, want[i])
			}
		}
	})
}
