package listing

import "github.com/redis/go-redis/v9"

// Lengths reads how many entries the lists have.
func (r Read) Lengths(lists []List) func() ([]int, error) {
	cmds := make([]*redis.IntCmd, len(lists))
	for i, l := range lists {
		cmds[i] = r.read.Batch.ZCard(r.read.Ctx, l.Key)
	}
	return func() ([]int, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		ns := make([]int, len(lists))
		for i, cmd := range cmds {
			ns[i] = int(cmd.Val())
		}
		return ns, nil
	}
}
