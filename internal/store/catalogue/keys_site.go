package catalogue

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var siteKeys = []Kind{
	{Name: "layout", Type: Hash, Object: OfSite, Export: InHeader, Keys: []Pattern{{key.Layout,
		"what is fixed with the data, see below", ""}}},
	{Name: "secret", Type: String, Object: OfSite, Keys: []Pattern{{key.Secret,
		"the site's secret, 32 random bytes in hexadecimal, made with the layout and never logged. " +
			"Pseudonyms of addresses and names, in keys and in the log, are HMAC-SHA-256 with it. If " +
			"it is deleted, the next server that starts makes another, and limits on calls, clicks and " +
			"known devices start over", ""}}},
	{Name: "site-copy", Type: String, Object: OfSite, Export: LeftOut, Keys: []Pattern{{key.SiteCopy(partition),
		"only in a cluster: a copy of `meta:layout` (without `run`), `meta:secret` and " +
			"`{mod}:rules`, in JSON, in each partition and with it on each master, so that a server " +
			"can [start](operating.md#a-cluster) while the masters that have these are away", ""}}},
	{Name: "recheck", Type: String, Object: OfSite, Life: key.RecheckLife, Export: LeftOut,
		Keys: []Pattern{{key.Recheck,
			"the process that checks and repairs the data after the fail-over of a master, when it " +
				"began, and `done` when it has", "15 s"}}},
	{Name: "import", Type: Hash, Object: OfSite, Export: LeftOut, Keys: []Pattern{{key.Import,
		"exists while an [export](export.md) is imported into an empty database, which is no site " +
			"until then: `sum`, the SHA-256 of the export; `rows`, how many of its rows are written; " +
			"`run`, a random name of the process that writes them", ""}}},
	{Name: "site-sequence", Type: String, Object: OfSite, Keys: []Pattern{
		{all(key.CategorySequence, key.TabSequence),
			"last id given to a category, a tab", ""},
		{key.SectionActSequence,
			"last number given to an act on a category or tab; its id is 2,147,483,647 more", ""},
		{key.SiteActSequence,
			"last number given to an act on the rules or the blocklist; its id is 3,221,225,471 more", ""},
	}},
	{Name: "site-set", Type: ZSet, Object: OfSite, Keys: []Pattern{
		{all(key.SectionActMarks, key.SiteActMarks),
			"`m:<id>`: acts that some lists may lack, score their time; empty at rest", ""},
		{all(key.Categories, key.Tabs),
			"all categories, tabs: id, score `position × 2³¹ + id` (by position, then order of " +
				"creation)", ""},
		{key.CategoryDirty,
			"ids of categories being deleted, score time of the call; empty at rest", ""},
	}},
	{Name: "site-hash", Type: Hash, Object: OfSite, Keys: []Pattern{
		{all(key.CategoryNames, key.TabNames),
			"folded name → id", ""},
		{key.CategorySources,
			"what categories of other sites became: `site:id` → category id. Entries of deleted " +
				"categories stay, and the next import creates these again", ""},
		{key.TabSources,
			"what tabs of other sites became: `site:id` → tab id; and for each category that an import " +
				"put into a tab: the tab's `site:id`, a line feed, the category's `site:id` → `placed`", ""},
	}},
	{Name: "category", Type: Hash, Object: OfCategory, Keys: []Pattern{{key.Category(id),
		"a category", ""}}},
	{Name: "category-internal", Type: Hash, Object: OfCategory, Keys: []Pattern{{key.Internal(key.Category(id)),
		"the rest of it", ""}}},
	{Name: "category-moderators", Type: ZSet, Object: OfCategory, Keys: []Pattern{{key.CategoryModerators(id),
		"who moderates the category, or did: user id, score how often what the user moderates had " +
			"changed (`moderatesRev`), negative if they no longer do. It follows from the users' field " +
			"`moderates`. Also `s<user>`, a place that is reserved for 30 s for a user who becomes " +
			"one: score the time as a fraction (Unix ms / 10¹³)", ""}}},
	{Name: "category-tabs", Type: ZSet, Object: OfCategory, Keys: []Pattern{{key.CategoryTabs(id),
		"tabs that show the category: id, score as in `{cat}:all:t`", "16"}}},
	{Name: "tab", Type: Hash, Object: OfTab, Keys: []Pattern{{key.Tab(id),
		"a tab", ""}}},
	{Name: "tab-internal", Type: Hash, Object: OfTab, Keys: []Pattern{{key.Internal(key.Tab(id)),
		"the rest of it", ""}}},
	{Name: "tab-categories", Type: ZSet, Object: OfTab, Keys: []Pattern{{key.TabCategories(id),
		"the tab's categories: id, score as in `{cat}:all:c`", "50"}}},
	{Name: "tab-events", Type: Stream, Object: OfSectionEvents, Life: forum.StreamLife, Export: LeftOut,
		Keys: []Pattern{{key.Events(key.Tab(id)),
			"that categories were added or removed: `k` is `X`, as in `{ix:front}:ev`",
			"exists only while someone watches it, and for 24 h after; the latest"}}},
	{Name: "section-acts", Type: ZSet, Object: OfSite, Keys: []Pattern{{
		all(key.SubjectActs(forum.Subject{Category: id}), key.SubjectActs(forum.Subject{Tab: id})),
		"what moderators did to a category or tab, also after it was deleted: acts, as in " +
			"`{mod}:log`", ""}}},
	{Name: "section-act", Type: Hash, Object: OfSectionAct, Keys: []Pattern{{key.Act(sectionAct),
		"an act on a category or tab, as `{pXX}:m:<id>`", ""}}},
	{Name: "site-act", Type: Hash, Object: OfSiteAct, Keys: []Pattern{{key.Act(siteAct),
		"an act on the rules or the blocklist, as `{pXX}:m:<id>`", ""}}},
}
