package fsck

import (
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/change"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
)

// tag returns the id of a tag.
func (x *checkSite) tag(name string) forum.TagID {
	x.t.Helper()
	return x.tagged(name)[0].ID
}

// setTags sets the stored tags of a topic.
func (x *checkSite) setTags(id forum.TopicID, tags string) { x.do("HSET", key.Topic(id), "tags", tags) }

var tagBreaks = []siteBreak{
	{"a tag with another tag's id", posts.RuleTagFields, func(x *checkSite) { x.setTags(x.thread, "5 Go") }, fixed},
	{"a tag without an id", posts.RuleTagFields, func(x *checkSite) { x.setTags(x.moved, "go") }, fixed},
	{"a tag without name", posts.RuleTagFields, func(x *checkSite) { x.setTags(x.thread, key.Itoa(x.tag("go"))+" ") }, fixed},
	{"a duplicate tag", posts.RuleTagFields,
		func(x *checkSite) {
			x.setTags(x.moved, catalogue.EncodeTags(append(x.tagged("go"), x.tagged("GO")...)))
		}, fixed},
	{"one tag too many", check.RuleCap, func(x *checkSite) {
		var names []string
		for n := range forum.MaxTopicTags + 1 {
			names = append(names, fmt.Sprintf("tag %d", n))
		}
		x.setTags(x.thread, catalogue.EncodeTags(x.tagged(names...)))
	}, stays},
	{"a removed tag still recorded", posts.RuleTopicLeft,
		func(x *checkSite) { x.do("HSET", key.Topic(x.moved), "leftTags", key.Itoa(x.tag("passing"))+" ") }, fixed},
	{"a tag added again still recorded as removed", posts.RuleTopicLeft,
		func(x *checkSite) { x.do("HSET", key.Topic(x.moved), "leftTags", key.Itoa(x.tag("go"))+" ") }, fixed},
	{"a tag that is not listed", change.RuleNameList, func(x *checkSite) {
		x.do("ZREM", key.TagNames.Order(key.OrderCount), record.NameMember("go", x.tag("go")))
		x.clock.Advance(check.LagLife * 1e6) // the entry may not lag any more
	}, fixed},
	{"a tag with the wrong count", change.RuleNameList, func(x *checkSite) {
		x.do("ZADD", key.TagNames.Order(key.OrderCount), -77, record.NameMember("go", x.tag("go")))
		x.clock.Advance(check.LagLife * 1e6) // the entry may not lag any more
	}, fixed},
	{"a list of tags lost", change.RuleNameList, func(x *checkSite) {
		x.do("DEL", key.TagNames.Revisions(), key.TagNames.Order(key.OrderName), key.TagNames.Order(key.OrderCount),
			key.TagNames.Order(key.OrderNewest))
		x.clock.Advance(check.LagLife * 1e6) // the entry may not lag any more
	}, fixed},
	{"a tag that no topic has in the list", change.RuleNameList, func(x *checkSite) {
		for _, order := range key.TagNames.OrderNames() {
			x.do("ZADD", key.TagNames.Order(order), 0, "nothing\n77")
		}
		x.do("HSET", key.TagNames.Revisions(), "77", "5 nothing\n77")
	}, fixed},
	{"a malformed entry of the list of tags", change.RuleNameList,
		func(x *checkSite) { x.do("ZADD", key.TagNames.Order(key.OrderNewest), 0, "nothing") }, fixed},
	{"a tag without a name", change.RuleTagName, func(x *checkSite) { x.do("DEL", key.Tag(x.tag("go"))) }, fixed},
	{"a tag with another's name", change.RuleTagName,
		func(x *checkSite) { x.do("HSET", key.Tag(x.tag("go")), "name", "Rust") }, fixed},
	{"a name of an unused tag", change.RuleTagName,
		func(x *checkSite) { x.do("HSET", key.Tag(x.tag("rust")), "name", "Rust") }, fixed},
	{"a name of a tag no longer used", change.RuleTagName, func(x *checkSite) {
		x.do("HSET", key.Tag(x.tag("passing")), "name", "passing")
		x.clock.Advance(check.LagLife * 1e6)
	}, fixed},
	{"a topic missing in a tag", change.RuleIndexMissing,
		func(x *checkSite) {
			x.do("ZREM", key.TagContainer(x.tag("go")).Order(key.OrderHot),
				x.place(x.moved))
		}, fixed},
	{"a lost tag", change.RuleIndexMissing, func(x *checkSite) {
		box := key.TagContainer(x.tag("redis"))
		x.do("DEL", box.Order(key.OrderCreated), box.Order(key.OrderActive), box.Order(key.OrderScore),
			box.Order(key.OrderHot), box.Order(key.OrderDown), box.Revisions(), key.Tag(x.tag("redis")))
	}, fixed},
	{"a topic in a tag that it lacks", change.RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.TagContainer(x.tag("redis")).Order(key.OrderScore), 5, x.place(x.moved))
	}, fixed},
	{"the only topic in a tag lacks it", change.RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.TagContainer(x.tag("rust")).Order(key.OrderCreated), 5, x.place(x.moved))
	}, fixed},
	{"a wrong score", change.RuleIndexScore,
		func(x *checkSite) { x.do("ZADD", key.FrontContainer.Order(key.OrderScore), 5, x.place(x.thread)) }, fixed},
	{"a wrong hot score", change.RuleIndexScore, func(x *checkSite) {
		x.do("ZINCRBY", key.CategoryContainer(x.talk).Order(key.OrderHot), 0.5, x.place(x.thread))
	}, fixed},
	{"extra downvotes", change.RuleIndexScore,
		func(x *checkSite) { x.do("ZADD", key.FrontContainer.Order(key.OrderDown), 1, x.place(x.moved)) }, fixed},
	{"lost downvotes", change.RuleIndexMissing,
		func(x *checkSite) { x.do("ZREM", key.FrontContainer.Order(key.OrderDown), x.place(x.thread)) }, fixed},
}

var dayBreaks = []siteBreak{
	{"one comment too many today", posts.RuleDayCount,
		func(x *checkSite) { x.do("HINCRBY", key.Topic(x.thread), "dayComments", 1) }, fixed},
	{"lost comments of yesterday", posts.RuleDayCount,
		func(x *checkSite) { x.do("HDEL", key.Topic(x.thread), "dayBefore") }, fixed},
	{"extra comments of yesterday", posts.RuleDayCount,
		func(x *checkSite) { x.do("HSET", key.Topic(x.left), "dayBefore", 0) }, fixed},
	{"the wrong day", posts.RuleDayCount, func(x *checkSite) { x.do("HINCRBY", key.Topic(x.thread), "day", -1) }, fixed},
	{"a day without comments", posts.RuleDayCount,
		func(x *checkSite) { x.do("HSET", key.Topic(x.moved), "day", 20_000, "dayComments", 3) }, fixed},
	{"an invalid number of comments", posts.RuleDayCount,
		func(x *checkSite) { x.do("HSET", key.Topic(x.left), "dayComments", "many") }, fixed},
	{"missing in today's rank", change.RuleIndexMissing,
		func(x *checkSite) { x.do("ZREM", x.rank().Order(key.OrderReplies), x.place(x.thread)) }, fixed},
	{"missing in yesterday's rank", change.RuleIndexMissing,
		func(x *checkSite) { x.do("DEL", x.yesterday().Order(key.OrderReplies), x.yesterday().Revisions()) }, fixed},
	{"the wrong score today", change.RuleIndexScore,
		func(x *checkSite) { x.do("ZADD", x.rank().Order(key.OrderReplies), 9, x.place(x.thread)) }, fixed},
	{"a topic without comments today", change.RuleIndexStray,
		func(x *checkSite) { x.do("ZADD", x.rank().Order(key.OrderReplies), 9, x.place(x.article)) }, fixed},
	{"a malformed topic today", check.RuleValue,
		func(x *checkSite) { x.do("ZADD", x.rank().Order(key.OrderReplies), 9, "x") }, fixed},
	{"a future revision today", change.RuleIndexRev,
		func(x *checkSite) { x.do("HSET", x.rank().Revisions(), key.Itoa(x.thread), 99) }, fixed},
	{"present and removed today", change.RuleIndexTombstone,
		func(x *checkSite) { x.do("ZADD", x.rank().Removed(), int64(x.Engine.Now()), key.Itoa(x.thread)) }, fixed},
}

// yesterday returns the rank of yesterday.
func (x *checkSite) yesterday() key.Container { return key.DayContainer(x.Engine.Today() - 1) }
