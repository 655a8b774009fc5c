package fsck

import (
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// indexLists returns the lists of a container.
func indexLists(in key.Container) []check.List {
	keys := append(check.OrdersOf(in), in.Revisions(), in.Removed())
	lists := make([]check.List, len(keys))
	for i, k := range keys {
		lists[i] = check.List{Key: k, Hash: k == in.Revisions(), On: entryTarget(in, 0, "")}
	}
	return lists
}

// held examines an entry of a list of a container, except one that belongs there at that position: that was examined
// with its object.
func (c *checker) held(l *check.Look, e check.Entry) {
	in := key.Container(l.On.Key)
	if e.Key == in.Revisions() || e.Key == in.Removed() {
		if id, err := forum.ParseID[forum.TopicID](e.Name); err == nil {
			l.On = entryTarget(in, int64(id), "")
		}
	} else if id, _, err := record.ParseMember(e.Name); err == nil && id >= 1 && id <= forum.MaxID {
		l.On.ID = id
	}
	if first := check.OrdersOf(in)[0]; l.On.Text != "" && e.Key != first {
		there := l.Score(first, l.On.Text)
		if l.Wait(); check.Is(there) { // it is checked there, with all orders
			return
		}
	}
	if t := c.truth(l); l.On.ID == 0 || t.scores == nil || l.On.Text != "" && l.On.Text != t.member {
		c.entry(l, t)
	}
}

// container checks the index of a category or tag as a whole.
func (c *checker) container(l *check.Look) {
	switch box := key.Container(l.On.Key); {
	case box.Category() != 0:
		c.categoryIndex(l, box)
	case box.Tag() != 0:
		c.tagIndex(l, box)
	}
}

func (c *checker) categoryIndex(l *check.Look, box key.Container) {
	category := key.Category(box.Category())
	exists, deleting, closed := l.Exists(category), l.Field(category, "deleting"), l.Exists(box.Closed())
	var sizes []*redis.IntCmd
	for _, k := range check.OrdersOf(box) {
		sizes = append(sizes, l.Size(k))
	}
	l.Wait()
	empty := !slices.ContainsFunc(sizes, func(n *redis.IntCmd) bool { return n.Val() > 0 })
	switch {
	case exists.Val() == 1 && closed.Val() == 1 && !check.Is(deleting):
		l.Add(RuleIndexClosed, box.Closed(), check.Remove(box.Closed()),
			"is closed, but the category exists and is not being deleted")
	case exists.Val() == 0 && !empty:
		l.Add(RuleIndexOwner, string(box), check.Fix{}, "there is no such category, but it has %d topics",
			sizes[0].Val())
	case exists.Val() == 0 && closed.Val() == 0:
		l.Add(RuleIndexOwner, string(box), check.Call(c.repairer.CloseIndex, box),
			"there is no such category, but its index is open")
	}
}
