package fsck

import (
	"fmt"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/check"
	"agora/internal/store/follows"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/test/must"
)

// unreadBreaks are breaks of bookmarks, of read marks, and of the data from which unread comments
// are counted.
var unreadBreaks = []siteBreak{
	{"an unlisted tombstone", posts.RuleThread, func(x *checkSite) { x.do("DEL", key.Tombstones(x.thread)) }, fixed},
	{"a live comment among the tombstones", posts.RuleThread,
		func(x *checkSite) { x.do("ZADD", key.Tombstones(x.thread), 1, x.root) }, fixed},
	{"a tombstone at the wrong number", posts.RuleThread,
		func(x *checkSite) { x.do("ZADD", key.Tombstones(x.thread), 9, x.leaf) }, fixed},
	{"no authors, as in earlier versions", posts.RuleThread,
		func(x *checkSite) { x.do("DEL", key.Authors(x.thread)) }, fixed},
	{"an author of a deleted comment", posts.RuleThread,
		func(x *checkSite) { x.do("ZADD", key.Authors(x.thread), 0, record.Authored(x.bob.ID, 3)) }, fixed},
	{"an author with a score", posts.RuleThread,
		func(x *checkSite) { x.do("ZADD", key.Authors(x.thread), 1, record.Authored(x.bob.ID, 1)) }, fixed},
	{"authors of a missing topic", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.Authors(9_999_872), 0, record.Authored(512, 1)) }, fixed},
	{"tombstones of a missing topic", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.Tombstones(9_999_872), 1, 512) },
		fixed},
	{"a bookmark missing at the topic", follows.RuleEdgeMissing,
		func(x *checkSite) { x.do("DEL", key.Bookmarkers(x.thread)) }, fixed},
	{"a bookmark with another time at the topic", follows.RuleEdgeMissing,
		func(x *checkSite) { x.do("ZADD", key.Bookmarkers(x.article), 5, x.ann.ID) }, fixed},
	{"a bookmark missing at the user", follows.RuleEdgeStray,
		func(x *checkSite) { x.do("ZADD", key.Bookmarkers(x.article), 5, x.bob.ID) }, fixed},
	{"a watcher missing at the topic", follows.RuleEdgeMissing,
		func(x *checkSite) { x.do("DEL", key.Watchers(x.thread)) }, fixed},
	{"a watcher missing at the user", follows.RuleEdgeStray,
		func(x *checkSite) { x.do("ZADD", key.Watchers(x.article), 5, x.bob.ID) }, fixed},
	{"a deleted category followed", follows.RuleEdgeTarget, func(x *checkSite) {
		id := x.Category("Short")
		must.OK(x.t, x.Categories.DeleteCategory(x.ctx, nil, id))
		x.do("ZADD", key.Subjects(x.bob.ID), 5, "c"+key.Itoa(id))
		x.do("ZADD", key.CategoryContainer(id).Followers(), 5, x.bob.ID)
	}, fixed},
	{"a deleted topic watched", follows.RuleEdgeTarget, func(x *checkSite) {
		x.do("ZADD", key.Watching(x.ann.ID), 5, x.deleted)
		x.do("ZADD", key.Watchers(x.deleted), 5, x.ann.ID)
	}, fixed},
	{"topics watched by a deleted user", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.Watching(x.eve), 5, x.thread) }, fixed},
	{"posts to be deleted without a task", accounts.RuleErasure,
		func(x *checkSite) { x.do("HSET", key.User(x.eve), "erase", 5) }, fixed},
	{"too many topics watched", check.RuleCap, func(x *checkSite) {
		limits := forum.DefaultLimits
		limits.Watched = 0
		x.Store = x.process(store.WithLimits(limits))
	}, stays},
	{"a deleted topic bookmarked", follows.RuleEdgeTarget, func(x *checkSite) {
		x.do("ZADD", key.Bookmarks(x.ann.ID), 5, x.deleted)
		x.do("ZADD", key.Bookmarkers(x.deleted), 5, x.ann.ID)
	}, fixed},
	{"a missing topic bookmarked", follows.RuleEdgeTarget,
		func(x *checkSite) { x.do("ZADD", key.Bookmarks(x.ann.ID), 5, 9_999_872) },
		fixed},
	{"an invalid bookmark", check.RuleValue, func(x *checkSite) { x.do("ZADD", key.Bookmarks(x.ann.ID), 5, "x") },
		fixed},
	{"a bookmark both ended and present", follows.RuleEdgeEnded, func(x *checkSite) {
		key := key.Ended(key.Bookmarkers(x.thread))
		x.do("ZADD", key, x.later(time.Second), x.ann.ID)
		x.do("EXPIRE", key, 3600)
	}, fixed},
	{"a bookmark noted as hidden", follows.RuleBookmarkHidden,
		func(x *checkSite) { x.do("ZADD", key.HiddenBookmarks(x.ann.ID), 5, x.thread) }, fixed},
	{"a hidden bookmark that is none", follows.RuleBookmarkHidden,
		func(x *checkSite) { x.do("ZADD", key.HiddenBookmarks(x.mod.ID), -5, x.deleted) }, fixed},
	{"a malformed hidden bookmark", follows.RuleBookmarkHidden,
		func(x *checkSite) { x.do("ZADD", key.HiddenBookmarks(x.mod.ID), 5, "x") }, fixed},
	{"hidden bookmarks of a deleted user", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.HiddenBookmarks(x.eve), 5, x.thread) }, fixed},
	{"bookmarks of a deleted user", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.Bookmarks(x.eve), 5, x.thread) }, fixed},
	{"marks of a deleted user", check.RuleOrphanKey,
		func(x *checkSite) { x.do("HSET", key.Marks(x.eve), listing.TopicMark(x.thread), 1) }, fixed},
	{"marks of a missing user", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.Marked(noUser), 5, listing.TopicMark(x.thread)) }, fixed},
	{"too many bookmarks", check.RuleCap, func(x *checkSite) {
		limits := forum.DefaultLimits
		limits.Bookmarks = 1
		x.Store = x.process(store.WithLimits(limits))
	}, stays},
	{"a mark above all comments", posts.RuleReadMark,
		func(x *checkSite) { x.do("HSET", key.Marks(x.ann.ID), listing.TopicMark(x.thread), 99) }, fixed},
	{"a mark that is not a number", posts.RuleReadMark,
		func(x *checkSite) { x.do("HSET", key.Marks(x.ann.ID), listing.TopicMark(x.thread), "all") }, fixed},
	{"a mark on a missing topic", posts.RuleReadMark, func(x *checkSite) { x.mark(listing.TopicMark(9_999_872), 1) },
		fixed},
	{"a mark on an invalid timeline", posts.RuleReadMark, func(x *checkSite) { x.mark("lfront", 5) }, fixed},
	{"an invalid mark", posts.RuleReadMark, func(x *checkSite) { x.mark("", 5) }, fixed},
	{"a mark in the future", posts.RuleReadMark,
		func(x *checkSite) { x.mark(posts.TimelineMark(x.top), int64(x.Engine.Now())+86_400_000) }, fixed},
	{"a mark without time", posts.RuleReadMarked,
		func(x *checkSite) { x.do("ZREM", key.Marked(x.ann.ID), listing.TopicMark(x.thread)) }, fixed},
	{"a time without mark", posts.RuleReadMarked,
		func(x *checkSite) { x.do("ZADD", key.Marked(x.ann.ID), 5, listing.TopicMark(x.article)) }, fixed},
	{"too many marks", check.RuleCap, func(x *checkSite) {
		limits := forum.DefaultLimits
		limits.ReadMarks = 3
		x.Store = x.process(store.WithLimits(limits))
		for n := range forum.TopicID(3) {
			x.mark(posts.TimelineMark(forum.Timeline{Kind: forum.CategoryTimeline, Owner: int64(n) + 1,
				Order: forum.ByHot, Direction: forum.Descending}), 5)
		}
	}, fixed},
}

// mark sets a read mark of ann.
func (x *checkSite) mark(m listing.ReadMark, upTo int64) {
	x.t.Helper()
	x.do("HSET", key.Marks(x.ann.ID), m, fmt.Sprint(upTo))
	x.do("ZADD", key.Marked(x.ann.ID), 5, m)
}
