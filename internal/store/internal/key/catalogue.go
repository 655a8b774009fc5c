package key

import "agora/internal/forum"

// Keys and prefixes of categories and tabs, which share one slot.
const (
	// CategorySequence and TabSequence are STRINGs: the last id assigned. No expiry.
	CategorySequence = "{cat}:seq:c"
	TabSequence      = "{cat}:seq:t"
	// CategoryNames and TabNames are HASHes: folded name -> id. No expiry.
	CategoryNames = "{cat}:names:c"
	TabNames      = "{cat}:names:t"
	// CategorySources and TabSources are HASHes: the imported categories and tabs of other sites, and the
	// imported places of categories in tabs. No expiry.
	CategorySources = "{cat}:src:c"
	TabSources      = "{cat}:src:t"
	// Categories and Tabs are ZSETs: all ids by position, then by id, which is the order of creation; the score is
	// record.SectionScore. No expiry.
	Categories = "{cat}:all:c"
	Tabs       = "{cat}:all:t"
	// CategoryDirty is a ZSET: categories being deleted by the time of the call (Unix ms). Empty at rest.
	CategoryDirty = "{cat}:dirty"

	CategoryPrefix = "{cat}:c:"
	TabPrefix      = "{cat}:t:"
)

// Category is a HASH: the fields of a category.
func Category(id forum.CategoryID) string { return CategoryPrefix + Itoa(id) }

// CategoryModerators is a ZSET: users who moderate the category, or did.
func CategoryModerators(id forum.CategoryID) string { return Category(id) + ":moderators" }

// CategoryTabs is a ZSET: the tabs that show the category.
func CategoryTabs(id forum.CategoryID) string { return Category(id) + ":tabs" }

// Tab is a HASH: the fields of a tab.
func Tab(id forum.TabID) string { return TabPrefix + Itoa(id) }

// TabCategories is a ZSET: the tab's categories.
func TabCategories(id forum.TabID) string { return Tab(id) + ":categories" }
