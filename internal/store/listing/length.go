package listing

import "github.com/redis/go-redis/v9"

// Lengths reads how many entries the lists have.
func (r Read) Lengths(lists []List) func() ([]int, error) {
	cmds := make([]*redis.IntCmd, len(lists))
	for i, l := range lists {
		cmds[i] = r.Batch.ZCard(r.Ctx, l.Key)
	}
	return func() ([]int, error) {
		if r.Err != nil {
			return nil, r.Err
		}
		ns := make([]int, len(lists))
		for i, cmd := range cmds {
			ns[i] = int(cmd.Val())
		}
		return ns, nil
	}
}
