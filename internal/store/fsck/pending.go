package fsck

import (
	"context"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/categories"
	"agora/internal/store/check"
	"agora/internal/store/groups"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Unfinished work of a mutation has a mark, by which the sweeper of any server finishes it. A copy
// of a live site contains such marks, however old. Data that are outdated because of them are
// pending, not broken.

// checkPending marks the confirmed findings that the sweeper of a server would repair, and drops those that it has
// repaired since they were confirmed: their marks are gone.
func (c *checker) checkPending(ctx context.Context) error {
	if err := c.setPending(ctx, c.confirmed); err != nil {
		return err
	}
	rechecks := map[check.Target]bool{}
	for _, f := range c.confirmed {
		if !f.Pending {
			rechecks[f.On] = true
		}
	}
	if len(rechecks) == 0 {
		return nil
	}
	if err := c.inspectAgain(ctx, rechecks); err != nil {
		return err
	}
	c.confirmed = slices.DeleteFunc(c.confirmed, func(f check.Found) bool {
		again := func(g check.Found) bool { return g.Same(f.Finding) }
		return !f.Pending && !c.Busy[f.On] && !slices.ContainsFunc(c.Found[f.On], again)
	})
	return c.setPending(ctx, c.confirmed)
}

// setPending sets which findings are pending. A finding that is pending stays so.
func (c *checker) setPending(ctx context.Context, confirmed []check.Found) error {
	r := c.Read(ctx)
	marked, tags := make([]*redis.FloatCmd, len(confirmed)), false
	for i, f := range confirmed {
		if tags = tags || f.Tag != 0; c.Swept(f.Rule) && f.Sweep.List != "" {
			marked[i] = r.Score(f.Sweep.List, f.Sweep.Name)
		}
	}
	if err := r.Done(); err != nil {
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
		f.Pending = f.Pending || isMark(f.Finding) || marked[i] != nil && check.Is(marked[i]) || moving[f.Tag]
	}
	return nil
}

// isMark reports whether the finding is about a mark itself.
func isMark(f check.Finding) bool {
	return f.Rule == check.RuleMarkOld || f.Rule == RuleMarkOrphan || f.Rule == categories.RuleDeleting &&
		f.Key == key.CategoryDirty || f.Rule == groups.RuleGroupDeleted && f.Key == key.GroupDirty
}

// movingTags returns the tags that topics have or had which are marked, or whose changes wait for a consumer: one
// keeps the list of tags.
func (c *checker) movingTags(ctx context.Context) (map[forum.TagID]bool, error) {
	moving := map[forum.TagID]bool{}
	add := func(l *check.Look, e check.Entry) {
		object, change, _ := strings.Cut(e.Name, " ") // in a feed, a word with details may follow, and a number
		about, of := strings.CutPrefix(object, "t:")
		if word, _, _ := strings.Cut(change, " "); strings.HasPrefix(word, catalogue.ChangeTags+":") {
			for _, tag := range strings.Split(word, ":")[1:] {
				moving[forum.TagID(record.Atoi(tag))] = true
			}
		}
		if id, err := forum.ParseID[forum.TopicID](about); of && err == nil {
			state := record.GetTopicState(ctx, l.Next(), id)
			l.Wait()
			t := state()
			for _, tag := range slices.Concat(t.Tags.IDs(), t.FormerTags) {
				moving[tag] = true
			}
		}
	}
	var lists []check.List
	for i := range forum.Partitions {
		p := forum.Partition(i)
		lists = append(lists, check.List{Key: key.Dirty(p), First: add},
			check.List{Key: key.Feed(key.PartitionPrefix(p)), First: add})
	}
	return moving, c.InspectEntries(ctx, lists)
}
