package fsck

import (
	"strings"
	"time"

	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/votes"
)

// logVote writes a vote on a topic to a user's vote log.
func (x *checkSite) logVote(by *forum.Viewer, topic any, at forum.Time, v forum.VoteDirection) {
	x.t.Helper()
	x.do("ZADD", key.VoteLog(by.ID), record.PackVote(at, v), topic)
}

// voted returns the time of the last vote on a topic.
func (x *checkSite) voted(id forum.TopicID) forum.Time {
	return record.Fields(x.hash(key.Topic(id))).Time("voted")
}

// authorOf returns the author of a comment.
func (x *checkSite) authorOf(id forum.CommentID) forum.UserID {
	return forum.UserID(record.Fields(x.hash(key.Comment(id))).Int("author"))
}

// waiting returns the key of the task that will write ann's vote on the article to her log.
func (x *checkSite) waiting() string {
	return key.Task(x.article.Partition(), record.VoteTask(x.article, x.ann.ID))
}

var voteBreaks = []siteBreak{
	{"karma of older data", votes.RuleKarma, func(x *checkSite) {
		x.do("HDEL", key.User(x.ann.ID), "karma")
		x.do("DEL", key.Karma(x.ann.ID))
		x.do("HDEL", key.Comment(x.root), "votes")
	}, fixed},
	{"too much karma", votes.RuleKarma, func(x *checkSite) { x.do("HINCRBY", key.User(x.bob.ID), "karma", 3) }, fixed},
	{"votes on a comment counted twice", votes.RuleKarma, func(x *checkSite) {
		x.do("HSET", key.Karma(x.authorOf(x.root)), key.Itoa(x.root), "1 77")
	}, fixed},
	{"votes on no comment counted", votes.RuleKarma, func(x *checkSite) {
		x.do("HSET", key.Karma(x.ann.ID), "99", "1 3")
	}, fixed},
	{"votes on another's comment counted", votes.RuleKarma, func(x *checkSite) {
		x.do("HSET", key.Karma(x.mod.ID), key.Itoa(x.root), "1 3")
	}, fixed},
	{"a comment's own vote of nobody", votes.RuleOwnVote,
		func(x *checkSite) { x.do("HSET", key.Comment(x.root), "own", "-1") }, fixed},
	{"a topic's own vote of nobody", votes.RuleOwnVote,
		func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "own", "1") }, fixed},
	{"karma of a deleted user", accounts.RuleDeletedUser, func(x *checkSite) { x.do("HSET", key.User(x.eve), "karma", 3) },
		fixed},
	{"counted votes of a deleted user", check.RuleOrphanKey,
		func(x *checkSite) { x.do("HSET", key.Karma(x.eve), "99", "1 3") }, fixed},
	{"an extra vote on a closed article", posts.RuleVotesCount,
		func(x *checkSite) { x.do("HINCRBY", key.Topic(x.closed), "up", 1) }, fixed},
	{"fewer votes than imported, without the set", posts.RuleVotesCount,
		func(x *checkSite) { x.do("HSET", key.Topic(x.closed), "downBase", 7) }, fixed},
	{"lost voters of an open article", posts.RuleVotesCount,
		func(x *checkSite) { x.do("DEL", key.Downvoters(key.Topic(x.article))) }, fixed},
	{"both votes on a comment", posts.RuleVotesBoth, func(x *checkSite) {
		x.do("ZADD", key.Downvoters(key.Comment(x.root)), int64(x.ann.ID), int64(x.ann.ID))
	}, fixed},
	{"a voter with the wrong score", votes.RuleVotesEntry,
		func(x *checkSite) { x.do("ZADD", key.Upvoters(key.Topic(x.thread)), 5, int64(x.bob.ID)) }, fixed},
	{"a voter on a comment with the wrong score", votes.RuleVotesEntry,
		func(x *checkSite) { x.do("ZADD", key.Downvoters(key.Comment(x.child)), 5, int64(x.bob.ID)) }, fixed},
	{"a voter who does not exist", votes.RuleVotesEntry,
		func(x *checkSite) { x.do("ZADD", key.Downvoters(key.Topic(x.article)), int64(noUser), int64(noUser)) }, fixed},
	{"a voter that is not an id", votes.RuleVotesEntry,
		func(x *checkSite) { x.do("ZADD", key.Upvoters(key.Comment(x.root)), 5, "bob") }, fixed},
	{"many voters who do not exist", votes.RuleVotesEntry, func(x *checkSite) {
		for n := range int64(readSize + 1) {
			x.do("ZADD", key.Upvoters(key.Topic(x.moved)), 2_000_000_000+n, 2_000_000_000+n)
		}
	}, fixed},
	{"a vote without a time", posts.RuleVoteTime, func(x *checkSite) { x.do("HDEL", key.Topic(x.article), "voted") }, fixed},
	{"a vote on a discussion with a time", posts.RuleVoteTime,
		func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "voted", 5) }, fixed},
	{"a vote missing in the log", votes.RuleVoteLog,
		func(x *checkSite) { x.do("ZREM", key.VoteLog(x.mod.ID), key.Itoa(x.article)) }, fixed},
	{"a vote with the other direction in the log", votes.RuleVoteLog,
		func(x *checkSite) { x.logVote(x.mod, x.article, x.voted(x.article), forum.VoteDown) }, fixed},
	{"a vote retracted in the log", votes.RuleVoteLog,
		func(x *checkSite) { x.logVote(x.mod, x.article, x.voted(x.article), forum.VoteNone) }, fixed},
	{"a vote in the log only", votes.RuleVoteLog, func(x *checkSite) {
		x.do("ZREM", key.Upvoters(key.Topic(x.article)), int64(x.mod.ID))
		x.do("HINCRBY", key.Topic(x.article), "up", -1)
	}, fixed},
	{"a future vote in the log", votes.RuleVoteLog,
		func(x *checkSite) { x.logVote(x.mod, x.article, x.voted(x.article)+1, forum.VoteUp) }, fixed},
	{"a vote without a direction in the log", votes.RuleVoteLog,
		func(x *checkSite) { x.do("ZADD", key.VoteLog(x.mod.ID), 4*x.voted(x.article)+3, key.Itoa(x.article)) }, fixed},
	{"a vote on a discussion in the log", votes.RuleVoteLog,
		func(x *checkSite) { x.logVote(x.bob, x.thread, 5, forum.VoteUp) }, fixed},
	{"a vote on a missing topic in the log", votes.RuleVoteLog,
		func(x *checkSite) { x.logVote(x.bob, 9_999_872, 5, forum.VoteUp) },
		fixed},
	{"a vote on an invalid id in the log", votes.RuleVoteLog,
		func(x *checkSite) { x.logVote(x.bob, "x", 5, forum.VoteUp) }, fixed},
	{"a logged vote on an article without votes", votes.RuleVoteLog,
		func(x *checkSite) { x.logVote(x.ann, x.unread, 5, forum.VoteUp) },
		fixed},
	{"a future vote on a closed article", votes.RuleVoteLog,
		func(x *checkSite) { x.logVote(x.mod, x.closed, x.voted(x.closed)+1, forum.VoteDown) }, fixed},
	{"a vote on a closed article without a direction", votes.RuleVoteLog,
		func(x *checkSite) { x.do("ZADD", key.VoteLog(x.mod.ID), 7, key.Itoa(x.closed)) }, fixed},
	{"a vote on a closed article with the other direction in the log", votes.RuleVoteLog,
		func(x *checkSite) { x.logVote(x.bob, x.closed, x.voted(x.closed), forum.VoteDown) }, fixed},
	{"a log that is too long", votes.RuleVoteLog, func(x *checkSite) {
		for n := range forum.VoteLog {
			x.logVote(x.bob, 9_000_000+n, 5, forum.VoteUp)
		}
	}, fixed},
	{"a log of a missing user", check.RuleOrphanKey, func(x *checkSite) {
		x.do("ZADD", key.VoteLog(noUser), record.PackVote(5, forum.VoteUp), key.Itoa(x.article))
	}, fixed},
	{"a log of a deleted user", check.RuleOrphanKey, func(x *checkSite) {
		x.do("ZADD", key.VoteLog(x.eve), record.PackVote(5, forum.VoteUp), key.Itoa(x.article))
	}, fixed},
	{"a vote task of a discussion", RuleTaskName,
		func(x *checkSite) { x.plantTask(record.VoteTask(x.thread, x.bob.ID)) }, fixed},
	{"a vote task of a missing user", RuleTaskName,
		func(x *checkSite) { x.plantTask(record.VoteTask(x.closed, noUser)) }, fixed},
	{"a vote task in another partition", RuleTaskName,
		func(x *checkSite) { x.plantTask(record.VoteTask(x.article, x.bob.ID)) }, fixed},
	{"a vote task with an invalid cursor", RuleTaskFields,
		func(x *checkSite) { x.do("HSET", x.waiting(), "cursor", "3") }, fixed},
	{"a vote task with another vote", RuleTaskFields,
		func(x *checkSite) { x.do("HSET", x.waiting(), "cursor", "5 UP") }, fixed},
	{"a vote task that is not due", RuleTaskListed,
		func(x *checkSite) { x.do("DEL", key.Due(x.article.Partition())) }, fixed},
}

var commentVoteBreaks = []siteBreak{
	{"a wrong vote count", posts.RuleCommentVotes,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Topic(x.thread)), key.Itoa(x.root), "5 5") }, fixed},
	{"a lost vote count", posts.RuleCommentVotes,
		func(x *checkSite) { x.do("HDEL", key.CommentVotes(key.Topic(x.thread)), key.Itoa(x.child)) }, fixed},
	{"a lost vote count of an imported comment", posts.RuleCommentVotes,
		func(x *checkSite) { x.do("DEL", key.CommentVotes(key.Topic(x.brought))) }, fixed},
	{"a lost vote count at the parent", posts.RuleCommentVotes,
		func(x *checkSite) { x.do("DEL", key.CommentVotes(key.Comment(x.root))) }, fixed},
	{"a vote count without votes", posts.RuleCommentVotes,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Topic(x.thread)), key.Itoa(x.today), "0 0") }, fixed},
	{"a vote count of an invalid id", posts.RuleCommentVotes,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Topic(x.thread)), "x", "1 0") }, fixed},
	{"a vote count of another topic's comment", posts.RuleCommentVotes,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Topic(x.thread)), key.Itoa(x.on[0]), "1 0") }, fixed},
	{"a vote count of another comment's reply", posts.RuleCommentVotes,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Comment(x.root)), key.Itoa(x.second), "3 0") }, fixed},
	{"many vote counts of invalid ids", posts.RuleCommentVotes, func(x *checkSite) {
		for n := range readSize + 1 {
			x.do("HSET", key.CommentVotes(key.Comment(x.second)), n, "1 0")
		}
	}, fixed},
	{"vote counts of a missing topic", check.RuleOrphanKey,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Topic(9_999_872)), 512, "1 0") }, fixed},
	{"vote counts of a missing comment", check.RuleOrphanKey,
		func(x *checkSite) { x.do("HSET", key.CommentVotes(key.Comment(9_999_872)), 512, "1 0") }, fixed},
}

// rank returns the rank of today.
func (x *checkSite) rank() key.Container { return key.DayContainer(x.Engine.Today()) }

var temporaryBreaks = []siteBreak{
	{"voters of an article forever", RuleExpiryMissing,
		func(x *checkSite) { x.do("PERSIST", key.Upvoters(key.Topic(x.article))) }, fixed},
	{"voters of a closed article forever", RuleExpiryMissing,
		func(x *checkSite) { x.do("PERSIST", key.Upvoters(key.Topic(x.closed))) }, fixed},
	{"voters of an article for a month", RuleExpiryLong,
		func(x *checkSite) { x.do("EXPIRE", key.Downvoters(key.Topic(x.article)), 30*86400) }, fixed},
	{"voters of an article for a day", check.RuleExpiryShort,
		func(x *checkSite) { x.do("EXPIRE", key.Upvoters(key.Topic(x.article)), 86400) }, fixed},
	{"voters of a discussion that expire", RuleExpiryUnexpected,
		func(x *checkSite) { x.do("EXPIRE", key.Upvoters(key.Topic(x.thread)), 86400) }, fixed},
	{"voters of a comment that expire", RuleExpiryUnexpected,
		func(x *checkSite) { x.do("EXPIRE", key.Upvoters(key.Comment(x.root)), 86400) }, fixed},
	{"a rank of a day forever", RuleExpiryMissing,
		func(x *checkSite) { x.do("PERSIST", x.rank().Order(key.OrderReplies)) }, fixed},
	{"a rank of a day for a week", RuleExpiryLong, func(x *checkSite) { x.do("EXPIRE", x.rank().Revisions(), 7*86400) },
		fixed},
	{"a rank of a day for an hour", check.RuleExpiryShort, func(x *checkSite) { x.do("EXPIRE", x.rank().Removed(), 3600) },
		fixed},
	{"a snapshot forever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", x.snapshot()) }, fixed},
	{"a ranking for a day", RuleExpiryLong, func(x *checkSite) { x.do("EXPIRE", x.keyLike(":ranking:"), 86400) },
		fixed},
	{"a lease forever", RuleExpiryMissing,
		func(x *checkSite) { x.do("SET", key.SnapshotLease(x.top, x.Listing.SnapshotNow()), 1) }, fixed},
	{"a snapshot too short", check.RuleValue, func(x *checkSite) { x.do("SET", x.snapshot(), "1234567", "KEEPTTL") },
		fixed},
	{"a snapshot with half a row", check.RuleValue, func(x *checkSite) { x.do("APPEND", x.snapshot(), "1234567890") },
		fixed},
	{"a snapshot with a duplicate topic", check.RuleValue, func(x *checkSite) {
		x.do("SET", x.snapshot(),
			record.PackSnapshot(x.Engine.Now(), []forum.Row{{ID: 512, CreatedAt: 5}, {ID: 512,
				CreatedAt: 5}}), "KEEPTTL")
	}, fixed},
	{"a walk with half a row", check.RuleValue, func(x *checkSite) {
		x.do("APPEND", x.keyLike("snap:{front:0:hot:desc}"), "1234567890")
	}, fixed},
	{"a snapshot from the future", check.RuleValue, func(x *checkSite) {
		x.do("SET", x.snapshot(),
			record.PackSnapshot(x.Engine.Now()+2*forum.Time(check.ExpirySlack.Milliseconds()), nil), "KEEPTTL")
	}, fixed},
	{"changes later than the last", RuleChanges, func(x *checkSite) {
		x.do("ZADD", key.Changes(x.thread), 9e15, "1:"+key.Itoa(x.root))
		x.do("EXPIRE", key.Changes(x.thread), 60)
	}, fixed},
	{"a change of no comment", RuleChanges, func(x *checkSite) {
		x.do("HSET", key.Topic(x.thread), "changed", "20")
		x.do("ZADD", key.Changes(x.thread), 20, "1:x")
		x.do("EXPIRE", key.Changes(x.thread), 60)
	}, fixed},
	{"a revision without text", posts.RuleRevisions, func(x *checkSite) {
		x.do("HSET", key.Topic(x.thread), "revision", 3)
		x.do("ZADD", key.Revisions(forum.Subject{Topic: x.thread}), 1, 1, 2, 2, 3, 3)
		x.do("HSET", key.Texts(forum.Subject{Topic: x.thread}), 1, "1 263 1 0 m\n\ntext")
	}, fixed},
	{"a revision whose text is longer than it says", posts.RuleRevisions, func(x *checkSite) {
		x.do("HSET", key.Comment(x.root), "revision", 2)
		x.do("ZADD", key.Revisions(forum.Subject{Comment: x.root}), 1, 1, 2, 2)
		text := record.PackRevision(&forum.Revision{Number: 1, Text: forum.Text{Content: strings.Repeat("a", 1000),
			Format: forum.Markdown}})
		x.do("HSET", key.Texts(forum.Subject{Comment: x.root}), 1, strings.Replace(text, "M1002 ", "M1001 ", 1))
	}, fixed},
	{"a text without revision", posts.RuleRevisions, func(x *checkSite) {
		x.do("HSET", key.Texts(forum.Subject{Comment: x.root}), 1, "1 263 1 0 m\n\ntext")
	}, fixed},
	{"another present revision", posts.RuleRevisions, func(x *checkSite) {
		x.do("HSET", key.Comment(x.root), "revision", 5)
		x.do("ZADD", key.Revisions(forum.Subject{Comment: x.root}), 1, 1, 2, 2)
		x.do("HSET", key.Texts(forum.Subject{Comment: x.root}), 1, "1 263 1 0 m\n\ntext")
	}, fixed},
	{"changes forever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", key.Changes(x.thread)) }, fixed},
	{"a ranking with another name", check.RuleValue,
		func(x *checkSite) { x.do("SET", x.keyLike(":ranking:"), "abcd", "KEEPTTL") }, fixed},
	{"a ranking longer than its list", check.RuleValue, func(x *checkSite) {
		k := record.PackRanking(key.TopicComments(x.left), []forum.CommentID{x.root, x.child})
		x.do("SET", key.Ranking(k.List, k.Sum), k.IDs, "EX", 60)
	}, fixed},
	{"a ranking of a missing list", check.RuleValue, func(x *checkSite) {
		k := record.PackRanking(key.TopicComments(9_999_872), []forum.CommentID{x.root})
		x.do("SET", key.Ranking(k.List, k.Sum), k.IDs, "EX", 60)
	}, fixed},
	{"an invalid day", RuleUnknownKey, func(x *checkSite) { x.do("ZADD", "{ix:d2026-13-01}:replies", 1, "x") },
		stays},
	{"a tag id that is too large", RuleUnknownKey,
		func(x *checkSite) { x.do("HSET", "{ix:g4503599627370496}:rev", 1, 1) }, stays},
	{"a snapshot of an unknown order", RuleUnknownKey,
		func(x *checkSite) { x.do("SET", "snap:{front:0:cold:desc}:5", "x", "EX", 60) }, stays},
	{"voters on a comment in an unsorted set", RuleKeyType,
		func(x *checkSite) { x.do("SADD", key.Upvoters(key.Comment(x.today)), 512) }, stays},
	{"a vote count that is not a hash", RuleKeyType,
		func(x *checkSite) { x.do("SET", key.CommentVotes(key.Comment(x.today)), 5) }, stays},
	{"voters in an unsorted set", RuleKeyType,
		func(x *checkSite) { x.do("SADD", key.Upvoters(key.Topic(x.moved)), 512) }, stays},
}

func (x *checkSite) snapshot() string {
	x.t.Helper()
	key := x.keyLike("snap:")
	if x.rdb.TTL(x.ctx, key).Val() < time.Minute {
		x.t.Fatalf("%s has expired", key)
	}
	return key
}
