package fsck

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// caseView is the reports on a subject, and what the queue has of them.
type caseView struct {
	on      forum.Subject
	f       record.Fields
	reports map[string]string // by reporter
	numbers []redis.Z         // of the reporters
	held    bool              // the subject is
	subject record.Fields
	topic   *redis.StringCmd // the category of the subject's topic, if that is a comment
	lagging bool             // the queue may be outdated
	written string           // revision, state and category, as the queue has them
	scores  map[string]*redis.FloatCmd
	row     record.CaseState // as of entry
	sound   bool             // entry is sound
}

func (v *caseView) target() target { return target{kind: onCase, text: record.EncodeActSubject(v.on)} }

// addCase remembers that a subject has reports, a case, or evidence.
func (v *inventory) addCase(name string) {
	_, rest, _ := strings.Cut(name, "}:")
	parts := strings.Split(rest, ":")
	if len(parts) == 3 && parts[2] == "evidence" {
		if on, err := record.ParseActSubject(parts[0] + parts[1]); err == nil {
			v.evidence[on] = true
		}
		return
	}
	if len(parts) != 3 || !slices.Contains([]string{"case", "reports", "reporters"}, parts[2]) {
		return
	}
	if on, err := record.ParseActSubject(parts[0] + parts[1]); err == nil {
		v.cases[on] = true
	}
}

// inspectReports checks the reports on topics, comments and users, and the queue that shows them.
func (c *checker) inspectReports(ctx context.Context) error {
	if err := groups(slices.Collect(maps.Keys(c.keys.cases)), func(on []forum.Subject) error {
		return c.inspectCases(ctx, on)
	}); err != nil {
		return err
	}
	if err := groups(slices.Collect(maps.Keys(c.keys.evidence)), func(on []forum.Subject) error {
		return c.inspectEvidence(ctx, on)
	}); err != nil {
		return err
	}
	lists := append(slices.Collect(maps.Keys(c.keys.queues)), key.QueueRevisions)
	slices.Sort(lists)
	for _, list := range lists {
		each := c.eachMember
		if list == key.QueueRevisions {
			each = c.eachField
		}
		if err := each(ctx, list, func(members []string) error {
			return groups(members, func(members []string) error { return c.inspectQueued(ctx, list, members) })
		}); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) readCases(ctx context.Context, subjects []forum.Subject) ([]*caseView, error) {
	views := make([]*caseView, len(subjects))
	for i, on := range subjects {
		r := c.readAtOnce(ctx)
		all := r.next().HGetAll(ctx, key.Case(on))
		reports := r.next().HGetAll(ctx, key.Reports(on))
		numbers := r.next().ZRangeWithScores(ctx, key.Reporters(on), 0, -1)
		subject := r.hmget(key.Subject(on), []string{"state", "deleted", "hidden", "author", "category",
			"topic", "created"})
		mark := r.next().ZScore(ctx, key.Dirty(on.Partition()), record.CaseMark(on))
		if err := r.done(); err != nil {
			return nil, err
		}
		is := subject()
		v := &caseView{on: on, f: all.Val(), reports: reports.Val(), numbers: numbers.Val(), subject: is,
			held:    on.User == 0 && is["state"] == string(forum.TopicHeld) && is["deleted"] == "" && is["hidden"] == "",
			lagging: c.young(mark), scores: map[string]*redis.FloatCmd{}}
		row, err := record.ParseCaseState(on, int64(v.f.Int("rev")), v.f["entry"])
		v.row, v.sound, views[i] = row, err == nil, v
	}
	r := c.read(ctx)
	written := make([]*redis.StringCmd, len(views))
	for i, v := range views {
		v.topic = r.next().HGet(ctx, key.Topic(forum.TopicID(v.subject.Int("topic"))), "category")
		written[i] = r.next().HGet(ctx, key.QueueRevisions, v.row.CaseMember())
		for _, list := range v.lists() {
			v.scores[list] = r.next().ZScore(ctx, list, v.row.CaseMember())
		}
	}
	err := r.done()
	for i, v := range views {
		v.written = written[i].Val()
	}
	return views, err
}

// lists returns the lists of the queue that should have the case.
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

// inspectCases checks the reports on subjects, and that the queue shows them.
func (c *checker) inspectCases(ctx context.Context, subjects []forum.Subject) error {
	views, err := c.readCases(ctx, subjects)
	if err != nil {
		return err
	}
	for _, v := range views {
		if len(v.f)+len(v.reports)+len(v.numbers) == 0 && !v.held {
			continue // gone since
		}
		if c.checkReports(v) && !v.lagging {
			c.checkQueue(v)
		}
	}
	return nil
}

// checkReports compares a case with its reports, and reports whether it agrees.
func (c *checker) checkReports(v *caseView) bool {
	want, lost := v.derived()
	var wrong []string
	for name, value := range want {
		if v.f[name] != value {
			wrong = append(wrong, fmt.Sprintf("%s is %q; want %q", name, v.f[name], value))
		}
	}
	if len(wrong) == 0 && len(lost) == 0 {
		return true
	}
	slices.Sort(wrong)
	slices.Sort(lost)
	k, p := key.Case(v.on), v.on.Partition()
	again := fix{watch: []string{k, key.Reports(v.on), key.Reporters(v.on)},
		do: func(ctx context.Context, pipe redis.Pipeliner) {
			for _, reporter := range lost {
				pipe.ZRem(ctx, key.Reporters(v.on), reporter)
				pipe.HDel(ctx, key.Reports(v.on), reporter)
			}
			for name, value := range want {
				if value == "" {
					pipe.HDel(ctx, k, name)
				} else {
					pipe.HSet(ctx, k, name, value)
				}
			}
			pipe.HIncrBy(ctx, k, "rev", 1)
			pipe.ZAddNX(ctx, key.Dirty(p), redis.Z{Score: float64(c.s.Now()), Member: record.CaseMark(v.on)})
		}}
	c.add(v.target(), RuleReports, k, again, "%s; lost reports: %v", strings.Join(wrong, ", "), lost)
	return false
}

// derived returns what fields of the case should be, "" for missing ones, and the reporters who have no sound report.
func (v *caseView) derived() (want map[string]string, lost []string) {
	through, last, latest := v.f.Int("through"), 0, forum.Time(0)
	want = map[string]string{"first": "", "held": v.f["held"], "category": v.f["category"], "topic": v.f["topic"]}
	if v.held && v.f["held"] == "" {
		v.hold(want)
	}
	reasons, numbered := map[forum.Reason]int{}, map[string]bool{}
	for _, z := range v.numbers {
		reporter, _ := z.Member.(string)
		numbered[reporter] = true
		id, err := forum.ParseID[forum.UserID](reporter)
		report, ok := record.ParseReport(id, v.reports[reporter])
		if err != nil || !ok || float64(report.Number) != z.Score {
			lost = append(lost, reporter)
			continue
		}
		last, latest = max(last, report.Number), max(latest, report.CreatedAt)
		if report.Number > through {
			reasons[report.Reason]++
			if want["first"] == "" {
				want["first"] = key.Itoa(report.CreatedAt)
			}
		}
	}
	for reporter := range v.reports {
		if !numbered[reporter] {
			lost = append(lost, reporter)
		}
	}
	for _, reason := range forum.Reasons {
		want["reason:"+string(reason)] = ""
		if n := reasons[reason]; n > 0 {
			want["reason:"+string(reason)] = strconv.Itoa(n)
		}
	}
	last = max(last, through, v.f.Int("reports")) // the last ones may be lost
	if want["reports"] = ""; last > 0 {
		want["reports"] = strconv.Itoa(last)
	}
	if !v.held {
		want["held"] = ""
	}
	state, at := v.f["outcome"], v.f["resolved"]
	if v.held || last > through {
		state, at = string(forum.ReportsOpen), key.Itoa(max(v.f.Time("last"), record.Fields(want).Time("held")))
	}
	or := func(value, none string) string {
		if value == "" {
			return none
		}
		return value
	}
	want["entry"] = strings.Join([]string{or(state, "-"), or(want["category"], "0"), or(at, "0"), or(want["topic"], "0")},
		" ")
	return want, lost
}

// hold sets what the case of a post that is held has since it was posted.
func (v *caseView) hold(want map[string]string) {
	want["held"], want["author"] = v.subject["created"], v.subject["author"]
	want["category"], want["topic"] = v.subject["category"], "0"
	if v.on.Comment != 0 {
		want["category"], want["topic"] = v.topic.Val(), v.subject["topic"]
	}
}

// checkQueue compares what the queue has of a case with the case.
func (c *checker) checkQueue(v *caseView) {
	want := fmt.Sprintf("%d %s %d", v.row.Rev, v.row.QueueState(), v.row.Category)
	wrong := v.written != want
	for _, score := range v.scores {
		wrong = wrong || score.Err() != nil || score.Val() != float64(v.row.At)
	}
	if wrong {
		again := fix{run: func(ctx context.Context) error { return c.repairer.Requeue(ctx, v.on) }}
		c.add(v.target(), RuleQueue, key.QueueRevisions, again, "%s is %q; want %q", v.row.CaseMember(), v.written, want)
	}
}

// inspectQueued checks members of a list of the queue, or fields of its revisions: those of no case do not belong
// there.
func (c *checker) inspectQueued(ctx context.Context, list string, members []string) error {
	var subjects []forum.Subject
	var known []string
	stray := func(member string) {
		out := fix{watch: []string{list}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			if list == key.QueueRevisions {
				pipe.HDel(ctx, list, member)
			} else {
				pipe.ZRem(ctx, list, member)
			}
		}}
		c.add(target{kind: onQueued, key: list, text: member}, RuleQueue, list, out, "%q does not belong there", member)
	}
	for _, m := range members {
		row, err := record.ParseCaseMember(m)
		if err != nil {
			stray(m)
			continue
		}
		on, _ := record.ParseCaseRow(row)
		subjects, known = append(subjects, on), append(known, m)
	}
	views, err := c.readCases(ctx, subjects)
	if err != nil {
		return err
	}
	for i, v := range views {
		there := v.sound && v.row.CaseMember() == known[i] &&
			(list == key.QueueRevisions || slices.Contains(v.lists(), list))
		if !there && !v.lagging {
			stray(known[i])
		}
	}
	return nil
}

// inspectQueuedAgain checks members again that are still there.
func (c *checker) inspectQueuedAgain(ctx context.Context, on []target) error {
	for _, t := range on {
		there := c.rdb.Redis.ZScore(ctx, t.key, t.text).Err() == nil
		if t.key == key.QueueRevisions {
			there = c.rdb.Redis.HExists(ctx, t.key, t.text).Val()
		}
		if there {
			if err := c.inspectQueued(ctx, t.key, []string{t.text}); err != nil {
				return err
			}
		}
	}
	return nil
}

// inspectCasesAgain checks the reports on subjects again.
func (c *checker) inspectCasesAgain(ctx context.Context, on []target) error {
	var subjects []forum.Subject
	for _, t := range on {
		if s, err := record.ParseActSubject(t.text); err == nil {
			subjects = append(subjects, s)
		}
	}
	return groups(subjects, func(on []forum.Subject) error { return c.inspectCases(ctx, on) })
}

// inspectRules checks the rules of the site.
func (c *checker) inspectRules(ctx context.Context) error {
	rules, err := c.rdb.Redis.HGetAll(ctx, key.Rules).Result()
	if err != nil {
		return err
	}
	for name, value := range rules {
		if name == record.BlocklistField && record.Fields(rules).IsWholeOrNone(name, 1) || record.SoundRule(name, value) {
			continue
		}
		off := fix{watch: []string{key.Rules},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, key.Rules, name) }}
		c.add(target{kind: onRules}, RuleRules, key.Rules, off, "%s is %q", name, value)
	}
	return nil
}
