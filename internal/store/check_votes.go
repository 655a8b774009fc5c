package store

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"
)

// votesView is the votes on one subject: shown, imported, in the sets.
type votesView struct {
	up, down, baseUp, baseDown, setUp, setDown int

	both []string
}

// queue queues the reads; fill takes what they gave, and the subject's fields.
func (v *votesView) queue(r *reading, key string) (fill func(f fields)) {
	up := r.next().ZCard(r.ctx, upKey(key))
	down := r.next().ZCard(r.ctx, downKey(key))
	both := r.next().ZInter(r.ctx, &redis.ZStore{Keys: []string{upKey(key), downKey(key)}})
	return func(f fields) {
		*v = votesView{
			up: f.int("up"), baseUp: f.int("upBase"), setUp: int(up.Val()),
			down: f.int("down"), baseDown: f.int("downBase"), setDown: int(down.Val()),
			both: both.Val(),
		}
	}
}

func (c *checker) judgeVotes(on subject, key string, v *votesView) {
	watch := []string{key, upKey(key), downKey(key)}
	up, down := v.baseUp+v.setUp, v.baseDown+v.setDown
	if v.up != up || v.down != down {
		count := set(key, "up", up, "down", down)
		count.watch = watch
		c.add(on, RuleVotesCount, key, count, "%d up, %d down; the sets say %d and %d", v.up, v.down, up, down)
	}
	if both := v.both; len(both) > 0 {
		slices.Sort(both)
		neither := fix{watch: watch, do: func(ctx context.Context, pipe redis.Pipeliner) {
			for _, user := range both {
				pipe.ZRem(ctx, upKey(key), user)
				pipe.ZRem(ctx, downKey(key), user)
			}
		}}
		c.add(on, RuleVotesBoth, key, neither, "%d users vote both ways: %.100s", len(both), both)
	}
}
