package fsck

import (
	"context"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Unfinished work of a mutation has a mark, by which the sweeper of any server finishes it. A copy
// of a live site contains such marks, however old. Data that are outdated because of them are
// pending, not broken.

// markRef is a dirty mark.
type markRef struct {
	partition forum.Partition
	name      string
	acts      string // the list of marks of an act on what is in no partition
}

func (m markRef) key() string {
	if m.acts != "" {
		return m.acts
	}
	return key.Dirty(m.partition)
}

// sweptRules are the rules whose violations the sweeper repairs on a marked object.
var sweptRules = map[Rule]bool{
	RuleIndexMissing: true, RuleIndexScore: true, RuleIndexStray: true, RuleIndexRev: true, RuleIndexTombstone: true,
	RuleTopicLeft: true, RuleTopicFanOut: true, RuleTopicCategory: true, RuleRegistration: true, RuleEmailChange: true,
	RuleLoginChange: true,
	RuleActList:     true, RuleActTold: true, RuleApproved: true,
	RuleStaleClaim: true, RuleNameList: true, RuleKarma: true, RuleQueue: true,
}

// checkPending marks the confirmed findings that the sweeper of a server would repair, and drops those that it has
// repaired since they were confirmed: their marks are gone.
func (c *checker) checkPending(ctx context.Context) error {
	if err := c.setPending(ctx, c.confirmed); err != nil {
		return err
	}
	rechecks := map[target]bool{}
	for _, f := range c.confirmed {
		if !f.Pending {
			rechecks[f.on] = true
		}
	}
	if len(rechecks) == 0 {
		return nil
	}
	c.found, c.busy = map[target][]finding{}, map[target]bool{}
	if err := c.inspectAgain(ctx, rechecks); err != nil {
		return err
	}
	c.confirmed = slices.DeleteFunc(c.confirmed, func(f finding) bool {
		again := func(g finding) bool { return g.same(f.Finding) }
		return !f.Pending && !c.busy[f.on] && !slices.ContainsFunc(c.found[f.on], again)
	})
	return c.setPending(ctx, c.confirmed)
}

// setPending sets which findings are pending. A finding that is pending stays so.
func (c *checker) setPending(ctx context.Context, confirmed []finding) error {
	r := c.read(ctx)
	claims, marks := map[string]*redis.StringCmd{}, map[markRef]*redis.FloatCmd{}
	tags := false
	for _, f := range confirmed {
		if f.Rule == RuleStaleClaim {
			claims[f.Key] = r.next().Get(ctx, f.Key)
		}
		tags = tags || f.Rule == RuleTagName || f.Rule == RuleNameList
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, f := range confirmed {
		if m, ok := f.mark(claims[f.Key]); ok {
			marks[m] = r.next().ZScore(ctx, m.key(), m.name)
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	moving := map[forum.TagID]bool{}
	if tags {
		var err error
		if moving, err = c.movingTags(ctx); err != nil {
			return err
		}
	}
	for i := range confirmed {
		f := &confirmed[i]
		m, ok := f.mark(claims[f.Key])
		f.Pending = f.Pending || f.isMark() || ok && marks[m].Err() == nil || f.Rule == RuleTagName &&
			moving[key.Container(f.on.key).Tag()] || f.on.kind == onNamed && moving[f.on.namedTag()]
	}
	return nil
}

// isMark reports whether the finding is about a mark itself.
func (f finding) isMark() bool {
	switch f.Rule {
	case RuleMarkOld, RuleMarkOrphan:
		return true
	case RuleDeleting:
		return f.Key == key.CategoryDirty
	}
	return false
}

// mark returns the mark by which the sweeper would repair the finding. claim is the value of the
// claim that the finding is about, or nil.
func (f finding) mark(claim *redis.StringCmd) (m markRef, ok bool) {
	if !sweptRules[f.Rule] {
		return m, false
	}
	kind, id := "", f.on.id
	switch f.on.kind {
	case onCase, onQueued:
		on, ok := f.on.reported()
		return markRef{partition: on.Partition(), name: record.CaseMark(on)}, ok
	case onTopic:
		kind = "t"
	case onUser:
		kind = "u"
	case onAct:
		if kind = "m"; id > forum.MaxID {
			return markRef{name: "m:" + key.Itoa(forum.ActID(id)), acts: key.ActMarks(forum.ActID(id))}, true
		}
	case onCounted:
		if kind = "c"; f.on.text != "" {
			return m, false
		}
	case onNamed:
		if kind = "u"; f.on.key != string(key.UserNames) {
			return m, false
		}
		if f.on.text != "" {
			_, id, _ = record.ParseNameMember(f.on.text)
		}
	case onEntry:
		if kind = "t"; key.Container(f.on.key).OfComments() {
			kind = "c"
		}
	case onKey:
		if claim == nil {
			return m, false
		}
		user, _ := record.ParseClaim(claim.Val())
		kind, id = "u", int64(user)
	default:
		return m, false
	}
	return markRef{partition: forum.TopicID(id).Partition(), name: kind + ":" + key.Itoa(forum.TopicID(id))}, id > 0
}

// reported returns the subject of the case that the target is, or of the member of the queue.
func (t target) reported() (on forum.Subject, ok bool) {
	if t.kind == onCase {
		on, err := record.ParseActSubject(t.text)
		return on, err == nil
	}
	row, err := record.ParseCaseMember(t.text)
	on, _ = record.ParseCaseRow(row)
	return on, err == nil
}

// namedTag returns the tag whose entry the target is; 0 if it is not one.
func (t target) namedTag() forum.TagID {
	if t.key != string(key.TagNames) {
		return 0
	}
	if _, id, err := record.ParseNameMember(t.text); err == nil {
		return forum.TagID(id)
	}
	return forum.TagID(t.id)
}

// movingTags returns the tags that marked topics have or had.
func (c *checker) movingTags(ctx context.Context) (map[forum.TagID]bool, error) {
	moving := map[forum.TagID]bool{}
	add := func(l *look, e entry) {
		about, of := strings.CutPrefix(e.name, "t:")
		if id, err := forum.ParseID[forum.TopicID](about); of && err == nil {
			state := record.GetTopicState(ctx, l.next(), id)
			l.wait()
			t := state()
			for _, tag := range slices.Concat(t.Tags.IDs(), t.LeftTags) {
				moving[tag] = true
			}
		}
	}
	var marks []list
	for i := range forum.Partitions {
		marks = append(marks, list{key: key.Dirty(forum.Partition(i)), first: add})
	}
	return moving, c.inspectEntries(ctx, marks)
}
