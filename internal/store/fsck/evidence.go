package fsck

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// evidence checks the copies that are kept of a subject.
func (l *look) evidence() {
	on, _ := record.ParseActSubject(l.on.text)
	k, list, member := key.Evidence(on), key.Hidden(on.Partition()), "e:"+l.on.text
	hash, listed := l.hash(k), l.score(list, member)
	l.wait()
	copies := hash.Val()
	bad := badCopies(on, copies)
	if len(copies) == 0 || len(bad) == 0 && is(listed) { // they may have been erased since
		return
	}
	keep := unset(k, bad...).given(list)
	if len(bad) == len(copies) {
		keep = all(keep, drop(list, member))
	} else if !is(listed) {
		keep = all(keep, put(list, member, float64(l.s.Engine.Now())))
	}
	l.add(RuleEvidence, k, keep, "unsound copies: %v; listed: %t", bad, is(listed))
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
	sound := slices.DeleteFunc(slices.Collect(maps.Keys(copies)), func(n string) bool { return slices.Contains(bad, n) })
	slices.SortFunc(sound, func(a, b string) int { return cmp.Compare(record.Atoi(a), record.Atoi(b)) })
	return append(bad, sound[min(len(sound), forum.EvidenceCopies):]...)
}
