package catalogue

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var topicKeys = []Kind{
	{Name: "topic", Type: Hash, Object: OfTopic, Keys: []Pattern{{"{pXX}:t:<id>",
		"the topic; remains after deletion", ""}}},
	{Name: "topic-internal", Type: Hash, Object: OfTopic, Keys: []Pattern{{"{pXX}:t:<id>:internal",
		"the rest of it", ""}}},
	{Name: "topic-text", Type: String, Object: OfTopic, Keys: []Pattern{{"{pXX}:t:<id>:text",
		"its text, if that is longer than 1,024 bytes: the number of the revision, a line feed, " +
			"the text", ""}}},
	{Name: "topic-set", Type: ZSet, Object: OfTopic, Keys: []Pattern{
		{"{pXX}:t:<id>:comments",
			"all its comments, tombstones included, but those that are held: id, score comment number", ""},
		{"{pXX}:t:<id>:replies",
			"those without parent: id, score comment number", ""},
		{"{pXX}:t:<id>:gone",
			"its tombstones and hidden comments: id, score comment number", ""},
		{"{pXX}:t:<id>:held",
			"its comments that wait for a moderator: id, score time of posting; empty once the topic " +
				"is deleted", ""},
		{"{pXX}:t:<id>:authors",
			"its live comments: 8 hexadecimal digits of the author's id, 8 of the comment number, all " +
				"at score 0, so that an author's comments above a number can be counted", ""},
		{"{pXX}:t:<id>:bookmarkers",
			"users who have bookmarked it: the reverse side of their `bookmarks`, with the same score; " +
				"empty once the topic is deleted", ""},
		{"{pXX}:t:<id>:watchers",
			"users who watch it: the reverse side of their `watching`, likewise", ""},
	}},
	{Name: "topic-changes", Type: ZSet, Object: OfChanges, Life: forum.ChangesLife, Export: Left,
		Keys: []Pattern{{"{pXX}:t:<id>:changes",
			"its comments that were edited, voted on or deleted last, as `number:id`, score position " +
				"of the latest change: twice the time (Unix ms), or more if there was a later one, plus 1 " +
				"if it was deleted. `-` has the position up to which changes are no longer kept",
			"a day after the last change; 256 comments"}}},
	{Name: "topic-ended", Type: ZSet, Object: OfReverseEnded, Life: key.EndedLife,
		Keys: []Pattern{{"{pXX}:t:<id>:bookmarkers:ended {pXX}:t:<id>:watchers:ended",
			"users who have left those sets, as for other reverse sides",
			"each an hour; 2 h after the last"}}},
	{Name: "topic-votes", Type: ZSet, Object: OfVoters, Keys: []Pattern{{"{pXX}:t:<id>:up {pXX}:t:<id>:down",
		"ids of users who voted, beside the imported base; score id",
		"those of an ARTICLE 1 h after the end of voting, which is a week after posting"}}},
	{Name: "topic-tally", Type: Hash, Object: OfTopic, Keys: []Pattern{{"{pXX}:t:<id>:tally",
		"id of a comment → `up down`, votes shown, for its comments that have any", ""}}},
	{Name: "topic-ranking", Type: String, Object: OfRanking, Life: keptLife, Export: Left,
		Keys: []Pattern{{"{pXX}:t:<id>:comments:ranking:<sum> {pXX}:t:<id>:replies:ranking:<sum>",
			"a list ordered by votes, for those who page in it: 4 bytes, big-endian, for each id; " +
				"`<sum>` is 16 digits of the SHA-256 of that",
			"11 min after the last first page; 10,000 comments, the newest"}}},
	{Name: "topic-revisions", Type: ZSet, Object: OfTopic, Keys: []Pattern{{"{pXX}:t:<id>:revisions",
		"numbers of the revisions that are kept, each with itself as score; the last is the " +
			"present one. Missing if there was no edit",
		"100: the first and the latest 99; 1 MiB of texts, unpacked"}}},
	{Name: "topic-texts", Type: Hash, Object: OfTopic, Keys: []Pattern{{"{pXX}:t:<id>:texts",
		"number → text of those revisions but the present one, see below", ""}}},
	{Name: "topic-acts", Type: ZSet, Object: OfTopic, Keys: []Pattern{{"{pXX}:t:<id>:acts",
		"what moderators did to it: acts, as in `{mod}:log`", ""}}},
}

var commentKeys = []Kind{
	{Name: "comment", Type: Hash, Object: OfComment, Keys: []Pattern{{"{pXX}:c:<id>",
		"the comment; remains as a tombstone", ""}}},
	{Name: "comment-internal", Type: Hash, Object: OfComment, Keys: []Pattern{{"{pXX}:c:<id>:internal",
		"the rest of it", ""}}},
	{Name: "comment-text", Type: String, Object: OfComment, Keys: []Pattern{{"{pXX}:c:<id>:text",
		"as for topics", ""}}},
	{Name: "comment-replies", Type: ZSet, Object: OfComment, Keys: []Pattern{{"{pXX}:c:<id>:replies",
		"direct replies, tombstones included: id, score comment number", ""}}},
	{Name: "comment-votes", Type: ZSet, Object: OfComment, Keys: []Pattern{{"{pXX}:c:<id>:up {pXX}:c:<id>:down",
		"as for topics", ""}}},
	{Name: "comment-tally", Type: Hash, Object: OfComment, Keys: []Pattern{{"{pXX}:c:<id>:tally",
		"as for topics, of its direct replies", ""}}},
	{Name: "comment-ranking", Type: String, Object: OfRanking, Life: keptLife, Export: Left,
		Keys: []Pattern{{"{pXX}:c:<id>:replies:ranking:<sum>",
			"as for topics",
			"as for topics"}}},
	{Name: "comment-revisions", Type: ZSet, Object: OfComment, Keys: []Pattern{{"{pXX}:c:<id>:revisions",
		"as for topics",
		"as for topics"}}},
	{Name: "comment-texts", Type: Hash, Object: OfComment, Keys: []Pattern{{"{pXX}:c:<id>:texts",
		"as for topics",
		"as for topics"}}},
	{Name: "comment-acts", Type: ZSet, Object: OfComment, Keys: []Pattern{{"{pXX}:c:<id>:acts",
		"as for topics", ""}}},
}
