package catalogue

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var topicKeys = []Kind{
	{Name: "topic", Type: Hash, Object: OfTopic, Keys: []Pattern{{key.Topic(id),
		"the topic; remains after deletion", ""}}},
	{Name: "topic-internal", Type: Hash, Object: OfTopic, Keys: []Pattern{{key.Internal(key.Topic(id)),
		"the rest of it", ""}}},
	{Name: "topic-text", Type: String, Object: OfTopic, Keys: []Pattern{{key.Text(key.Topic(id)),
		"its text, if that is longer than 1,024 bytes: the number of the revision, a line feed, " +
			"the text", ""}}},
	{Name: "topic-set", Type: ZSet, Object: OfTopic, Keys: []Pattern{
		{key.TopicComments(id),
			"all its comments, tombstones included, but those that are held: id, score comment number", ""},
		{key.TopicReplies(id),
			"those without parent: id, score comment number", ""},
		{key.Tombstones(id),
			"its tombstones and hidden comments: id, score comment number", ""},
		{key.HeldComments(id),
			"its comments that wait for a moderator: id, score time of posting; empty once the topic " +
				"is deleted", ""},
		{key.Authors(id),
			"its live comments: 8 hexadecimal digits of the author's id, 8 of the comment number, all " +
				"at score 0, so that an author's comments above a number can be counted", ""},
		{key.Bookmarkers(id),
			"users who have bookmarked it: the reverse side of their `bookmarks`, with the same score; " +
				"empty once the topic is deleted", ""},
		{key.Watchers(id),
			"users who watch it: the reverse side of their `watching`, likewise", ""},
	}},
	{Name: "topic-changes", Type: ZSet, Object: OfChanges, Life: forum.ChangesLife, Export: LeftOut,
		Keys: []Pattern{{key.Changes(id),
			"its comments that were edited, voted on or deleted last, as `number:id`, score position " +
				"of the latest change: twice the time (Unix ms), or more if there was a later one, plus 1 " +
				"if it was deleted. `-` has the position up to which changes are no longer kept",
			"a day after the last change; 256 comments"}}},
	{Name: "topic-ended", Type: ZSet, Object: OfReverseEnded, Life: key.EndedLife,
		Keys: []Pattern{{all(key.Ended(key.Bookmarkers(id)), key.Ended(key.Watchers(id))),
			"users who have left those sets, as for other reverse sides",
			"each an hour; 2 h after the last"}}},
	{Name: "topic-votes", Type: ZSet, Object: OfVoters, Keys: []Pattern{{
		all(key.Upvoters(key.Topic(id)), key.Downvoters(key.Topic(id))),
		"ids of users who voted, beside the imported base; score id",
		"those of an ARTICLE 1 h after the end of voting, which is a week after posting"}}},
	{Name: "topic-tally", Type: Hash, Object: OfTopic, Keys: []Pattern{{key.CommentVotes(key.Topic(id)),
		"id of a comment → `" + TallyRow.Shape + "`, votes shown, for its comments that have any", ""}}},
	{Name: "topic-ranking", Type: String, Object: OfRanking, Life: keptLife, Export: LeftOut,
		Keys: []Pattern{{
			all(key.Ranking(key.TopicComments(id), "<sum>"), key.Ranking(key.TopicReplies(id), "<sum>")),
			"a list ordered by votes, for those who page in it: 4 bytes, big-endian, for each id; " +
				"`<sum>` is 16 digits of the SHA-256 of that",
			"11 min after the last first page; 10,000 comments, the newest"}}},
	{Name: "topic-revisions", Type: ZSet, Object: OfTopic, Keys: []Pattern{{key.Revisions(forum.Subject{Topic: id}),
		"numbers of the revisions that are kept, each with itself as score; the last is the " +
			"present one. Missing if there was no edit",
		"100: the first and the latest 99; 1 MiB of texts, unpacked"}}},
	{Name: "topic-texts", Type: Hash, Object: OfTopic, Keys: []Pattern{{key.Texts(forum.Subject{Topic: id}),
		"number → `" + RevisionRow.Shape + "`: those revisions but the present one, see below", ""}}},
	{Name: "topic-acts", Type: ZSet, Object: OfTopic, Keys: []Pattern{{key.SubjectActs(forum.Subject{Topic: id}),
		"what moderators did to it: acts, as in `{mod}:log`", ""}}},
}

var commentKeys = []Kind{
	{Name: "comment", Type: Hash, Object: OfComment, Keys: []Pattern{{key.Comment(id),
		"the comment; remains as a tombstone", ""}}},
	{Name: "comment-internal", Type: Hash, Object: OfComment, Keys: []Pattern{{key.Internal(key.Comment(id)),
		"the rest of it", ""}}},
	{Name: "comment-text", Type: String, Object: OfComment, Keys: []Pattern{{key.Text(key.Comment(id)),
		"as for topics", ""}}},
	{Name: "comment-replies", Type: ZSet, Object: OfComment, Keys: []Pattern{{key.CommentReplies(id),
		"direct replies, tombstones included: id, score comment number", ""}}},
	{Name: "comment-votes", Type: ZSet, Object: OfComment, Keys: []Pattern{{
		all(key.Upvoters(key.Comment(id)), key.Downvoters(key.Comment(id))),
		"as for topics", ""}}},
	{Name: "comment-tally", Type: Hash, Object: OfComment, Keys: []Pattern{{key.CommentVotes(key.Comment(id)),
		"as for topics, of its direct replies", ""}}},
	{Name: "comment-ranking", Type: String, Object: OfRanking, Life: keptLife, Export: LeftOut,
		Keys: []Pattern{{key.Ranking(key.CommentReplies(id), "<sum>"),
			"as for topics",
			"as for topics"}}},
	{Name: "comment-revisions", Type: ZSet, Object: OfComment, Keys: []Pattern{{key.Revisions(forum.Subject{Comment: id}),
		"as for topics",
		"as for topics"}}},
	{Name: "comment-texts", Type: Hash, Object: OfComment, Keys: []Pattern{{key.Texts(forum.Subject{Comment: id}),
		"as for topics",
		"as for topics"}}},
	{Name: "comment-acts", Type: ZSet, Object: OfComment, Keys: []Pattern{{key.SubjectActs(forum.Subject{Comment: id}),
		"as for topics", ""}}},
}
