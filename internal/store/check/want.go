package check

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// The following compare what is stored with what must be, and repair each difference. given are the keys from which
// that was derived: the repair fails if they change.

// WantField compares a field of a hash or object; "" stands for none.
func (l *Look) WantField(rule Rule, k, name, has, want string, given ...string) {
	if has != want {
		l.Add(rule, k, Set(k, name, want).Given(given...), "%s is %q; want %q", name, has, want)
	}
}

// WantCount compares a field that counts; none counts 0.
func (l *Look) WantCount(k string, f record.Fields, name string, want int, given ...string) {
	if f.Int(name) != want {
		l.Add(RuleCount, k, Set(k, name, want).Given(given...), "%s is %q; want %d", name, f[name], want)
	}
}

// WantLeast compares a field that counts at least to a number that is in use.
func (l *Look) WantLeast(k string, f record.Fields, name string, least int64, given ...string) {
	if int64(f.Int(name)) < least {
		l.Add(RuleCount, k, Set(k, name, least).Given(given...), "%s is %q; want at least %d", name, f[name], least)
	}
}

// WantMember compares the score of a member of a sorted set; "" stands for none.
func (l *Look) WantMember(rule Rule, k, member string, has *redis.FloatCmd, want string, given ...string) {
	score := ""
	if Is(has) {
		score = record.FormatScore(has.Val())
	}
	if score == want {
		return
	}
	x := Drop(k, member)
	if n, err := strconv.ParseFloat(want, 64); err == nil {
		x = Put(k, member, n)
	}
	l.Add(rule, k, x.Given(given...), "%q is at %q; want %q", member, score, want)
}

// WantSet compares a sorted set with the members that it must have; of those, only the missing ones stay in want. Each
// difference is one finding with one repair, because data of earlier versions lack some sets.
func (l *Look) WantSet(rule Rule, k string, has []redis.Z, want map[string]float64, given ...string) {
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
	write := Transaction(append(given, k), func(ctx context.Context, pipe redis.Pipeliner) {
		for part := range slices.Chunk(extra, readSize) {
			pipe.ZRem(ctx, k, part)
		}
		for part := range slices.Chunk(missing, readSize) {
			pipe.ZAdd(ctx, k, part...)
		}
	})
	l.Add(rule, k, write, "%d of %d entries are missing or wrong, and %d are extra: %.200q", len(missing), all,
		len(extra), extra)
}

// Orphans reports which of the keys exist, though what they belong to does not. Unless they are kept, the repair
// deletes them.
func (l *Look) Orphans(keep bool, why string, keys ...string) {
	for _, k := range l.Present(keys) {
		if keep {
			l.Lose(Loss{Remove(k), "the key " + k}, RuleOrphanKey, k, "exists, but %s", why)
		} else {
			l.Add(RuleOrphanKey, k, Remove(k), "exists, but %s", why)
		}
	}
}

// Need reports a field that only people can correct, unless it is ok.
func (l *Look) Need(loss Loss, rule Rule, k string, f record.Fields, name string, ok bool) {
	if !ok {
		l.Lose(loss, rule, k, "%s is %q", name, f[name])
	}
}

// WrongFields reports fields that only people can correct.
func (l *Look) WrongFields(loss Loss, rule Rule, k string, f record.Fields, names []string) {
	for _, name := range names {
		l.Need(loss, rule, k, f, name, false)
	}
}

// AtMost reports a list with more entries than its cap.
func (l *Look) AtMost(k string, n, most int, x Fix) {
	if n > most {
		l.Add(RuleCap, k, x, "%d entries; the maximum is %d", n, most)
	}
}

// NameOwner checks that a folded name, if there is one, leads to its owner. If it leads to another one, only people can
// decide.
func (l *Look) NameOwner(rule Rule, names, fold, id, has string, given ...string) {
	switch {
	case fold == "", has == id:
	case has == "":
		l.Add(rule, names, Set(names, fold, id).Given(given...), "%q does not lead to %s", fold, id)
	default:
		l.Add(rule, names, Fix{}, "%q leads to %s, not to %s", fold, has, id)
	}
}

// ExpirySlack is how far Redis's clock and the store's may differ before an expiry counts as too
// long.
const ExpirySlack = time.Minute

// Sequence checks that a sequence has reached the highest number that was assigned.
func (l *Look) Sequence(k, has string, highest int64) {
	if n, _ := strconv.ParseInt(has, 10, 64); n < highest {
		raise := Fix{Run: func(ctx context.Context) error {
			return l.Engine.Client.Run(ctx, script.SeqRaise{Sequence: k, Given: highest}).Err()
		}}
		l.Add(RuleSequence, k, raise, "is %q; number %d was assigned", has, highest)
	}
}
