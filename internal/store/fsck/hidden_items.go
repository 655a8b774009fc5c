package fsck

import (
	"context"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// checkHiddenItem compares a topic or comment with its entry in the list of hidden items. hidden is when it was hidden;
// 0 if it was not.
func (c *checker) checkHiddenItem(on target, k, member string, hidden forum.Time, listed *redis.FloatCmd) {
	id, err := forum.ParseID[forum.TopicID](member[2:])
	if err != nil {
		return
	}
	there, list := listed.Err() == nil, key.Hidden(id.Partition())
	if there == (hidden != 0) && (!there || forum.Time(listed.Val()) == hidden) {
		return
	}
	place := fix{watch: []string{k, list}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		if hidden == 0 {
			pipe.ZRem(ctx, list, member)
		} else {
			pipe.ZAdd(ctx, list, redis.Z{Score: float64(hidden), Member: member})
		}
	}}
	c.add(on, RuleHidden, list, place, "%s was hidden at %d; listed: %t, at %.0f", member, hidden, there, listed.Val())
}

// inspectHiddenList checks that the hidden items that a partition lists exist; those that exist are compared with the
// list elsewhere.
func (c *checker) inspectHiddenList(ctx context.Context, p forum.Partition) error {
	return c.eachMember(ctx, key.Hidden(p), func(names []string) error { return c.inspectHiddenItems(ctx, p, names) })
}

// inspectHiddenItems checks some hidden items of a partition.
func (c *checker) inspectHiddenItems(ctx context.Context, p forum.Partition, names []string) error {
	r := c.read(ctx)
	found, listed := make([]*redis.IntCmd, len(names)), make([]*redis.FloatCmd, len(names))
	for i, name := range names {
		found[i] = r.next().Exists(ctx, hiddenItemKey(p, name))
		listed[i] = r.next().ZScore(ctx, key.Hidden(p), name)
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, name := range names {
		kind, number, _ := strings.Cut(name, ":")
		id, err := forum.ParseID[forum.TopicID](number)
		if kind == "e" {
			var on forum.Subject
			on, err = record.ParseActSubject(number)
			id = forum.TopicID(max(int64(on.Topic), int64(on.Comment), int64(on.User)))
		}
		sound := (kind == "t" || kind == "c" || kind == "e") && err == nil && id.Partition() == p && found[i].Val() == 1
		if sound || listed[i].Err() != nil {
			continue
		}
		list := key.Hidden(p)
		out := fix{watch: []string{list},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, list, name) }}
		c.add(target{kind: onHiddenItem, id: int64(p), text: name}, RuleHidden, list, out,
			"%q names nothing of the partition that is kept", name)
	}
	return nil
}

// hiddenItemKey returns the key that a hidden item of a partition stands for.
func hiddenItemKey(p forum.Partition, member string) string {
	if about, is := strings.CutPrefix(member, "e:"); is {
		if on, err := record.ParseActSubject(about); err == nil {
			return key.Evidence(on)
		}
	}
	return key.PartitionPrefix(p) + member
}
