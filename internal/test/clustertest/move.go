package clustertest

import (
	"context"
	"net"
	"time"
)

// AddMaster starts one more node, which joins as a master without slots.
func (c *Cluster) AddMaster() *Node {
	c.t.Helper()
	n := c.addNode()
	host, port, _ := net.SplitHostPort(c.Nodes[0].Addr)
	c.must(n.Redis.ClusterMeet(context.Background(), host, port).Err())
	c.added++
	c.AwaitWhole()
	return n
}

// AddReplica starts one more node, which joins as the replica of a master that was added.
func (c *Cluster) AddReplica(master *Node) *Node {
	c.t.Helper()
	n, ctx := c.addNode(), context.Background()
	host, port, _ := net.SplitHostPort(c.Nodes[0].Addr)
	c.must(n.Redis.ClusterMeet(ctx, host, port).Err())
	c.await("the nodes know each other", func(ctx context.Context) error {
		return n.Redis.ClusterReplicate(ctx, master.id).Err()
	})
	c.added--
	c.AwaitWhole()
	return n
}

// Move moves a slot from one master to another, as redis-cli does: key by key, while both serve it.
func (c *Cluster) Move(slot int, from, to *Node) {
	c.t.Helper()
	c.BeginMove(slot, from, to)
	c.EndMove(slot, from, to)
}

// BeginMove begins to move a slot, of which no key has moved yet.
func (c *Cluster) BeginMove(slot int, from, to *Node) {
	c.t.Helper()
	ctx := context.Background()
	c.must(to.Redis.Do(ctx, "cluster", "setslot", slot, "importing", from.id).Err())
	c.must(from.Redis.Do(ctx, "cluster", "setslot", slot, "migrating", to.id).Err())
}

// EndMove moves the keys of a slot whose move has begun, and ends it.
func (c *Cluster) EndMove(slot int, from, to *Node) {
	c.t.Helper()
	ctx := context.Background()
	host, port, _ := net.SplitHostPort(to.Addr)
	for {
		keys, err := from.Redis.ClusterGetKeysInSlot(ctx, slot, 10).Result()
		c.must(err)
		if len(keys) == 0 {
			break
		}
		args := []any{"migrate", host, port, "", 0, (5 * time.Second).Milliseconds(), "keys"}
		for _, key := range keys {
			args = append(args, key)
		}
		c.must(from.Redis.Do(ctx, args...).Err())
	}
	for _, n := range []*Node{to, from} {
		c.must(n.Redis.Do(ctx, "cluster", "setslot", slot, "node", to.id).Err())
	}
	for _, n := range c.Masters() {
		c.must(n.Redis.Do(ctx, "cluster", "setslot", slot, "node", to.id).Err())
	}
}
