// Package count counts what the partitions hold, each in one round trip.
package count

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// Stats are the site's counts.
type Stats struct{ Users, Topics, Comments int }

// Site sums the counters of all partitions.
func Site(ctx context.Context, rdb *pipeline.Client) (Stats, error) {
	names := []string{"users", "topics", "comments"}
	b := rdb.Batch()
	cmds := make([]*redis.SliceCmd, forum.Partitions)
	for p := range cmds {
		cmds[p] = b.HMGet(ctx, key.Stats(forum.Partition(p)), names...)
	}
	if err := b.Exec(ctx); err != nil {
		return Stats{}, fmt.Errorf("read site counters: %w", err)
	}
	var sum Stats
	for _, cmd := range cmds {
		f := record.HMGet(names, cmd)
		sum.Users += f.Int("users")
		sum.Topics += f.Int("topics")
		sum.Comments += f.Int("comments")
	}
	return sum, nil
}

// AllTasks counts the tasks of all partitions. What consumers have set aside counts as dead.
func AllTasks(ctx context.Context, rdb *pipeline.Client, now forum.Time) (forum.Tasks, error) {
	b := rdb.Batch()
	var counts [forum.Partitions]struct{ all, due, dead *redis.IntCmd }
	for i := range counts {
		p := forum.Partition(i)
		counts[i].all = b.ZCard(ctx, key.Due(p))
		counts[i].due = b.ZCount(ctx, key.Due(p), "-inf", key.Itoa(now))
		counts[i].dead = b.ZCard(ctx, key.Dead(p))
	}
	consumers := QueueConsumers(ctx, b)
	if err := b.Exec(ctx); err != nil {
		return forum.Tasks{}, fmt.Errorf("count tasks: %w", err)
	}
	var t forum.Tasks
	for _, c := range counts {
		t.Due += int(c.due.Val())
		t.Waiting += int(c.all.Val() - c.due.Val())
		t.Dead += int(c.dead.Val())
	}
	t.Dead += allAside(consumers)
	return t, nil
}

// DeadTasks counts the tasks that were given up, and the objects that consumers have set aside.
func DeadTasks(ctx context.Context, rdb *pipeline.Client) (int, error) {
	b := rdb.Batch()
	var counts [forum.Partitions]*redis.IntCmd
	for i := range counts {
		counts[i] = b.ZCard(ctx, key.Dead(forum.Partition(i)))
	}
	consumers := QueueConsumers(ctx, b)
	if err := b.Exec(ctx); err != nil {
		return 0, fmt.Errorf("count dead tasks: %w", err)
	}
	n := 0
	for _, c := range counts {
		n += int(c.Val())
	}
	return n + allAside(consumers), nil
}

// QueueConsumers queues reading who follows the changes in each slot.
func QueueConsumers(ctx context.Context, b *pipeline.Batch) map[string]*redis.MapStringStringCmd {
	all := make(map[string]*redis.MapStringStringCmd, len(key.FeedSlots))
	for _, slot := range key.FeedSlots {
		all[slot] = b.HGetAll(ctx, key.Consumers(slot))
	}
	return all
}

// Aside returns how many objects each of the consumers in a slot has set aside, by their names there.
func Aside(consumers map[string]string) map[string]int {
	all := map[string]int{}
	for name, row := range consumers {
		if is, ok := catalogue.ConsumerRow.Parse(row); ok {
			all[name] = int(is.Int("aside"))
		}
	}
	return all
}

func allAside(slots map[string]*redis.MapStringStringCmd) (n int) {
	for _, cmd := range slots {
		for _, aside := range Aside(cmd.Val()) {
			n += aside
		}
	}
	return n
}
