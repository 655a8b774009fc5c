package fsck

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/record"
)

// look examines one target. What it reads is queued; wait sends it, together with what the other looks of its group
// have queued, so that a group takes no more round trips than its longest look.
type look struct {
	*checker
	*reading
	on    target
	sweep markRef // by which a sweeper would repair what is found
	tag   forum.TagID
	wait  func()
}

// together runs a look for each of all, a group at a time.
func together[T any](ctx context.Context, c *checker, all []T, examine func(*look, T)) error {
	return groups(all, func(part []T) error {
		r := c.read(ctx)
		looks, stop := start(&look{checker: c, reading: r}, part, examine)
		defer stop()
		for {
			if looks = step(looks); r.done() != nil || len(looks) == 0 {
				return r.err
			}
		}
	})
}

// examineAll checks the targets with these ids.
func (c *checker) examineAll(ctx context.Context, on target, ids []int64) error {
	return together(ctx, c, ids, func(l *look, id int64) {
		of := on
		of.id = id
		l.examine(of)
	})
}

// each runs a look for each part of the target, together with the other looks of the group.
func each[T any](l *look, all []T, examine func(*look, T)) {
	for part := range slices.Chunk(all, groupSize) {
		looks, stop := start(l, part, examine)
		for looks = step(looks); len(looks) > 0; looks = step(looks) {
			l.wait()
		}
		stop()
	}
}

// next resumes a look until it waits again, or ends.
type next func() (_ struct{}, waits bool)

// start returns looks like l at a few targets. After stop they end on empty replies.
func start[T any](l *look, part []T, examine func(*look, T)) (looks []next, stop func()) {
	stops := make([]func(), len(part))
	for i, of := range part {
		resume, end := iter.Pull(func(yield func(struct{}) bool) {
			other := *l
			other.wait = func() { yield(struct{}{}) }
			examine(&other, of)
		})
		looks, stops[i] = append(looks, resume), end
	}
	return looks, func() {
		for _, end := range stops {
			end()
		}
	}
}

// step resumes each look once, and returns those that wait.
func step(looks []next) []next {
	return slices.DeleteFunc(looks, func(resume next) bool {
		_, waits := resume()
		return !waits
	})
}

// add records an unconfirmed finding on the target. Details must not depend on the order of iteration or on time, so that
// a state found twice has the same details.
func (l *look) add(rule Rule, key string, x fix, detail string, args ...any) {
	f := Finding{Rule: rule, Key: key, Detail: fmt.Sprintf(detail, args...)}
	l.found[l.on] = append(l.found[l.on], finding{Finding: f, on: l.on, fix: x, sweep: l.sweep, tag: l.tag})
}

// lose is add for a finding of which something is lost.
func (l *look) lose(what lost, rule Rule, key string, detail string, args ...any) {
	l.add(rule, key, fix{}, detail, args...)
	found := l.found[l.on]
	found[len(found)-1].lost = what
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

func (r *reading) exists(k string) *redis.IntCmd          { return r.next().Exists(r.ctx, k) }
func (r *reading) text(k string) *redis.StringCmd         { return r.next().Get(r.ctx, k) }
func (r *reading) score(k, member string) *redis.FloatCmd { return r.next().ZScore(r.ctx, k, member) }
func (r *reading) scores(keys []string, member string) []*redis.FloatCmd {
	cmds := make([]*redis.FloatCmd, len(keys))
	for i, k := range keys {
		cmds[i] = r.score(k, member)
	}
	return cmds
}
func (r *reading) size(k string) *redis.IntCmd             { return r.next().ZCard(r.ctx, k) }
func (r *reading) zset(k string) *redis.ZSliceCmd          { return r.next().ZRangeWithScores(r.ctx, k, 0, -1) }
func (r *reading) hash(k string) *redis.MapStringStringCmd { return r.next().HGetAll(r.ctx, k) }
func (r *reading) field(k, name string) *redis.StringCmd {
	return r.next().HGet(r.ctx, catalogue.KeyOf(k, name), name)
}

// whole reads long sorted sets piece by piece.
func (l *look) whole(keys ...string) [][]redis.Z {
	const piece = 1000
	sets := make([][]redis.Z, len(keys))
	for from, more := int64(0), true; more; from += piece {
		cmds := make([]*redis.ZSliceCmd, len(keys))
		for i, k := range keys {
			cmds[i] = l.next().ZRangeWithScores(l.ctx, k, from, from+piece-1)
		}
		l.wait()
		more = false
		for i, cmd := range cmds {
			sets[i] = append(sets[i], cmd.Val()...)
			more = more || len(cmd.Val()) == piece
		}
	}
	return sets
}

// fetch reads some fields of a hash or object at once.
func (l *look) fetch(k string, names ...string) record.Fields {
	hash := l.hmget(k, names)
	l.wait()
	return hash()
}

// is reports whether a command found what it was to read.
func is(cmd redis.Cmder) bool { return cmd.Err() == nil }
