package fsck

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// inspectContainers compares the entries of containers with their objects.
func (c *checker) inspectContainers(ctx context.Context) error {
	for box := range c.keys.indexes {
		if day, ok := box.Day(); ok && !c.readable(day) {
			continue
		}
		if err := c.inspectWhole(ctx, box); err != nil {
			return err
		}
		if err := c.inspectContainer(ctx, box); err != nil {
			return err
		}
	}
	for p := range c.keys.users {
		users := toIDs[forum.UserID](c.keys.users[p])
		if err := groups(users, func(ids []forum.UserID) error { return c.inspectUserContainers(ctx, ids) }); err != nil {
			return err
		}
		if err := groups(users, func(ids []forum.UserID) error { return c.inspectLogs(ctx, ids) }); err != nil {
			return err
		}
	}
	return nil
}

// inspectUserContainers checks the comments of a group of users together, and those of users with
// many comments separately.
// readable reports whether the rank of a day can still be read. Older ranks cannot be compared, because topics record two
// days only.
func (c *checker) readable(d forum.Day) bool { return d >= c.s.Today()-1 }

func (c *checker) inspectUserContainers(ctx context.Context, ids []forum.UserID) error {
	r := c.read(ctx)
	sizes := make([][3]*redis.IntCmd, len(ids))
	for i, id := range ids {
		box := key.UserCommentsContainer(id)
		sizes[i] = [3]*redis.IntCmd{
			r.next().ZCard(ctx, box.Order(key.OrderCreated)), r.next().HLen(ctx, box.Revisions()),
			r.next().ZCard(ctx, box.Removed()),
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	var small []key.Container
	for i, id := range ids {
		box := key.UserCommentsContainer(id)
		switch most := max(sizes[i][0].Val(), sizes[i][1].Val(), sizes[i][2].Val()); {
		case most > readSize:
			if err := c.inspectContainer(ctx, box); err != nil {
				return err
			}
		case most > 0:
			small = append(small, box)
		}
	}
	held := make([][3]*redis.StringSliceCmd, len(small))
	for i, box := range small {
		held[i] = [3]*redis.StringSliceCmd{
			r.next().ZRange(ctx, box.Order(key.OrderCreated), 0, -1), r.next().HKeys(ctx, box.Revisions()),
			r.next().ZRange(ctx, box.Removed(), 0, -1),
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	var refs []entryRef
	for i, box := range small {
		refs = append(refs, memberRefs(box, held[i][0].Val())...)
		refs = append(refs, nameRefs(box, held[i][1].Val())...)
		refs = append(refs, nameRefs(box, held[i][2].Val())...)
	}
	return groups(refs, func(refs []entryRef) error { return c.inspectHeld(ctx, refs) })
}

func (c *checker) inspectContainer(ctx context.Context, box key.Container) error {
	orders := box.OrderNames()
	for i, order := range orders {
		err := c.eachMember(ctx, box.Order(order), func(members []string) error {
			var err error
			if i > 0 {
				if members, err = c.missingIn(ctx, box.Order(orders[0]), members); err != nil {
					return err
				}
			}
			return c.inspectHeld(ctx, memberRefs(box, members))
		})
		if err != nil {
			return err
		}
	}
	inspect := func(names []string) error { return c.inspectHeld(ctx, nameRefs(box, names)) }
	if err := c.eachField(ctx, box.Revisions(), inspect); err != nil {
		return err
	}
	return c.eachMember(ctx, box.Removed(), inspect)
}

// missingIn returns the members that are missing in the sorted set, or have score 0. Members of the
// first order of a container are checked there, together with all other orders.
func (c *checker) missingIn(ctx context.Context, key string, members []string) ([]string, error) {
	r := c.read(ctx)
	scores := r.next().ZMScore(ctx, key, members...)
	if err := r.done(); err != nil {
		return nil, err
	}
	var missing []string
	for i, m := range members {
		if i >= len(scores.Val()) || scores.Val()[i] == 0 {
			missing = append(missing, m)
		}
	}
	return missing, nil
}

// memberRefs returns the entries of members of an order.
func memberRefs(box key.Container, members []string) []entryRef {
	refs := make([]entryRef, len(members))
	for i, m := range members {
		id, _, err := record.ParseMember(m)
		if err != nil || id < 1 || id > forum.MaxID {
			id = 0
		}
		refs[i] = entryRef{box, id, m}
	}
	return refs
}

// nameRefs returns the entries of ids in revisions or tombstones.
func nameRefs(box key.Container, names []string) []entryRef {
	refs := make([]entryRef, len(names))
	for i, name := range names {
		id, err := forum.ParseID[forum.TopicID](name)
		if refs[i] = (entryRef{container: box, id: int64(id)}); err != nil {
			refs[i].member = name
		}
	}
	return refs
}

// inspectHeld checks the entries of a container, except those that belong there at that position:
// they were checked with their objects.
func (c *checker) inspectHeld(ctx context.Context, refs []entryRef) error {
	truths, err := c.truths(ctx, refs)
	if err != nil {
		return err
	}
	var odd []entryRef
	for i, ref := range refs {
		if t := truths[i]; ref.id == 0 || !t.listed || ref.member != "" && ref.member != t.member {
			odd = append(odd, ref)
		}
	}
	return c.inspectEntries(ctx, odd)
}

// inspectWhole checks the index of a category or tag as a whole.
func (c *checker) inspectWhole(ctx context.Context, box key.Container) error {
	switch {
	case box.Category() != 0:
		return c.inspectOwner(ctx, box)
	case box.Tag() != 0:
		return c.inspectTag(ctx, box)
	}
	return nil
}

func (c *checker) inspectOwner(ctx context.Context, box key.Container) error {
	on, category := target{kind: onContainer, key: string(box)}, key.Category(box.Category())
	r := c.read(ctx)
	exists := r.next().Exists(ctx, category)
	deleting := r.next().HExists(ctx, key.Internal(category), "deleting")
	closed := r.next().Exists(ctx, box.Closed())
	var lengths []*redis.IntCmd
	for _, order := range key.TopicOrders {
		lengths = append(lengths, r.next().ZCard(ctx, box.Order(order)))
	}
	if err := r.done(); err != nil {
		return err
	}
	empty := !slices.ContainsFunc(lengths, func(n *redis.IntCmd) bool { return n.Val() > 0 })
	switch {
	case exists.Val() == 1 && closed.Val() == 1 && !deleting.Val():
		c.add(on, RuleIndexClosed, box.Closed(), remove(box.Closed()),
			"is closed, but the category exists and is not being deleted")
	case exists.Val() == 0 && !empty:
		c.add(on, RuleIndexOwner, string(box), fix{}, "there is no such category, but it has %d topics", lengths[0].Val())
	case exists.Val() == 0 && closed.Val() == 0:
		blocked := fix{run: func(ctx context.Context) error {
			return c.repairer.CloseIndex(ctx, box)
		}}
		c.add(on, RuleIndexOwner, string(box), blocked, "there is no such category, but its index is open")
	}
	return nil
}
