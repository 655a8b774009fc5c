package fsck

import (
	"context"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// judgeShelved compares a topic or comment with its place among what is hidden. hidden is when it was; 0 if it was not.
func (c *checker) judgeShelved(on target, k, member string, hidden forum.Time, shelved *redis.FloatCmd) {
	id, err := forum.ParseID[forum.TopicID](member[2:])
	if err != nil {
		return
	}
	there, shelf := shelved.Err() == nil, key.Hidden(id.Partition())
	if there == (hidden != 0) && (!there || forum.Time(shelved.Val()) == hidden) {
		return
	}
	place := fix{watch: []string{k, shelf}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		if hidden == 0 {
			pipe.ZRem(ctx, shelf, member)
		} else {
			pipe.ZAdd(ctx, shelf, redis.Z{Score: float64(hidden), Member: member})
		}
	}}
	c.add(on, RuleHidden, shelf, place, "%s was hidden at %d; listed: %t, at %.0f", member, hidden, there, shelved.Val())
}

// inspectShelf checks that what a partition lists as hidden exists; what exists is compared with the list elsewhere.
func (c *checker) inspectShelf(ctx context.Context, p forum.Partition) error {
	return c.eachMember(ctx, key.Hidden(p), func(names []string) error { return c.inspectShelved(ctx, p, names) })
}

// inspectShelved checks some members of the list of a partition.
func (c *checker) inspectShelved(ctx context.Context, p forum.Partition, names []string) error {
	r := c.read(ctx)
	found, listed := make([]*redis.IntCmd, len(names)), make([]*redis.FloatCmd, len(names))
	for i, name := range names {
		found[i] = r.next().Exists(ctx, shelvedKey(p, name))
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
		shelf := key.Hidden(p)
		out := fix{watch: []string{shelf},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, shelf, name) }}
		c.add(target{kind: onShelf, id: int64(p), text: name}, RuleHidden, shelf, out,
			"%q names nothing of the partition that is kept", name)
	}
	return nil
}

// shelvedKey returns the key that a member of the list of a partition stands for.
func shelvedKey(p forum.Partition, member string) string {
	if about, is := strings.CutPrefix(member, "e:"); is {
		if on, err := record.ParseActSubject(about); err == nil {
			return key.Evidence(on)
		}
	}
	return key.PartitionPrefix(p) + member
}
