package fsck

import (
	"context"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Unfinished work of a mutation has a mark, by which the sweeper of any server finishes it. A copy
// of a live site contains such marks, however old. Data that are outdated because of them are
// pending, not broken.

// markRef is a dirty mark: a member of a list of marks.
type markRef struct{ list, name string }

// marked queues the time of the mark by which a sweeper would repair what is found here.
func (l *look) marked(p forum.Partition, name string) *redis.FloatCmd {
	l.sweep = markRef{key.Dirty(p), name}
	return l.score(l.sweep.list, name)
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
	marked, tags := make([]*redis.FloatCmd, len(confirmed)), false
	for i, f := range confirmed {
		if tags = tags || f.tag != 0; sweptRules[f.Rule] && f.sweep.list != "" {
			marked[i] = r.score(f.sweep.list, f.sweep.name)
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
		f.Pending = f.Pending || f.isMark() || marked[i] != nil && is(marked[i]) || moving[f.tag]
	}
	return nil
}

// isMark reports whether the finding is about a mark itself.
func (f finding) isMark() bool {
	return f.Rule == RuleMarkOld || f.Rule == RuleMarkOrphan || f.Rule == RuleDeleting && f.Key == key.CategoryDirty
}

// movingTags returns the tags that topics have or had which are marked, or whose changes wait for a consumer: one
// keeps the list of tags.
func (c *checker) movingTags(ctx context.Context) (map[forum.TagID]bool, error) {
	moving := map[forum.TagID]bool{}
	add := func(l *look, e entry) {
		object, change, _ := strings.Cut(e.name, " ") // in a feed, a word with details may follow, and a number
		about, of := strings.CutPrefix(object, "t:")
		if word, _, _ := strings.Cut(change, " "); strings.HasPrefix(word, catalogue.ChangeTags+":") {
			for _, tag := range strings.Split(word, ":")[1:] {
				moving[forum.TagID(record.Atoi(tag))] = true
			}
		}
		if id, err := forum.ParseID[forum.TopicID](about); of && err == nil {
			state := record.GetTopicState(ctx, l.next(), id)
			l.wait()
			t := state()
			for _, tag := range slices.Concat(t.Tags.IDs(), t.LeftTags) {
				moving[tag] = true
			}
		}
	}
	var lists []list
	for i := range forum.Partitions {
		p := forum.Partition(i)
		lists = append(lists, list{key: key.Dirty(p), first: add}, list{key: key.Feed(key.PartitionPrefix(p)), first: add})
	}
	return moving, c.inspectEntries(ctx, lists)
}
