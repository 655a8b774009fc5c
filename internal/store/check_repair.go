package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"
)

// fix is how a finding is put right: one transaction that fails when what it
// rests on changes, or something that may be repeated at any time. The zero fix
// is a finding that only people can put right.
type fix struct {
	watch []string
	do    func(ctx context.Context, pipe redis.Pipeliner)
	// run is for what a guard or another script decides.
	run func(ctx context.Context) error
	// first is tried instead in the first round: the way through the guards.
	first func(ctx context.Context) error
}

func (x fix) none() bool { return x.do == nil && x.run == nil && x.first == nil }

// repair puts right what can be, one finding after the other. It returns how
// many it tried; whether that helped the next inspection tells.
func (c *checker) repair(ctx context.Context, again bool) (int, error) {
	n := 0
	for _, f := range c.confirmed {
		if f.fix.none() {
			continue
		}
		n++
		var err error
		switch {
		case f.fix.first != nil && !again:
			err = f.fix.first(ctx)
		case f.fix.run != nil:
			err = f.fix.run(ctx)
		case f.fix.do != nil:
			err = c.transact(ctx, f)
		}
		if err != nil {
			return n, fmt.Errorf("%s: %w", f.Finding, err)
		}
	}
	if n == 0 {
		return 0, nil
	}
	c.s.cleaner.flush()
	return n, c.s.Settle(ctx)
}

// transact repairs under WATCH: what the finding was found on is looked at once
// more, and the repair is written only if it is still so and nobody wrote there
// since. Otherwise the next round decides.
func (c *checker) transact(ctx context.Context, f finding) error {
	err := c.s.rdb.Watch(ctx, func(tx *redis.Tx) error {
		c.found, c.busy = map[subject][]finding{}, map[subject]bool{}
		if err := c.inspectAgain(ctx, map[subject]bool{f.on: true}); err != nil {
			return err
		}
		at := slices.IndexFunc(c.found[f.on], func(g finding) bool { return g.Finding == f.Finding })
		if at < 0 {
			return nil
		}
		_, err := tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			c.found[f.on][at].fix.do(ctx, pipe)
			return nil
		})
		return err
	}, f.fix.watch...)
	if errors.Is(err, redis.TxFailedErr) {
		return nil
	}
	return err
}
