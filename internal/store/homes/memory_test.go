package homes_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// A full home takes at most 25 kB with the recommended setting. Only a real Redis reports the size of a
// key; the entries are checked on both.
func TestAFullHomeIsSmall(t *testing.T) {
	testlevel.Sequential(t)
	testlevel.RealRedis(t)
	x := storetest.New(t)
	ann, bob := x.User("ann"), x.User("bob")
	bulk := x.Bulk()
	for range forum.HomeSize + 10 {
		x.Clock.Advance(time.Millisecond)
		must.Do(bulk.Posts.CreateTopic(x.Ctx,
			posts.NewTopic{Author: bob.ID, Kind: forum.Status, Title: "s", Content: "s", Format: forum.Markdown}))(t)
	}
	must.OK(t, x.Flush(x.Ctx))
	x.Turn(ann, forum.Target{User: bob.ID}, true)
	entries := x.Redis.ZRangeWithScores(x.Ctx, key.Home(ann.ID), 0, -1).Val()
	if len(entries) != forum.HomeSize {
		t.Fatalf("the home has %d topics; want %d", len(entries), forum.HomeSize)
	}
	for _, z := range entries {
		if m := z.Member.(string); len(m) != 8 || z.Score != float64(int64(z.Score)) {
			t.Fatalf("entry %q at %v; want 8 characters at whole milliseconds", m, z.Score)
		}
	}
	if used := x.Redis.MemoryUsage(x.Ctx, key.Home(ann.ID), 0).Val(); used == 0 || used > 25_000 {
		t.Errorf("a home of %d topics takes %d bytes; want at most 25,000", len(entries), used)
	} else {
		t.Logf("a home of %d topics takes %d bytes", len(entries), used)
	}
}
