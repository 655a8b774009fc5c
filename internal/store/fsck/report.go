package fsck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
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
func (l *look) readCase(on forum.Subject) *caseView {
	r := l.atOnce(on.Partition())
	fields, reports, numbers := r.hash(key.Case(on)), r.hash(key.Reports(on)), r.zset(key.Reporters(on))
	subject := r.hmget(key.Subject(on), []string{"state", "deleted", "hidden", "author", "category", "topic", "created"})
	l.sweep = markRef{key.Dirty(on.Partition()), record.CaseMark(on)}
	mark := r.score(l.sweep.list, l.sweep.name)
	l.wait()
	v := &caseView{on: on, lagging: l.young(mark)}
	is := subject()
	v.Case = derive.Case{Fields: fields.Val(), Reports: reports.Val(), Numbers: scores(numbers.Val()), Subject: is,
		Comment: on.Comment != 0,
		Held:    on.User == 0 && is["state"] == string(forum.TopicHeld) && is["deleted"] == "" && is["hidden"] == ""}
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
func (l *look) reports() {
	on, _ := record.ParseActSubject(l.on.text)
	v := l.readCase(on)
	category := l.field(key.Topic(forum.TopicID(v.Subject.Int("topic"))), "category")
	written := l.field(key.QueueRevisions, v.row.CaseMember())
	var queued []*redis.FloatCmd
	for _, list := range v.lists() {
		queued = append(queued, l.score(list, v.row.CaseMember()))
	}
	l.wait()
	v.Category = category.Val()
	if len(v.Fields)+len(v.Reports)+len(v.Numbers) == 0 && !v.Held || !l.caseFields(v) || v.lagging {
		return
	}
	want := fmt.Sprintf("%d %s %d", v.row.Rev, v.row.QueueState(), v.row.Category)
	if written.Val() != want || slices.ContainsFunc(queued, func(cmd *redis.FloatCmd) bool {
		return !is(cmd) || cmd.Val() != float64(v.row.At)
	}) {
		l.add(RuleQueue, key.QueueRevisions, call(l.repairer.Requeue, on), "%s is %q; want %q", v.row.CaseMember(),
			written.Val(), want)
	}
}

// caseFields compares the fields of a case with its reports, and reports whether they agree.
func (l *look) caseFields(v *caseView) bool {
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
	again := all(l.touch(k, "rev", v.on.Partition(), record.CaseMark(v.on)), drop(key.Reporters(v.on), lost...),
		unset(key.Reports(v.on), lost...))
	for name, value := range want {
		again = all(again, set(k, name, value))
	}
	l.add(RuleReports, k, again, "%s; lost reports: %v", strings.Join(wrong, ", "), lost)
	return false
}

// queued checks a member of a list of the queue, or a field of its revisions: one of no case does not belong there.
func (l *look) queued() {
	list, member := l.on.key, l.on.text
	at, field := l.score(list, member), l.next().HExists(l.ctx, list, member)
	l.wait()
	if !is(at) && !field.Val() {
		return
	}
	if row, err := record.ParseCaseMember(member); err == nil {
		on, _ := record.ParseCaseRow(row)
		v := l.readCase(on)
		if v.lagging || v.sound && v.row.CaseMember() == member &&
			(list == key.QueueRevisions || slices.Contains(v.lists(), list)) {
			return
		}
	}
	out := drop(list, member)
	if list == key.QueueRevisions {
		out = unset(list, member)
	}
	l.add(RuleQueue, list, out, "%q does not belong there", member)
}

// rules checks the rules of the site.
func (l *look) rules() {
	rules := l.hash(key.Rules)
	l.wait()
	for name, value := range rules.Val() {
		if !(name == record.BlocklistField && record.Fields(rules.Val()).IsWholeOrNone(name, 1) ||
			record.SoundRule(name, value)) {
			l.add(RuleRules, key.Rules, unset(key.Rules, name), "%s is %q", name, value)
		}
	}
}
