package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
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
		if c.remedy(f).none() {
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
		default:
			f.fix = c.remedy(f)
			err = c.transact(ctx, f)
		}
		delete(c.failed, f.plain())
		if err != nil && !refusedByRedis(err) {
			return n, fmt.Errorf("%s: %w", f.Finding, err)
		}
		if err != nil {
			c.failed[f.plain()] = err.Error()
		}
	}
	if n == 0 {
		return 0, nil
	}
	c.s.cleaner.flush()
	var err error
	c.report.Unswept, err = c.s.settleMost(ctx)
	return n, err
}

// remedy is how a finding is put right, or forgotten if that is wanted.
func (c *checker) remedy(f finding) fix {
	if f.fix.none() && c.opts.Prune {
		x, _ := c.prune(f)
		return x
	}
	return f.fix
}

// refusedByRedis reports whether Redis answered a command with an error, such as WRONGTYPE:
// other commands may succeed.
func refusedByRedis(err error) bool {
	var refused redis.Error
	return errors.As(err, &refused) || forum.CodeOf(err) != ""
}

// settleRounds is the most rounds of settleMost.
const settleRounds = 1000

// settleMost is Settle that goes on when Redis refuses something: what is left is told in
// unswept. err is another failure, such as a lost connection.
func (s *Store) settleMost(ctx context.Context) (unswept, err error) {
	whole := *s
	whole.bulk, whole.patient = false, true
	for range settleRounds {
		n, err := whole.sweep(ctx, s.Now())
		s.cleaner.flush()
		if err != nil && (!refusedByRedis(err) || ctx.Err() != nil) {
			return nil, err
		}
		if unswept = err; n == 0 {
			break
		}
	}
	s.stats.forget()
	return unswept, nil
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
		at := slices.IndexFunc(c.found[f.on], func(g finding) bool { return g.same(f.Finding) })
		if at < 0 {
			return nil
		}
		_, err := tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			c.remedy(c.found[f.on][at]).do(ctx, pipe)
			return nil
		})
		return err
	}, f.fix.watch...)
	if errors.Is(err, redis.TxFailedErr) {
		return nil
	}
	return err
}
