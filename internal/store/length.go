package store

import "github.com/redis/go-redis/v9"

// Lengths reads how many entries the lists have.
func (r *Read) Lengths(lists []List) func() ([]int, error) {
	cmds := make([]*redis.IntCmd, len(lists))
	for i, l := range lists {
		cmds[i] = r.b.ZCard(r.ctx, l.key)
	}
	return func() ([]int, error) {
		if r.err != nil {
			return nil, r.err
		}
		ns := make([]int, len(lists))
		for i, cmd := range cmds {
			ns[i] = int(cmd.Val())
		}
		return ns, nil
	}
}
