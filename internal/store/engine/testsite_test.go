package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script/lua"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// changes is a Redis with objects that change, and processes that follow them.
type changes struct {
	t      testing.TB
	server *redistest.Server
	rdb    redis.UniversalClient
	clock  *redistest.Clock
	say    *pipeline.Script
	writer *pipeline.Client
}

// sayText says that an object has changed.
const sayText = `-- Says that an object has changed.
-- INCLUDE changed
-- KEYS object HASH   the object
-- ARGV word   string what is said
-- Returns  1
changed("1", object, word)
return 1
`

func newChanges(t testing.TB) *changes {
	t.Helper()
	server := redistest.Start(t)
	includes, own := lua.Files{}, lua.Files{}
	must.OK(t, includes.Add(os.DirFS("../script/include")))
	must.OK(t, own.Add(fstest.MapFS{"object_say.lua": {Data: []byte(sayText)}}))
	texts := must.Do(must.Do(lua.Compile(own, includes))(t).Texts())(t)
	x := &changes{t: t, server: server, rdb: server.Client(t), clock: redistest.NewClock(),
		say: pipeline.NewScript("object_say", texts["object_say"])}
	x.writer = pipeline.NewClient(server.ClientOver(t, &redistest.Wire{}), pipeline.Options{}) // which lets scripts say what is not so
	return x
}

// change says that an object has changed. It returns the number of the change, 0 if nobody follows the object.
func (x *changes) change(object, word string) int64 {
	x.t.Helper()
	must.OK(x.t, x.writer.Run(x.t.Context(), pipeline.Call{Script: x.say, Keys: []string{object}, Args: []any{word}}).Err())
	n, err := x.rdb.HGet(x.t.Context(), key.Consumers(key.SlotPrefix(object)), "seq").Int64()
	must.OK(x.t, pipeline.UnlessNil(err))
	return n
}

// process returns a process. Its leases are renewed when ticks receives.
func (x *changes) process(ticks <-chan time.Time) *engine.Engine {
	e := engine.New(pipeline.NewClient(x.server.Client(x.t), pipeline.Options{}))
	e.Clock = x.clock.Now
	e.Ticks = func(time.Duration) (<-chan time.Time, func()) { return ticks, func() {} }
	return e
}

// tick has a process look for changes once, and waits for what it begins.
func tick(t testing.TB, e *engine.Engine) {
	t.Helper()
	must.OK(t, e.Consume(t.Context()))
	e.WaitForConsumers()
}

// settle has a process handle all that there is.
func (x *changes) settle(e *engine.Engine) {
	x.t.Helper()
	for range 100 {
		tick(x.t, e)
		if x.settled() {
			return
		}
		x.clock.Advance(time.Minute)
	}
	x.t.Fatalf("%+v is not done after many ticks", e.ConsumerStates())
}

// settled reports whether nothing is left to do for those who follow anything.
func (x *changes) settled() bool {
	x.t.Helper()
	pipe := x.rdb.Pipeline()
	for _, slot := range key.FeedSlots {
		pipe.HGetAll(x.t.Context(), key.Consumers(slot))
	}
	done, rows := true, 0
	for _, cmd := range must.Do(pipe.Exec(x.t.Context()))(x.t) {
		f := cmd.(*redis.MapStringStringCmd).Val()
		for name, row := range f {
			if is, ok := catalogue.ConsumerRow.Parse(row); ok && strings.Contains(name, ":") {
				rows++
				done = done && is.Int("position") == record.Atoi(f["seq"]) && is.Int("walk")+is.Int("aside") == 0
			}
		}
	}
	return done && rows > 0
}

// lease returns the time at which the lease of a consumer in a slot ends.
func (x *changes) lease(slot, name string) int {
	x.t.Helper()
	for field, row := range must.Do(x.rdb.HGetAll(x.t.Context(), key.Consumers(slot)).Result())(x.t) {
		if is, ok := catalogue.ConsumerRow.Parse(row); ok && strings.HasSuffix(field, ":"+name) {
			return int(is.Int("lease"))
		}
	}
	x.t.Fatalf("%s has no consumer %s", slot, name)
	return 0
}

// recorder is a consumer that records what it was called with.
type recorder struct {
	mu   sync.Mutex
	seen []engine.Change
	bad  map[string]bool // objects with which it fails
	dies bool            // the next call ends the process
}

func (r *recorder) handle(_ context.Context, some []engine.Change) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range some {
		if r.bad[nameOf(c)] {
			return errors.New("cannot handle " + nameOf(c))
		}
	}
	r.seen = append(r.seen, some...)
	if r.dies {
		r.dies = false
		runtime.Goexit()
	}
	return nil
}

// take returns what was recorded, as names, words and numbers, and forgets it.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for _, c := range r.seen {
		all = append(all, strings.Join(strings.Fields(fmt.Sprint(nameOf(c), " ", c.Word, " ", c.Number)), " "))
	}
	r.seen = nil
	return all
}

// nameOf returns the key of the object of a change.
func nameOf(c engine.Change) string {
	switch c.Kind {
	case engine.CaseChanges:
		return "case of " + key.Subject(c.Subject)
	case engine.ActChanges:
		return key.Act(c.Subject.Act)
	case engine.CategoryChanges:
		return key.Category(c.Subject.Category)
	case engine.TabChanges:
		return key.Tab(c.Subject.Tab)
	}
	return key.Subject(c.Subject)
}

func want(t testing.TB, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q; want %q", what, got, want)
	}
}

// left returns the keys of the feed, and of who follows it.
func (x *changes) left() []string {
	x.t.Helper()
	keys := must.Do(redistest.Keys(x.t.Context(), x.rdb, "*"))(x.t)
	slices.Sort(keys)
	return slices.DeleteFunc(keys, func(k string) bool {
		return !strings.Contains(k, "}:feed") && !strings.Contains(k, "}:consumers")
	})
}

var topics, all = []engine.ChangeKind{engine.TopicChanges}, []engine.ChangeKind{engine.TopicChanges, engine.CommentChanges,
	engine.UserChanges, engine.ActChanges, engine.CaseChanges, engine.CategoryChanges, engine.TabChanges}

// topic returns the key of a topic of a partition.
func topic(number int64, p forum.Partition) string {
	return key.Topic(forum.TopicID(number*forum.Partitions + int64(p)))
}
