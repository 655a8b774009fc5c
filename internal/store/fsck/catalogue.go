package fsck

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// sectionSet is one half of the catalogue: all categories, or all tabs.
type sectionSet struct {
	kind                     string // category or tab
	rule                     Rule
	seq, names, all, sources string // keys
	prefix                   string
	links                    string // last part of the key of links to the other half
	most                     int
	tooMany                  Rule
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
			kind: "tab", rule: RuleTabFields, seq: key.TabSequence, names: key.TabNames, all: key.Tabs, sources: key.TabSources,
			prefix: key.TabPrefix, links: ":categories", most: forum.MaxTabCategories, tooMany: RuleTabCap,
			wrong: catalogue.Tab.Wrong,
		}
}

// sections checks all categories and tabs.
func (l *look) sections() {
	categories, tabs := newSectionSets()
	l.sectionHalf(categories, l.keys.categories)
	l.sectionHalf(tabs, l.keys.tabs)
	marks := l.zset(key.CategoryDirty)
	l.wait()
	l.links(categories, tabs)
	l.links(tabs, categories)
	for id, f := range tabs.rows {
		if k := key.TabPrefix + id; len(f) > 0 {
			l.wantField(RuleTabCount, k, "categories", f["categories"], strconv.Itoa(len(tabs.linked[id])), k+tabs.links)
		}
	}
	l.deletions(categories, scores(marks.Val()))
}

// sectionHalf reads all sections that keys, the catalogue or the names refer to, and checks them.
func (l *look) sectionHalf(s *sectionSet, known []int64) {
	seq, names, listed, sources := l.text(s.seq), l.hash(s.names), l.zset(s.all), l.hash(s.sources)
	l.wait()
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
	each(l, slices.Collect(maps.Keys(s.rows)), func(l *look, id string) {
		row, links := l.object(s.prefix+id), l.zset(s.prefix+id+s.links)
		l.wait()
		s.rows[id], s.linked[id] = row(), links.Val()
	})
	highest, want := int64(0), map[string]float64{}
	for id, f := range s.rows {
		if n, err := forum.ParseID[forum.CategoryID](id); err == nil && s.exists(id) {
			highest, want[id] = max(highest, int64(n)), s.place(id)
			l.section(s, id, f)
		}
	}
	l.sequence(s.seq, seq.Val(), highest)
	l.sectionSources(s, sources.Val(), max(record.Atoi(seq.Val()), highest))
	l.wantSet(RuleCatalogue, s.all, s.listed, want)
	for fold, id := range s.byName {
		if !s.exists(id) || s.rows[id]["fold"] != fold {
			l.add(RuleName, s.names, unset(s.names, fold).given(s.prefix+id), "%q leads to %s %s, which has another name", fold,
				s.kind, id)
		}
	}
}

func scores(zs []redis.Z) map[string]float64 {
	found := make(map[string]float64, len(zs))
	for _, z := range zs {
		found[z.Member.(string)] = z.Score
	}
	return found
}

// exists reports whether a category or tab with this id exists.
func (s *sectionSet) exists(id string) bool { return len(s.rows[id]) > 0 }

// place returns the score of a category or tab in lists.
func (s *sectionSet) place(id string) float64 {
	return record.SectionScore(s.rows[id].Int("position"), record.Atoi(id))
}

// section checks one category or tab.
func (l *look) section(s *sectionSet, id string, f record.Fields) {
	k := s.prefix + id
	for _, name := range s.wrong(f) {
		out := fix{}
		if name == "position" {
			out = set(k, name, 0)
		}
		l.add(s.rule, k, out, "%s is %q", name, f[name])
	}
	if fold := texts.Fold(f["name"]); fold != "" {
		l.wantField(s.rule, k, "fold", f["fold"], fold)
	}
	l.nameOwner(RuleName, s.names, f["fold"], id, s.byName[f["fold"]], k)
	l.atMost(s.tooMany, k+s.links, int64(len(s.linked[id])), s.most)
}

// links checks the links from one half of the catalogue to the other.
func (l *look) links(from, to *sectionSet) {
	for id, links := range from.linked {
		k := from.prefix + id + from.links
		if len(links) > 0 && !from.exists(id) {
			l.add(RuleOrphanKey, k, remove(k), "there is no %s %s, but %d links", from.kind, id, len(links))
			continue
		}
		for _, z := range links {
			other := z.Member.(string)
			back := to.prefix + other + to.links
			given := []string{from.prefix + id, to.prefix + other}
			if !to.exists(other) || z.Score != to.place(other) {
				l.add(RuleTabCategory, k, drop(k, other).given(append(given, back)...),
					"%q at %.0f is not a %s, or has the wrong score", other, z.Score, to.kind)
			} else if _, mutual := scores(to.linked[other])[id]; !mutual {
				l.add(RuleTabCategory, k, put(back, id, from.place(id)).given(append(given, k)...), "%s %s does not list %s %s",
					to.kind, other, from.kind, id)
			}
		}
	}
}

// deletions compares the marks of deletions with the categories.
func (l *look) deletions(s *sectionSet, marked map[string]float64) {
	for id, at := range marked {
		if s.rows[id]["deleting"] == "" {
			l.add(RuleDeleting, key.CategoryDirty, drop(key.CategoryDirty, id).given(s.prefix+id),
				"category %q is marked but not being deleted", id)
		} else if forum.Time(at)+markLife < l.s.Engine.Now() {
			l.add(RuleMarkOld, key.CategoryDirty, call(l.repairer.SweepCategory, id),
				"category %s has been waiting since %.0f for %s", id, at, s.rows[id]["deleting"])
		}
	}
	for id, f := range s.rows {
		if _, there := marked[id]; f["deleting"] != "" && !there {
			l.add(RuleDeleting, s.prefix+id, unset(s.prefix+id, "deleting").given(key.CategoryDirty),
				"is being deleted but not marked")
		}
	}
}

// sectionSources checks the mapping of imported categories or tabs. Deleted ones may remain in it. last is the last id
// assigned.
func (l *look) sectionSources(s *sectionSet, sources map[string]string, last int64) {
	for source, value := range sources {
		id, err := forum.ParseID[forum.CategoryID](value)
		if _, _, isPosition := strings.Cut(source, "\n"); isPosition && value == record.Placed || !isPosition && err == nil &&
			int64(id) <= last {
			continue
		}
		l.add(RuleSectionSource, s.sources, unset(s.sources, source), "%q became %q; the last %s is %d", source, value, s.kind,
			last)
	}
}
