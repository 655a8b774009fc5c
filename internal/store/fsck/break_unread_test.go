package fsck

import (
	"fmt"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// unreadBreaks are those of bookmarks, of marks, and of what unread comments are counted from.
var unreadBreaks = []siteBreak{
	{"a tombstone not listed", RuleTopicTombstones, func(x *checkSite) { x.do("DEL", key.Tombstones(x.thread)) }, mended},
	{"a live comment among the deleted", RuleTopicTombstones,
		func(x *checkSite) { x.do("ZADD", key.Tombstones(x.thread), 1, x.root) }, mended},
	{"a tombstone at a wrong number", RuleTopicTombstones,
		func(x *checkSite) { x.do("ZADD", key.Tombstones(x.thread), 9, x.leaf) }, mended},
	{"authors of an earlier version", RuleTopicAuthors, func(x *checkSite) { x.do("DEL", key.Authors(x.thread)) }, mended},
	{"an author of a deleted comment", RuleTopicAuthors,
		func(x *checkSite) { x.do("ZADD", key.Authors(x.thread), 0, record.Authored(x.bob.ID, 3)) }, mended},
	{"an author with a score", RuleTopicAuthors,
		func(x *checkSite) { x.do("ZADD", key.Authors(x.thread), 1, record.Authored(x.bob.ID, 1)) }, mended},
	{"authors of no topic", RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.Authors(9_999_872), 0, record.Authored(512, 1)) }, mended},
	{"tombstones of no topic", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", key.Tombstones(9_999_872), 1, 512) },
		mended},
	{"a bookmark that the topic does not know", RuleEdgeMissing,
		func(x *checkSite) { x.do("DEL", key.Bookmarkers(x.thread)) }, mended},
	{"a bookmark at another time", RuleEdgeMissing,
		func(x *checkSite) { x.do("ZADD", key.Bookmarkers(x.article), 5, x.ann.ID) }, mended},
	{"a bookmark that its user does not know", RuleEdgeStray,
		func(x *checkSite) { x.do("ZADD", key.Bookmarkers(x.article), 5, x.bob.ID) }, mended},
	{"a deleted topic bookmarked", RuleEdgeTarget, func(x *checkSite) {
		x.do("ZADD", key.Bookmarks(x.ann.ID), 5, x.deleted)
		x.do("ZADD", key.Bookmarkers(x.deleted), 5, x.ann.ID)
	}, mended},
	{"no topic bookmarked", RuleEdgeTarget, func(x *checkSite) { x.do("ZADD", key.Bookmarks(x.ann.ID), 5, 9_999_872) },
		mended},
	{"a bookmark of nothing", RuleEdgeMember, func(x *checkSite) { x.do("ZADD", key.Bookmarks(x.ann.ID), 5, "x") },
		mended},
	{"a bookmark ended and there", RuleEdgeEnded, func(x *checkSite) {
		key := key.Ended(key.Bookmarkers(x.thread))
		x.do("ZADD", key, x.later(time.Second), x.ann.ID)
		x.do("EXPIRE", key, 3600)
	}, mended},
	{"bookmarks of a deleted user", RuleAccountCleanup,
		func(x *checkSite) { x.do("ZADD", key.Bookmarks(x.eve), 5, x.thread) }, mended},
	{"marks of a deleted user", RuleAccountCleanup,
		func(x *checkSite) { x.do("HSET", key.Marks(x.eve), store.TopicMark(x.thread), 1) }, mended},
	{"marks of nobody", RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.Marked(nobody), 5, store.TopicMark(x.thread)) }, mended},
	{"too many bookmarks", RuleBookmarkCap, func(x *checkSite) {
		x.Store = x.process(store.WithCaps(store.Caps{Bookmarks: 1, Marks: 10, Notes: forum.MaxNotifications}))
	}, stays},
	{"a mark above all comments", RuleReadMark,
		func(x *checkSite) { x.do("HSET", key.Marks(x.ann.ID), store.TopicMark(x.thread), 99) }, mended},
	{"a mark of no number", RuleReadMark,
		func(x *checkSite) { x.do("HSET", key.Marks(x.ann.ID), store.TopicMark(x.thread), "all") }, mended},
	{"a mark of no topic", RuleReadMark, func(x *checkSite) { x.mark(store.TopicMark(9_999_872), 1) }, mended},
	{"a mark of no timeline", RuleReadMark, func(x *checkSite) { x.mark("lfront", 5) }, mended},
	{"a mark of nothing", RuleReadMark, func(x *checkSite) { x.mark("", 5) }, mended},
	{"a mark of tomorrow", RuleReadMark,
		func(x *checkSite) { x.mark(store.TimelineMark(x.top), int64(x.Now())+86_400_000) }, mended},
	{"a mark without time", RuleReadMarked,
		func(x *checkSite) { x.do("ZREM", key.Marked(x.ann.ID), store.TopicMark(x.thread)) }, mended},
	{"a time without mark", RuleReadMarked,
		func(x *checkSite) { x.do("ZADD", key.Marked(x.ann.ID), 5, store.TopicMark(x.article)) }, mended},
	{"too many marks", RuleReadMarkCap, func(x *checkSite) {
		x.Store = x.process(store.WithCaps(store.Caps{Bookmarks: 10, Marks: 3, Notes: forum.MaxNotifications}))
		for n := range forum.TopicID(3) {
			x.mark(store.TimelineMark(forum.Timeline{Kind: forum.CategoryTimeline, Owner: int64(n) + 1, Order: forum.ByHot,
				Direction: forum.Descending}), 5)
		}
	}, mended},
}

// mark sets a mark of ann's.
func (x *checkSite) mark(m store.ReadMark, upTo int64) {
	x.t.Helper()
	x.do("HSET", key.Marks(x.ann.ID), m, fmt.Sprint(upTo))
	x.do("ZADD", key.Marked(x.ann.ID), 5, m)
}
