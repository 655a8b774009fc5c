package store

import (
	"fmt"
	"strings"
	"time"

	"agora/internal/forum"
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
	for _, part := range [][]siteBreak{keyBreaks, partitionBreaks, topicBreaks, commentBreaks, userBreaks, indexBreaks, catalogueBreaks, accountBreaks, importBreaks,
		voteBreaks, tallyBreaks, passingBreaks, tagBreaks, dayBreaks, socialBreaks, unreadBreaks, noteBreaks} {
		all = append(all, part...)
	}
	return all
}

const nobody forum.UserID = 9_999_872 // in partition 0

func (x *checkSite) dirty(v *forum.Viewer) string { return dirtyKey(v.ID.Partition()) }

var keyBreaks = []siteBreak{
	{"a stranger's key", RuleUnknownKey, func(x *checkSite) { x.do("SET", "sessions:1", "x") }, stays},
	{"a key in the wrong partition", RuleUnknownKey, func(x *checkSite) { x.do("HSET", "{p00}:t:257", "state", "OPEN") }, stays},
	{"a number beyond all ids", RuleUnknownKey, func(x *checkSite) { x.do("HSET", "{p00}:t:2147483648", "state", "OPEN") }, stays},
	{"a set in place of a sorted set", RuleKeyType, func(x *checkSite) {
		x.do("SADD", profileKey(x.mod.ID), "1")
	}, stays},
	{"sessions for ever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", sessionsKey(x.ann.ID)) }, mended},
	{"an idempotency record for ever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", x.keyLike(":idem:0:")) }, mended},
	{"a click for ever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", clickKey(x.thread, "visitor")) }, mended},
	{"a click for a day", RuleExpiryLong, func(x *checkSite) { x.do("EXPIRE", clickKey(x.thread, "visitor"), 86400) }, mended},
	{"an idempotency record for a week", RuleExpiryLong, func(x *checkSite) { x.do("EXPIRE", x.keyLike(":idem:0:"), 7*86400) }, mended},
	{"a topic that passes", RuleExpiryUnexpected, func(x *checkSite) { x.do("EXPIRE", topicKey(x.thread), 86400) }, mended},
	{"a claim that passes", RuleExpiryUnexpected, func(x *checkSite) { x.do("EXPIRE", loginClaimKey("ann"), 86400) }, mended},
	{"comments of no topic", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", topicCommentsKey(9_999_872), 1, 512) }, stays},
	{"votes on no topic", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", upKey(topicKey(9_999_872)), 512, 512) }, stays},
	{"replies to no comment", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", commentRepliesKey(9_999_872), 1, 512) }, stays},
	{"votes on no comment", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", downKey(commentKey(9_999_872)), 512, 512) }, stays},
	{"profile of nobody", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", profileKey(nobody), 1, 512) }, mended},
	{"sessions of nobody", RuleOrphanKey, func(x *checkSite) {
		x.do("HSET", sessionsKey(nobody), strings.Repeat("c3", 32), x.sessionUntil(time.Hour))
		x.do("EXPIRE", sessionsKey(nobody), 60)
	}, mended},
	{"revisions of nobody's comments", RuleOrphanKey, func(x *checkSite) { x.do("HSET", userCommentsContainer(nobody).revs(), 512, 1) }, mended},
	{"categories of no tab", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", tabCategoriesKey(99), 1, 1) }, mended},
	{"a layout of the future", RuleLayout, func(x *checkSite) { x.do("HSET", layoutKey, "version", layoutVersion+1) }, stays},
	{"a layout with other partitions", RuleLayout, func(x *checkSite) { x.do("HSET", layoutKey, "partitions", 16) }, stays},
	{"a layout without time", RuleLayout, func(x *checkSite) { x.do("HDEL", layoutKey, "created") }, stays},
	{"a layout nowhere", RuleLayout, func(x *checkSite) { x.do("HSET", layoutKey, "timeZone", "Nowhere/Land") }, stays},
	{"a record of another form", RuleIdemValue, func(x *checkSite) { x.do("SET", x.keyLike(":idem:0:"), "yes", "KEEPTTL") }, mended},
	{"a record of nobody", RuleIdemOwner, func(x *checkSite) {
		x.do("SET", idemKey(0, nobody, "k"), fmt.Sprintf("%d %s 512", x.Now(), strings.Repeat("d4", 16)), "EX", 60)
	}, mended},
	{"a click on nothing", RuleClickOwner, func(x *checkSite) { x.do("SET", clickKey(9_999_872, "visitor"), 1, "EX", 60) }, mended},
}

var partitionBreaks = []siteBreak{
	{"a sequence gone back", RuleSequence, func(x *checkSite) { x.do("SET", seqKey(x.ann.ID.Partition()), 1) }, mended},
	{"a sequence lost", RuleSequence, func(x *checkSite) { x.do("DEL", seqKey(x.ann.ID.Partition())) }, mended},
	{"a sequence of categories gone back", RuleSequence, func(x *checkSite) { x.do("SET", categorySeqKey, 1) }, mended},
	{"a sequence of tabs lost", RuleSequence, func(x *checkSite) { x.do("DEL", tabSeqKey) }, mended},
	{"one user too many", RuleStats, func(x *checkSite) { x.do("HINCRBY", statsKey(x.ann.ID.Partition()), "users", 1) }, mended},
	{"one topic too few", RuleStats, func(x *checkSite) { x.do("HINCRBY", statsKey(x.ann.ID.Partition()), "topics", -1) }, mended},
	{"comments uncounted", RuleStats, func(x *checkSite) { x.do("HDEL", statsKey(x.ann.ID.Partition()), "comments") }, mended},
	{"counters of an empty partition", RuleStats, func(x *checkSite) { x.do("HSET", statsKey(emptyPartition), "topics", 3) }, mended},
	{"a mark on nothing", RuleMarkOrphan, func(x *checkSite) { x.do("ZADD", dirtyKey(0), int64(x.Now()), "t:9999872") }, settled},
	{"a mark of no kind", RuleMarkOrphan, func(x *checkSite) { x.do("ZADD", x.dirty(x.ann), int64(x.Now()), "z:"+itoa(x.thread)) }, settled},
	{"an old mark on a topic", RuleMarkOld, func(x *checkSite) { x.do("ZADD", x.dirty(x.ann), int64(x.Now()-markLife-1), "t:"+itoa(x.thread)) }, settled},
	{"an old mark on a comment", RuleMarkOld, func(x *checkSite) { x.do("ZADD", x.dirty(x.ann), int64(x.Now()-markLife-1), "c:"+itoa(x.leaf)) }, settled},
	{"an old mark on a user", RuleMarkOld, func(x *checkSite) {
		x.do("ZADD", x.dirty(x.ann), int64(x.Now()-markLife-x.registrationLife()-1), "u:"+itoa(x.ann.ID))
	}, settled},
	{"an old mark on a category", RuleMarkOld, func(x *checkSite) {
		x.do("HSET", categoryKey(x.empty), "deleting", "cafe")
		x.do("ZADD", categoryDirtyKey, int64(x.Now()-markLife-1), itoa(x.empty))
	}, settled},
	{"a task of no kind", RuleTaskName, func(x *checkSite) { x.plantTask("y:512") }, mended},
	{"a task about an open topic", RuleTaskName, func(x *checkSite) { x.plantTask(retractTask(x.thread)) }, mended},
	{"a task without token", RuleTaskFields, func(x *checkSite) { x.do("HDEL", x.task(), "n") }, mended},
	{"a task with a strange cursor", RuleTaskFields, func(x *checkSite) { x.do("HSET", x.task(), "cursor", "here") }, mended},
	{"a task nobody will do", RuleTaskUnlisted, func(x *checkSite) { x.do("ZREM", dueKey(x.half.Partition()), retractTask(x.half)) }, mended},
	{"a task lost", RuleTaskMissing, func(x *checkSite) { x.do("ZADD", dueKey(x.half.Partition()), 1, retractTask(x.deleted)) }, mended},
	{"a task due and dead", RuleTaskTwice, func(x *checkSite) { x.do("ZADD", deadKey(x.half.Partition()), 1, retractTask(x.half)) }, mended},
	{"a dead task", RuleTaskDead, func(x *checkSite) {
		x.do("ZREM", dueKey(x.half.Partition()), retractTask(x.half))
		x.do("ZADD", deadKey(x.half.Partition()), 1, retractTask(x.half))
	}, mended},
}

// emptyPartition is one in which the site has nobody.
const emptyPartition forum.Partition = 1

func (x *checkSite) task() string { return taskKey(x.half.Partition(), retractTask(x.half)) }

func (x *checkSite) plantTask(name string) {
	x.t.Helper()
	p := x.thread.Partition()
	x.do("HSET", taskKey(p, name), "n", 1, "attempts", 1, "cursor", "")
	x.do("ZADD", dueKey(p), int64(x.Now()), name)
}

var topicBreaks = []siteBreak{
	{"a state of its own", RuleTopicFields, func(x *checkSite) { x.do("HSET", topicKey(x.thread), "state", "SLEEPING") }, stays},
	{"a kind of its own", RuleTopicFields, func(x *checkSite) { x.do("HSET", topicKey(x.thread), "kind", "POEM") }, stays},
	{"a format of its own", RuleTopicFields, func(x *checkSite) { x.do("HSET", topicKey(x.thread), "format", "TEX") }, stays},
	{"no title", RuleTopicFields, func(x *checkSite) { x.do("HDEL", topicKey(x.thread), "title") }, stays},
	{"an article without link", RuleTopicFields, func(x *checkSite) { x.do("HDEL", topicKey(x.article), "link") }, stays},
	{"deleted but open", RuleTopicFields, func(x *checkSite) { x.do("HSET", topicKey(x.thread), "deleted", 5) }, stays},
	{"clicks below nothing", RuleTopicFields, func(x *checkSite) { x.do("HSET", topicKey(x.thread), "clicks", -1) }, stays},
	{"no time of posting", RuleTopicFields, func(x *checkSite) { x.do("HSET", topicKey(x.article), "created", "yesterday") }, stays},
	{"by nobody there is", RuleTopicAuthor, func(x *checkSite) { x.do("HSET", topicKey(x.article), "author", nobody) }, stays},
	{"a discussion in no category", RuleTopicCategory, func(x *checkSite) { x.do("HSET", topicKey(x.thread), "category", 0) }, stays},
	{"a discussion in a lost category", RuleTopicCategory, func(x *checkSite) { x.do("HSET", topicKey(x.thread), "category", int64(x.lost)) }, stays},
	{"an article in a lost category", RuleTopicCategory, func(x *checkSite) { x.do("HSET", topicKey(x.article), "category", int64(x.lost)) }, mended},
	{"a move not forgotten", RuleTopicLeft, func(x *checkSite) { x.do("HSET", topicKey(x.moved), "left", itoa(x.talk)+" ") }, mended},
	{"a comment counted twice", RuleTopicComments, func(x *checkSite) { x.do("HINCRBY", topicKey(x.thread), "comments", 1) }, mended},
	{"a comment uncounted in a deleted topic", RuleTopicComments, func(x *checkSite) { x.do("HSET", topicKey(x.deleted), "comments", 0) }, mended},
	{"a floor gone back", RuleTopicFloor, func(x *checkSite) { x.do("HSET", topicKey(x.thread), "floor", 1) }, mended},
	{"active before its posting", RuleTopicActive, func(x *checkSite) { x.do("HSET", topicKey(x.article), "active", 5) }, mended},
	{"active before a comment", RuleTopicActive, func(x *checkSite) { x.do("HSET", topicKey(x.thread), "active", x.hash(topicKey(x.thread))["created"]) }, mended},
	{"a list with what is no comment", RuleTopicList, func(x *checkSite) { x.do("ZADD", topicCommentsKey(x.thread), 9, "x") }, mended},
	{"a list with another topic's comment", RuleTopicList, func(x *checkSite) { x.do("ZADD", topicCommentsKey(x.thread), 9, itoa(x.on[0])) }, mended},
	{"a comment on a wrong floor", RuleTopicList, func(x *checkSite) { x.do("ZADD", topicCommentsKey(x.thread), 77, itoa(x.second)) }, mended},
	{"a reply not among the replies", RuleTopicReplies, func(x *checkSite) { x.do("ZREM", topicRepliesKey(x.thread), itoa(x.root)) }, mended},
	{"a child among the replies", RuleTopicReplies, func(x *checkSite) { x.do("ZADD", topicRepliesKey(x.thread), 2, itoa(x.child)) }, mended},
	{"a reply on a wrong floor", RuleTopicReplies, func(x *checkSite) { x.do("ZADD", topicRepliesKey(x.thread), 77, itoa(x.root)) }, mended},
	{"a vote uncounted", RuleVotesCount, func(x *checkSite) { x.do("ZADD", upKey(topicKey(x.thread)), int64(x.ann.ID), int64(x.ann.ID)) }, mended},
	{"a vote too many", RuleVotesCount, func(x *checkSite) { x.do("HINCRBY", topicKey(x.article), "down", 1) }, mended},
	{"a vote on a comment uncounted", RuleVotesCount, func(x *checkSite) { x.do("ZADD", downKey(commentKey(x.second)), int64(x.ann.ID), int64(x.ann.ID)) }, mended},
	{"both votes", RuleVotesBoth, func(x *checkSite) {
		x.do("ZADD", downKey(topicKey(x.article)), int64(x.mod.ID), int64(x.mod.ID))
		x.do("HINCRBY", topicKey(x.article), "down", 1)
	}, mended},
}

var commentBreaks = []siteBreak{
	{"a format of its own", RuleCommentFields, func(x *checkSite) { x.do("HSET", commentKey(x.second), "format", "TEX") }, stays},
	{"no time of posting", RuleCommentFields, func(x *checkSite) { x.do("HDEL", commentKey(x.leaf), "created") }, stays},
	{"by nobody there is", RuleCommentAuthor, func(x *checkSite) { x.do("HSET", commentKey(x.leaf), "author", nobody) }, stays},
	{"on nothing", RuleCommentTopic, func(x *checkSite) {
		x.do("HSET", commentKey(9_999_872), "topic", 9_999_616, "author", 0, "floor", 1)
		x.do("SET", seqKey(0), 50_000)
	}, stays},
	{"missing in its topic", RuleCommentUnlisted, func(x *checkSite) { x.do("ZREM", topicCommentsKey(x.thread), itoa(x.second)) }, mended},
	{"a floor taken twice", RuleCommentFloor, func(x *checkSite) {
		x.do("HSET", commentKey(x.second), "floor", 1)
		x.do("ZADD", topicCommentsKey(x.thread), 1, itoa(x.second))
		x.do("ZADD", topicRepliesKey(x.thread), 1, itoa(x.second))
	}, stays},
	{"a reply to nothing", RuleCommentParent, func(x *checkSite) { x.do("HSET", commentKey(x.child), "parent", 9_999_872) }, stays},
	{"a reply to a later one", RuleCommentParent, func(x *checkSite) { x.do("HSET", commentKey(x.root), "parent", itoa(x.second)) }, stays},
	{"too deep", RuleCommentDepth, func(x *checkSite) { x.do("HSET", commentKey(x.leaf), "depth", 7) }, mended},
	{"deep without parent", RuleCommentDepth, func(x *checkSite) { x.do("HSET", commentKey(x.second), "depth", 1) }, mended},
	{"a reply counted twice", RuleCommentReplies, func(x *checkSite) { x.do("HINCRBY", commentKey(x.root), "replies", 1) }, mended},
	{"a deleted reply counted", RuleCommentReplies, func(x *checkSite) { x.do("HINCRBY", commentKey(x.child), "replies", 1) }, mended},
	{"a child not listed", RuleReplyList, func(x *checkSite) { x.do("ZREM", commentRepliesKey(x.child), itoa(x.leaf)) }, mended},
	{"somebody else's child listed", RuleReplyList, func(x *checkSite) { x.do("ZADD", commentRepliesKey(x.second), 3, itoa(x.leaf)) }, mended},
	{"a tombstone with text", RuleTombstone, func(x *checkSite) { x.do("HSET", commentKey(x.leaf), "content", "still here") }, mended},
	{"a tombstone with mentions", RuleTombstone, func(x *checkSite) { x.do("HSET", commentKey(x.leaf), "mentions", "ann:1") }, mended},
	{"a live comment as old as a dead one", RuleTombstone, func(x *checkSite) { x.do("HSET", commentKey(x.second), "rev", 2) }, mended},
}

var userBreaks = []siteBreak{
	{"a state of its own", RuleUserFields, func(x *checkSite) { x.do("HSET", userKey(x.mod.ID), "state", "AWAY") }, stays},
	{"a role of its own", RuleUserFields, func(x *checkSite) { x.do("HSET", userKey(x.ann.ID), "role", "KING") }, stays},
	{"no login", RuleUserFields, func(x *checkSite) { x.do("HDEL", userKey(x.ann.ID), "login") }, stays},
	{"a claim named wrongly", RuleUserFields, func(x *checkSite) { x.do("HSET", userKey(x.ann.ID), "loginClaim", loginClaimKey("anna")) }, stays},
	{"a login of another partition", RuleUserPartition, func(x *checkSite) { x.do("HSET", userKey(x.ann.ID), "fold", "bob") }, stays},
	{"a login not claimed", RuleUserClaim, func(x *checkSite) { x.do("DEL", loginClaimKey("ann")) }, mended},
	{"an e-mail not claimed", RuleUserClaim, func(x *checkSite) { x.do("DEL", emailClaimKey("ann@example.org")) }, mended},
	{"a login claimed with another nonce", RuleUserClaim, func(x *checkSite) { x.do("SET", loginClaimKey("ann"), itoa(x.ann.ID)+"/0123456789abcdef") }, mended},
	{"a topic counted twice", RuleUserTopics, func(x *checkSite) { x.do("HINCRBY", userKey(x.ann.ID), "topics", 1) }, mended},
	{"a topic not in the profile", RuleProfileMissing, func(x *checkSite) { x.do("ZREM", profileKey(x.ann.ID), x.entry(x.thread)) }, mended},
	{"a topic at a wrong time", RuleProfileMissing, func(x *checkSite) { x.do("ZADD", profileKey(x.ann.ID), 5, x.entry(x.thread)) }, mended},
	{"a deleted topic in the profile", RuleProfileStray, func(x *checkSite) { x.do("ZADD", profileKey(x.ann.ID), 5, x.entry(x.deleted)) }, mended},
	{"nothing in the profile", RuleProfileStray, func(x *checkSite) { x.do("ZADD", profileKey(x.ann.ID), 5, "nothing") }, mended},
	{"a registration forgotten", RuleRegistration, func(x *checkSite) {
		x.do("ZREM", dirtyKey(x.pending(x.Now()-x.registrationLife()).Partition()), "u:"+itoa(x.pendingID()))
	}, mended},
	{"claims to give back forgotten", RuleRelease, func(x *checkSite) { x.do("SADD", releaseKey(x.ann.ID), loginClaimKey("old")+" "+itoa(x.ann.ID)+"/00") }, mended},
	{"a claim of nobody", RuleStaleClaim, func(x *checkSite) { x.do("SET", loginClaimKey("eve"), itoa(nobody)+"/0123456789abcdef") }, mended},
	{"a claim of somebody with another name", RuleStaleClaim, func(x *checkSite) {
		x.do("SET", emailClaimKey("eve@example.org"), itoa(x.ann.ID)+"/"+x.hash(userKey(x.ann.ID))["nonce"])
	}, mended},
	{"a claim that makes no sense", RuleStaleClaim, func(x *checkSite) { x.do("SET", loginClaimKey("eve"), "eve") }, mended},
	{"too many sessions", RuleSessions, func(x *checkSite) {
		for i := range forum.MaxSessions {
			x.do("HSET", sessionsKey(x.ann.ID), fmt.Sprintf("%064x", i), x.sessionUntil(time.Hour))
		}
	}, mended},
	{"a session of no digest", RuleSessionEntry, func(x *checkSite) { x.do("HSET", sessionsKey(x.ann.ID), "token", x.sessionUntil(time.Hour)) }, mended},
	{"a session without end", RuleSessionEntry, func(x *checkSite) { x.do("HSET", sessionsKey(x.ann.ID), strings.Repeat("c3", 32), "5 5 Browser") }, mended},
}

// pendingID is dan's, who is registering.
func (x *checkSite) pendingID() forum.UserID {
	x.t.Helper()
	value, err := x.rdb.Get(x.ctx, loginClaimKey("dan")).Result()
	wantOK(x.t, "GET", err)
	id, _ := parseClaim(value)
	return id
}

// place is a topic's member in the orders.
func (x *checkSite) place(id forum.TopicID) string {
	f := fields(x.hash(topicKey(id)))
	return member(f.time("created"), int64(id))
}

func (x *checkSite) commentPlace(id forum.CommentID) string {
	f := fields(x.hash(commentKey(id)))
	return member(f.time("created"), int64(id))
}

var indexBreaks = []siteBreak{
	{"missing by posting", RuleIndexMissing, func(x *checkSite) { x.do("ZREM", frontContainer.order(orderCreated), x.place(x.thread)) }, mended},
	{"missing by activity", RuleIndexMissing, func(x *checkSite) { x.do("ZREM", categoryContainer(x.talk).order(orderActive), x.place(x.thread)) }, mended},
	{"missing with its revision", RuleIndexMissing, func(x *checkSite) {
		x.do("ZREM", frontContainer.order(orderCreated), x.place(x.thread))
		x.do("ZREM", frontContainer.order(orderActive), x.place(x.thread))
		x.do("HDEL", frontContainer.revs(), itoa(x.thread))
	}, mended},
	{"a whole category's index", RuleIndexMissing, func(x *checkSite) {
		box := categoryContainer(x.talk)
		x.do("DEL", box.order(orderCreated), box.order(orderActive), box.revs(), box.gone())
	}, mended},
	{"a comment missing", RuleIndexMissing, func(x *checkSite) {
		x.do("ZREM", userCommentsContainer(x.bob.ID).order(orderCreated), x.commentPlace(x.root))
	}, mended},
	{"a wrong time", RuleIndexScore, func(x *checkSite) { x.do("ZADD", frontContainer.order(orderActive), 5, x.place(x.thread)) }, mended},
	{"a comment at a wrong time", RuleIndexScore, func(x *checkSite) {
		x.do("ZADD", userCommentsContainer(x.bob.ID).order(orderCreated), 5, x.commentPlace(x.root))
	}, mended},
	{"a deleted topic", RuleIndexStray, func(x *checkSite) { x.do("ZADD", frontContainer.order(orderCreated), 5, x.place(x.deleted)) }, mended},
	{"a topic of another category", RuleIndexStray, func(x *checkSite) { x.do("ZADD", categoryContainer(x.news).order(orderCreated), 5, x.place(x.thread)) }, mended},
	{"a topic that is not there", RuleIndexStray, func(x *checkSite) { x.do("ZADD", frontContainer.order(orderActive), 5, member(5, 9_999_872)) }, mended},
	{"a topic twice", RuleIndexStray, func(x *checkSite) { x.do("ZADD", frontContainer.order(orderActive), 5, member(5, int64(x.thread))) }, mended},
	{"somebody else's comment", RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", userCommentsContainer(x.ann.ID).order(orderCreated), 5, x.commentPlace(x.root))
	}, mended},
	{"a deleted comment", RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", userCommentsContainer(x.bob.ID).order(orderCreated), 5, x.commentPlace(x.leaf))
	}, mended},
	{"a comment on a deleted topic, its task done", RuleIndexStray, func(x *checkSite) {
		x.do("ZADD", userCommentsContainer(x.bob.ID).order(orderCreated), 5, x.commentPlace(x.on[0]))
	}, mended},
	{"a revision of nothing at all", RuleIndexMember, func(x *checkSite) { x.do("HSET", frontContainer.revs(), "", 5) }, mended},
	{"a member of another form", RuleIndexMember, func(x *checkSite) { x.do("ZADD", frontContainer.order(orderCreated), 5, itoa(x.thread)) }, mended},
	{"a revision of no id", RuleIndexMember, func(x *checkSite) { x.do("HSET", frontContainer.revs(), "all", 5) }, mended},
	{"a revision of the future", RuleIndexRev, func(x *checkSite) { x.do("HSET", frontContainer.revs(), itoa(x.thread), 99) }, mended},
	{"a removal of the future", RuleIndexRev, func(x *checkSite) { x.do("HSET", frontContainer.revs(), itoa(x.deleted), 99) }, mended},
	{"no revision", RuleIndexRev, func(x *checkSite) { x.do("HDEL", categoryContainer(x.news).revs(), itoa(x.moved)) }, mended},
	{"a revision of nothing", RuleIndexRev, func(x *checkSite) { x.do("HSET", frontContainer.revs(), 9_999_872, 1) }, mended},
	{"there and gone", RuleIndexGone, func(x *checkSite) { x.do("ZADD", frontContainer.gone(), int64(x.Now()), itoa(x.thread)) }, mended},
	{"gone without revision", RuleIndexGone, func(x *checkSite) { x.do("HDEL", frontContainer.revs(), itoa(x.deleted)) }, mended},
	{"a category that takes nothing", RuleIndexClosed, func(x *checkSite) { x.do("SET", categoryContainer(x.talk).closed(), 1) }, mended},
	{"a lost category that is open", RuleIndexOwner, func(x *checkSite) { x.do("DEL", categoryContainer(x.lost).closed()) }, mended},
	{"a lost category with topics", RuleIndexOwner, func(x *checkSite) {
		x.do("DEL", categoryKey(x.news), categoryTabsKey(x.news))
	}, stays},
}

var catalogueBreaks = []siteBreak{
	{"a name folded wrongly", RuleCategoryFields, func(x *checkSite) { x.do("HSET", categoryKey(x.talk), "name", "Chatter") }, mended},
	{"a category without name", RuleCategoryFields, func(x *checkSite) { x.do("HDEL", categoryKey(x.talk), "name") }, stays},
	{"a tab folded wrongly", RuleTabFields, func(x *checkSite) { x.do("HSET", tabKey(x.tab), "fold", "FIRST") }, mended},
	{"a tab of no time", RuleTabFields, func(x *checkSite) { x.do("HDEL", tabKey(x.tab), "created") }, stays},
	{"a name that leads nowhere", RuleName, func(x *checkSite) { x.do("HSET", categoryNamesKey, "nowhere", 99) }, mended},
	{"a name that leads elsewhere", RuleName, func(x *checkSite) { x.do("HSET", tabNamesKey, "third", int64(x.tab)) }, mended},
	{"a name lost", RuleName, func(x *checkSite) { x.do("HDEL", categoryNamesKey, "talk") }, mended},
	{"a name that two have", RuleName, func(x *checkSite) { x.do("HSET", categoryKey(x.news), "name", "Talk", "fold", "talk") }, stays},
	{"a category not in the catalogue", RuleCatalogue, func(x *checkSite) { x.do("ZREM", categoriesKey, int64(x.talk)) }, mended},
	{"a category in a wrong place", RuleCatalogue, func(x *checkSite) { x.do("ZADD", categoriesKey, 99, int64(x.talk)) }, mended},
	{"a lost tab in the catalogue", RuleCatalogue, func(x *checkSite) { x.do("ZADD", tabsKey, 99, 99) }, mended},
	{"a deletion unmarked", RuleDeleting, func(x *checkSite) { x.do("HSET", categoryKey(x.talk), "deleting", "cafe") }, mended},
	{"a deletion that nobody began", RuleDeleting, func(x *checkSite) { x.do("ZADD", categoryDirtyKey, int64(x.Now()), int64(x.talk)) }, settled},
	{"a tab that the category does not know", RuleTabCategory, func(x *checkSite) { x.do("ZREM", categoryTabsKey(x.talk), int64(x.tab)) }, mended},
	{"a category that the tab does not know", RuleTabCategory, func(x *checkSite) { x.do("ZADD", categoryTabsKey(x.news), int64(x.other), int64(x.other)) }, mended},
	{"a tab of a lost category", RuleTabCategory, func(x *checkSite) { x.do("ZADD", tabCategoriesKey(x.tab), int64(x.lost), int64(x.lost)) }, mended},
	{"a category counted twice", RuleTabCount, func(x *checkSite) { x.do("HINCRBY", tabKey(x.tab), "categories", 1) }, mended},
	{"a tab too long", RuleTabCap, func(x *checkSite) {
		for i := range forum.MaxTabCategories {
			c := x.category(fmt.Sprintf("c%d", i))
			x.do("ZADD", tabCategoriesKey(x.tab), int64(c), int64(c))
			x.do("ZADD", categoryTabsKey(c), int64(x.tab), int64(x.tab))
		}
	}, stays},
	{"a category in too many tabs", RuleCategoryCap, func(x *checkSite) {
		for i := range forum.MaxCategoryTabs {
			t := x.site.tab(fmt.Sprintf("t%d", i))
			x.do("ZADD", tabCategoriesKey(t), int64(x.talk), int64(x.talk))
			x.do("ZADD", categoryTabsKey(x.talk), int64(t), int64(t))
		}
	}, stays},
}
