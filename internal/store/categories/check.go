package categories

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// The rules of this package.
const (
	// RuleIndexClosed: the index of a category is open while the category exists and is not being
	// deleted. Repair opens it.
	RuleIndexClosed check.Rule = "index-closed"
	// RuleIndexEpoch: the index of a category takes topics as of the epoch of the rules of the category. Repair follows
	// the later of the two.
	RuleIndexEpoch check.Rule = "index-epoch"
	// RuleIndexOwner: the index of a category that does not exist is closed and empty. Repair
	// closes an empty one.
	RuleIndexOwner check.Rule = "index-owner"
	// RuleCategoryFields: name, description and time are present, and the folded name matches the
	// name. Repair folds the name.
	RuleCategoryFields check.Rule = "category-fields"
	// RuleTabFields: name and time are present, and the folded name matches the name. Repair folds
	// the name.
	RuleTabFields check.Rule = "tab-fields"
	// RuleName: each folded name leads to its category or tab; there are no other entries. Repair
	// corrects them, unless two claim a name.
	RuleName check.Rule = "name"
	// RuleCatalogue: the catalogue lists all categories or tabs by id. Repair rewrites it.
	RuleCatalogue check.Rule = "catalogue"
	// RuleDeleting: a category is being deleted if and only if it is marked for the sweeper. Repair
	// cancels the deletion.
	RuleDeleting check.Rule = "deleting"
	// RuleTabCategory: a tab shows a category if and only if the category lists the tab. Repair
	// completes the link, or removes it if one end does not exist.
	RuleTabCategory check.Rule = "tab-category"
	// RuleSectionSource: imported categories and tabs have ids that were assigned; a category's
	// position in a tab is "placed". Repair deletes other entries.
	RuleSectionSource check.Rule = "section-source"
)

const (
	onCatalogue check.Kind = "catalogue"
	onIndex     check.Kind = "category-index"
)

// checks are the checks of categories and tabs. Those that the scan has found are known.
type checks struct {
	*Store
	known map[catalogue.Object]map[string]bool
}

// Checks returns what is checked of categories, tabs, and the indexes of categories.
func (s *Store) Checks() check.Subject {
	c := checks{s, map[catalogue.Object]map[string]bool{catalogue.OfCategory: {}, catalogue.OfTab: {}}}
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){onCatalogue: c.sections, onIndex: c.index},
		With: map[check.Kind]func(check.Target) ([]check.Target, []check.List){
			check.OnContainer: func(on check.Target) ([]check.Target, []check.List) {
				if key.Container(on.Key).Category() == 0 {
					return nil, nil
				}
				return []check.Target{{Kind: onIndex, Key: on.Key}}, nil
			},
		},
		Scanned: func(_ *check.Run, _ string, k catalogue.Key) {
			if known := c.known[k.Object]; known != nil {
				known[key.Itoa(k.ID)] = true
			}
		},
		Site: []check.Target{{Kind: onCatalogue}},
	}
}

// sectionSet is one half of the catalogue: all categories, or all tabs.
type sectionSet struct {
	kind                     string // category or tab
	rule                     check.Rule
	seq, names, all, sources string // keys
	prefix                   string
	links                    string // last part of the key of links to the other half
	most                     int
	// wrong returns the names of wrong fields.
	wrong func(f map[string]string, leftOut ...string) []string

	byName map[string]string
	listed []redis.Z
	rows   map[string]record.Fields
	linked map[string][]redis.Z // by id
}

func newSectionSets() (categories, tabs *sectionSet) {
	return &sectionSet{
			kind: "category", rule: RuleCategoryFields, seq: key.CategorySequence, names: key.CategoryNames,
			all: key.Categories, sources: key.CategorySources,
			prefix: key.CategoryPrefix, links: ":tabs", most: forum.MaxCategoryTabs,
			wrong: catalogue.Category.Wrong,
		}, &sectionSet{
			kind: "tab", rule: RuleTabFields, seq: key.TabSequence, names: key.TabNames, all: key.Tabs,
			sources: key.TabSources,
			prefix:  key.TabPrefix, links: ":categories", most: forum.MaxTabCategories,
			wrong: catalogue.Tab.Wrong,
		}
}

// sections checks all categories and tabs.
func (c checks) sections(l *check.Look) {
	categories, tabs := newSectionSets()
	c.sectionHalf(l, categories, c.known[catalogue.OfCategory])
	c.sectionHalf(l, tabs, c.known[catalogue.OfTab])
	marks := l.ZSet(key.CategoryDirty)
	l.Wait()
	c.links(l, categories, tabs)
	c.links(l, tabs, categories)
	for id, f := range tabs.rows {
		if k := key.TabPrefix + id; len(f) > 0 {
			l.WantCount(k, f, "categories", len(tabs.linked[id]), k+tabs.links)
		}
	}
	c.deletions(l, categories, check.Scores(marks.Val()))
}

// sectionHalf reads all sections that keys, the catalogue or the names refer to, and checks them.
func (c checks) sectionHalf(l *check.Look, s *sectionSet, known map[string]bool) {
	seq, names, listed, sources := l.Text(s.seq), l.Hash(s.names), l.ZSet(s.all), l.Hash(s.sources)
	l.Wait()
	s.byName, s.listed = names.Val(), listed.Val()
	s.rows, s.linked = map[string]record.Fields{}, map[string][]redis.Z{}
	for id := range known {
		s.rows[id] = nil
	}
	for _, id := range s.byName {
		s.rows[id] = nil
	}
	for _, z := range s.listed {
		s.rows[z.Member.(string)] = nil
	}
	check.Each(l, slices.Collect(maps.Keys(s.rows)), func(l *check.Look, id string) {
		row, links := l.Object(s.prefix+id), l.ZSet(s.prefix+id+s.links)
		l.Wait()
		s.rows[id], s.linked[id] = row(), links.Val()
	})
	highest, want := int64(0), map[string]float64{}
	for id, f := range s.rows {
		if n, err := forum.ParseID[forum.CategoryID](id); err == nil && s.exists(id) {
			highest, want[id] = max(highest, int64(n)), s.place(id)
			c.section(l, s, id, f)
		}
	}
	l.Sequence(s.seq, seq.Val(), highest)
	c.sectionSources(l, s, sources.Val(), max(record.Atoi(seq.Val()), highest))
	l.WantSet(RuleCatalogue, s.all, s.listed, want)
	for fold, id := range s.byName {
		if !s.exists(id) || s.rows[id]["fold"] != fold {
			l.Add(RuleName, s.names, check.Unset(s.names, fold).Given(s.prefix+id),
				"%q leads to %s %s, which has another name", fold, s.kind, id)
		}
	}
}

// exists reports whether a category or tab with this id exists.
func (s *sectionSet) exists(id string) bool { return len(s.rows[id]) > 0 }

// place returns the score of a category or tab in lists.
func (s *sectionSet) place(id string) float64 {
	return record.SectionScore(s.rows[id].Int("position"), record.Atoi(id))
}

// section checks one category or tab.
func (c checks) section(l *check.Look, s *sectionSet, id string, f record.Fields) {
	k := s.prefix + id
	for _, name := range s.wrong(f) {
		out := check.Fix{}
		if name == "position" {
			out = check.Set(k, name, 0)
		}
		l.Add(s.rule, k, out, "%s is %q", name, f[name])
	}
	if fold := texts.Fold(f["name"]); fold != "" {
		l.WantField(s.rule, k, "fold", f["fold"], fold)
	}
	l.NameOwner(RuleName, s.names, f["fold"], id, s.byName[f["fold"]], k)
	l.AtMost(k+s.links, len(s.linked[id]), s.most, check.Fix{})
}

// links checks the links from one half of the catalogue to the other: there is one wherever either end has one, if both
// exist.
func (c checks) links(l *check.Look, from, to *sectionSet) {
	want := map[string]map[string]float64{}
	link := func(id, other string) {
		if want[id] == nil {
			want[id] = map[string]float64{}
		}
		if from.exists(id) && to.exists(other) {
			want[id][other] = to.place(other)
		}
	}
	for id, links := range from.linked {
		for _, z := range links {
			link(id, z.Member.(string))
		}
	}
	for other, links := range to.linked {
		for _, z := range links {
			link(z.Member.(string), other)
		}
	}
	for id, links := range want {
		if k := from.prefix + id + from.links; from.exists(id) {
			l.WantSet(RuleTabCategory, k, from.linked[id], links, from.prefix+id)
		} else {
			l.Orphans(false, "there is no "+from.kind+" "+id, k)
		}
	}
}

// deletions compares the marks of deletions with the categories.
func (c checks) deletions(l *check.Look, s *sectionSet, marked map[string]float64) {
	for id, at := range marked {
		if s.rows[id]["deleting"] == "" {
			l.Add(RuleDeleting, key.CategoryDirty, check.Drop(key.CategoryDirty, id).Given(s.prefix+id),
				"category %q is marked but not being deleted", id)
		} else if forum.Time(at)+check.MarkLife < c.engine.Now() {
			l.Add(check.RuleMarkOld, key.CategoryDirty, check.Call(c.SweepCategory, id),
				"category %s has been waiting since %.0f for %s", id, at, s.rows[id]["deleting"])
		}
	}
	for id, f := range s.rows {
		if _, there := marked[id]; f["deleting"] != "" && !there {
			l.Add(RuleDeleting, s.prefix+id, check.Unset(s.prefix+id, "deleting").Given(key.CategoryDirty),
				"is being deleted but not marked")
		}
	}
}

// sectionSources checks the mapping of imported categories or tabs. Deleted ones may remain in it. last is the last id
// assigned.
func (c checks) sectionSources(l *check.Look, s *sectionSet, sources map[string]string, last int64) {
	for source, value := range sources {
		id, err := forum.ParseID[forum.CategoryID](value)
		if _, _, isPosition := strings.Cut(source, "\n"); isPosition && value == record.Placed || !isPosition &&
			err == nil &&
			int64(id) <= last {
			continue
		}
		l.Add(RuleSectionSource, s.sources, check.Unset(s.sources, source), "%q became %q; the last %s is %d", source,
			value, s.kind, last)
	}
}

// index checks the index of a category as a whole.
func (c checks) index(l *check.Look) {
	box := key.Container(l.On.Key)
	category := key.Category(box.Category())
	exists, deleting, mark := l.Exists(category), l.Field(category, "deleting"), l.Text(box.Closed())
	var sizes []*redis.IntCmd
	for _, k := range check.OrdersOf(box) {
		sizes = append(sizes, l.Size(k))
	}
	l.Wait()
	empty := !slices.ContainsFunc(sizes, func(n *redis.IntCmd) bool { return n.Val() > 0 })
	epoch, closed := record.ParseClosed(mark.Val())
	switch {
	case exists.Val() == 1 && closed && !check.Is(deleting):
		l.Add(RuleIndexClosed, box.Closed(), check.Remove(box.Closed()),
			"is closed, but the category exists and is not being deleted")
	case exists.Val() == 0 && !empty:
		l.Add(RuleIndexOwner, string(box), check.Fix{}, "there is no such category, but it has %d topics",
			sizes[0].Val())
	case exists.Val() == 0 && !closed:
		l.Add(RuleIndexOwner, string(box), check.Call(c.close, box),
			"there is no such category, but its index is open")
	case exists.Val() == 1 && !closed:
		c.epoch(l, box, epoch)
	}
}

// epoch checks that the index of a category accepts entries as of the epoch of the rules of the category.
func (c checks) epoch(l *check.Look, box key.Container, least int64) {
	id := box.Category()
	rule := record.AccessRule(record.EpochRule, id)
	epoch, changed := l.Field(key.Rules, rule), l.Score(key.AccessMarks, key.Itoa(id))
	l.Wait()
	known := record.Atoi(epoch.Val())
	if least == known || check.Is(changed) {
		return
	}
	fix := check.Call(c.rules.FollowAccess, id)
	if least > known {
		fix = check.Set(key.Rules, rule, least)
	}
	l.Add(RuleIndexEpoch, box.Closed(), fix, "is of epoch %d; that of the rules is %d", least, known)
}

// close closes an empty index.
func (c checks) close(ctx context.Context, box key.Container) error {
	_, err := c.CloseIndex(ctx, box)
	return err
}
