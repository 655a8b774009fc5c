package fsck

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// sectionSet is one half of the catalogue: all categories, or all tabs.
type sectionSet struct {
	kind            string // category or tab
	rule            Rule
	seq, names, all string // keys
	sources         string // key
	prefix          string
	links           string // last part of the key of links to the other half
	most            int
	tooMany         Rule
	// wrong returns the names of wrong fields.
	wrong func(f map[string]string, leftOut ...string) []string

	sequence string
	byName   map[string]string
	imported map[string]string // by name at the source
	listed   map[string]float64
	rows     map[string]record.Fields
	linked   map[string]map[string]float64 // by id
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

var catalogueSubject = target{kind: onCatalogue}

// inspectCatalogue checks all categories and tabs.
func (c *checker) inspectCatalogue(ctx context.Context) error {
	categories, tabs := newSectionSets()
	if err := c.readSections(ctx, categories, c.keys.categories); err != nil {
		return err
	}
	if err := c.readSections(ctx, tabs, c.keys.tabs); err != nil {
		return err
	}
	marks, err := c.rdb.Redis.ZRangeWithScores(ctx, key.CategoryDirty, 0, -1).Result()
	if err != nil {
		return err
	}
	for _, s := range []*sectionSet{categories, tabs} {
		c.checkSections(s)
	}
	c.checkLinks(categories, tabs)
	c.checkLinks(tabs, categories)
	for id, f := range tabs.rows {
		if n := len(tabs.linked[id]); len(f) > 0 && f["categories"] != strconv.Itoa(n) {
			key := key.TabPrefix + id
			count := set(key, "categories", n)
			count.watch = append(count.watch, key+":categories")
			c.add(catalogueSubject, RuleTabCount, key, count, "counts %q; has %d", f["categories"], n)
		}
	}
	c.checkDeletions(categories, marks)
	return nil
}

// readSections reads all sections that keys, the catalogue or the names refer to.
func (c *checker) readSections(ctx context.Context, s *sectionSet, known []int64) error {
	r := c.read(ctx)
	seq, names, all := r.next().Get(ctx, s.seq), r.next().HGetAll(ctx, s.names),
		r.next().ZRangeWithScores(ctx, s.all, 0, -1)
	sources := r.next().HGetAll(ctx, s.sources)
	if err := r.done(); err != nil {
		return err
	}
	s.sequence, s.byName, s.imported = seq.Val(), names.Val(), sources.Val()
	s.listed, s.rows, s.linked = scores(all.Val()), map[string]record.Fields{}, map[string]map[string]float64{}
	for _, id := range known {
		s.rows[strconv.FormatInt(id, 10)] = nil
	}
	for _, id := range s.byName {
		s.rows[id] = nil
	}
	for id := range s.listed {
		s.rows[id] = nil
	}
	rows, links := map[string]func() record.Fields{}, map[string]*redis.ZSliceCmd{}
	for id := range s.rows {
		rows[id] = r.object(s.prefix + id)
		links[id] = r.next().ZRangeWithScores(ctx, s.prefix+id+s.links, 0, -1)
	}
	if err := r.done(); err != nil {
		return err
	}
	for id := range s.rows {
		s.rows[id], s.linked[id] = rows[id](), scores(links[id].Val())
	}
	return nil
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
	n, _ := strconv.ParseInt(id, 10, 64)
	return record.SectionScore(s.rows[id].Int("position"), n)
}

func (c *checker) checkSections(s *sectionSet) {
	highest := int64(0)
	for id, f := range s.rows {
		n, err := forum.ParseID[forum.CategoryID](id)
		if err != nil || !s.exists(id) {
			continue
		}
		highest = max(highest, int64(n))
		c.checkRow(s, id, f)
	}
	last, _ := strconv.ParseInt(s.sequence, 10, 64)
	if last < highest {
		raise := fix{run: func(ctx context.Context) error { return c.repairer.RaiseSequence(ctx, s.seq, highest) }}
		c.add(catalogueSubject, RuleSequence, s.seq, raise, "is %q; number %d was assigned", s.sequence, highest)
	}
	c.checkRoomSources(s, max(last, highest))
	for fold, id := range s.byName {
		if s.exists(id) && s.rows[id]["fold"] == fold {
			continue
		}
		out := fix{watch: []string{s.names, s.prefix + id},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, s.names, fold) }}
		c.add(catalogueSubject, RuleName, s.names, out, "%q leads to %s %s, which has another name", fold, s.kind, id)
	}
	for id, score := range s.listed {
		if s.exists(id) && score == s.place(id) {
			continue
		}
		out := fix{watch: []string{s.all, s.prefix + id}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.ZRem(ctx, s.all, id) // the next round adds existing ones again
		}}
		c.add(catalogueSubject, RuleCatalogue, s.all, out, "%q at %.0f is not a %s, or has the wrong score", id,
			score, s.kind)
	}
}

// checkRow checks one category or tab.
func (c *checker) checkRow(s *sectionSet, id string, f record.Fields) {
	key := s.prefix + id
	for _, name := range s.wrong(f) {
		var out fix
		if name == "position" {
			out = set(key, name, 0)
		}
		c.add(catalogueSubject, s.rule, key, out, "%s is %q", name, f[name])
	}
	if fold := texts.Fold(f["name"]); fold != "" && f["fold"] != fold {
		c.add(catalogueSubject, s.rule, key, set(key, "fold", fold), "%q is folded to %q; want %q", f["name"], f["fold"],
			fold)
	}
	switch holder, taken := s.byName[f["fold"]]; {
	case f["fold"] == "":
	case !taken:
		name := fix{watch: []string{s.names, key},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HSet(ctx, s.names, f["fold"], id) }}
		c.add(catalogueSubject, RuleName, s.names, name, "%q does not lead to %s %s", f["fold"], s.kind, id)
	case holder != id:
		c.add(catalogueSubject, RuleName, s.names, fix{}, "%q leads to %s %s, not to %s", f["fold"], s.kind, holder, id)
	}
	if _, listed := s.listed[id]; !listed {
		list := fix{watch: []string{s.all, key}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.ZAdd(ctx, s.all, redis.Z{Score: s.place(id), Member: id})
		}}
		c.add(catalogueSubject, RuleCatalogue, s.all, list, "%s %s is missing", s.kind, id)
	}
	if n := len(s.linked[id]); n > s.most {
		c.add(catalogueSubject, s.tooMany, key+s.links, fix{}, "has %d; the maximum is %d", n, s.most)
	}
}

// checkLinks checks the links from one half of the catalogue to the other.
func (c *checker) checkLinks(from, to *sectionSet) {
	for id, links := range from.linked {
		key := from.prefix + id + from.links
		if len(links) > 0 && !from.exists(id) {
			c.add(catalogueSubject, RuleOrphanKey, key, remove(key), "there is no %s %s, but %d links", from.kind, id,
				len(links))
			continue
		}
		for _, other := range slices.Sorted(maps.Keys(links)) {
			back := to.prefix + other + to.links
			watch := []string{from.prefix + id, key, to.prefix + other, back}
			if !to.exists(other) || links[other] != to.place(other) {
				cut := fix{watch: watch, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, key, other) }}
				c.add(catalogueSubject, RuleTabCategory, key, cut, "%q at %.0f is not a %s, or has the wrong score", other,
					links[other], to.kind)
			} else if _, mutual := to.linked[other][id]; !mutual {
				join := fix{watch: watch, do: func(ctx context.Context, pipe redis.Pipeliner) {
					pipe.ZAdd(ctx, back, redis.Z{Score: from.place(id), Member: id})
				}}
				c.add(catalogueSubject, RuleTabCategory, key, join, "%s %s does not list %s %s", to.kind, other, from.kind, id)
			}
		}
	}
}

// checkDeletions compares the marks of deletions with the categories.
func (c *checker) checkDeletions(s *sectionSet, marks []redis.Z) {
	marked := scores(marks)
	for id, at := range marked {
		if s.rows[id]["deleting"] == "" {
			drop := fix{watch: []string{key.CategoryDirty, s.prefix + id},
				do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, key.CategoryDirty, id) }}
			c.add(catalogueSubject, RuleDeleting, key.CategoryDirty, drop, "category %q is marked but not being deleted", id)
		} else if forum.Time(at)+markLife < c.s.Now() {
			sweep := fix{run: func(ctx context.Context) error { return c.repairer.SweepCategory(ctx, id) }}
			c.add(catalogueSubject, RuleMarkOld, key.CategoryDirty, sweep,
				"category %s has been waiting since %.0f for %s", id, at, s.rows[id]["deleting"])
		}
	}
	for id, f := range s.rows {
		if _, there := marked[id]; f["deleting"] != "" && !there {
			keep := fix{watch: []string{key.CategoryDirty, s.prefix + id},
				do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, key.Internal(s.prefix+id), "deleting") }}
			c.add(catalogueSubject, RuleDeleting, s.prefix+id, keep, "is being deleted but not marked")
		}
	}
}
