package fsck

import (
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/categories"
	"agora/internal/store/change"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

var indexBreaks = []siteBreak{
	{"missing by time of posting", change.RuleIndexMissing,
		func(x *checkSite) { x.do("ZREM", key.FrontContainer.Order(key.OrderCreated), x.place(x.thread)) }, fixed},
	{"missing by time of activity", change.RuleIndexMissing, func(x *checkSite) {
		x.do("ZREM", key.CategoryContainer(x.talk).Order(key.OrderActive), x.place(x.thread))
	}, fixed},
	{"missing with its revision", change.RuleIndexMissing, func(x *checkSite) {
		x.do("ZREM", key.FrontContainer.Order(key.OrderCreated), x.place(x.thread))
		x.do("ZREM", key.FrontContainer.Order(key.OrderActive), x.place(x.thread))
		x.do("HDEL", key.FrontContainer.Revisions(), key.Itoa(x.thread))
	}, fixed},
	{"a whole category's index", change.RuleIndexMissing, func(x *checkSite) {
		box := key.CategoryContainer(x.talk)
		x.do("DEL", box.Order(key.OrderCreated), box.Order(key.OrderActive), box.Revisions(), box.Removed())
	}, fixed},
	{"a comment missing", change.RuleIndexMissing, func(x *checkSite) {
		x.do("ZREM", key.UserCommentsContainer(x.bob.ID).Order(key.OrderCreated), x.commentPlace(x.root))
	}, fixed},
	{"the wrong time", change.RuleIndexScore,
		func(x *checkSite) { x.do("ZADD", key.FrontContainer.Order(key.OrderActive), 5, x.place(x.thread)) }, fixed},
	{"a comment at the wrong time", change.RuleIndexScore, func(x *checkSite) {
		x.do("ZADD", key.UserCommentsContainer(x.bob.ID).Order(key.OrderCreated), 5, x.commentPlace(x.root))
	}, fixed},
	{"a deleted topic", change.RuleIndexStray,
		func(x *checkSite) { x.do("ZADD", key.FrontContainer.Order(key.OrderCreated), 5, x.place(x.deleted)) }, fixed},
	{"a topic of another category", change.RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.CategoryContainer(x.news).Order(key.OrderCreated), 5, x.place(x.thread))
	}, fixed},
	{"a missing topic", change.RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.FrontContainer.Order(key.OrderActive), 5, record.Member(5, 9_999_872))
	}, fixed},
	{"a topic twice", change.RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.FrontContainer.Order(key.OrderActive), 5, record.Member(5, int64(x.thread)))
	}, fixed},
	{"another user's comment", change.RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.UserCommentsContainer(x.ann.ID).Order(key.OrderCreated), 5, x.commentPlace(x.root))
	}, fixed},
	{"a deleted comment", change.RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.UserCommentsContainer(x.bob.ID).Order(key.OrderCreated), 5, x.commentPlace(x.leaf))
	}, fixed},
	{"a comment on a deleted topic, its task done", change.RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.UserCommentsContainer(x.bob.ID).Order(key.OrderCreated), 5, x.commentPlace(x.on[0]))
	}, fixed},
	{"a revision of a missing object", check.RuleValue,
		func(x *checkSite) { x.do("HSET", key.FrontContainer.Revisions(), "", 5) }, fixed},
	{"a malformed member", check.RuleValue,
		func(x *checkSite) { x.do("ZADD", key.FrontContainer.Order(key.OrderCreated), 5, key.Itoa(x.thread)) }, fixed},
	{"a revision of an invalid id", check.RuleValue,
		func(x *checkSite) { x.do("HSET", key.FrontContainer.Revisions(), "all", 5) }, fixed},
	{"a future revision", change.RuleIndexRev,
		func(x *checkSite) { x.do("HSET", key.FrontContainer.Revisions(), key.Itoa(x.thread), 99) }, fixed},
	{"a future removal", change.RuleIndexRev,
		func(x *checkSite) { x.do("HSET", key.FrontContainer.Revisions(), key.Itoa(x.deleted), 99) }, fixed},
	{"no revision", change.RuleIndexRev,
		func(x *checkSite) { x.do("HDEL", key.CategoryContainer(x.news).Revisions(), key.Itoa(x.moved)) }, fixed},
	{"an invalid revision", change.RuleIndexRev,
		func(x *checkSite) { x.do("HSET", key.FrontContainer.Revisions(), 9_999_872, 1) }, fixed},
	{"present and removed", change.RuleIndexTombstone,
		func(x *checkSite) {
			x.do("ZADD", key.FrontContainer.Removed(), int64(x.Engine.Now()),
				key.Itoa(x.thread))
		}, fixed},
	{"removed without a revision", change.RuleIndexTombstone,
		func(x *checkSite) { x.do("HDEL", key.FrontContainer.Revisions(), key.Itoa(x.deleted)) }, fixed},
	{"a closed category", categories.RuleIndexClosed,
		func(x *checkSite) { x.do("SET", key.CategoryContainer(x.talk).Closed(), 1) }, fixed},
	{"an open index of a lost category", categories.RuleIndexOwner,
		func(x *checkSite) { x.do("DEL", key.CategoryContainer(x.lost).Closed()) }, fixed},
	{"a lost category with topics", categories.RuleIndexOwner, func(x *checkSite) {
		x.do("DEL", key.Category(x.news), key.CategoryTabs(x.news))
	}, stays},
}

var catalogueBreaks = []siteBreak{
	{"a wrongly folded name", categories.RuleCategoryFields,
		func(x *checkSite) { x.do("HSET", key.Category(x.talk), "name", "Chatter") }, fixed},
	{"a category without name", categories.RuleCategoryFields,
		func(x *checkSite) { x.do("HDEL", key.Category(x.talk), "name") }, stays},
	{"a wrongly folded tab", categories.RuleTabFields,
		func(x *checkSite) { x.do("HSET", key.Tab(x.tab), "fold", "FIRST") }, fixed},
	{"a tab without a time", categories.RuleTabFields, func(x *checkSite) { x.do("HDEL", key.Tab(x.tab), "created") },
		stays},
	{"a name of a missing category", categories.RuleName,
		func(x *checkSite) { x.do("HSET", key.CategoryNames, "nowhere", 99) }, fixed},
	{"a name of another category", categories.RuleName,
		func(x *checkSite) { x.do("HSET", key.TabNames, "third", int64(x.tab)) }, fixed},
	{"a lost name", categories.RuleName, func(x *checkSite) { x.do("HDEL", key.CategoryNames, "talk") }, fixed},
	{"a duplicate name", categories.RuleName,
		func(x *checkSite) { x.do("HSET", key.Category(x.news), "name", "Talk", "fold", "talk") }, stays},
	{"a category not in the catalogue", categories.RuleCatalogue,
		func(x *checkSite) { x.do("ZREM", key.Categories, int64(x.talk)) }, fixed},
	{"a category with the wrong score", categories.RuleCatalogue,
		func(x *checkSite) { x.do("ZADD", key.Categories, 99, int64(x.talk)) }, fixed},
	{"a category at another position", categories.RuleCatalogue,
		func(x *checkSite) { x.do("HSET", key.Category(x.talk), "position", 3) }, fixed},
	{"a tab at no position", categories.RuleTabFields,
		func(x *checkSite) { x.do("HSET", key.Tab(x.tab), "position", "2000000") }, fixed},
	{"a lost tab in the catalogue", categories.RuleCatalogue, func(x *checkSite) { x.do("ZADD", key.Tabs, 99, 99) },
		fixed},
	{"a deletion without a mark", categories.RuleDeleting,
		func(x *checkSite) { x.do("HSET", key.Category(x.talk), "deleting", "cafe") },
		fixed},
	{"a mark without a deletion", categories.RuleDeleting,
		func(x *checkSite) { x.do("ZADD", key.CategoryDirty, int64(x.Engine.Now()), int64(x.talk)) }, swept},
	{"a tab that the category does not list", categories.RuleTabCategory,
		func(x *checkSite) { x.do("ZREM", key.CategoryTabs(x.talk), int64(x.tab)) }, fixed},
	{"a category that the tab does not list", categories.RuleTabCategory,
		func(x *checkSite) { x.do("ZADD", key.CategoryTabs(x.news), int64(x.other), int64(x.other)) }, fixed},
	{"a tab of a lost category", categories.RuleTabCategory,
		func(x *checkSite) { x.do("ZADD", key.TabCategories(x.tab), int64(x.lost), int64(x.lost)) }, fixed},
	{"a category counted twice", check.RuleCount,
		func(x *checkSite) { x.do("HINCRBY", key.Tab(x.tab), "categories", 1) }, fixed},
	{"too many categories in a tab", check.RuleCap, func(x *checkSite) {
		for i := range forum.MaxTabCategories {
			c := x.Category(fmt.Sprintf("c%d", i))
			x.do("ZADD", key.TabCategories(x.tab), int64(c), int64(c))
			x.do("ZADD", key.CategoryTabs(c), int64(x.tab), int64(x.tab))
		}
	}, stays},
	{"a category in too many tabs", check.RuleCap, func(x *checkSite) {
		for i := range forum.MaxCategoryTabs {
			t := x.Tab(fmt.Sprintf("t%d", i))
			x.do("ZADD", key.TabCategories(t), int64(x.talk), int64(x.talk))
			x.do("ZADD", key.CategoryTabs(x.talk), int64(t), int64(t))
		}
	}, stays},
}

// place returns a topic's member in the orders.
func (x *checkSite) place(id forum.TopicID) string {
	f := record.Fields(x.hash(key.Topic(id)))
	return record.Member(f.Time("created"), int64(id))
}

func (x *checkSite) commentPlace(id forum.CommentID) string {
	f := record.Fields(x.hash(key.Comment(id)))
	return record.Member(f.Time("created"), int64(id))
}
