package fsck

import (
	"fmt"
	"strings"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// siteBreak is one way to break the data by hand.
type siteBreak struct {
	name   string
	rule   Rule
	damage func(x *checkSite)
	after  after
}

// after is what becomes of a break when repair is asked for.
type after int

const (
	mended  after = iota
	stays         // only people can repair it
	settled       // healed before repair looks, as the sweeper would
)

// breaks has at least one break for each rule.
func breaks() []siteBreak {
	var all []siteBreak
	for _, part := range [][]siteBreak{keyBreaks, partitionBreaks, topicBreaks, commentBreaks, userBreaks, indexBreaks,
		catalogueBreaks, accountBreaks, importBreaks,
		voteBreaks, commentVoteBreaks, passingBreaks, tagBreaks, dayBreaks, socialBreaks, unreadBreaks, noteBreaks} {
		all = append(all, part...)
	}
	return all
}

const nobody forum.UserID = 9_999_872 // in partition 0

func (x *checkSite) dirty(v *forum.Viewer) string { return key.Dirty(v.ID.Partition()) }

var keyBreaks = []siteBreak{
	{"a stranger's key", RuleUnknownKey, func(x *checkSite) { x.do("SET", "sessions:1", "x") }, stays},
	{"a key in the wrong partition", RuleUnknownKey, func(x *checkSite) { x.do("HSET", "{p00}:t:257", "state", "OPEN") },
		stays},
	{"a number beyond all ids", RuleUnknownKey,
		func(x *checkSite) { x.do("HSET", "{p00}:t:2147483648", "state", "OPEN") }, stays},
	{"a set in place of a sorted set", RuleKeyType, func(x *checkSite) {
		x.do("SADD", key.Profile(x.mod.ID), "1")
	}, stays},
	{"sessions for ever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", key.Sessions(x.ann.ID)) }, mended},
	{"an idempotency record for ever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", x.keyLike(":idem:0:")) },
		mended},
	{"a click for ever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", key.Click(x.thread, "visitor")) },
		mended},
	{"a click for a day", RuleExpiryLong, func(x *checkSite) { x.do("EXPIRE", key.Click(x.thread, "visitor"), 86400) },
		mended},
	{"an idempotency record for a week", RuleExpiryLong,
		func(x *checkSite) { x.do("EXPIRE", x.keyLike(":idem:0:"), 7*86400) }, mended},
	{"a topic that passes", RuleExpiryUnexpected, func(x *checkSite) { x.do("EXPIRE", key.Topic(x.thread), 86400) },
		mended},
	{"a claim that passes", RuleExpiryUnexpected, func(x *checkSite) { x.do("EXPIRE", key.LoginClaim("ann"), 86400) },
		mended},
	{"comments of no topic", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", key.TopicComments(9_999_872), 1, 512) },
		stays},
	{"votes on no topic", RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.Upvoters(key.Topic(9_999_872)), 512, 512) }, stays},
	{"replies to no comment", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", key.CommentReplies(9_999_872), 1, 512) },
		stays},
	{"votes on no comment", RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.Downvoters(key.Comment(9_999_872)), 512, 512) }, stays},
	{"profile of nobody", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", key.Profile(nobody), 1, 512) }, mended},
	{"sessions of nobody", RuleOrphanKey, func(x *checkSite) {
		x.do("HSET", key.Sessions(nobody), strings.Repeat("c3", 32), x.sessionUntil(time.Hour))
		x.do("EXPIRE", key.Sessions(nobody), 60)
	}, mended},
	{"revisions of nobody's comments", RuleOrphanKey,
		func(x *checkSite) { x.do("HSET", key.UserCommentsContainer(nobody).Revisions(), 512, 1) }, mended},
	{"categories of no tab", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", key.TabCategories(99), 1, 1) }, mended},
	{"a layout of the future", RuleLayout,
		func(x *checkSite) { x.do("HSET", key.Layout, "version", record.LayoutVersion+1) }, stays},
	{"a layout with other partitions", RuleLayout, func(x *checkSite) { x.do("HSET", key.Layout, "partitions", 16) },
		stays},
	{"a layout without time", RuleLayout, func(x *checkSite) { x.do("HDEL", key.Layout, "created") }, stays},
	{"a layout nowhere", RuleLayout, func(x *checkSite) { x.do("HSET", key.Layout, "timeZone", "Nowhere/Land") }, stays},
	{"a record of another form", RuleIdemValue,
		func(x *checkSite) { x.do("SET", x.keyLike(":idem:0:"), "yes", "KEEPTTL") }, mended},
	{"a record of nobody", RuleIdemOwner, func(x *checkSite) {
		x.do("SET", key.Idempotency(0, nobody, "k"), fmt.Sprintf("%d %s 512", x.Now(), strings.Repeat("d4", 16)), "EX", 60)
	}, mended},
	{"a click on nothing", RuleClickOwner,
		func(x *checkSite) { x.do("SET", key.Click(9_999_872, "visitor"), 1, "EX", 60) }, mended},
}

var partitionBreaks = []siteBreak{
	{"a sequence gone back", RuleSequence, func(x *checkSite) { x.do("SET", key.Sequence(x.ann.ID.Partition()), 1) },
		mended},
	{"a sequence lost", RuleSequence, func(x *checkSite) { x.do("DEL", key.Sequence(x.ann.ID.Partition())) }, mended},
	{"a sequence of categories gone back", RuleSequence, func(x *checkSite) { x.do("SET", key.CategorySequence, 1) },
		mended},
	{"a sequence of tabs lost", RuleSequence, func(x *checkSite) { x.do("DEL", key.TabSequence) }, mended},
	{"one user too many", RuleStats, func(x *checkSite) { x.do("HINCRBY", key.Stats(x.ann.ID.Partition()), "users", 1) },
		mended},
	{"one topic too few", RuleStats,
		func(x *checkSite) { x.do("HINCRBY", key.Stats(x.ann.ID.Partition()), "topics", -1) }, mended},
	{"comments uncounted", RuleStats, func(x *checkSite) { x.do("HDEL", key.Stats(x.ann.ID.Partition()), "comments") },
		mended},
	{"counters of an empty partition", RuleStats,
		func(x *checkSite) { x.do("HSET", key.Stats(emptyPartition), "topics", 3) }, mended},
	{"a mark on nothing", RuleMarkOrphan, func(x *checkSite) { x.do("ZADD", key.Dirty(0), int64(x.Now()), "t:9999872") },
		settled},
	{"a mark of no kind", RuleMarkOrphan,
		func(x *checkSite) { x.do("ZADD", x.dirty(x.ann), int64(x.Now()), "z:"+key.Itoa(x.thread)) }, settled},
	{"an old mark on a topic", RuleMarkOld,
		func(x *checkSite) { x.do("ZADD", x.dirty(x.ann), int64(x.Now()-markLife-1), "t:"+key.Itoa(x.thread)) }, settled},
	{"an old mark on a comment", RuleMarkOld,
		func(x *checkSite) { x.do("ZADD", x.dirty(x.ann), int64(x.Now()-markLife-1), "c:"+key.Itoa(x.leaf)) }, settled},
	{"an old mark on a user", RuleMarkOld, func(x *checkSite) {
		x.do("ZADD", x.dirty(x.ann), int64(x.Now()-markLife-x.registrationLife()-1), "u:"+key.Itoa(x.ann.ID))
	}, settled},
	{"an old mark on a category", RuleMarkOld, func(x *checkSite) {
		x.do("HSET", key.Category(x.empty), "deleting", "cafe")
		x.do("ZADD", key.CategoryDirty, int64(x.Now()-markLife-1), key.Itoa(x.empty))
	}, settled},
	{"a task of no kind", RuleTaskName, func(x *checkSite) { x.plantTask("y:512") }, mended},
	{"a task about an open topic", RuleTaskName, func(x *checkSite) { x.plantTask(record.RetractTask(x.thread)) }, mended},
	{"a task without token", RuleTaskFields, func(x *checkSite) { x.do("HDEL", x.task(), "n") }, mended},
	{"a task with a strange cursor", RuleTaskFields, func(x *checkSite) { x.do("HSET", x.task(), "cursor", "here") },
		mended},
	{"a task nobody will do", RuleTaskUnlisted,
		func(x *checkSite) { x.do("ZREM", key.Due(x.half.Partition()), record.RetractTask(x.half)) }, mended},
	{"a task lost", RuleTaskMissing,
		func(x *checkSite) { x.do("ZADD", key.Due(x.half.Partition()), 1, record.RetractTask(x.deleted)) }, mended},
	{"a task due and dead", RuleTaskTwice,
		func(x *checkSite) { x.do("ZADD", key.Dead(x.half.Partition()), 1, record.RetractTask(x.half)) }, mended},
	{"a dead task", RuleTaskDead, func(x *checkSite) {
		x.do("ZREM", key.Due(x.half.Partition()), record.RetractTask(x.half))
		x.do("ZADD", key.Dead(x.half.Partition()), 1, record.RetractTask(x.half))
	}, mended},
}

// emptyPartition is one in which the site has nobody.
const emptyPartition forum.Partition = 1

func (x *checkSite) task() string { return key.Task(x.half.Partition(), record.RetractTask(x.half)) }

func (x *checkSite) plantTask(name string) {
	x.t.Helper()
	p := x.thread.Partition()
	x.do("HSET", key.Task(p, name), "n", 1, "attempts", 1, "cursor", "")
	x.do("ZADD", key.Due(p), int64(x.Now()), name)
}

var topicBreaks = []siteBreak{
	{"a state of its own", RuleTopicFields,
		func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "state", "SLEEPING") }, stays},
	{"a kind of its own", RuleTopicFields, func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "kind", "POEM") },
		stays},
	{"a format of its own", RuleTopicFields, func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "format", "TEX") },
		stays},
	{"no title", RuleTopicFields, func(x *checkSite) { x.do("HDEL", key.Topic(x.thread), "title") }, stays},
	{"an article without link", RuleTopicFields, func(x *checkSite) { x.do("HDEL", key.Topic(x.article), "link") }, stays},
	{"deleted but open", RuleTopicFields, func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "deleted", 5) }, stays},
	{"clicks below nothing", RuleTopicFields, func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "clicks", -1) },
		stays},
	{"no time of posting", RuleTopicFields,
		func(x *checkSite) { x.do("HSET", key.Topic(x.article), "created", "yesterday") }, stays},
	{"by nobody there is", RuleTopicAuthor, func(x *checkSite) { x.do("HSET", key.Topic(x.article), "author", nobody) },
		stays},
	{"a discussion in no category", RuleTopicCategory,
		func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "category", 0) }, stays},
	{"a discussion in a lost category", RuleTopicCategory,
		func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "category", int64(x.lost)) }, stays},
	{"an article in a lost category", RuleTopicCategory,
		func(x *checkSite) { x.do("HSET", key.Topic(x.article), "category", int64(x.lost)) }, mended},
	{"a move not forgotten", RuleTopicLeft,
		func(x *checkSite) { x.do("HSET", key.Topic(x.moved), "left", key.Itoa(x.talk)+" ") }, mended},
	{"a comment counted twice", RuleTopicComments,
		func(x *checkSite) { x.do("HINCRBY", key.Topic(x.thread), "comments", 1) }, mended},
	{"a comment uncounted in a deleted topic", RuleTopicComments,
		func(x *checkSite) { x.do("HSET", key.Topic(x.deleted), "comments", 0) }, mended},
	{"a number gone back", RuleTopicNumber, func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "floor", 1) }, mended},
	{"active before its posting", RuleTopicActive,
		func(x *checkSite) { x.do("HSET", key.Topic(x.article), "active", 5) }, mended},
	{"active before a comment", RuleTopicActive, func(x *checkSite) {
		x.do("HSET", key.Topic(x.thread), "active", x.hash(key.Topic(x.thread))["created"])
	}, mended},
	{"a list with what is no comment", RuleTopicList,
		func(x *checkSite) { x.do("ZADD", key.TopicComments(x.thread), 9, "x") }, mended},
	{"a list with another topic's comment", RuleTopicList,
		func(x *checkSite) { x.do("ZADD", key.TopicComments(x.thread), 9, key.Itoa(x.on[0])) }, mended},
	{"a comment on a wrong number", RuleTopicList,
		func(x *checkSite) { x.do("ZADD", key.TopicComments(x.thread), 77, key.Itoa(x.second)) }, mended},
	{"a reply not among the replies", RuleTopicReplies,
		func(x *checkSite) { x.do("ZREM", key.TopicReplies(x.thread), key.Itoa(x.root)) }, mended},
	{"a child among the replies", RuleTopicReplies,
		func(x *checkSite) { x.do("ZADD", key.TopicReplies(x.thread), 2, key.Itoa(x.child)) }, mended},
	{"a reply on a wrong number", RuleTopicReplies,
		func(x *checkSite) { x.do("ZADD", key.TopicReplies(x.thread), 77, key.Itoa(x.root)) }, mended},
	{"a vote uncounted", RuleVotesCount,
		func(x *checkSite) { x.do("ZADD", key.Upvoters(key.Topic(x.thread)), int64(x.ann.ID), int64(x.ann.ID)) }, mended},
	{"a vote too many", RuleVotesCount, func(x *checkSite) { x.do("HINCRBY", key.Topic(x.article), "down", 1) }, mended},
	{"a vote on a comment uncounted", RuleVotesCount, func(x *checkSite) {
		x.do("ZADD", key.Downvoters(key.Comment(x.second)), int64(x.ann.ID), int64(x.ann.ID))
	}, mended},
	{"both votes", RuleVotesBoth, func(x *checkSite) {
		x.do("ZADD", key.Downvoters(key.Topic(x.article)), int64(x.mod.ID), int64(x.mod.ID))
		x.do("HINCRBY", key.Topic(x.article), "down", 1)
	}, mended},
}

var commentBreaks = []siteBreak{
	{"a format of its own", RuleCommentFields,
		func(x *checkSite) { x.do("HSET", key.Comment(x.second), "format", "TEX") }, stays},
	{"no time of posting", RuleCommentFields, func(x *checkSite) { x.do("HDEL", key.Comment(x.leaf), "created") }, stays},
	{"by nobody there is", RuleCommentAuthor, func(x *checkSite) { x.do("HSET", key.Comment(x.leaf), "author", nobody) },
		stays},
	{"on nothing", RuleCommentTopic, func(x *checkSite) {
		x.do("HSET", key.Comment(9_999_872), "topic", 9_999_616, "author", 0, "floor", 1)
		x.do("SET", key.Sequence(0), 50_000)
	}, stays},
	{"missing in its topic", RuleCommentUnlisted,
		func(x *checkSite) { x.do("ZREM", key.TopicComments(x.thread), key.Itoa(x.second)) }, mended},
	{"a number taken twice", RuleCommentNumber, func(x *checkSite) {
		x.do("HSET", key.Comment(x.second), "floor", 1)
		x.do("ZADD", key.TopicComments(x.thread), 1, key.Itoa(x.second))
		x.do("ZADD", key.TopicReplies(x.thread), 1, key.Itoa(x.second))
	}, stays},
	{"a reply to nothing", RuleCommentParent,
		func(x *checkSite) { x.do("HSET", key.Comment(x.child), "parent", 9_999_872) }, stays},
	{"a reply to a later one", RuleCommentParent,
		func(x *checkSite) { x.do("HSET", key.Comment(x.root), "parent", key.Itoa(x.second)) }, stays},
	{"too deep", RuleCommentDepth, func(x *checkSite) { x.do("HSET", key.Comment(x.leaf), "depth", 7) }, mended},
	{"deep without parent", RuleCommentDepth, func(x *checkSite) { x.do("HSET", key.Comment(x.second), "depth", 1) },
		mended},
	{"a reply counted twice", RuleCommentReplies,
		func(x *checkSite) { x.do("HINCRBY", key.Comment(x.root), "replies", 1) }, mended},
	{"a deleted reply counted", RuleCommentReplies,
		func(x *checkSite) { x.do("HINCRBY", key.Comment(x.child), "replies", 1) }, mended},
	{"a child not listed", RuleReplyList,
		func(x *checkSite) { x.do("ZREM", key.CommentReplies(x.child), key.Itoa(x.leaf)) }, mended},
	{"somebody else's child listed", RuleReplyList,
		func(x *checkSite) { x.do("ZADD", key.CommentReplies(x.second), 3, key.Itoa(x.leaf)) }, mended},
	{"a tombstone with text", RuleTombstone,
		func(x *checkSite) { x.do("HSET", key.Comment(x.leaf), "content", "still here") }, mended},
	{"a tombstone with mentions", RuleTombstone,
		func(x *checkSite) { x.do("HSET", key.Comment(x.leaf), "mentions", "ann:1") }, mended},
	{"a live comment as old as a dead one", RuleTombstone,
		func(x *checkSite) { x.do("HSET", key.Comment(x.second), "rev", 2) }, mended},
}

var userBreaks = []siteBreak{
	{"a state of its own", RuleUserFields, func(x *checkSite) { x.do("HSET", key.User(x.mod.ID), "state", "AWAY") },
		stays},
	{"a role of its own", RuleUserFields, func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "role", "KING") }, stays},
	{"no login", RuleUserFields, func(x *checkSite) { x.do("HDEL", key.User(x.ann.ID), "login") }, stays},
	{"a claim named wrongly", RuleUserFields,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "loginClaim", key.LoginClaim("anna")) }, stays},
	{"a login of another partition", RuleUserPartition,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "fold", "bob") }, stays},
	{"a login not claimed", RuleUserClaim, func(x *checkSite) { x.do("DEL", key.LoginClaim("ann")) }, mended},
	{"an e-mail not claimed", RuleUserClaim, func(x *checkSite) { x.do("DEL", key.EmailClaim("ann@example.org")) },
		mended},
	{"a login claimed with another nonce", RuleUserClaim,
		func(x *checkSite) { x.do("SET", key.LoginClaim("ann"), key.Itoa(x.ann.ID)+"/0123456789abcdef") }, mended},
	{"a topic counted twice", RuleUserTopics, func(x *checkSite) { x.do("HINCRBY", key.User(x.ann.ID), "topics", 1) },
		mended},
	{"a topic not in the profile", RuleProfileMissing,
		func(x *checkSite) { x.do("ZREM", key.Profile(x.ann.ID), x.entry(x.thread)) }, mended},
	{"a topic at a wrong time", RuleProfileMissing,
		func(x *checkSite) { x.do("ZADD", key.Profile(x.ann.ID), 5, x.entry(x.thread)) }, mended},
	{"a deleted topic in the profile", RuleProfileStray,
		func(x *checkSite) { x.do("ZADD", key.Profile(x.ann.ID), 5, x.entry(x.deleted)) }, mended},
	{"nothing in the profile", RuleProfileStray,
		func(x *checkSite) { x.do("ZADD", key.Profile(x.ann.ID), 5, "nothing") }, mended},
	{"a registration forgotten", RuleRegistration, func(x *checkSite) {
		x.do("ZREM", key.Dirty(x.pending(x.Now()-x.registrationLife()).Partition()), "u:"+key.Itoa(x.pendingID()))
	}, mended},
	{"claims to give back forgotten", RuleRelease, func(x *checkSite) {
		x.do("SADD", key.Release(x.ann.ID), key.LoginClaim("old")+" "+key.Itoa(x.ann.ID)+"/00")
	}, mended},
	{"a claim of nobody", RuleStaleClaim,
		func(x *checkSite) { x.do("SET", key.LoginClaim("eve"), key.Itoa(nobody)+"/0123456789abcdef") }, mended},
	{"a claim of somebody with another name", RuleStaleClaim, func(x *checkSite) {
		x.do("SET", key.EmailClaim("eve@example.org"), key.Itoa(x.ann.ID)+"/"+x.hash(key.User(x.ann.ID))["nonce"])
	}, mended},
	{"a claim that makes no sense", RuleStaleClaim, func(x *checkSite) { x.do("SET", key.LoginClaim("eve"), "eve") },
		mended},
	{"too many sessions", RuleSessions, func(x *checkSite) {
		for i := range forum.MaxSessions {
			x.do("HSET", key.Sessions(x.ann.ID), fmt.Sprintf("%064x", i), x.sessionUntil(time.Hour))
		}
	}, mended},
	{"a session of no digest", RuleSessionEntry,
		func(x *checkSite) { x.do("HSET", key.Sessions(x.ann.ID), "token", x.sessionUntil(time.Hour)) }, mended},
	{"a session without end", RuleSessionEntry,
		func(x *checkSite) { x.do("HSET", key.Sessions(x.ann.ID), strings.Repeat("c3", 32), "5 5 Browser") }, mended},
}

// pendingID is dan's, who is registering.
func (x *checkSite) pendingID() forum.UserID {
	x.t.Helper()
	value, err := x.rdb.Get(x.ctx, key.LoginClaim("dan")).Result()
	wantOK(x.t, "GET", err)
	id, _ := record.ParseClaim(value)
	return id
}

// place is a topic's member in the orders.
func (x *checkSite) place(id forum.TopicID) string {
	f := record.Fields(x.hash(key.Topic(id)))
	return record.Member(f.Time("created"), int64(id))
}

func (x *checkSite) commentPlace(id forum.CommentID) string {
	f := record.Fields(x.hash(key.Comment(id)))
	return record.Member(f.Time("created"), int64(id))
}
