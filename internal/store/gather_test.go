package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"agora/internal/forum"
	_ "agora/internal/test/testseed"
)

// hold is a process whose reads wait until they are let go.
type hold struct {
	*Store
	begun chan redis.Cmder // that have gone out
	let   chan struct{}
}

func (x *site) hold() *hold {
	h := &hold{begun: make(chan redis.Cmder, 100), let: make(chan struct{})}
	h.Store = x.watched(func(cmd redis.Cmder) {
		if cmd.Name() == "hgetall" && strings.Contains(cmd.Args()[1].(string), ":t:") {
			h.begun <- cmd
			<-h.let
		}
	})
	return h
}

// ask has topics read in the background, as the execution of an event does, and returns
// what waits for them.
func (h *hold) ask(ctx context.Context, ids ...forum.TopicID) func() ([]*forum.Topic, error) {
	r := h.Read(Gathered(ctx))
	get := r.Topics(ids)
	answered := make(chan error, 1)
	go func() { answered <- r.Exec() }()
	return func() ([]*forum.Topic, error) {
		if err := <-answered; err != nil {
			return nil, err
		}
		return get()
	}
}

// waits returns when n batches of reads wait.
func (h *hold) waits(t *testing.T, n int) {
	t.Helper()
	for ctx := t.Context(); ; {
		h.gather.mu.Lock()
		have := len(h.gather.waiting)
		h.gather.mu.Unlock()
		if have == n {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("%d wait; want %d", have, n)
		}
	}
}

// While reads are on their way, others wait; then they go out together, equal ones once.
func TestReadsOfManyGoOutTogether(t *testing.T) {
	x := newSite(t)
	ann, category := x.user("ann"), x.category("Go")
	one, two := x.topic(ann, category), x.topic(ann, category)
	h := x.hold()
	var first []func() ([]*forum.Topic, error)
	for range flights {
		first = append(first, h.ask(t.Context(), one))
		<-h.begun
	}
	tallies := make([]Tally, 50)
	gone, leave := context.WithCancel(t.Context())
	var rest []func() ([]*forum.Topic, error)
	for i := range tallies {
		rest = append(rest, h.ask(WithTally(t.Context(), &tallies[i]), one, two))
	}
	abandoned := h.ask(gone, two)
	h.waits(t, len(tallies)+1)
	leave()
	if _, err := abandoned(); !errors.Is(err, context.Canceled) {
		t.Errorf("whoever goes away gets %v", err)
	}
	h.waits(t, len(tallies))
	close(h.let)
	for i, get := range append(first, rest...) {
		topics, err := get()
		if err != nil || topics[0] == nil || topics[0].ID != one {
			t.Fatalf("%d = %v, %v", i, topics, err)
		}
		if i >= flights && topics[1].ID != two {
			t.Fatalf("%d = %v", i, topics)
		}
	}
	for i := range tallies {
		if tallies[i].RoundTrips.Load() != 1 || tallies[i].Commands.Load() != 2 {
			t.Errorf("tally %d is %d, %d; want 1, 2", i, tallies[i].RoundTrips.Load(), tallies[i].Commands.Load())
		}
	}
	if len(h.begun) != 2 {
		t.Errorf("the others went out as %d commands; want 2", len(h.begun))
	}
}

// What is on its way is waited for, also by whoever has gone away: its results are about to
// be written.
func TestReadsOnTheirWayAreWaitedFor(t *testing.T) {
	x := newSite(t)
	topic := x.topic(x.user("ann"), x.category("Go"))
	h := x.hold()
	var first []func() ([]*forum.Topic, error)
	for range flights {
		first = append(first, h.ask(t.Context(), topic))
		<-h.begun
	}
	ctx, leave := context.WithCancel(t.Context())
	last := h.ask(ctx, topic)
	h.waits(t, 1)
	h.let <- struct{}{} // one is back, and the last goes out
	<-h.begun
	leave()
	close(h.let)
	for i, get := range append(first, last) {
		if topics, err := get(); err != nil || topics[0] == nil {
			t.Errorf("%d = %v, %v", i, topics, err)
		}
	}
}

// What fails for one does not fail for the others.
func TestErrorsOfGatheredReadsAreTheirOwn(t *testing.T) {
	x := newSite(t)
	topic := x.topic(x.user("ann"), x.category("Go"))
	bad := topic + 256 // of the same slot
	x.rdb.Set(x.ctx, topicKey(bad), "no hash", 0)
	h := x.hold()
	close(h.let)
	var all sync.WaitGroup
	for i := range 40 {
		id := []forum.TopicID{topic, bad}[i%2]
		all.Go(func() {
			if topics, err := h.ask(t.Context(), id)(); (err != nil) != (id == bad) || err == nil && topics[0] == nil {
				t.Errorf("topic %d = %v, %v", id, topics, err)
			}
		})
	}
	all.Wait()
}

// Only reads go out with those of others.
func TestWritesAreNotGathered(t *testing.T) {
	x := newSite(t)
	ctx := Gathered(x.ctx)
	for name, queue := range map[string]func(*batch){
		"nothing":  func(*batch) {},
		"a write":  func(b *batch) { b.pipe.Get(ctx, "a"); b.pipe.Set(ctx, "a", 1, 0) },
		"a script": func(b *batch) { b.run(ctx, categoryCreate, []string{"a"}) },
	} {
		b := x.batch()
		if queue(b); b.gathers(ctx) {
			t.Errorf("%s is gathered", name)
		}
	}
	b := x.batch()
	if b.pipe.Get(ctx, "a"); !b.gathers(ctx) || b.gathers(x.ctx) {
		t.Error("a read is gathered for whoever asks for that, and nobody else")
	}
}

// Whatever is read, in whatever company, the answer is that to the read alone.
func TestGatheredReadsAgreeWithReadsAlone(t *testing.T) {
	x := newSite(t)
	for i, key := range []string{"{a}1", "{a}11"} {
		x.rdb.Set(x.ctx, key+"s", fmt.Sprint("text", i), 0)
		x.rdb.HSet(x.ctx, key+"h", "1", "one", "11", i)
		x.rdb.ZAdd(x.ctx, key+"z", redis.Z{Score: 1, Member: "1"}, redis.Z{Score: 2.5, Member: "11"})
	}
	c := x.ctx
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
			t.Errorf("no test reads with %s", name)
		}
	}
	names := slices.Sorted(maps.Keys(ways))
	rapid.Check(t, func(r *rapid.T) {
		pipe, alone := x.rdb.Pipeline(), x.rdb.Pipeline()
		for range rapid.IntRange(1, 30).Draw(r, "reads") {
			read := rapid.SampledFrom(ways[rapid.SampledFrom(names).Draw(r, "name")]).Draw(r, "way")
			key := rapid.SampledFrom([]string{"{a}1", "{a}11", "{a}none"}).Draw(r, "key") + rapid.SampledFrom([]string{"s", "h", "z"}).Draw(r, "type")
			word := rapid.SampledFrom([]string{"1", "11", "none", ""}).Draw(r, "word")
			read(pipe, key, word)
			read(alone, key, word)
		}
		x.gather.send([]*gathered{{cmds: pipe.Cmds()}})
		want, _ := alone.Exec(c)
		for i, cmd := range pipe.Cmds() {
			if cmd.String() != want[i].String() {
				r.Errorf("%v; alone %v", cmd, want[i])
			}
		}
	})
}
