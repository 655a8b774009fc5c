package fsck

import (
	"context"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/record"
)

// The following compare what is stored with what must be, and repair each difference. given are the keys from which
// that was derived: the repair fails if they change.

// wantField compares a field of a hash or object; "" stands for none.
func (l *look) wantField(rule Rule, k, name, has, want string, given ...string) {
	if has != want {
		l.add(rule, k, set(k, name, want).given(given...), "%s is %q; want %q", name, has, want)
	}
}

// wantCount compares a field that counts; none counts 0.
func (l *look) wantCount(rule Rule, k string, f record.Fields, name string, want int, given ...string) {
	if f.Int(name) != want {
		l.add(rule, k, set(k, name, want).given(given...), "%s is %q; want %d", name, f[name], want)
	}
}

// wantLeast compares a field that counts at least to a number that is in use.
func (l *look) wantLeast(rule Rule, k string, f record.Fields, name string, least int64, given ...string) {
	if int64(f.Int(name)) < least {
		l.add(rule, k, set(k, name, least).given(given...), "%s is %q; want at least %d", name, f[name], least)
	}
}

// wantMember compares the score of a member of a sorted set; "" stands for none.
func (l *look) wantMember(rule Rule, k, member string, has *redis.FloatCmd, want string, given ...string) {
	score := ""
	if is(has) {
		score = record.FormatScore(has.Val())
	}
	if score == want {
		return
	}
	x := drop(k, member)
	if n, err := strconv.ParseFloat(want, 64); err == nil {
		x = put(k, member, n)
	}
	l.add(rule, k, x.given(given...), "%q is at %q; want %q", member, score, want)
}

// wantSet compares a sorted set with the members that it must have; of those, only the missing ones stay in want. Each
// difference is one finding with one repair, because data of earlier versions lack some sets.
func (l *look) wantSet(rule Rule, k string, has []redis.Z, want map[string]float64, given ...string) {
	var extra []string
	var missing []redis.Z
	all := len(want)
	for _, z := range has {
		name := z.Member.(string)
		at, there := want[name]
		if delete(want, name); !there {
			extra = append(extra, name)
		} else if at != z.Score {
			missing = append(missing, redis.Z{Score: at, Member: name})
		}
	}
	for name, at := range want {
		missing = append(missing, redis.Z{Score: at, Member: name})
	}
	if len(extra)+len(missing) == 0 {
		return
	}
	write := transaction(append(given, k), func(ctx context.Context, pipe redis.Pipeliner) {
		for part := range slices.Chunk(extra, readSize) {
			pipe.ZRem(ctx, k, part)
		}
		for part := range slices.Chunk(missing, readSize) {
			pipe.ZAdd(ctx, k, part...)
		}
	})
	l.add(rule, k, write, "%d of %d entries are missing or wrong, and %d are extra: %.200q", len(missing), all, len(extra), extra)
}

// orphans reports which of the keys exist, though what they belong to does not. Unless they are kept, the repair deletes
// them.
func (l *look) orphans(keep bool, why string, keys ...string) {
	for _, k := range l.present(keys) {
		x := remove(k)
		if keep {
			x = fix{}
		}
		l.add(RuleOrphanKey, k, x, "exists, but %s", why)
	}
}

// present returns those of the keys that exist.
func (l *look) present(keys []string) (present []string) {
	found := make([]*redis.IntCmd, len(keys))
	for i, k := range keys {
		found[i] = l.exists(k)
	}
	l.wait()
	for i, k := range keys {
		if exists(found[i]) {
			present = append(present, k)
		}
	}
	return present
}

// need reports a field that only people can correct, unless it is ok.
func (l *look) need(rule Rule, k string, f record.Fields, name string, ok bool) {
	if !ok {
		l.add(rule, k, fix{}, "%s is %q", name, f[name])
	}
}

// wrongFields reports fields that only people can correct.
func (l *look) wrongFields(rule Rule, k string, f record.Fields, names []string) {
	for _, name := range names {
		l.need(rule, k, f, name, false)
	}
}
