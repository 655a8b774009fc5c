package fsck

import (
	"context"
	"iter"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/catalogue"
)

// look examines one target. What it reads is queued; wait sends it, together with what the other looks of its group
// have queued, so that a group takes no more round trips than its longest look.
type look struct {
	*checker
	*reading
	on   target
	wait func()
}

// together runs a look for each of all, a group at a time.
func together[T any](ctx context.Context, c *checker, all []T, examine func(*look, T)) error {
	return groups(all, func(part []T) error {
		r := c.read(ctx)
		looks := make([]func() (struct{}, bool), len(part))
		for i, of := range part {
			next, stop := iter.Pull(func(yield func(struct{}) bool) {
				examine(&look{checker: c, reading: r, wait: func() { yield(struct{}{}) }}, of)
			})
			defer stop() // if reads fail, the looks end on empty replies, and the check fails
			looks[i] = next
		}
		for len(looks) > 0 {
			looks = slices.DeleteFunc(looks, func(next func() (struct{}, bool)) bool {
				_, waits := next()
				return !waits
			})
			if err := r.done(); err != nil {
				return err
			}
		}
		return nil
	})
}

// at returns the same look at another target.
func (l *look) at(on target) *look {
	other := *l
	other.on = on
	return &other
}

// add records an unconfirmed finding on the target.
func (l *look) add(rule Rule, key string, x fix, detail string, args ...any) {
	l.checker.add(l.on, rule, key, x, detail, args...)
}

// postpone records that the target cannot be checked now.
func (l *look) postpone() { l.busy[l.on] = true }

// fail ends the check with an error.
func (l *look) fail(err error) {
	if l.reading.err == nil {
		l.reading.err = err
	}
}

// The following queue reads. In a hash of an object, that one is read which has the field.

func (r *reading) exists(k string) *redis.IntCmd           { return r.next().Exists(r.ctx, k) }
func (r *reading) text(k string) *redis.StringCmd          { return r.next().Get(r.ctx, k) }
func (r *reading) score(k, member string) *redis.FloatCmd  { return r.next().ZScore(r.ctx, k, member) }
func (r *reading) size(k string) *redis.IntCmd             { return r.next().ZCard(r.ctx, k) }
func (r *reading) set(k string) *redis.ZSliceCmd           { return r.next().ZRangeWithScores(r.ctx, k, 0, -1) }
func (r *reading) hash(k string) *redis.MapStringStringCmd { return r.next().HGetAll(r.ctx, k) }
func (r *reading) field(k, name string) *redis.StringCmd {
	return r.next().HGet(r.ctx, catalogue.KeyOf(k, name), name)
}

// is reports whether a command found what it was to read.
func is(cmd redis.Cmder) bool { return cmd.Err() == nil }
