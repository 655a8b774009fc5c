package fsck

import (
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// tag is the id of a tag.
func (x *checkSite) tag(name string) forum.TagID {
	x.t.Helper()
	return x.tagged(name)[0].ID
}

// has sets the tags of a topic as they stand in its hash.
func (x *checkSite) setTags(id forum.TopicID, tags string) { x.do("HSET", key.Topic(id), "tags", tags) }

var tagBreaks = []siteBreak{
	{"a tag under another's number", RuleTagFields, func(x *checkSite) { x.setTags(x.thread, "5 Go") }, mended},
	{"a tag without number", RuleTagFields, func(x *checkSite) { x.setTags(x.moved, "go") }, mended},
	{"a tag without name", RuleTagFields, func(x *checkSite) { x.setTags(x.thread, key.Itoa(x.tag("go"))+" ") }, mended},
	{"a tag twice", RuleTagFields,
		func(x *checkSite) { x.setTags(x.moved, record.EncodeTags(append(x.tagged("go"), x.tagged("GO")...))) }, mended},
	{"a tag too many", RuleTagCap, func(x *checkSite) {
		var names []string
		for n := range forum.MaxTopicTags + 1 {
			names = append(names, fmt.Sprintf("tag %d", n))
		}
		x.setTags(x.thread, record.EncodeTags(x.tagged(names...)))
	}, stays},
	{"a tag that was taken not forgotten", RuleTopicLeft,
		func(x *checkSite) { x.do("HSET", key.Topic(x.moved), "leftTags", key.Itoa(x.tag("passing"))+" ") }, mended},
	{"a tag that was given back not forgotten", RuleTopicLeft,
		func(x *checkSite) { x.do("HSET", key.Topic(x.moved), "leftTags", key.Itoa(x.tag("go"))+" ") }, mended},
	{"a tag without a name", RuleTagName, func(x *checkSite) { x.do("DEL", key.Tag(x.tag("go"))) }, mended},
	{"a tag with another's name", RuleTagName, func(x *checkSite) { x.do("HSET", key.Tag(x.tag("go")), "name", "Rust") },
		mended},
	{"a name of a tag that nobody uses", RuleTagName,
		func(x *checkSite) { x.do("HSET", key.Tag(x.tag("rust")), "name", "Rust") }, mended},
	{"a name of a tag that nobody uses any more", RuleTagName, func(x *checkSite) {
		x.do("HSET", key.Tag(x.tag("passing")), "name", "passing")
		x.clock.Advance(lagLife * 1e6)
	}, mended},
	{"missing in a tag", RuleIndexMissing,
		func(x *checkSite) { x.do("ZREM", key.TagContainer(x.tag("go")).Order(key.OrderHot), x.place(x.moved)) }, mended},
	{"a whole tag", RuleIndexMissing, func(x *checkSite) {
		box := key.TagContainer(x.tag("redis"))
		x.do("DEL", box.Order(key.OrderCreated), box.Order(key.OrderActive), box.Order(key.OrderScore),
			box.Order(key.OrderHot), box.Order(key.OrderDown), box.Revisions(), key.Tag(x.tag("redis")))
	}, mended},
	{"a topic without the tag", RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.TagContainer(x.tag("redis")).Order(key.OrderScore), 5, x.place(x.moved))
	}, mended},
	{"the only topic, without the tag", RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", key.TagContainer(x.tag("rust")).Order(key.OrderCreated), 5, x.place(x.moved))
	}, mended},
	{"a wrong score", RuleIndexScore,
		func(x *checkSite) { x.do("ZADD", key.FrontContainer.Order(key.OrderScore), 5, x.place(x.thread)) }, mended},
	{"a wrong heat", RuleIndexScore, func(x *checkSite) {
		x.do("ZINCRBY", key.CategoryContainer(x.talk).Order(key.OrderHot), 0.5, x.place(x.thread))
	}, mended},
	{"votes against that nobody cast", RuleIndexScore,
		func(x *checkSite) { x.do("ZADD", key.FrontContainer.Order(key.OrderDown), 1, x.place(x.moved)) }, mended},
	{"votes against forgotten", RuleIndexMissing,
		func(x *checkSite) { x.do("ZREM", key.FrontContainer.Order(key.OrderDown), x.place(x.thread)) }, mended},
}

var dayBreaks = []siteBreak{
	{"a comment of today too many", RuleDayCount,
		func(x *checkSite) { x.do("HINCRBY", key.Topic(x.thread), "dayComments", 1) }, mended},
	{"comments of yesterday forgotten", RuleDayCount,
		func(x *checkSite) { x.do("HDEL", key.Topic(x.thread), "dayBefore") }, mended},
	{"comments of yesterday that nobody wrote", RuleDayCount,
		func(x *checkSite) { x.do("HSET", key.Topic(x.left), "dayBefore", 0) }, mended},
	{"another day", RuleDayCount, func(x *checkSite) { x.do("HINCRBY", key.Topic(x.thread), "day", -1) }, mended},
	{"a day without comments", RuleDayCount,
		func(x *checkSite) { x.do("HSET", key.Topic(x.moved), "day", 20_000, "dayComments", 3) }, mended},
	{"no number of comments", RuleDayCount,
		func(x *checkSite) { x.do("HSET", key.Topic(x.left), "dayComments", "many") }, mended},
	{"missing today", RuleIndexMissing,
		func(x *checkSite) { x.do("ZREM", x.rank().Order(key.OrderReplies), x.place(x.thread)) }, mended},
	{"missing yesterday", RuleIndexMissing,
		func(x *checkSite) { x.do("DEL", x.yesterday().Order(key.OrderReplies), x.yesterday().Revisions()) }, mended},
	{"a wrong place today", RuleIndexScore,
		func(x *checkSite) { x.do("ZADD", x.rank().Order(key.OrderReplies), 9, x.place(x.thread)) }, mended},
	{"a topic without comments today", RuleIndexStray,
		func(x *checkSite) { x.do("ZADD", x.rank().Order(key.OrderReplies), 9, x.place(x.article)) }, mended},
	{"a topic of another form today", RuleIndexMember,
		func(x *checkSite) { x.do("ZADD", x.rank().Order(key.OrderReplies), 9, "x") }, mended},
	{"a revision of the future today", RuleIndexRev,
		func(x *checkSite) { x.do("HSET", x.rank().Revisions(), key.Itoa(x.thread), 99) }, mended},
	{"there today and gone", RuleIndexTombstone,
		func(x *checkSite) { x.do("ZADD", x.rank().Removed(), int64(x.Now()), key.Itoa(x.thread)) }, mended},
}

// yesterday is the rank of yesterday.
func (x *checkSite) yesterday() key.Container { return key.DayContainer(x.Today() - 1) }
