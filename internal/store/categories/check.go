package categories

import (
	"maps"
	"slices"
	"strconv"
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
	// RuleTabCount: the counter is the number of the tab's categories. Repair sets it.
	RuleTabCount check.Rule = "tab-count"
	// RuleTabCap: a tab has at most MaxTabCategories categories. Only reported.
	RuleTabCap check.Rule = "tab-cap"
	// RuleCategoryCap: a category is in at most MaxCategoryTabs tabs. Only reported.
	RuleCategoryCap check.Rule = "category-cap"
	// RuleSectionSource: imported categories and tabs have ids that were assigned; a category's
	// position in a tab is "placed". Repair deletes other entries.
	RuleSectionSource check.Rule = "section-source"
)

const (
	onCatalogue check.Kind = "catalogue"
	onTab       check.Kind = "tab"
	onIndex     check.Kind = "category-index"
)

// checks are the checks of categories and tabs.
type checks struct{ *Store }

// Checks returns what is checked of categories, tabs, and the indexes of categories.
func (s *Store) Checks() check.Subject {
	c := checks{s}
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
		Scanned: func(r *check.Run, _ string, k catalogue.Key) {
			switch k.Object {
			case catalogue.OfCategory:
				r.Note(check.OnCategory, k.ID)
			case catalogue.OfTab:
				r.Note(onTab, k.ID)
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
	tooMany                  check.Rule
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
			prefix: key.CategoryPrefix, links: ":tabs", most: forum.MaxCategoryTabs, tooMany: RuleCategoryCap,
			wrong: catalogue.Category.Wrong,
		}, &sectionSet{
			kind: "tab", rule: RuleTabFields, seq: key.TabSequence, names: key.TabNames, all: key.Tabs,
			sources: key.TabSources,
			prefix:  key.TabPrefix, links: ":categories", most: forum.MaxTabCategories, tooMany: RuleTabCap,
			wrong: catalogue.Tab.Wrong,
		}
}

// sections checks all categories and tabs.
func (c checks) sections(l *check.Look) {
	categories, tabs := newSectionSets()
	c.sectionHalf(l, categories, slices.Collect(maps.Keys(l.Objects[check.OnCategory])))
	c.sectionHalf(l, tabs, slices.Collect(maps.Keys(l.Objects[onTab])))
	marks := l.ZSet(key.CategoryDirty)
	l.Wait()
	c.links(l, categories, tabs)
	c.links(l, tabs, categories)
	for id, f := range tabs.rows {
		if k := key.TabPrefix + id; len(f) > 0 {
			l.WantField(RuleTabCount, k, "categories", f["categories"], strconv.Itoa(len(tabs.linked[id])),
				k+tabs.links)
		}
	}
	c.deletions(l, categories, check.Scores(marks.Val()))
}

// sectionHalf reads all sections that keys, the catalogue or the names refer to, and checks them.
func (c checks) sectionHalf(l *check.Look, s *sectionSet, known []int64) {
	seq, names, listed, sources := l.Text(s.seq), l.Hash(s.names), l.ZSet(s.all), l.Hash(s.sources)
	l.Wait()
	s.byName, s.listed = names.Val(), listed.Val()
	s.rows, s.linked = map[string]record.Fields{}, map[string][]redis.Z{}
	for _, id := range known {
		s.rows[strconv.FormatInt(id, 10)] = nil
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
	l.AtMost(s.tooMany, k+s.links, int64(len(s.linked[id])), s.most)
}

// links checks the links from one half of the catalogue to the other.
func (c checks) links(l *check.Look, from, to *sectionSet) {
	for id, links := range from.linked {
		k := from.prefix + id + from.links
		if len(links) > 0 && !from.exists(id) {
			l.Add(check.RuleOrphanKey, k, check.Remove(k), "there is no %s %s, but %d links", from.kind, id, len(links))
			continue
		}
		for _, z := range links {
			other := z.Member.(string)
			back := to.prefix + other + to.links
			given := []string{from.prefix + id, to.prefix + other}
			if !to.exists(other) || z.Score != to.place(other) {
				l.Add(RuleTabCategory, k, check.Drop(k, other).Given(append(given, back)...),
					"%q at %.0f is not a %s, or has the wrong score", other, z.Score, to.kind)
			} else if _, mutual := check.Scores(to.linked[other])[id]; !mutual {
				l.Add(RuleTabCategory, k, check.Put(back, id, from.place(id)).Given(append(given, k)...),
					"%s %s does not list %s %s", to.kind, other, from.kind, id)
			}
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
