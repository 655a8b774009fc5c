package fsck

import (
	"fmt"
	"strings"
	"time"

	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/test/must"
)

// siteBreak is one way to break the data by hand.
type siteBreak struct {
	name   string
	rule   Rule
	damage func(x *checkSite)
	after  after
}

// after is the outcome of a repair.
type after int

const (
	fixed after = iota
	stays       // only people can repair it
	swept       // swept before the repair checks
)

// breaks has at least one break for each rule.
func breaks() []siteBreak {
	var all []siteBreak
	for _, part := range [][]siteBreak{keyBreaks, partitionBreaks, topicBreaks, commentBreaks, userBreaks, indexBreaks,
		catalogueBreaks, accountBreaks, externalBreaks, invitationBreaks, applicationBreaks, importBreaks,
		voteBreaks, commentVoteBreaks, temporaryBreaks, tagBreaks, dayBreaks, socialBreaks, unreadBreaks, noteBreaks,
		reportBreaks, actBreaks, heldBreaks, groupBreaks} {
		all = append(all, part...)
	}
	return all
}

const noUser forum.UserID = 9_999_872 // in partition 0

func (x *checkSite) dirty(v *forum.Viewer) string { return key.Dirty(v.ID.Partition()) }

var keyBreaks = []siteBreak{
	{"another program's key", RuleUnknownKey, func(x *checkSite) { x.do("SET", "sessions:1", "x") }, stays},
	{"a key in the wrong partition", RuleUnknownKey,
		func(x *checkSite) { x.do("HSET", "{p00}:t:257", "state", "OPEN") }, stays},
	{"an id that is too large", RuleUnknownKey,
		func(x *checkSite) { x.do("HSET", "{p00}:t:2147483648", "state", "OPEN") }, stays},
	{"a secret where readers see it", RuleField, func(x *checkSite) {
		wantOK(x.t, "HSET", x.rdb.HSet(x.ctx, key.User(x.ann.ID), "email", "ann@example.org").Err())
	}, stays},
	{"a name where no reader finds it", RuleField, func(x *checkSite) {
		wantOK(x.t, "HSET", x.rdb.HSet(x.ctx, key.Internal(key.User(x.ann.ID)), "login", "ann").Err())
	}, stays},
	{"an unknown field", RuleField, func(x *checkSite) {
		wantOK(x.t, "HSET", x.rdb.HSet(x.ctx, key.User(x.ann.ID), "colour", "blue").Err())
	}, stays},
	{"a set instead of a sorted set", RuleKeyType, func(x *checkSite) {
		x.do("SADD", key.Profile(x.mod.ID), "1")
	}, stays},
	{"sessions forever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", key.Sessions(x.ann.ID)) }, fixed},
	{"an idempotency record forever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", x.keyLike(":idem:0:")) },
		fixed},
	{"a click forever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", key.Click(x.thread, "visitor")) },
		fixed},
	{"a click for a day", RuleExpiryLong, func(x *checkSite) { x.do("EXPIRE", key.Click(x.thread, "visitor"), 86400) },
		fixed},
	{"an idempotency record for a week", RuleExpiryLong,
		func(x *checkSite) { x.do("EXPIRE", x.keyLike(":idem:0:"), 7*86400) }, fixed},
	{"a topic that expires", RuleExpiryUnexpected, func(x *checkSite) { x.do("EXPIRE", key.Topic(x.thread), 86400) },
		fixed},
	{"a claim that expires", RuleExpiryUnexpected, func(x *checkSite) { x.do("EXPIRE", key.LoginClaim("ann"), 86400) },
		fixed},
	{"comments of a missing topic", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.TopicComments(9_999_872), 1, 512) },
		stays},
	{"votes on a missing topic", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.Upvoters(key.Topic(9_999_872)), 512, 512) }, stays},
	{"replies to a missing comment", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.CommentReplies(9_999_872), 1, 512) },
		stays},
	{"votes on a missing comment", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.Downvoters(key.Comment(9_999_872)), 512, 512) }, stays},
	{"profile of a missing user", check.RuleOrphanKey, func(x *checkSite) { x.do("ZADD", key.Profile(noUser), 1, 512) },
		fixed},
	{"sessions of a missing user", check.RuleOrphanKey, func(x *checkSite) {
		x.do("HSET", key.Sessions(noUser), strings.Repeat("c3", 32), x.sessionUntil(time.Hour))
		x.do("EXPIRE", key.Sessions(noUser), 60)
	}, fixed},
	{"revisions of a missing user's comments", check.RuleOrphanKey,
		func(x *checkSite) { x.do("HSET", key.UserCommentsContainer(noUser).Revisions(), 512, 1) }, fixed},
	{"categories of a missing tab", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.TabCategories(99), 1, 1) }, fixed},
	{"a layout of a later version", RuleLayout,
		func(x *checkSite) { x.do("HSET", key.Layout, "version", record.LayoutVersion+1) }, stays},
	{"a layout with other partitions", RuleLayout, func(x *checkSite) { x.do("HSET", key.Layout, "partitions", 16) },
		stays},
	{"a layout without time", RuleLayout, func(x *checkSite) { x.do("HDEL", key.Layout, "created") }, stays},
	{"a layout with an invalid time zone", RuleLayout,
		func(x *checkSite) { x.do("HSET", key.Layout, "timeZone", "Nowhere/Land") }, stays},
	{"a malformed record", check.RuleValue,
		func(x *checkSite) { x.do("SET", x.keyLike(":idem:0:"), "yes", "KEEPTTL") }, fixed},
	{"a record of a missing user", check.RuleOrphanKey, func(x *checkSite) {
		x.do("SET", key.Idempotency(0, noUser, "k"), fmt.Sprintf("%d %s 512", x.Engine.Now(), strings.Repeat("d4",
			16)), "EX", 60)
	}, fixed},
	{"a click on a missing topic", check.RuleOrphanKey,
		func(x *checkSite) { x.do("SET", key.Click(9_999_872, "visitor"), 1, "EX", 60) }, fixed},
}

var partitionBreaks = []siteBreak{
	{"a consumer that is ahead of all changes", RuleConsumer, func(x *checkSite) {
		x.do("HSET", key.Consumers("{p07}:"), "seq", 5, "kinds", "t", "t:copy", "6 1 0 1 0 0 0")
	}, fixed},
	{"a consumer that has forgotten what it set aside", RuleAside, func(x *checkSite) {
		x.do("HSET", key.Consumers("{p07}:"), "seq", 5, "kinds", "t", "t:copy", "5 1 0 1 0 0 0")
		x.do("HSET", key.Aside("{p07}:", "t:copy"), "t:263", "1 1 1 1: none")
	}, fixed},
	{"a consumer that waits for nothing", RuleAside, func(x *checkSite) {
		x.do("HSET", key.Consumers("{p07}:"), "seq", 5, "kinds", "t", "t:copy", "5 1 0 1 0 9 1")
	}, fixed},
	{"a feed that nobody follows", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.Feed("{cat}:"), 1, "c:1") }, fixed},
	{"what a consumer that has left has set aside", check.RuleOrphanKey, func(x *checkSite) {
		x.do("HSET", key.Consumers("{p07}:"), "seq", 5, "kinds", "t", "t:copy", "5 1 0 1 0 0 0")
		x.do("HSET", key.Aside("{p07}:", "u:gone"), "u:519", "1 1 1 1: none")
	}, fixed},
	{"a sequence that fell", check.RuleSequence,
		func(x *checkSite) { x.do("SET", key.Sequence(x.ann.ID.Partition()), 1) }, fixed},
	{"a sequence lost", check.RuleSequence, func(x *checkSite) { x.do("DEL", key.Sequence(x.ann.ID.Partition())) },
		fixed},
	{"a sequence of categories that fell", check.RuleSequence,
		func(x *checkSite) { x.do("SET", key.CategorySequence, 1) }, fixed},
	{"a sequence of tabs lost", check.RuleSequence, func(x *checkSite) { x.do("DEL", key.TabSequence) }, fixed},
	{"one user too many", RuleStats,
		func(x *checkSite) { x.do("HINCRBY", key.Stats(x.ann.ID.Partition()), "users", 1) }, fixed},
	{"one topic too few", RuleStats,
		func(x *checkSite) { x.do("HINCRBY", key.Stats(x.ann.ID.Partition()), "topics", -1) }, fixed},
	{"comments uncounted", RuleStats, func(x *checkSite) { x.do("HDEL", key.Stats(x.ann.ID.Partition()), "comments") },
		fixed},
	{"counters of an empty partition", RuleStats,
		func(x *checkSite) { x.do("HSET", key.Stats(emptyPartition), "topics", 3) }, fixed},
	{"an open topic among what is hidden", posts.RuleHidden,
		func(x *checkSite) { x.do("ZADD", key.Hidden(x.thread.Partition()), 5, "t:"+key.Itoa(x.thread)) }, fixed},
	{"a tombstone among what is hidden", posts.RuleHidden,
		func(x *checkSite) { x.do("ZADD", key.Hidden(x.leaf.Partition()), 5, "c:"+key.Itoa(x.leaf)) }, fixed},
	{"a hidden topic of another partition", posts.RuleHidden,
		func(x *checkSite) { x.do("ZADD", key.Hidden(x.thread.Partition()+1), 5, "t:"+key.Itoa(x.thread)) }, fixed},
	{"a hidden object that does not exist", posts.RuleHidden,
		func(x *checkSite) { x.do("ZADD", key.Hidden(0), 5, "c:9999872") }, fixed},
	{"a mark on a missing object", RuleMarkOrphan,
		func(x *checkSite) { x.do("ZADD", key.Dirty(0), int64(x.Engine.Now()), "t:9999872") },
		swept},
	{"a mark of an unknown kind", RuleMarkOrphan,
		func(x *checkSite) { x.do("ZADD", x.dirty(x.ann), int64(x.Engine.Now()), "z:"+key.Itoa(x.thread)) }, swept},
	{"an old mark on a topic", check.RuleMarkOld,
		func(x *checkSite) {
			x.do("ZADD", x.dirty(x.ann), int64(x.Engine.Now()-check.MarkLife-1),
				"t:"+key.Itoa(x.thread))
		}, swept},
	{"an old mark on a comment", check.RuleMarkOld,
		func(x *checkSite) {
			x.do("ZADD", x.dirty(x.ann), int64(x.Engine.Now()-check.MarkLife-1),
				"c:"+key.Itoa(x.leaf))
		}, swept},
	{"an old mark on a user", check.RuleMarkOld, func(x *checkSite) {
		x.do("ZADD", x.dirty(x.ann), int64(x.Engine.Now()-check.MarkLife-x.registrationLife()-1),
			"u:"+key.Itoa(x.ann.ID))
	}, swept},
	{"an old mark on a category", check.RuleMarkOld, func(x *checkSite) {
		x.do("HSET", key.Category(x.empty), "deleting", "cafe")
		x.do("ZADD", key.CategoryDirty, int64(x.Engine.Now()-check.MarkLife-1), key.Itoa(x.empty))
	}, swept},
	{"a task of an unknown kind", RuleTaskName, func(x *checkSite) { x.plantTask("y:512") }, fixed},
	{"a task about a topic that does not exist", RuleTaskName,
		func(x *checkSite) { x.plantTask(record.RetractTask(x.thread + 900*forum.Partitions)) }, fixed},
	{"a task without token", RuleTaskFields, func(x *checkSite) { x.do("HDEL", x.task(), "n") }, fixed},
	{"a task with an invalid cursor", RuleTaskFields, func(x *checkSite) { x.do("HSET", x.task(), "cursor", "here") },
		fixed},
	{"a task that is not due", RuleTaskListed,
		func(x *checkSite) { x.do("ZREM", key.Due(x.half.Partition()), record.RetractTask(x.half)) }, fixed},
	{"a lost task", RuleTaskListed,
		func(x *checkSite) { x.do("ZADD", key.Due(x.half.Partition()), 1, record.RetractTask(x.deleted)) }, fixed},
	{"a task due and dead", RuleTaskListed,
		func(x *checkSite) { x.do("ZADD", key.Dead(x.half.Partition()), 1, record.RetractTask(x.half)) }, fixed},
	{"a dead task", RuleTaskDead, func(x *checkSite) {
		x.do("ZREM", key.Due(x.half.Partition()), record.RetractTask(x.half))
		x.do("ZADD", key.Dead(x.half.Partition()), 1, record.RetractTask(x.half))
	}, fixed},
}

// emptyPartition is a partition without users.
const emptyPartition forum.Partition = 1

func (x *checkSite) task() string { return key.Task(x.half.Partition(), record.RetractTask(x.half)) }

func (x *checkSite) plantTask(name string) {
	x.t.Helper()
	p := x.thread.Partition()
	x.do("HSET", key.Task(p, name), "n", 1, "attempts", 1, "cursor", "")
	x.do("ZADD", key.Due(p), int64(x.Engine.Now()), name)
}

var topicBreaks = []siteBreak{
	{"an unknown state", posts.RuleTopicFields,
		func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "state", "SLEEPING") }, stays},
	{"an unknown kind", posts.RuleTopicFields, func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "kind", "POEM") },
		stays},
	{"an unknown format", posts.RuleTopicFields, func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "format", "TEX") },
		stays},
	{"no title", posts.RuleTopicFields, func(x *checkSite) { x.do("HDEL", key.Topic(x.thread), "title") }, stays},
	{"an article without link", posts.RuleTopicFields, func(x *checkSite) { x.do("HDEL", key.Topic(x.article), "link") },
		stays},
	{"deleted but open", posts.RuleTopicFields, func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "deleted", 5) },
		stays},
	{"negative clicks", posts.RuleTopicFields, func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "clicks", -1) },
		stays},
	{"without a time of posting", posts.RuleTopicFields,
		func(x *checkSite) { x.do("HSET", key.Topic(x.article), "created", "yesterday") }, stays},
	{"by a missing user", check.RuleAuthor, func(x *checkSite) { x.do("HSET", key.Topic(x.article), "author", noUser) },
		stays},
	{"a discussion in no category", posts.RuleTopicCategory,
		func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "category", 0) }, stays},
	{"a discussion in a lost category", posts.RuleTopicCategory,
		func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "category", int64(x.lost)) }, stays},
	{"an article in a lost category", posts.RuleTopicCategory,
		func(x *checkSite) { x.do("HSET", key.Topic(x.article), "category", int64(x.lost)) }, fixed},
	{"a move still recorded", posts.RuleTopicLeft,
		func(x *checkSite) { x.do("HSET", key.Topic(x.moved), "left", key.Itoa(x.talk)+" ") }, fixed},
	{"a comment counted twice", check.RuleCount,
		func(x *checkSite) { x.do("HINCRBY", key.Topic(x.thread), "comments", 1) }, fixed},
	{"a comment uncounted in a deleted topic", check.RuleCount,
		func(x *checkSite) { x.do("HSET", key.Topic(x.deleted), "comments", 0) }, fixed},
	{"a number that fell", check.RuleCount, func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "floor", 1) },
		fixed},
	{"active before its posting", check.RuleCount,
		func(x *checkSite) { x.do("HSET", key.Topic(x.article), "active", 5) }, fixed},
	{"active before a comment", check.RuleCount, func(x *checkSite) {
		x.do("HSET", key.Topic(x.thread), "active", x.hash(key.Topic(x.thread))["created"])
	}, fixed},
	{"a list with an invalid member", posts.RuleThread,
		func(x *checkSite) { x.do("ZADD", key.TopicComments(x.thread), 9, "x") }, fixed},
	{"a list with another topic's comment", posts.RuleThread,
		func(x *checkSite) { x.do("ZADD", key.TopicComments(x.thread), 9, key.Itoa(x.on[0])) }, fixed},
	{"a comment at the wrong number", posts.RuleThread,
		func(x *checkSite) { x.do("ZADD", key.TopicComments(x.thread), 77, key.Itoa(x.second)) }, fixed},
	{"a reply not among the replies", posts.RuleThread,
		func(x *checkSite) { x.do("ZREM", key.TopicReplies(x.thread), key.Itoa(x.root)) }, fixed},
	{"a child among the replies", posts.RuleThread,
		func(x *checkSite) { x.do("ZADD", key.TopicReplies(x.thread), 2, key.Itoa(x.child)) }, fixed},
	{"a reply at the wrong number", posts.RuleThread,
		func(x *checkSite) { x.do("ZADD", key.TopicReplies(x.thread), 77, key.Itoa(x.root)) }, fixed},
	{"a vote uncounted", posts.RuleVotesCount,
		func(x *checkSite) {
			x.do("ZADD", key.Upvoters(key.Topic(x.thread)), int64(x.ann.ID),
				int64(x.ann.ID))
		}, fixed},
	{"one vote too many", posts.RuleVotesCount, func(x *checkSite) { x.do("HINCRBY", key.Topic(x.article), "down", 1) },
		fixed},
	{"a vote on a comment uncounted", posts.RuleVotesCount, func(x *checkSite) {
		x.do("ZADD", key.Downvoters(key.Comment(x.second)), int64(x.ann.ID), int64(x.ann.ID))
	}, fixed},
	{"both votes", posts.RuleVotesBoth, func(x *checkSite) {
		x.do("ZADD", key.Downvoters(key.Topic(x.article)), int64(x.mod.ID), int64(x.mod.ID))
		x.do("HINCRBY", key.Topic(x.article), "down", 1)
	}, fixed},
}

var commentBreaks = []siteBreak{
	{"an unknown format", posts.RuleCommentFields,
		func(x *checkSite) { x.do("HSET", key.Comment(x.second), "format", "TEX") }, stays},
	{"without a time of posting", posts.RuleCommentFields,
		func(x *checkSite) { x.do("HDEL", key.Comment(x.leaf), "created") }, stays},
	{"by a missing user", check.RuleAuthor, func(x *checkSite) { x.do("HSET", key.Comment(x.leaf), "author", noUser) },
		stays},
	{"on a missing topic", posts.RuleCommentTopic, func(x *checkSite) {
		x.do("HSET", key.Comment(9_999_872), "topic", 9_999_616, "author", 0, "floor", 1)
		x.do("SET", key.Sequence(0), 50_000)
	}, stays},
	{"missing in its topic", posts.RuleCommentUnlisted,
		func(x *checkSite) { x.do("ZREM", key.TopicComments(x.thread), key.Itoa(x.second)) }, fixed},
	{"a duplicate number", posts.RuleCommentNumber, func(x *checkSite) {
		x.do("HSET", key.Comment(x.second), "floor", 1)
		x.do("ZADD", key.TopicComments(x.thread), 1, key.Itoa(x.second))
		x.do("ZADD", key.TopicReplies(x.thread), 1, key.Itoa(x.second))
	}, stays},
	{"a reply to a missing comment", posts.RuleCommentParent,
		func(x *checkSite) { x.do("HSET", key.Comment(x.child), "parent", 9_999_872) }, stays},
	{"a reply to a later one", posts.RuleCommentParent,
		func(x *checkSite) { x.do("HSET", key.Comment(x.root), "parent", key.Itoa(x.second)) }, stays},
	{"too deep", check.RuleCount, func(x *checkSite) { x.do("HSET", key.Comment(x.leaf), "depth", 7) }, fixed},
	{"deep without a parent", check.RuleCount, func(x *checkSite) { x.do("HSET", key.Comment(x.second), "depth", 1) },
		fixed},
	{"a reply counted twice", check.RuleCount,
		func(x *checkSite) { x.do("HINCRBY", key.Comment(x.root), "replies", 1) }, fixed},
	{"a deleted reply counted", check.RuleCount,
		func(x *checkSite) { x.do("HINCRBY", key.Comment(x.child), "replies", 1) }, fixed},
	{"an unlisted child", posts.RuleThread,
		func(x *checkSite) { x.do("ZREM", key.CommentReplies(x.child), key.Itoa(x.leaf)) }, fixed},
	{"another comment's child listed", posts.RuleThread,
		func(x *checkSite) { x.do("ZADD", key.CommentReplies(x.second), 3, key.Itoa(x.leaf)) }, fixed},
	{"a tombstone with text", posts.RuleTombstone,
		func(x *checkSite) { x.do("HSET", key.Comment(x.leaf), "content", "still here") }, fixed},
	{"a tombstone with mentions", posts.RuleTombstone,
		func(x *checkSite) { x.do("HSET", key.Comment(x.leaf), "mentions", "ann:1") }, fixed},
	{"a tombstone at the first revision", check.RuleCount,
		func(x *checkSite) { x.do("HSET", key.Comment(x.leaf), "rev", 1) }, fixed},
}

var userBreaks = []siteBreak{
	{"an unknown state", accounts.RuleUserFields, func(x *checkSite) { x.do("HSET", key.User(x.mod.ID), "state", "AWAY") },
		stays},
	{"an unknown role", accounts.RuleUserFields, func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "role", "KING") }, stays},
	{"no login", accounts.RuleUserFields, func(x *checkSite) { x.do("HDEL", key.User(x.ann.ID), "login") }, stays},
	{"a claim with the wrong name", accounts.RuleUserFields,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "loginClaim", key.LoginClaim("anna")) }, stays},
	{"a login of another partition", accounts.RuleUserPartition,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "fold", "bob") }, stays},
	{"a login not claimed", accounts.RuleUserClaim, func(x *checkSite) { x.do("DEL", key.LoginClaim("ann")) }, fixed},
	{"an e-mail not claimed", accounts.RuleUserClaim, func(x *checkSite) { x.do("DEL", key.EmailClaim("ann@example.org")) },
		fixed},
	{"a login claimed with another nonce", accounts.RuleUserClaim,
		func(x *checkSite) { x.do("SET", key.LoginClaim("ann"), key.Itoa(x.ann.ID)+"/0123456789abcdef") }, fixed},
	{"a topic counted twice", check.RuleCount, func(x *checkSite) { x.do("HINCRBY", key.User(x.ann.ID), "topics", 1) },
		fixed},
	{"a topic not in the profile", posts.RuleProfileMissing,
		func(x *checkSite) { x.do("ZREM", key.Profile(x.ann.ID), x.entry(x.thread)) }, fixed},
	{"a topic at the wrong time", posts.RuleProfileMissing,
		func(x *checkSite) { x.do("ZADD", key.Profile(x.ann.ID), 5, x.entry(x.thread)) }, fixed},
	{"a deleted topic in the profile", posts.RuleProfileStray,
		func(x *checkSite) { x.do("ZADD", key.Profile(x.ann.ID), 5, x.entry(x.deleted)) }, fixed},
	{"an invalid member in the profile", posts.RuleProfileStray,
		func(x *checkSite) { x.do("ZADD", key.Profile(x.ann.ID), 5, "nothing") }, fixed},
	{"an old registration", accounts.RuleUnfinished, func(x *checkSite) {
		x.do("ZREM", key.Dirty(x.pending(x.Engine.Now()-x.registrationLife()).Partition()),
			"u:"+key.Itoa(x.pendingID()))
	}, fixed},
	{"claims to release without a mark", accounts.RuleRelease, func(x *checkSite) {
		x.do("SADD", key.Release(x.ann.ID), key.LoginClaim("old")+" "+key.Itoa(x.ann.ID)+"/00")
	}, fixed},
	{"a claim of a missing user", accounts.RuleStaleClaim,
		func(x *checkSite) { x.do("SET", key.LoginClaim("eve"), key.Itoa(noUser)+"/0123456789abcdef") }, fixed},
	{"a claim of a user with another name", accounts.RuleStaleClaim, func(x *checkSite) {
		x.do("SET", key.EmailClaim("eve@example.org"), key.Itoa(x.ann.ID)+"/"+x.hash(key.User(x.ann.ID))["nonce"])
	}, fixed},
	{"a malformed claim", accounts.RuleStaleClaim, func(x *checkSite) { x.do("SET", key.LoginClaim("eve"), "eve") },
		fixed},
	{"too many sessions", check.RuleCap, func(x *checkSite) {
		for i := range forum.MaxSessions {
			x.do("HSET", key.Sessions(x.ann.ID), fmt.Sprintf("%064x", i), x.sessionUntil(time.Hour))
		}
	}, fixed},
	{"too many tokens", check.RuleCap, func(x *checkSite) {
		for i := range forum.MaxTokens {
			x.token(fmt.Sprintf("%064x", i), fmt.Sprintf("%d 0 0 READ Robot", x.Engine.Now()))
		}
	}, fixed},
	{"a token without a digest", check.RuleValue,
		func(x *checkSite) { x.token("token", fmt.Sprintf("%d 0 0 READ Robot", x.Engine.Now())) }, fixed},
	{"a token with a scope that there is not", check.RuleValue, func(x *checkSite) {
		x.token(strings.Repeat("c3", 32), fmt.Sprintf("%d 0 0 READ,ALL Robot", x.Engine.Now()))
	}, fixed},
	{"a token without a time", check.RuleValue,
		func(x *checkSite) { x.token(strings.Repeat("c3", 32), "-5 0 0 READ Robot") }, fixed},
	{"tokens that expire too early", check.RuleExpiryShort, func(x *checkSite) {
		x.do("EXPIRE", key.Tokens(x.ann.ID), 60)
	}, fixed},
	{"tokens forever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", key.Tokens(x.ann.ID)) }, fixed},
	{"a session without a digest", check.RuleValue,
		func(x *checkSite) { x.do("HSET", key.Sessions(x.ann.ID), "token", x.sessionUntil(time.Hour)) }, fixed},
	{"a session without end", check.RuleValue,
		func(x *checkSite) { x.do("HSET", key.Sessions(x.ann.ID), strings.Repeat("c3", 32), "5 5 Browser") }, fixed},
}

// token stores an API token of ann.
func (x *checkSite) token(digest, value string) {
	x.do("HSET", key.Tokens(x.ann.ID), digest, value)
}

// pendingID returns the id of dan, whose registration is pending.
func (x *checkSite) pendingID() forum.UserID {
	x.t.Helper()
	value := must.Do(x.rdb.Get(x.ctx, key.LoginClaim("dan")).Result())(x.t)
	id, _ := record.ParseClaim(value)
	return id
}
