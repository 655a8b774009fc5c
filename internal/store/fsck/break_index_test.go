package fsck

import (
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

var indexBreaks = []siteBreak{
	{"missing by posting", RuleIndexMissing,
		func(x *checkSite) { x.do("ZREM", key.FrontContainer.Order(key.OrderCreated), x.place(x.thread)) }, mended},
	{"missing by activity", RuleIndexMissing, func(x *checkSite) {
		x.do("ZREM", key.CategoryContainer(x.talk).Order(key.OrderActive), x.place(x.thread))
	}, mended},
	{"missing with its revision", RuleIndexMissing, func(x *checkSite) {
		x.do("ZREM", key.FrontContainer.Order(key.OrderCreated), x.place(x.thread))
		x.do("ZREM", key.FrontContainer.Order(key.OrderActive), x.place(x.thread))
		x.do("HDEL", key.FrontContainer.Revisions(), key.Itoa(x.thread))
	}, mended},
	{"a whole category's index", RuleIndexMissing, func(x *checkSite) {
		box := key.CategoryContainer(x.talk)
		x.do("DEL", box.Order(key.OrderCreated), box.Order(key.OrderActive), box.Revisions(), box.Removed())
	}, mended},
	{"a comment missing", RuleIndexMissing, func(x *checkSite) {
		x.do("ZREM", key.UserCommentsContainer(x.bob.ID).Order(key.OrderCreated), x.commentPlace(x.root))
	}, mended},
	{"a wrong time", RuleIndexScore,
		func(x *checkSite) { x.do("ZADD", key.FrontContainer.Order(key.OrderActive), 5, x.place(x.thread)) }, mended},
	{"a comment at a wrong time", RuleIndexScore, func(x *checkSite) {
		x.do("ZADD", key.UserCommentsContainer(x.bob.ID).Order(key.OrderCreated), 5, x.commentPlace(x.root))
	}, mended},
	{"a deleted topic", RuleIndexStray,
		func(x *checkSite) { x.do("ZADD", key.FrontContainer.Order(key.OrderCreated), 5, x.place(x.deleted)) }, mended},
	{"a topic of another category", RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.CategoryContainer(x.news).Order(key.OrderCreated), 5, x.place(x.thread))
	}, mended},
	{"a topic that is not there", RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.FrontContainer.Order(key.OrderActive), 5, record.Member(5, 9_999_872))
	}, mended},
	{"a topic twice", RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.FrontContainer.Order(key.OrderActive), 5, record.Member(5, int64(x.thread)))
	}, mended},
	{"somebody else's comment", RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.UserCommentsContainer(x.ann.ID).Order(key.OrderCreated), 5, x.commentPlace(x.root))
	}, mended},
	{"a deleted comment", RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.UserCommentsContainer(x.bob.ID).Order(key.OrderCreated), 5, x.commentPlace(x.leaf))
	}, mended},
	{"a comment on a deleted topic, its task done", RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.UserCommentsContainer(x.bob.ID).Order(key.OrderCreated), 5, x.commentPlace(x.on[0]))
	}, mended},
	{"a revision of nothing at all", RuleIndexMember,
		func(x *checkSite) { x.do("HSET", key.FrontContainer.Revisions(), "", 5) }, mended},
	{"a member of another form", RuleIndexMember,
		func(x *checkSite) { x.do("ZADD", key.FrontContainer.Order(key.OrderCreated), 5, key.Itoa(x.thread)) }, mended},
	{"a revision of no id", RuleIndexMember,
		func(x *checkSite) { x.do("HSET", key.FrontContainer.Revisions(), "all", 5) }, mended},
	{"a revision of the future", RuleIndexRev,
		func(x *checkSite) { x.do("HSET", key.FrontContainer.Revisions(), key.Itoa(x.thread), 99) }, mended},
	{"a removal of the future", RuleIndexRev,
		func(x *checkSite) { x.do("HSET", key.FrontContainer.Revisions(), key.Itoa(x.deleted), 99) }, mended},
	{"no revision", RuleIndexRev,
		func(x *checkSite) { x.do("HDEL", key.CategoryContainer(x.news).Revisions(), key.Itoa(x.moved)) }, mended},
	{"a revision of nothing", RuleIndexRev,
		func(x *checkSite) { x.do("HSET", key.FrontContainer.Revisions(), 9_999_872, 1) }, mended},
	{"there and gone", RuleIndexTombstone,
		func(x *checkSite) { x.do("ZADD", key.FrontContainer.Removed(), int64(x.Now()), key.Itoa(x.thread)) }, mended},
	{"gone without revision", RuleIndexTombstone,
		func(x *checkSite) { x.do("HDEL", key.FrontContainer.Revisions(), key.Itoa(x.deleted)) }, mended},
	{"a category that takes nothing", RuleIndexClosed,
		func(x *checkSite) { x.do("SET", key.CategoryContainer(x.talk).Closed(), 1) }, mended},
	{"a lost category that is open", RuleIndexOwner,
		func(x *checkSite) { x.do("DEL", key.CategoryContainer(x.lost).Closed()) }, mended},
	{"a lost category with topics", RuleIndexOwner, func(x *checkSite) {
		x.do("DEL", key.Category(x.news), key.CategoryTabs(x.news))
	}, stays},
}

var catalogueBreaks = []siteBreak{
	{"a name folded wrongly", RuleCategoryFields,
		func(x *checkSite) { x.do("HSET", key.Category(x.talk), "name", "Chatter") }, mended},
	{"a category without name", RuleCategoryFields, func(x *checkSite) { x.do("HDEL", key.Category(x.talk), "name") },
		stays},
	{"a tab folded wrongly", RuleTabFields, func(x *checkSite) { x.do("HSET", key.Tab(x.tab), "fold", "FIRST") }, mended},
	{"a tab of no time", RuleTabFields, func(x *checkSite) { x.do("HDEL", key.Tab(x.tab), "created") }, stays},
	{"a name that leads nowhere", RuleName, func(x *checkSite) { x.do("HSET", key.CategoryNames, "nowhere", 99) }, mended},
	{"a name that leads elsewhere", RuleName, func(x *checkSite) { x.do("HSET", key.TabNames, "third", int64(x.tab)) },
		mended},
	{"a name lost", RuleName, func(x *checkSite) { x.do("HDEL", key.CategoryNames, "talk") }, mended},
	{"a name that two have", RuleName,
		func(x *checkSite) { x.do("HSET", key.Category(x.news), "name", "Talk", "fold", "talk") }, stays},
	{"a category not in the catalogue", RuleCatalogue,
		func(x *checkSite) { x.do("ZREM", key.Categories, int64(x.talk)) }, mended},
	{"a category in a wrong place", RuleCatalogue,
		func(x *checkSite) { x.do("ZADD", key.Categories, 99, int64(x.talk)) }, mended},
	{"a lost tab in the catalogue", RuleCatalogue, func(x *checkSite) { x.do("ZADD", key.Tabs, 99, 99) }, mended},
	{"a deletion unmarked", RuleDeleting, func(x *checkSite) { x.do("HSET", key.Category(x.talk), "deleting", "cafe") },
		mended},
	{"a deletion that nobody began", RuleDeleting,
		func(x *checkSite) { x.do("ZADD", key.CategoryDirty, int64(x.Now()), int64(x.talk)) }, settled},
	{"a tab that the category does not know", RuleTabCategory,
		func(x *checkSite) { x.do("ZREM", key.CategoryTabs(x.talk), int64(x.tab)) }, mended},
	{"a category that the tab does not know", RuleTabCategory,
		func(x *checkSite) { x.do("ZADD", key.CategoryTabs(x.news), int64(x.other), int64(x.other)) }, mended},
	{"a tab of a lost category", RuleTabCategory,
		func(x *checkSite) { x.do("ZADD", key.TabCategories(x.tab), int64(x.lost), int64(x.lost)) }, mended},
	{"a category counted twice", RuleTabCount, func(x *checkSite) { x.do("HINCRBY", key.Tab(x.tab), "categories", 1) },
		mended},
	{"a tab too long", RuleTabCap, func(x *checkSite) {
		for i := range forum.MaxTabCategories {
			c := x.category(fmt.Sprintf("c%d", i))
			x.do("ZADD", key.TabCategories(x.tab), int64(c), int64(c))
			x.do("ZADD", key.CategoryTabs(c), int64(x.tab), int64(x.tab))
		}
	}, stays},
	{"a category in too many tabs", RuleCategoryCap, func(x *checkSite) {
		for i := range forum.MaxCategoryTabs {
			t := x.site.tab(fmt.Sprintf("t%d", i))
			x.do("ZADD", key.TabCategories(t), int64(x.talk), int64(x.talk))
			x.do("ZADD", key.CategoryTabs(x.talk), int64(t), int64(t))
		}
	}, stays},
}
