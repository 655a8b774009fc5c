package posts

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// history checks the kept revisions of a topic or comment, if the key belongs to them: the last number is the present
// revision, and each other has a text.
func (c checks) history(l *check.Look, known catalogue.Key) {
	of := check.SubjectOf(known)
	if !strings.HasSuffix(l.On.Key, ":revisions") && !strings.HasSuffix(l.On.Key, ":texts") || of == (forum.Subject{}) {
		return
	}
	k := key.Revisions(of)
	revisions, kept, revision := l.ZSet(k), l.Next().HGetAll(l.Ctx, key.Texts(of)), l.Field(key.Subject(of), "revision")
	l.Wait()
	numbers, present := revisions.Val(), revision.Val()
	readable := map[string]bool{}
	for number, text := range kept.Val() {
		_, err := record.ParseRevision(of, text, func(int) error { return nil })
		readable[number] = err == nil
	}
	without, found := []string{}, map[string]bool{}
	for i, z := range numbers {
		number, _ := z.Member.(string)
		found[number] = true
		last := i == len(numbers)-1
		if record.Atoi(number) != int64(z.Score) || last != (number == present) || !last && !readable[number] {
			without = append(without, number)
		}
	}
	extra := slices.DeleteFunc(slices.Sorted(maps.Keys(readable)), func(number string) bool {
		return found[number] && number != present && readable[number]
	})
	if len(without)+len(extra) == 0 && (present != "" || len(found) == 0) && len(found) <= forum.MaxRevisions {
		return
	}
	restore := check.All(check.Drop(k, without...), check.Unset(key.Texts(of), extra...))
	if n, err := strconv.ParseFloat(present, 64); err == nil {
		restore = check.All(restore, check.Put(k, present, n))
	}
	l.Add(RuleRevisions, k, restore.Given(k, key.Texts(of), key.Subject(of)),
		"revision %q is present; %q have no text or place, %q no revision", present, without, extra)
}
