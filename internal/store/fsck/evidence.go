package fsck

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// inspectEvidence checks the copies that are kept of subjects.
func (c *checker) inspectEvidence(ctx context.Context, subjects []forum.Subject) error {
	r := c.read(ctx)
	copies, listed := make([]*redis.MapStringStringCmd, len(subjects)), make([]*redis.FloatCmd, len(subjects))
	for i, on := range subjects {
		copies[i] = r.next().HGetAll(ctx, key.Evidence(on))
		listed[i] = r.next().ZScore(ctx, key.Hidden(on.Partition()), "e:"+record.EncodeActSubject(on))
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, on := range subjects {
		if len(copies[i].Val()) > 0 { // otherwise they were erased since
			c.checkEvidence(on, copies[i].Val(), listed[i].Err() == nil)
		}
	}
	return nil
}

// checkEvidence checks the copies of a subject.
func (c *checker) checkEvidence(on forum.Subject, copies map[string]string, listed bool) {
	var bad []string
	for number, value := range copies {
		n, err := strconv.Atoi(number)
		if _, failed := record.ParseEvidence(on, value); err != nil || n < 1 || failed != nil {
			bad = append(bad, number)
		}
	}
	slices.Sort(bad)
	if len(copies)-len(bad) > forum.EvidenceCopies { // the first ones stay
		sound := slices.DeleteFunc(slices.Collect(maps.Keys(copies)), func(n string) bool { return slices.Contains(bad, n) })
		slices.SortFunc(sound, func(a, b string) int { return cmp.Compare(record.Atoi(a), record.Atoi(b)) })
		bad = append(bad, sound[forum.EvidenceCopies:]...)
	}
	if len(bad) == 0 && listed {
		return
	}
	k, list, member := key.Evidence(on), key.Hidden(on.Partition()), "e:"+record.EncodeActSubject(on)
	keep := fix{watch: []string{k, list}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		if len(bad) > 0 {
			pipe.HDel(ctx, k, bad...)
		}
		if len(bad) == len(copies) {
			pipe.ZRem(ctx, list, member)
		} else if !listed {
			pipe.ZAdd(ctx, list, redis.Z{Score: float64(c.s.Now()), Member: member})
		}
	}}
	c.add(target{kind: onEvidence, text: record.EncodeActSubject(on)}, RuleEvidence, k, keep,
		"unsound copies: %v; listed: %t", bad, listed)
}

// inspectEvidenceAgain checks the copies of subjects again.
func (c *checker) inspectEvidenceAgain(ctx context.Context, on []target) error {
	var subjects []forum.Subject
	for _, t := range on {
		s, err := record.ParseActSubject(t.text)
		if err != nil {
			return fmt.Errorf("evidence of %q: %w", t.text, err)
		}
		subjects = append(subjects, s)
	}
	return c.inspectEvidence(ctx, subjects)
}
