package fsck

import (
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
