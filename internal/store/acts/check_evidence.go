package acts

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// evidence checks the copies that are kept of a subject.
func (c checks) evidence(l *check.Look) {
	on, _ := record.ParseActSubject(l.On.Text)
	k, list, member := key.Evidence(on), key.Hidden(on.Partition()), "e:"+l.On.Text
	hash, listed := l.Hash(k), l.Score(list, member)
	l.Wait()
	copies := hash.Val()
	bad := badCopies(on, copies)
	if len(copies) == 0 || len(bad) == 0 && check.Is(listed) { // they may have been erased since
		return
	}
	keep := check.Unset(k, bad...).Given(list)
	if len(bad) == len(copies) {
		keep = check.All(keep, check.Drop(list, member))
	} else if !check.Is(listed) {
		keep = check.All(keep, check.Put(list, member, float64(c.engine.Now())))
	}
	l.Add(RuleEvidence, k, keep, "unsound copies: %v; listed: %t", bad, check.Is(listed))
}

// badCopies returns the numbers of copies that are malformed, or too many: the first ones stay.
func badCopies(on forum.Subject, copies map[string]string) []string {
	var bad []string
	for number, value := range copies {
		n, err := strconv.Atoi(number)
		if _, failed := record.ParseEvidence(on, value); err != nil || n < 1 || failed != nil {
			bad = append(bad, number)
		}
	}
	slices.Sort(bad)
	sound := slices.DeleteFunc(slices.Collect(maps.Keys(copies)),
		func(n string) bool { return slices.Contains(bad, n) })
	slices.SortFunc(sound, func(a, b string) int { return cmp.Compare(record.Atoi(a), record.Atoi(b)) })
	return append(bad, sound[min(len(sound), forum.EvidenceCopies):]...)
}
