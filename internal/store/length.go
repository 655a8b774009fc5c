package store

import (
	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/key"
)

// Lengths reads how many entries the lists have.
func (r *Read) Lengths(lists []List) func() ([]int, error) {
	cmds := make([][]*redis.IntCmd, len(lists))
	for i, l := range lists {
		for _, key := range r.lengthKeys(l) {
			cmds[i] = append(cmds[i], r.b.ZCard(r.ctx, key))
		}
	}
	return func() ([]int, error) {
		if r.err != nil {
			return nil, r.err
		}
		ns := make([]int, len(lists))
		for i := range cmds {
			for _, cmd := range cmds[i] {
				ns[i] += int(cmd.Val())
			}
		}
		return ns, nil
	}
}

// lengthKeys returns the sorted sets whose lengths add up to that of a list.
func (r *Read) lengthKeys(l List) []string {
	if l.index == "" {
		return []string{l.key}
	}
	var keys []string
	for _, c := range r.s.lists.View(r.ctx).Containers(l.index) {
		keys = append(keys, c.Order(key.OrderCreated))
	}
	return keys
}
