package fsck

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// inspectOwnEntries compares the entries that topics and the comments on them must have.
func (c *checker) inspectOwnEntries(ctx context.Context, topics []*topicView) error {
	var entries []target
	for _, t := range topics {
		if len(t.f) == 0 {
			continue
		}
		for _, e := range derive.Topic(t.state(), c.s.Today()-1) {
			if e.Container.Category() == 0 || t.housed { // a topic in a lost category already has a finding
				entries = append(entries, entryTarget(e.Container, int64(t.id), ""))
			}
		}
		for _, m := range t.comments {
			if m.Author != 0 && m.authorThere && m.topic == t.id {
				entries = append(entries, entryTarget(key.UserCommentsContainer(m.Author), int64(m.ID), ""))
			}
		}
	}
	return together(ctx, c, entries, (*look).examine)
}

// inspectContainers compares the entries of containers with their objects.
func (c *checker) inspectContainers(ctx context.Context) error {
	var boxes []key.Container
	for box := range c.keys.indexes {
		if day, ok := box.Day(); !ok || c.readable(day) {
			boxes = append(boxes, box)
		}
	}
	if err := together(ctx, c, boxes, func(l *look, box key.Container) {
		l.examine(target{kind: onContainer, key: string(box)})
	}); err != nil {
		return err
	}
	if err := groups(boxes, func(some []key.Container) error { return c.inspectBoxes(ctx, some) }); err != nil {
		return err
	}
	for p := range c.keys.users {
		if err := groups(toIDs[forum.UserID](c.keys.users[p]), func(ids []forum.UserID) error {
			var boxes []key.Container
			for _, id := range ids {
				boxes = append(boxes, key.UserCommentsContainer(id))
			}
			if err := c.inspectBoxes(ctx, boxes); err != nil {
				return err
			}
			return c.inspectLogs(ctx, ids)
		}); err != nil {
			return err
		}
	}
	return nil
}

// readable reports whether the rank of a day can still be read. Older ranks cannot be compared, because topics record two
// days only.
func (c *checker) readable(d forum.Day) bool { return d >= c.s.Today()-1 }

// inspectBoxes checks the entries of containers, except those that belong there at that position: they were checked with
// their objects.
func (c *checker) inspectBoxes(ctx context.Context, boxes []key.Container) error {
	var lists []list
	in, byID := map[string]key.Container{}, map[string]bool{} // by key
	for _, box := range boxes {
		for _, order := range box.OrderNames() {
			lists = append(lists, list{key: box.Order(order)})
		}
		lists = append(lists, list{box.Revisions(), true}, list{key: box.Removed()})
		byID[box.Revisions()], byID[box.Removed()] = true, true
		for _, l := range lists[len(lists)-len(box.OrderNames())-2:] {
			in[l.key] = box
		}
	}
	return c.eachEntry(ctx, lists, func(l *look, e entry) {
		box := in[e.key]
		if l.on = entryTarget(box, 0, e.name); byID[e.key] {
			if id, err := forum.ParseID[forum.TopicID](e.name); err == nil {
				l.on = entryTarget(box, int64(id), "")
			}
		} else if id, _, err := record.ParseMember(e.name); err == nil && id >= 1 && id <= forum.MaxID {
			l.on.id = id
		}
		l.held(e.key)
	})
}

// held checks an entry as a list of its container has it.
func (l *look) held(k string) {
	if first := key.Container(l.on.key).Order(key.Container(l.on.key).OrderNames()[0]); l.on.text != "" && k != first {
		there := l.score(first, l.on.text)
		if l.wait(); is(there) { // it is checked there, with all orders
			return
		}
	}
	if t := l.truth(); l.on.id == 0 || t.scores == nil || l.on.text != "" && l.on.text != t.member {
		l.entry(t)
	}
}

// container checks the index of a category or tag as a whole.
func (l *look) container() {
	switch box := key.Container(l.on.key); {
	case box.Category() != 0:
		l.categoryIndex(box)
	case box.Tag() != 0:
		l.tagIndex(box)
	}
}

func (l *look) categoryIndex(box key.Container) {
	category := key.Category(box.Category())
	exists, deleting, closed := l.exists(category), l.field(category, "deleting"), l.exists(box.Closed())
	var sizes []*redis.IntCmd
	for _, order := range key.TopicOrders {
		sizes = append(sizes, l.size(box.Order(order)))
	}
	l.wait()
	empty := !slices.ContainsFunc(sizes, func(n *redis.IntCmd) bool { return n.Val() > 0 })
	switch {
	case exists.Val() == 1 && closed.Val() == 1 && !is(deleting):
		l.add(RuleIndexClosed, box.Closed(), remove(box.Closed()), "is closed, but the category exists and is not being deleted")
	case exists.Val() == 0 && !empty:
		l.add(RuleIndexOwner, string(box), fix{}, "there is no such category, but it has %d topics", sizes[0].Val())
	case exists.Val() == 0 && closed.Val() == 0:
		l.add(RuleIndexOwner, string(box), call(l.repairer.CloseIndex, box),
			"there is no such category, but its index is open")
	}
}
