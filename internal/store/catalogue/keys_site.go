package catalogue

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var siteKeys = []Kind{
	{Name: "layout", Type: Hash, Object: OfSite, Export: InHeader, Keys: []Pattern{{key.Layout,
		"what is fixed with the data, see below", ""}}},
	{Name: "secret", Type: String, Object: OfSite, Keys: []Pattern{{key.Secret,
		"32 random bytes in hexadecimal, made with the layout and never logged: the key of HMAC-SHA-256 for " +
			"pseudonyms of addresses and names, in keys and in the log. Once deleted, the next server that " +
			"starts makes another, and limits on calls, clicks and known devices start over", ""}}},
	{Name: "site-copy", Type: String, Object: OfSite, Export: LeftOut, Keys: []Pattern{{key.SiteCopy(partition),
		"only in a cluster: a JSON copy of `meta:layout` (without `run`), `meta:secret` and `{mod}:rules`, with " +
			"which a server can [start](operating.md#a-cluster) while the masters that have these are away", ""}}},
	{Name: "recheck", Type: String, Object: OfSite, Life: key.RecheckLife, Export: LeftOut,
		Keys: []Pattern{{key.Recheck,
			"which process checks and repairs the data after the fail-over of a master, when it began, and " +
				"`done` at the end", "15 s"}}},
	{Name: "import", Type: Hash, Object: OfSite, Export: LeftOut, Keys: []Pattern{{key.Import,
		"only while an [export](export.md) is imported, and the database is no site yet: `sum`, the SHA-256 of " +
			"the export; `rows` written so far; `run`, a random name of the process", ""}}},
	{Name: "site-sequence", Type: String, Object: OfSite, Keys: []Pattern{
		{all(key.CategorySequence, key.TabSequence),
			"last id given to a category, a tab", ""},
		{key.SectionActSequence,
			"last number of an act on a category or tab; its id is 2,147,483,647 more", ""},
		{key.SiteActSequence,
			"last number of an act on the rules or the blocklist; its id is 3,221,225,471 more", ""},
	}},
	{Name: "site-set", Type: ZSet, Object: OfSite, Keys: []Pattern{
		{all(key.SectionActMarks, key.SiteActMarks),
			"dirty marks `m:<id>` of acts, score their time; empty at rest", ""},
		{all(key.Categories, key.Tabs),
			"all categories, tabs: id, score `position × 2³¹ + id`", ""},
		{key.CategoryDirty,
			"categories being deleted: id, score time of the call; empty at rest", ""},
	}},
	{Name: "site-hash", Type: Hash, Object: OfSite, Keys: []Pattern{
		{all(key.CategoryNames, key.TabNames),
			"folded name → id", ""},
		{key.CategorySources,
			"categories of other sites: `site:id` → category id. Those of deleted categories stay; the next " +
				"import creates these again", ""},
		{key.TabSources,
			"likewise, of tabs; and for each category that an import put into a tab: the tab's `site:id`, a " +
				"line feed, the category's `site:id` → `placed`", ""},
	}},
	{Name: "category", Type: Hash, Object: OfCategory, Keys: []Pattern{{key.Category(id),
		"a category, see below", ""}}},
	{Name: "category-internal", Type: Hash, Object: OfCategory, Keys: []Pattern{{key.Internal(key.Category(id)),
		"likewise", ""}}},
	{Name: "category-moderators", Type: ZSet, Object: OfCategory, Keys: []Pattern{{key.CategoryModerators(id),
		"who moderates the category, or did: user id, score the user's `moderatesRev` at that change, negative " +
			"if they no longer do; follows from the users' `moderates`. Also `s<user>`, a place reserved for 30 " +
			"s for a user who becomes one: score the time as a fraction (Unix ms / 10¹³)", ""}}},
	{Name: "category-tabs", Type: ZSet, Object: OfCategory, Keys: []Pattern{{key.CategoryTabs(id),
		"tabs that show the category: id, score as in `{cat}:all:t`", "16"}}},
	{Name: "tab", Type: Hash, Object: OfTab, Keys: []Pattern{{key.Tab(id),
		"a tab, see below", ""}}},
	{Name: "tab-internal", Type: Hash, Object: OfTab, Keys: []Pattern{{key.Internal(key.Tab(id)),
		"likewise", ""}}},
	{Name: "tab-categories", Type: ZSet, Object: OfTab, Keys: []Pattern{{key.TabCategories(id),
		"the tab's categories: id, score as in `{cat}:all:c`", "50"}}},
	{Name: "tab-events", Type: Stream, Object: OfSectionEvents, Life: forum.StreamLife, Export: LeftOut,
		Keys: []Pattern{{key.Events(key.Tab(id)),
			"categories were added or removed: `k` is `X`, as in `{ix:front}:ev`",
			"the latest"}}},
	{Name: "section-acts", Type: ZSet, Object: OfSite, Keys: []Pattern{{
		all(key.SubjectActs(forum.Subject{Category: id}), key.SubjectActs(forum.Subject{Tab: id})),
		"acts on a category or tab, also once it is deleted: as in `{mod}:log`", ""}}},
	{Name: "section-act", Type: Hash, Object: OfSectionAct, Keys: []Pattern{{key.Act(sectionAct),
		"an act, as `{pXX}:m:<id>`: `{cat}` on categories and tabs, `{mod}` on the rules and the blocklist", ""}}},
	{Name: "site-act", Type: Hash, Object: OfSiteAct, Keys: []Pattern{{key.Act(siteAct),
		"likewise", ""}}},
}
