package fsck

import (
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// indexLists returns the lists of a container.
func indexLists(in key.Container) []list {
	keys := append(ordersOf(in), in.Revisions(), in.Removed())
	lists := make([]list, len(keys))
	for i, k := range keys {
		lists[i] = list{key: k, hash: k == in.Revisions(), on: entryTarget(in, 0, ""), first: (*look).held}
	}
	return lists
}

// held examines an entry of a list of a container, except one that belongs there at that position: that was examined
// with its object.
func (l *look) held(e entry) {
	in := key.Container(l.on.key)
	if e.key == in.Revisions() || e.key == in.Removed() {
		if id, err := forum.ParseID[forum.TopicID](e.name); err == nil {
			l.on = entryTarget(in, int64(id), "")
		}
	} else if id, _, err := record.ParseMember(e.name); err == nil && id >= 1 && id <= forum.MaxID {
		l.on.id = id
	}
	if first := ordersOf(in)[0]; l.on.text != "" && e.key != first {
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
	for _, k := range ordersOf(box) {
		sizes = append(sizes, l.size(k))
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
