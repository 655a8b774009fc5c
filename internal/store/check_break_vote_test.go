package store

import (
	"time"

	"agora/internal/forum"
)

// tells tells that a user's log says of a topic how they voted, and when.
func (x *checkSite) tells(by *forum.Viewer, topic any, at forum.Time, v forum.VoteDirection) {
	x.t.Helper()
	x.do("ZADD", voteLogKey(by.ID), packVote(at, v), topic)
}

// voted is when the last vote on a topic was.
func (x *checkSite) voted(id forum.TopicID) forum.Time {
	return fields(x.hash(topicKey(id))).time("voted")
}

// waiting is the task that is to write ann's vote on the article into her log.
func (x *checkSite) waiting() string {
	return taskKey(x.article.Partition(), voteTask(x.article, x.ann.ID))
}

var voteBreaks = []siteBreak{
	{"a vote too many on what is closed", RuleVotesCount, func(x *checkSite) { x.do("HINCRBY", topicKey(x.closed), "up", 1) }, mended},
	{"fewer votes than were imported, its set gone", RuleVotesCount, func(x *checkSite) { x.do("HSET", topicKey(x.closed), "downBase", 7) }, mended},
	{"voters of an open article lost", RuleVotesCount, func(x *checkSite) { x.do("DEL", downKey(topicKey(x.article))) }, mended},
	{"both votes on a comment", RuleVotesBoth, func(x *checkSite) { x.do("ZADD", downKey(commentKey(x.root)), int64(x.ann.ID), int64(x.ann.ID)) }, mended},
	{"a voter in a wrong place", RuleVotesEntry, func(x *checkSite) { x.do("ZADD", upKey(topicKey(x.thread)), 5, int64(x.bob.ID)) }, mended},
	{"a voter on a comment in a wrong place", RuleVotesEntry, func(x *checkSite) { x.do("ZADD", downKey(commentKey(x.child)), 5, int64(x.bob.ID)) }, mended},
	{"a voter who is nobody", RuleVotesEntry, func(x *checkSite) { x.do("ZADD", downKey(topicKey(x.article)), int64(nobody), int64(nobody)) }, mended},
	{"a voter of no number", RuleVotesEntry, func(x *checkSite) { x.do("ZADD", upKey(commentKey(x.root)), 5, "bob") }, mended},
	{"a crowd of nobodies", RuleVotesEntry, func(x *checkSite) {
		for n := range int64(readSize + 1) {
			x.do("ZADD", upKey(topicKey(x.moved)), 2_000_000_000+n, 2_000_000_000+n)
		}
	}, mended},
	{"a vote at no time", RuleVoteTime, func(x *checkSite) { x.do("HDEL", topicKey(x.article), "voted") }, mended},
	{"a vote on a discussion at a time", RuleVoteTime, func(x *checkSite) { x.do("HSET", topicKey(x.thread), "voted", 5) }, mended},
	{"a vote of which the log knows nothing", RuleVoteLog, func(x *checkSite) { x.do("ZREM", voteLogKey(x.mod.ID), itoa(x.article)) }, mended},
	{"a vote that the log has the other way", RuleVoteLog, func(x *checkSite) { x.tells(x.mod, x.article, x.voted(x.article), forum.VoteDown) }, mended},
	{"a vote that was taken back, says the log", RuleVoteLog, func(x *checkSite) { x.tells(x.mod, x.article, x.voted(x.article), forum.VoteNone) }, mended},
	{"a vote in the log only", RuleVoteLog, func(x *checkSite) {
		x.do("ZREM", upKey(topicKey(x.article)), int64(x.mod.ID))
		x.do("HINCRBY", topicKey(x.article), "up", -1)
	}, mended},
	{"a vote of the future", RuleVoteLog, func(x *checkSite) { x.tells(x.mod, x.article, x.voted(x.article)+1, forum.VoteUp) }, mended},
	{"a vote of no direction", RuleVoteLog, func(x *checkSite) { x.do("ZADD", voteLogKey(x.mod.ID), 4*x.voted(x.article)+3, itoa(x.article)) }, mended},
	{"a vote on a discussion in the log", RuleVoteLog, func(x *checkSite) { x.tells(x.bob, x.thread, 5, forum.VoteUp) }, mended},
	{"a vote on no topic in the log", RuleVoteLog, func(x *checkSite) { x.tells(x.bob, 9_999_872, 5, forum.VoteUp) }, mended},
	{"a vote on nonsense in the log", RuleVoteLog, func(x *checkSite) { x.tells(x.bob, "x", 5, forum.VoteUp) }, mended},
	{"a vote on what was never voted on", RuleVoteLog, func(x *checkSite) { x.tells(x.ann, x.unread, 5, forum.VoteUp) }, mended},
	{"a vote on what is closed, of the future", RuleVoteLog, func(x *checkSite) { x.tells(x.mod, x.closed, x.voted(x.closed)+1, forum.VoteDown) }, mended},
	{"a vote on what is closed, of no direction", RuleVoteLog, func(x *checkSite) { x.do("ZADD", voteLogKey(x.mod.ID), 7, itoa(x.closed)) }, mended},
	{"a vote on what is closed that the log has the other way", RuleVoteLog, func(x *checkSite) { x.tells(x.bob, x.closed, x.voted(x.closed), forum.VoteDown) }, mended},
	{"a log that is too long", RuleVoteLog, func(x *checkSite) {
		for n := range forum.VoteLog {
			x.tells(x.bob, 9_000_000+n, 5, forum.VoteUp)
		}
	}, mended},
	{"a log of nobody", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", voteLogKey(nobody), packVote(5, forum.VoteUp), itoa(x.article)) }, mended},
	{"a log of a deleted user", RuleOrphanKey, func(x *checkSite) { x.do("ZADD", voteLogKey(x.eve), packVote(5, forum.VoteUp), itoa(x.article)) }, mended},
	{"a task about a vote on a discussion", RuleTaskName, func(x *checkSite) { x.plantTask(voteTask(x.thread, x.bob.ID)) }, mended},
	{"a task about nobody's vote", RuleTaskName, func(x *checkSite) { x.plantTask(voteTask(x.closed, nobody)) }, mended},
	{"a task about a vote in another partition", RuleTaskName, func(x *checkSite) { x.plantTask(voteTask(x.article, x.bob.ID)) }, mended},
	{"a vote's task with a strange cursor", RuleTaskFields, func(x *checkSite) { x.do("HSET", x.waiting(), "cursor", "3") }, mended},
	{"a vote's task with another vote", RuleTaskFields, func(x *checkSite) { x.do("HSET", x.waiting(), "cursor", "5 UP") }, mended},
	{"a vote's task nobody will do", RuleTaskUnlisted, func(x *checkSite) { x.do("DEL", dueKey(x.article.Partition())) }, mended},
}

var tallyBreaks = []siteBreak{
	{"a wrong tally", RuleTally, func(x *checkSite) { x.do("HSET", talliesKey(topicKey(x.thread)), itoa(x.root), "5 5") }, mended},
	{"a tally forgotten", RuleTally, func(x *checkSite) { x.do("HDEL", talliesKey(topicKey(x.thread)), itoa(x.child)) }, mended},
	{"an imported comment's tally forgotten", RuleTally, func(x *checkSite) { x.do("DEL", talliesKey(topicKey(x.brought))) }, mended},
	{"a parent's tally forgotten", RuleTally, func(x *checkSite) { x.do("DEL", talliesKey(commentKey(x.root))) }, mended},
	{"a tally of no votes", RuleTally, func(x *checkSite) { x.do("HSET", talliesKey(topicKey(x.thread)), itoa(x.today), "0 0") }, mended},
	{"a tally of nothing", RuleTally, func(x *checkSite) { x.do("HSET", talliesKey(topicKey(x.thread)), "x", "1 0") }, mended},
	{"a tally of another topic's comment", RuleTally, func(x *checkSite) { x.do("HSET", talliesKey(topicKey(x.thread)), itoa(x.on[0]), "1 0") }, mended},
	{"a tally of somebody else's reply", RuleTally, func(x *checkSite) { x.do("HSET", talliesKey(commentKey(x.root)), itoa(x.second), "3 0") }, mended},
	{"a long tally of nothing", RuleTally, func(x *checkSite) {
		for n := range readSize + 1 {
			x.do("HSET", talliesKey(commentKey(x.second)), n, "1 0")
		}
	}, mended},
	{"tallies of no topic", RuleOrphanKey, func(x *checkSite) { x.do("HSET", talliesKey(topicKey(9_999_872)), 512, "1 0") }, mended},
	{"tallies of no comment", RuleOrphanKey, func(x *checkSite) { x.do("HSET", talliesKey(commentKey(9_999_872)), 512, "1 0") }, mended},
}

// rank is the rank of today.
func (x *checkSite) rank() container { return dayContainer(x.Today()) }

var passingBreaks = []siteBreak{
	{"voters of an article for ever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", upKey(topicKey(x.article))) }, mended},
	{"voters of what is closed for ever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", upKey(topicKey(x.closed))) }, mended},
	{"voters of an article for a month", RuleExpiryLong, func(x *checkSite) { x.do("EXPIRE", downKey(topicKey(x.article)), 30*86400) }, mended},
	{"voters of an article for a day", RuleExpiryShort, func(x *checkSite) { x.do("EXPIRE", upKey(topicKey(x.article)), 86400) }, mended},
	{"voters of a discussion that pass", RuleExpiryUnexpected, func(x *checkSite) { x.do("EXPIRE", upKey(topicKey(x.thread)), 86400) }, mended},
	{"voters of a comment that pass", RuleExpiryUnexpected, func(x *checkSite) { x.do("EXPIRE", upKey(commentKey(x.root)), 86400) }, mended},
	{"a rank of a day for ever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", x.rank().order(orderReplies)) }, mended},
	{"a rank of a day for a week", RuleExpiryLong, func(x *checkSite) { x.do("EXPIRE", x.rank().revs(), 7*86400) }, mended},
	{"a rank of a day for an hour", RuleExpiryShort, func(x *checkSite) { x.do("EXPIRE", x.rank().gone(), 3600) }, mended},
	{"a snapshot for ever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", x.snapshot()) }, mended},
	{"a ranking for a day", RuleExpiryLong, func(x *checkSite) { x.do("EXPIRE", x.keyLike(":ranking:"), 86400) }, mended},
	{"a lease for ever", RuleExpiryMissing, func(x *checkSite) { x.do("SET", snapshotLeaseKey(x.top, x.SnapshotNow()), 1) }, mended},
	{"a snapshot too short", RuleSnapshotValue, func(x *checkSite) { x.do("SET", x.snapshot(), "1234567", "KEEPTTL") }, mended},
	{"a snapshot with half a row", RuleSnapshotValue, func(x *checkSite) { x.do("APPEND", x.snapshot(), "1234567890") }, mended},
	{"a snapshot with a topic twice", RuleSnapshotValue, func(x *checkSite) {
		x.do("SET", x.snapshot(), packSnapshot(x.Now(), []forum.Row{{ID: 512, CreatedAt: 5}, {ID: 512, CreatedAt: 5}}), "KEEPTTL")
	}, mended},
	{"a snapshot of the future", RuleSnapshotValue, func(x *checkSite) {
		x.do("SET", x.snapshot(), packSnapshot(x.Now()+2*forum.Time(expirySlack.Milliseconds()), nil), "KEEPTTL")
	}, mended},
	{"a ranking of another name", RuleRankingValue, func(x *checkSite) { x.do("SET", x.keyLike(":ranking:"), "abcd", "KEEPTTL") }, mended},
	{"a ranking of a list that is shorter", RuleRankingValue, func(x *checkSite) {
		k := packRanking(topicCommentsKey(x.left), []forum.CommentID{x.root, x.child})
		x.do("SET", rankingKey(k.List, k.Sum), k.IDs, "EX", 60)
	}, mended},
	{"a ranking of nothing", RuleRankingValue, func(x *checkSite) {
		k := packRanking(topicCommentsKey(9_999_872), []forum.CommentID{x.root})
		x.do("SET", rankingKey(k.List, k.Sum), k.IDs, "EX", 60)
	}, mended},
	{"a day of no calendar", RuleUnknownKey, func(x *checkSite) { x.do("ZADD", "{ix:d2026-13-01}:replies", 1, "x") }, stays},
	{"a tag beyond all tags", RuleUnknownKey, func(x *checkSite) { x.do("HSET", "{ix:g4503599627370496}:rev", 1, 1) }, stays},
	{"a snapshot of what is live", RuleUnknownKey, func(x *checkSite) { x.do("SET", "snap:{front:0:hot:desc}:5", "x", "EX", 60) }, stays},
	{"voters on a comment in no order", RuleKeyType, func(x *checkSite) { x.do("SADD", upKey(commentKey(x.today)), 512) }, stays},
	{"a tally that is no hash", RuleKeyType, func(x *checkSite) { x.do("SET", talliesKey(commentKey(x.today)), 5) }, stays},
	{"voters in no order", RuleKeyType, func(x *checkSite) { x.do("SADD", upKey(topicKey(x.moved)), 512) }, stays},
}

func (x *checkSite) snapshot() string {
	x.t.Helper()
	key := x.keyLike("snap:")
	if x.rdb.TTL(x.ctx, key).Val() < time.Minute {
		x.t.Fatalf("%s has no life left", key)
	}
	return key
}
