package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/clustertest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// openURL opens a store on a Redis at an address; both end with the test.
func openURL(t *testing.T, address string, o connection.Options) *store.Store {
	t.Helper()
	conn := must.Do(connection.Open(t.Context(), address, o))(t)
	t.Cleanup(func() { conn.Close() })
	s := must.Do(store.Open(t.Context(), conn, store.Layout{}))(t)
	t.Cleanup(s.Close)
	return s
}

// mover writes through a store while slots move, and repeats calls that fail temporarily.
type mover struct {
	t      *testing.T
	s      *store.Store
	in     forum.CategoryID
	author forum.UserID
	fan    forum.UserID
	topics []forum.TopicID
	repeat int
	late   time.Duration // the longest time until a call was acknowledged
}

// call repeats a call until it is acknowledged.
func (m *mover) call(do func() error) bool {
	for began := time.Now(); ; m.repeat++ {
		err := do()
		if err == nil {
			m.late = max(m.late, time.Since(began))
			return true
		}
		if !pipeline.Unavailable(err) || time.Since(began) > 20*time.Second {
			m.t.Errorf("%v after %v", err, time.Since(began))
			return false
		}
	}
}

// write writes until ctx is done.
func (m *mover) write(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		k := fmt.Sprint(n)
		var topic forum.TopicID
		ok := m.call(func() (err error) {
			topic, err = m.s.Posts.CreateTopic(context.Background(), posts.NewTopic{Author: m.author,
				Kind: forum.Discussion, Title: k,
				Content: k, Format: forum.Markdown, Category: m.in, Key: "t" + k})
			return err
		}) && m.call(func() error {
			_, err := m.s.Posts.CreateComment(context.Background(), &forum.Viewer{ID: m.author},
				posts.NewComment{Topic: topic, Content: k, Format: forum.Markdown, Key: "c" + k})
			return err
		}) && m.call(func() error {
			_, err := m.s.Follows.Follow(context.Background(), m.fan, forum.Target{User: m.author}, n%2 == 0)
			return err
		})
		if !ok {
			return
		}
		m.topics = append(m.topics, topic)
	}
}

// moveSlots moves the slots of the front page, of the categories and of some partitions to a new master, and all but
// the first back.
func moveSlots(t *testing.T, c *clustertest.Cluster, client *redis.ClusterClient) {
	added := c.AddMaster()
	names := []string{"{ix:front}", "{cat}"}
	for p := range 24 {
		names = append(names, key.Sequence(forum.Partition(p)))
	}
	var moved []func()
	for _, name := range names {
		slot := int(client.ClusterKeySlot(t.Context(), name).Val())
		from := must.Do(client.MasterForKey(t.Context(), name))(t)
		for _, n := range c.Masters() {
			if n.Addr == from.Options().Addr && n != added {
				c.Move(slot, n, added)
				moved = append(moved, func() { c.Move(slot, added, n) })
			}
		}
	}
	for _, back := range moved[1:] { // a master without slots would become a replica
		back()
	}
}

// Slots move while clients write: every call succeeds, perhaps after temporary errors, and once.
func TestWritesWhileSlotsMove(t *testing.T) {
	testlevel.LongWithoutRace(t)
	c := clustertest.Start(t, testlevel.RealRedis(t), 3, 0)
	s := openURL(t, c.URL(), connection.Options{})
	ctx, end := context.WithCancel(t.Context())
	defer end()
	category := must.Do(s.Categories.CreateCategory(ctx, "a", "a", ""))(t)
	var writers sync.WaitGroup
	var all []*mover
	for n := range 12 {
		author := must.Do(s.Accounts.Register(ctx, site.Account(fmt.Sprint("author", n))))(t)
		fan := must.Do(s.Accounts.Register(ctx, site.Account(fmt.Sprint("fan", n))))(t)
		m := &mover{t: t, s: s, in: category, author: author, fan: fan}
		all = append(all, m)
		writers.Go(func() { m.write(ctx) })
	}
	began := time.Now()
	moveSlots(t, c, c.Client(t))
	took := time.Since(began)
	end()
	writers.Wait()
	written, repeats, late := 0, 0, time.Duration(0)
	seen := map[forum.TopicID]bool{}
	for _, m := range all {
		written, repeats, late = written+len(m.topics), repeats+m.repeat, max(late, m.late)
		for _, id := range m.topics {
			if seen[id] {
				t.Errorf("topic %v was created twice", id)
			}
			seen[id] = true
		}
	}
	t.Logf("%d topics in %v, %d repeats, the slowest call took %v", written, took, repeats, late)
	if written == 0 {
		t.Error("nothing was written")
	}
	n := s.Engine.Client.Redis.ZCard(t.Context(), key.FrontContainer.Order(key.OrderCreated)).Val()
	if n != int64(written) {
		t.Errorf("the front page has %d topics; want %d", n, written)
	}
	for range 10_000 {
		done := must.Do(s.Engine.RunDueTasks(t.Context()))(t)
		if done == 0 {
			break
		}
	}
	found, err := storetest.Check(t.Context(), s)
	if storetest.WantOK(t, "check", err); len(found) > 0 {
		t.Errorf("%d findings, such as %v", len(found), found[:min(3, len(found))])
	}
}

// While a slot is being moved, no script runs on either master, whether its declared keys exist or not: Redis would
// send one whose keys are new to the master that has not received the other keys of the slot yet.
func TestScriptsWaitForMovingSlots(t *testing.T) {
	testlevel.WithoutRace(t)
	c := clustertest.Start(t, testlevel.RealRedis(t), 2, 0)
	s := openURL(t, c.URL(), connection.Options{Timeout: 200 * time.Millisecond})
	ctx, rdb := t.Context(), s.Engine.Client.Redis
	script := pipeline.NewScript("count", `redis.call("SET", KEYS[1], ARGV[1]) `+
		`return redis.call("INCR", ARGV[1])`) // a key that is not declared
	run := func(name string) (int, error) {
		return s.Engine.Client.Run(ctx, pipeline.Call{Script: script, Keys: []string{name},
			Args: []any{"{x}:count"}}).Int()
	}
	if n, err := run("{x}:old"); n != 1 || err != nil {
		t.Fatalf("before the move: %d, %v", n, err)
	}
	slot := int(c.Client(t).ClusterKeySlot(ctx, "{x}").Val())
	from, to := c.Masters()[0], c.Masters()[1]
	if to.Redis.ClusterCountKeysInSlot(ctx, slot).Val() > 0 {
		from, to = to, from
	}
	c.BeginMove(slot, from, to)
	for _, name := range []string{"{x}:old", "{x}:new"} {
		if n, err := run(name); !pipeline.Unavailable(err) {
			t.Errorf("%s during the move: %d, %v; want a temporary error", name, n, err)
		}
	}
	if n, err := rdb.Get(ctx, "{x}:count").Int(); n != 1 || err != nil {
		t.Errorf("the count is %d, %v; want 1", n, err)
	}
	if n := to.Redis.ClusterCountKeysInSlot(ctx, slot).Val(); n != 0 {
		t.Errorf("%d keys were written to the new master; want none", n)
	}
	c.EndMove(slot, from, to)
	if n, err := run("{x}:new"); n != 2 || err != nil {
		t.Errorf("after the move: %d, %v; want 2", n, err)
	}
}

// A write that no replica has acknowledged fails temporarily; once one has, the same call reports the first result.
func TestReplicatedWrites(t *testing.T) {
	testlevel.LongWithoutRace(t)
	t.Parallel() // it waits more than it works
	set := clustertest.StartSentinels(t, testlevel.RedisProgram(t))
	s := openURL(t, set.URL(), connection.Options{Replicated: true})
	ctx := t.Context()
	ann := must.Do(s.Accounts.Register(ctx, site.Account("ann")))(t)
	bob := must.Do(s.Accounts.Register(ctx, site.Account("bob")))(t)
	create := func() (forum.TopicID, error) {
		return s.Posts.CreateTopic(ctx, posts.NewTopic{Author: ann, Kind: forum.Discussion, Title: "a", Content: "a",
			Format: forum.Markdown, Key: "k"})
	}
	follow := func() error {
		_, err := s.Follows.Follow(ctx, bob, forum.Target{User: ann}, true)
		return err
	}
	set.Nodes[1].Pause()
	size, empty := int64(0), s.Engine.Client.Redis.DBSize(ctx).Val()
	for n := range 2 { // the second time nothing changes, and must not be acknowledged either
		_, err := create()
		wantUnreplicated(t, fmt.Sprint("CreateTopic ", n), err)
		wantUnreplicated(t, fmt.Sprint("Follow ", n), follow())
		if n == 0 {
			size = s.Engine.Client.Redis.DBSize(ctx).Val()
		}
	}
	if size <= empty {
		t.Error("the calls that were not acknowledged have written nothing")
	}
	began := time.Now()
	if n := s.Engine.Client.Redis.DBSize(ctx).Val(); n != size || time.Since(began) > 300*time.Millisecond {
		t.Errorf("%d keys after %v; want the %d after the first calls, at once", n, time.Since(began), size)
	}
	set.Nodes[1].Resume()
	var first forum.TopicID
	wait.Succeed(t, "the replica acknowledges", func() (err error) {
		first, err = create()
		return err
	})
	if again, err := create(); err != nil || again != first {
		t.Errorf("the repeated call = %v, %v; want %v", again, err, first)
	}
	storetest.WantOK(t, "Follow", follow())
	if n := s.Engine.Client.Redis.ZCard(ctx, key.FrontContainer.Order(key.OrderCreated)).Val(); n != 1 {
		t.Errorf("%d topics; want 1", n)
	}
}

// wantUnreplicated fails unless err says that a write was not replicated, which is temporary.
func wantUnreplicated(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, pipeline.ErrNotReplicated) || !pipeline.Unavailable(err) {
		t.Errorf("%s: %v; want ErrNotReplicated", what, err)
	}
}

// Sentinels replace a master that was killed: writes succeed again, ids lie beyond those that may be lost, and the
// store is told.
func TestSentinelsReplaceMaster(t *testing.T) {
	testlevel.LongWithoutRace(t)
	t.Parallel() // it waits more than it works
	set := clustertest.StartSentinels(t, testlevel.RedisProgram(t))
	s := openURL(t, set.URL(), connection.Options{})
	ctx := t.Context()
	id := must.Do(s.Accounts.Register(ctx, site.Account("ann")))(t)
	s.Look(ctx)
	sequence := key.Sequence(id.Partition())
	before := s.Engine.Client.Redis.Get(ctx, sequence).Val()
	wait.Succeed(t, "replicate", func() error {
		if got := set.Nodes[1].Redis.Get(ctx, sequence).Val(); got != before {
			return errors.New(got)
		}
		return nil
	})
	write := func() error {
		_, err := s.Posts.CreateTopic(ctx, posts.NewTopic{Author: id, Kind: forum.Discussion, Title: "a", Content: "a",
			Format: forum.Markdown})
		if err != nil && !pipeline.Unavailable(err) {
			t.Errorf("CreateTopic: %v; want a temporary error", err)
		}
		return err
	}
	set.Nodes[0].Kill()
	t.Logf("writes succeed %v after the master was killed", wait.Succeed(t, "CreateTopic",
		write).Round(time.Millisecond))
	var last, n int64
	_, _ = fmt.Sscan(before, &last)
	wait.Succeed(t, "read the sequence", func() (err error) { // this pool may not have dialed the new master yet
		n, err = s.Engine.Client.Redis.Get(ctx, sequence).Int64()
		return err
	})
	if n < last+connection.SequenceLeap {
		t.Errorf("the sequence is %d; want at least %d", n, last+connection.SequenceLeap)
	}
	s.Look(ctx)
	select {
	case <-s.Replaced():
	default:
		t.Error("the store was not told of the new master")
	}
	set.Return(set.Nodes[0]) // as a replica, or as the master if not all Sentinels have agreed on the other yet
	set.AwaitWhole()
	wait.Succeed(t, "CreateTopic once both are back", write)
}

// A Redis that cannot be used says why.
func TestClustersThatCannotBeUsed(t *testing.T) {
	testlevel.LongWithoutRace(t)
	t.Parallel() // it waits more than it works
	c := clustertest.Start(t, testlevel.RedisProgram(t), 3, 0)
	want := func(what, address, text string) {
		t.Helper()
		conn, err := connection.Open(t.Context(), address, connection.Options{})
		if err == nil {
			conn.Close()
		}
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v; want %q", what, err, text)
		}
	}
	for _, n := range c.Masters() {
		want("one node", "redis://"+n.Addr, "redis+cluster://")
	}
	first := c.Masters()[0]
	first.Kill()
	want("a master is down", c.URL(), first.Addr)
	c.Restart(first)
	c.AwaitWhole()
	slot := int(first.Redis.ClusterKeySlot(t.Context(), "{ix:front}").Val())
	for _, n := range c.Masters() {
		storetest.WantOK(t, "DELSLOTS", n.Redis.ClusterDelSlots(t.Context(), slot).Err())
	}
	want("a slot is missing", c.URL(), "1 of 16384 slots belong to no master")
}
