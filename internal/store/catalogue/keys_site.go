package catalogue

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var siteKeys = []Kind{
	{Name: "layout", Type: Hash, Object: OfSite, Export: InHeader, Keys: []Pattern{{key.Layout,
		"see below", ""}}},
	{Name: "secret", Type: String, Object: OfSite, Keys: []Pattern{{key.Secret,
		"32 random bytes in hex: HMAC-SHA-256 key for pseudonyms of addresses and names. If deleted, the next " +
			"server makes another", ""}}},
	{Name: "site-copy", Type: String, Object: OfSite, Export: LeftOut, Keys: []Pattern{{key.SiteCopy(partition),
		"cluster only: JSON copy of `meta:layout` (without `run`), `meta:secret` and `{mod}:rules`", ""}}},
	{Name: "recheck", Type: String, Object: OfSite, Life: key.RecheckLife, Export: LeftOut,
		Keys: []Pattern{{key.Recheck,
			"process that checks after a fail-over, start, `done` at the end",
			"15 s"}}},
	{Name: "import", Type: Hash, Object: OfSite, Export: LeftOut, Keys: []Pattern{{key.Import,
		"an [export](export.md) that is being imported: SHA-256 `sum`, `rows` written, process `run`", ""}}},
	{Name: "site-sequence", Type: String, Object: OfSite, Keys: []Pattern{
		{all(key.CategorySequence, key.TabSequence),
			"last id", ""},
		{key.SectionActSequence,
			"last number of an act; id = number + 2,147,483,647", ""},
		{key.SiteActSequence,
			"likewise; id = number + 3,221,225,471", ""},
	}},
	{Name: "site-set", Type: ZSet, Object: OfSite, Keys: []Pattern{
		{all(key.SectionActMarks, key.SiteActMarks),
			"dirty marks `m:<id>` of acts by time", ""},
		{all(key.Categories, key.Tabs),
			"all: id by `position × 2³¹ + id`", ""},
		{key.CategoryDirty,
			"categories being deleted by time; empty at rest", ""},
		{key.AccessMarks,
			"categories whose audience was changed by time, until a task follows it; empty at rest", ""},
	}},
	{Name: "site-hash", Type: Hash, Object: OfSite, Keys: []Pattern{
		{all(key.CategoryNames, key.TabNames),
			"folded name → id", ""},
		{key.CategorySources,
			"imported ones: `site:id` → id, also once deleted", ""},
		{key.TabSources,
			"likewise; for a category put into a tab: tab's `site:id`, line feed, category's → `placed`", ""},
	}},
	{Name: "category", Type: Hash, Object: OfCategory, Keys: []Pattern{{key.Category(id),
		"see below", ""}}},
	{Name: "category-internal", Type: Hash, Object: OfCategory, Keys: []Pattern{{key.Internal(key.Category(id)),
		"likewise", ""}}},
	{Name: "category-moderators", Type: ZSet, Object: OfCategory, Keys: []Pattern{{key.CategoryModerators(id),
		"moderators: user by the user's `moderatesRev` then, negative if former. `s<user>`: a place reserved " +
			"for 30 s, by Unix ms / 10¹³", ""}}},
	{Name: "category-tabs", Type: ZSet, Object: OfCategory, Keys: []Pattern{{key.CategoryTabs(id),
		"its tabs, as `{cat}:all:t`", "16"}}},
	{Name: "tab", Type: Hash, Object: OfTab, Keys: []Pattern{{key.Tab(id),
		"see below", ""}}},
	{Name: "tab-internal", Type: Hash, Object: OfTab, Keys: []Pattern{{key.Internal(key.Tab(id)),
		"likewise", ""}}},
	{Name: "tab-categories", Type: ZSet, Object: OfTab, Keys: []Pattern{{key.TabCategories(id),
		"its categories, as `{cat}:all:c`", "50"}}},
	{Name: "tab-events", Type: Stream, Object: OfSectionEvents, Life: forum.StreamLife, Export: LeftOut,
		Keys: []Pattern{{key.Events(key.Tab(id)),
			"as `{ix:front}:ev`, `k` is `X`",
			"the latest"}}},
	{Name: "section-acts", Type: ZSet, Object: OfSite, Keys: []Pattern{{
		all(key.SubjectActs(forum.Subject{Category: id}), key.SubjectActs(forum.Subject{Tab: id})),
		"acts on it, as `{mod}:log`", ""}}},
	{Name: "section-act", Type: Hash, Object: OfSectionAct, Keys: []Pattern{{key.Act(sectionAct),
		"acts, as `{pXX}:m:<id>`", ""}}},
	{Name: "site-act", Type: Hash, Object: OfSiteAct, Keys: []Pattern{{key.Act(siteAct),
		"likewise", ""}}},
}
