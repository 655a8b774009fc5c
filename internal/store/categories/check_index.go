package categories

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/check"
	"agora/internal/store/internal/key"
)

// index checks the index of a category as a whole.
func (c checks) index(l *check.Look) {
	box := key.Container(l.On.Key)
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
		l.Add(RuleIndexOwner, string(box), check.Call(c.close, box),
			"there is no such category, but its index is open")
	}
}

// close closes an empty index.
func (c checks) close(ctx context.Context, box key.Container) error {
	_, err := c.CloseIndex(ctx, box)
	return err
}
