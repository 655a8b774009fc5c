package clustertest

import (
	"context"
	"testing"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// A cluster keeps its data when a master is killed and when a slot moves.
func TestClusterIsWholeAfterFaults(t *testing.T) {
	testlevel.LongWithoutRace(t)
	c := Start(t, testlevel.RealRedis(t), 3, 1)
	client, ctx := c.Client(t), t.Context()
	for _, key := range []string{"a", "b", "c", "{a}2"} {
		must.OK(t, client.Set(ctx, key, key, 0).Err())
	}
	slot := int(client.ClusterKeySlot(ctx, "a").Val())
	added := c.AddMaster()
	for _, from := range c.Masters() {
		if n := from.Redis.ClusterCountKeysInSlot(ctx, slot).Val(); n == 2 {
			c.Move(slot, from, added)
		}
	}
	if n := added.Redis.DBSize(ctx).Val(); n != 2 {
		t.Errorf("the new master has %d keys; want the 2 of the slot", n)
	}
	first := c.Masters()[0]
	first.Kill()
	c.await("a replica takes over", func(ctx context.Context) error {
		return client.Set(ctx, "b", "b2", 0).Err()
	})
	c.Restart(first)
	c.AwaitWhole()
	for key, want := range map[string]string{"a": "a", "b": "b2", "c": "c", "{a}2": "{a}2"} {
		if got := client.Get(ctx, key).Val(); got != want {
			t.Errorf("GET %s = %q; want %q", key, got, want)
		}
	}
}
