package acts

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// caseView is the reports on a subject, and what the queue has of them.
type caseView struct {
	derive.Case
	on      forum.Subject
	lagging bool             // the queue may be outdated
	row     record.CaseState // as of entry
	sound   bool             // entry is sound
}

// readCase reads the reports on a subject at once.
func (c checks) readCase(l *check.Look, on forum.Subject) *caseView {
	r := l.AtOnce(on.Partition())
	fields, reports, numbers := r.Hash(key.Case(on)), r.Hash(key.Reports(on)), r.ZSet(key.Reporters(on))
	subject := r.Fields(key.Subject(on),
		[]string{"state", "deleted", "hidden", "author", "category", "topic", "created"})
	l.Sweep = check.Mark{List: key.Dirty(on.Partition()), Name: record.CaseMark(on)}
	mark := r.Score(l.Sweep.List, l.Sweep.Name)
	l.Wait()
	v := &caseView{on: on, lagging: l.Young(mark)}
	is := subject()
	v.Case = derive.Case{Fields: fields.Val(), Reports: reports.Val(), Numbers: check.Scores(numbers.Val()),
		Subject: is, Comment: on.Comment != 0,
		Held: on.User == 0 && is["state"] == string(forum.TopicHeld) && is["deleted"] == "" && is["hidden"] == ""}
	row, err := record.ParseCaseState(on, int64(v.Fields.Int("rev")), v.Fields["entry"])
	v.row, v.sound = row, err == nil
	return v
}

// lists returns the lists of the queue that must have the case.
func (v *caseView) lists() []string {
	if !v.sound || v.row.State == "" {
		return nil
	}
	lists := []string{key.Queue(v.row.QueueState(), 0)}
	if v.row.Category != 0 {
		lists = append(lists, key.Queue(v.row.QueueState(), v.row.Category))
	}
	return lists
}

// reports compares a case with the reports, and the queue with the case.
func (c checks) reports(l *check.Look) {
	on, _ := record.ParseActSubject(l.On.Text)
	v := c.readCase(l, on)
	category := l.Field(key.Topic(forum.TopicID(v.Subject.Int("topic"))), "category")
	written := l.Field(key.QueueRevisions, v.row.CaseMember())
	var queued []*redis.FloatCmd
	for _, list := range v.lists() {
		queued = append(queued, l.Score(list, v.row.CaseMember()))
	}
	l.Wait()
	v.Category = category.Val()
	if len(v.Fields)+len(v.Reports)+len(v.Numbers) == 0 && !v.Held || !c.caseFields(l, v) || v.lagging {
		return
	}
	want := fmt.Sprintf("%d %s %d", v.row.Rev, v.row.QueueState(), v.row.Category)
	if written.Val() != want || slices.ContainsFunc(queued, func(cmd *redis.FloatCmd) bool {
		return !check.Is(cmd) || cmd.Val() != float64(v.row.At)
	}) {
		l.Add(RuleQueue, key.QueueRevisions, check.Call(c.requeue, on), "%s is %q; want %q",
			v.row.CaseMember(), written.Val(), want)
	}
}

// caseFields compares the fields of a case with its reports, and reports whether they agree.
func (c checks) caseFields(l *check.Look, v *caseView) bool {
	want, lost := v.Derive()
	var wrong []string
	for name, value := range want {
		if v.Fields[name] != value {
			wrong = append(wrong, fmt.Sprintf("%s is %q; want %q", name, v.Fields[name], value))
		}
	}
	if len(wrong) == 0 && len(lost) == 0 {
		return true
	}
	slices.Sort(wrong)
	slices.Sort(lost)
	k := key.Case(v.on)
	again := check.All(l.Touch(k, "rev", v.on.Partition(), record.CaseMark(v.on)),
		check.Drop(key.Reporters(v.on), lost...), check.Unset(key.Reports(v.on), lost...))
	for name, value := range want {
		again = check.All(again, check.Set(k, name, value))
	}
	l.Add(RuleReports, k, again, "%s; lost reports: %v", strings.Join(wrong, ", "), lost)
	return false
}

// queued checks a member of a list of the queue, or a field of its revisions: one of no case does not belong there.
func (c checks) queued(l *check.Look) {
	list, member := l.On.Key, l.On.Text
	at, field := l.Score(list, member), l.Next().HExists(l.Ctx, list, member)
	l.Wait()
	if !check.Is(at) && !field.Val() {
		return
	}
	if row, err := record.ParseCaseMember(member); err == nil {
		on, _ := record.ParseCaseRow(row)
		v := c.readCase(l, on)
		if v.lagging || v.sound && v.row.CaseMember() == member &&
			(list == key.QueueRevisions || slices.Contains(v.lists(), list)) {
			return
		}
	}
	out := check.Drop(list, member)
	if list == key.QueueRevisions {
		out = check.Unset(list, member)
	}
	l.Add(RuleQueue, list, out, "%q does not belong there", member)
}

// requeue writes a case into the queue again, whatever was written before.
func (c checks) requeue(ctx context.Context, on forum.Subject) error {
	b := c.engine.Client.Batch()
	cmd := b.HMGet(ctx, key.Case(on), script.CaseStateFields...)
	if err := b.Exec(ctx); err != nil {
		return err
	}
	is := script.ReadCaseState(cmd.Val())
	row, err := record.ParseCaseState(on, is.Rev, is.Entry)
	if err != nil {
		return err
	}
	b = c.engine.Client.Batch()
	b.HDel(ctx, key.QueueRevisions, row.CaseMember())
	QueueCase(ctx, b, row)
	return b.Exec(ctx)
}

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
