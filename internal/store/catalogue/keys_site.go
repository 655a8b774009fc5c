package catalogue

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var siteKeys = []Kind{
	{Name: "layout", Type: Hash, Object: OfSite, Export: InHeader, Keys: []Pattern{{key.Layout,
		"what is fixed with the data, see below", ""}}},
	{Name: "secret", Type: String, Object: OfSite, Keys: []Pattern{{key.Secret,
		"32 random bytes in hex, never logged: HMAC-SHA-256 key for pseudonyms of addresses and names. If " +
			"deleted, the next server makes another; limits on calls, clicks and known devices start over", ""}}},
	{Name: "site-copy", Type: String, Object: OfSite, Export: LeftOut, Keys: []Pattern{{key.SiteCopy(partition),
		"cluster only: JSON copy of `meta:layout` (without `run`), `meta:secret` and `{mod}:rules`, to " +
			"[start](operating.md#a-cluster) while their masters are away", ""}}},
	{Name: "recheck", Type: String, Object: OfSite, Life: key.RecheckLife, Export: LeftOut,
		Keys: []Pattern{{key.Recheck,
			"which process checks after a fail-over, when it began, `done` at the end",
			"15 s"}}},
	{Name: "import", Type: Hash, Object: OfSite, Export: LeftOut, Keys: []Pattern{{key.Import,
		"while an [export](export.md) is imported, before there is a site: `sum`, its SHA-256; `rows` written; " +
			"`run`, the process", ""}}},
	{Name: "site-sequence", Type: String, Object: OfSite, Keys: []Pattern{
		{all(key.CategorySequence, key.TabSequence),
			"last id given to a category, a tab", ""},
		{key.SectionActSequence,
			"last number of an act on a category or tab; id = number + 2,147,483,647", ""},
		{key.SiteActSequence,
			"last number of an act on the rules or the blocklist; id = number + 3,221,225,471", ""},
	}},
	{Name: "site-set", Type: ZSet, Object: OfSite, Keys: []Pattern{
		{all(key.SectionActMarks, key.SiteActMarks),
			"dirty marks `m:<id>` of acts by time; empty at rest", ""},
		{all(key.Categories, key.Tabs),
			"all categories, tabs: id by `position × 2³¹ + id`", ""},
		{key.CategoryDirty,
			"categories being deleted: id by time of the call; empty at rest", ""},
	}},
	{Name: "site-hash", Type: Hash, Object: OfSite, Keys: []Pattern{
		{all(key.CategoryNames, key.TabNames),
			"folded name → id", ""},
		{key.CategorySources,
			"imported categories: `site:id` → id, also of deleted ones", ""},
		{key.TabSources,
			"likewise, of tabs; for a category put into a tab: the tab's `site:id`, line feed, the category's → " +
				"`placed`", ""},
	}},
	{Name: "category", Type: Hash, Object: OfCategory, Keys: []Pattern{{key.Category(id),
		"a category, see below", ""}}},
	{Name: "category-internal", Type: Hash, Object: OfCategory, Keys: []Pattern{{key.Internal(key.Category(id)),
		"likewise", ""}}},
	{Name: "category-moderators", Type: ZSet, Object: OfCategory, Keys: []Pattern{{key.CategoryModerators(id),
		"moderators, also former ones: user id by the user's `moderatesRev` then, negative if former; follows " +
			"from `moderates`. `s<user>`: a place reserved for 30 s, by Unix ms / 10¹³", ""}}},
	{Name: "category-tabs", Type: ZSet, Object: OfCategory, Keys: []Pattern{{key.CategoryTabs(id),
		"tabs that show the category, as `{cat}:all:t`", "16"}}},
	{Name: "tab", Type: Hash, Object: OfTab, Keys: []Pattern{{key.Tab(id),
		"a tab, see below", ""}}},
	{Name: "tab-internal", Type: Hash, Object: OfTab, Keys: []Pattern{{key.Internal(key.Tab(id)),
		"likewise", ""}}},
	{Name: "tab-categories", Type: ZSet, Object: OfTab, Keys: []Pattern{{key.TabCategories(id),
		"the tab's categories, as `{cat}:all:c`", "50"}}},
	{Name: "tab-events", Type: Stream, Object: OfSectionEvents, Life: forum.StreamLife, Export: LeftOut,
		Keys: []Pattern{{key.Events(key.Tab(id)),
			"categories were added or removed: as `{ix:front}:ev`, `k` is `X`",
			"the latest"}}},
	{Name: "section-acts", Type: ZSet, Object: OfSite, Keys: []Pattern{{
		all(key.SubjectActs(forum.Subject{Category: id}), key.SubjectActs(forum.Subject{Tab: id})),
		"acts on it, also once it is deleted, as `{mod}:log`", ""}}},
	{Name: "section-act", Type: Hash, Object: OfSectionAct, Keys: []Pattern{{key.Act(sectionAct),
		"an act on a category or tab; on the rules or the blocklist: as `{pXX}:m:<id>`", ""}}},
	{Name: "site-act", Type: Hash, Object: OfSiteAct, Keys: []Pattern{{key.Act(siteAct),
		"likewise", ""}}},
}
