package fsck

import (
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// tells tells that a user's log says of a topic how they voted, and when.
func (x *checkSite) tells(by *forum.Viewer, topic any, at forum.Time, v forum.VoteDirection) {
	x.t.Helper()
	x.do("ZADD", key.VoteLog(by.ID), record.PackVote(at, v), topic)
}

// voted is when the last vote on a topic was.
func (x *checkSite) voted(id forum.TopicID) forum.Time {
	return record.Fields(x.hash(key.Topic(id))).Time("voted")
}

// waiting is the task that is to write ann's vote on the article into her log.
func (x *checkSite) waiting() string {
	return key.Task(x.article.Partition(), record.VoteTask(x.article, x.ann.ID))
}

var voteBreaks = []siteBreak{
	{"a vote too many on what is closed", RuleVotesCount,
		func(x *checkSite) { x.do("HINCRBY", key.Topic(x.closed), "up", 1) }, mended},
	{"fewer votes than were imported, its set gone", RuleVotesCount,
		func(x *checkSite) { x.do("HSET", key.Topic(x.closed), "downBase", 7) }, mended},
	{"voters of an open article lost", RuleVotesCount,
		func(x *checkSite) { x.do("DEL", key.Downvoters(key.Topic(x.article))) }, mended},
	{"both votes on a comment", RuleVotesBoth, func(x *checkSite) {
		x.do("ZADD", key.Downvoters(key.Comment(x.root)), int64(x.ann.ID), int64(x.ann.ID))
	}, mended},
	{"a voter in a wrong place", RuleVotesEntry,
		func(x *checkSite) { x.do("ZADD", key.Upvoters(key.Topic(x.thread)), 5, int64(x.bob.ID)) }, mended},
	{"a voter on a comment in a wrong place", RuleVotesEntry,
		func(x *checkSite) { x.do("ZADD", key.Downvoters(key.Comment(x.child)), 5, int64(x.bob.ID)) }, mended},
	{"a voter who is nobody", RuleVotesEntry,
		func(x *checkSite) { x.do("ZADD", key.Downvoters(key.Topic(x.article)), int64(nobody), int64(nobody)) }, mended},
	{"a voter of no number", RuleVotesEntry,
		func(x *checkSite) { x.do("ZADD", key.Upvoters(key.Comment(x.root)), 5, "bob") }, mended},
	{"a crowd of nobodies", RuleVotesEntry, func(x *checkSite) {
		for n := range int64(readSize + 1) {
			x.do("ZADD", key.Upvoters(key.Topic(x.moved)), 2_000_000_000+n, 2_000_000_000+n)
		}
	}, mended},
	{"a vote at no time", RuleVoteTime, func(x *checkSite) { x.do("HDEL", key.Topic(x.article), "voted") }, mended},
	{"a vote on a discussion at a time", RuleVoteTime,
		func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "voted", 5) }, mended},
	{"a vote of which the log knows nothing", RuleVoteLog,
		func(x *checkSite) { x.do("ZREM", key.VoteLog(x.mod.ID), key.Itoa(x.article)) }, mended},
	{"a vote that the log has the other way", RuleVoteLog,
		func(x *checkSite) { x.tells(x.mod, x.article, x.voted(x.article), forum.VoteDown) }, mended},
	{"a vote that was taken back, says the log", RuleVoteLog,
		func(x *checkSite) { x.tells(x.mod, x.article, x.voted(x.article), forum.VoteNone) }, mended},
	{"a vote in the log only", RuleVoteLog, func(x *checkSite) {
		x.do("ZREM", key.Upvoters(key.Topic(x.article)), int64(x.mod.ID))
		x.do("HINCRBY", key.Topic(x.article), "up", -1)
	}, mended},
	{"a vote of the future", RuleVoteLog,
		func(x *checkSite) { x.tells(x.mod, x.article, x.voted(x.article)+1, forum.VoteUp) }, mended},
	{"a vote of no direction", RuleVoteLog,
		func(x *checkSite) { x.do("ZADD", key.VoteLog(x.mod.ID), 4*x.voted(x.article)+3, key.Itoa(x.article)) }, mended},
	{"a vote on a discussion in the log", RuleVoteLog, func(x *checkSite) { x.tells(x.bob, x.thread, 5, forum.VoteUp) },
		mended},
	{"a vote on no topic in the log", RuleVoteLog, func(x *checkSite) { x.tells(x.bob, 9_999_872, 5, forum.VoteUp) },
		mended},
	{"a vote on nonsense in the log", RuleVoteLog, func(x *checkSite) { x.tells(x.bob, "x", 5, forum.VoteUp) }, mended},
	{"a vote on what was never voted on", RuleVoteLog, func(x *checkSite) { x.tells(x.ann, x.unread, 5, forum.VoteUp) },
		mended},
	{"a vote on what is closed, of the future", RuleVoteLog,
		func(x *checkSite) { x.tells(x.mod, x.closed, x.voted(x.closed)+1, forum.VoteDown) }, mended},
	{"a vote on what is closed, of no direction", RuleVoteLog,
		func(x *checkSite) { x.do("ZADD", key.VoteLog(x.mod.ID), 7, key.Itoa(x.closed)) }, mended},
	{"a vote on what is closed that the log has the other way", RuleVoteLog,
		func(x *checkSite) { x.tells(x.bob, x.closed, x.voted(x.closed), forum.VoteDown) }, mended},
	{"a log that is too long", RuleVoteLog, func(x *checkSite) {
		for n := range forum.VoteLog {
			x.tells(x.bob, 9_000_000+n, 5, forum.VoteUp)
		}
	}, mended},
	{"a log of nobody", RuleOrphanKey, func(x *checkSite) {
		x.do("ZADD", key.VoteLog(nobody), record.PackVote(5, forum.VoteUp), key.Itoa(x.article))
	}, mended},
	{"a log of a deleted user", RuleOrphanKey, func(x *checkSite) {
		x.do("ZADD", key.VoteLog(x.eve), record.PackVote(5, forum.VoteUp), key.Itoa(x.article))
	}, mended},
	{"a task about a vote on a discussion", RuleTaskName,
		func(x *checkSite) { x.plantTask(record.VoteTask(x.thread, x.bob.ID)) }, mended},
	{"a task about nobody's vote", RuleTaskName, func(x *checkSite) { x.plantTask(record.VoteTask(x.closed, nobody)) },
		mended},
	{"a task about a vote in another partition", RuleTaskName,
		func(x *checkSite) { x.plantTask(record.VoteTask(x.article, x.bob.ID)) }, mended},
	{"a vote's task with a strange cursor", RuleTaskFields,
		func(x *checkSite) { x.do("HSET", x.waiting(), "cursor", "3") }, mended},
	{"a vote's task with another vote", RuleTaskFields,
		func(x *checkSite) { x.do("HSET", x.waiting(), "cursor", "5 UP") }, mended},
	{"a vote's task nobody will do", RuleTaskUnlisted,
		func(x *checkSite) { x.do("DEL", key.Due(x.article.Partition())) }, mended},
}

var commentVoteBreaks = []siteBreak{
	{"a wrong tally", RuleCommentVotes,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Topic(x.thread)), key.Itoa(x.root), "5 5") }, mended},
	{"a tally forgotten", RuleCommentVotes,
		func(x *checkSite) { x.do("HDEL", key.CommentVotes(key.Topic(x.thread)), key.Itoa(x.child)) }, mended},
	{"an imported comment's tally forgotten", RuleCommentVotes,
		func(x *checkSite) { x.do("DEL", key.CommentVotes(key.Topic(x.brought))) }, mended},
	{"a parent's tally forgotten", RuleCommentVotes,
		func(x *checkSite) { x.do("DEL", key.CommentVotes(key.Comment(x.root))) }, mended},
	{"a tally of no votes", RuleCommentVotes,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Topic(x.thread)), key.Itoa(x.today), "0 0") }, mended},
	{"a tally of nothing", RuleCommentVotes,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Topic(x.thread)), "x", "1 0") }, mended},
	{"a tally of another topic's comment", RuleCommentVotes,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Topic(x.thread)), key.Itoa(x.on[0]), "1 0") }, mended},
	{"a tally of somebody else's reply", RuleCommentVotes,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Comment(x.root)), key.Itoa(x.second), "3 0") }, mended},
	{"a long tally of nothing", RuleCommentVotes, func(x *checkSite) {
		for n := range readSize + 1 {
			x.do("HSET", key.CommentVotes(key.Comment(x.second)), n, "1 0")
		}
	}, mended},
	{"tallies of no topic", RuleOrphanKey,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Topic(9_999_872)), 512, "1 0") }, mended},
	{"tallies of no comment", RuleOrphanKey,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Comment(9_999_872)), 512, "1 0") }, mended},
}

// rank is the rank of today.
func (x *checkSite) rank() key.Container { return key.DayContainer(x.Today()) }

var passingBreaks = []siteBreak{
	{"voters of an article for ever", RuleExpiryMissing,
		func(x *checkSite) { x.do("PERSIST", key.Upvoters(key.Topic(x.article))) }, mended},
	{"voters of what is closed for ever", RuleExpiryMissing,
		func(x *checkSite) { x.do("PERSIST", key.Upvoters(key.Topic(x.closed))) }, mended},
	{"voters of an article for a month", RuleExpiryLong,
		func(x *checkSite) { x.do("EXPIRE", key.Downvoters(key.Topic(x.article)), 30*86400) }, mended},
	{"voters of an article for a day", RuleExpiryShort,
		func(x *checkSite) { x.do("EXPIRE", key.Upvoters(key.Topic(x.article)), 86400) }, mended},
	{"voters of a discussion that pass", RuleExpiryUnexpected,
		func(x *checkSite) { x.do("EXPIRE", key.Upvoters(key.Topic(x.thread)), 86400) }, mended},
	{"voters of a comment that pass", RuleExpiryUnexpected,
		func(x *checkSite) { x.do("EXPIRE", key.Upvoters(key.Comment(x.root)), 86400) }, mended},
	{"a rank of a day for ever", RuleExpiryMissing,
		func(x *checkSite) { x.do("PERSIST", x.rank().Order(key.OrderReplies)) }, mended},
	{"a rank of a day for a week", RuleExpiryLong, func(x *checkSite) { x.do("EXPIRE", x.rank().Revisions(), 7*86400) },
		mended},
	{"a rank of a day for an hour", RuleExpiryShort, func(x *checkSite) { x.do("EXPIRE", x.rank().Removed(), 3600) },
		mended},
	{"a snapshot for ever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", x.snapshot()) }, mended},
	{"a ranking for a day", RuleExpiryLong, func(x *checkSite) { x.do("EXPIRE", x.keyLike(":ranking:"), 86400) }, mended},
	{"a lease for ever", RuleExpiryMissing,
		func(x *checkSite) { x.do("SET", key.SnapshotLease(x.top, x.SnapshotNow()), 1) }, mended},
	{"a snapshot too short", RuleSnapshotValue, func(x *checkSite) { x.do("SET", x.snapshot(), "1234567", "KEEPTTL") },
		mended},
	{"a snapshot with half a row", RuleSnapshotValue, func(x *checkSite) { x.do("APPEND", x.snapshot(), "1234567890") },
		mended},
	{"a snapshot with a topic twice", RuleSnapshotValue, func(x *checkSite) {
		x.do("SET", x.snapshot(),
			record.PackSnapshot(x.Now(), []forum.Row{{ID: 512, CreatedAt: 5}, {ID: 512, CreatedAt: 5}}), "KEEPTTL")
	}, mended},
	{"a snapshot of the future", RuleSnapshotValue, func(x *checkSite) {
		x.do("SET", x.snapshot(), record.PackSnapshot(x.Now()+2*forum.Time(expirySlack.Milliseconds()), nil), "KEEPTTL")
	}, mended},
	{"a ranking of another name", RuleRankingValue,
		func(x *checkSite) { x.do("SET", x.keyLike(":ranking:"), "abcd", "KEEPTTL") }, mended},
	{"a ranking of a list that is shorter", RuleRankingValue, func(x *checkSite) {
		k := record.PackRanking(key.TopicComments(x.left), []forum.CommentID{x.root, x.child})
		x.do("SET", key.Ranking(k.List, k.Sum), k.IDs, "EX", 60)
	}, mended},
	{"a ranking of nothing", RuleRankingValue, func(x *checkSite) {
		k := record.PackRanking(key.TopicComments(9_999_872), []forum.CommentID{x.root})
		x.do("SET", key.Ranking(k.List, k.Sum), k.IDs, "EX", 60)
	}, mended},
	{"a day of no calendar", RuleUnknownKey, func(x *checkSite) { x.do("ZADD", "{ix:d2026-13-01}:replies", 1, "x") },
		stays},
	{"a tag beyond all tags", RuleUnknownKey, func(x *checkSite) { x.do("HSET", "{ix:g4503599627370496}:rev", 1, 1) },
		stays},
	{"a snapshot of what is live", RuleUnknownKey,
		func(x *checkSite) { x.do("SET", "snap:{front:0:hot:desc}:5", "x", "EX", 60) }, stays},
	{"voters on a comment in no order", RuleKeyType,
		func(x *checkSite) { x.do("SADD", key.Upvoters(key.Comment(x.today)), 512) }, stays},
	{"a tally that is no hash", RuleKeyType,
		func(x *checkSite) { x.do("SET", key.CommentVotes(key.Comment(x.today)), 5) }, stays},
	{"voters in no order", RuleKeyType, func(x *checkSite) { x.do("SADD", key.Upvoters(key.Topic(x.moved)), 512) }, stays},
}

func (x *checkSite) snapshot() string {
	x.t.Helper()
	key := x.keyLike("snap:")
	if x.rdb.TTL(x.ctx, key).Val() < time.Minute {
		x.t.Fatalf("%s has no life left", key)
	}
	return key
}
