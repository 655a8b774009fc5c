package catalogue

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var topicKeys = []Kind{
	{Name: "topic", Type: Hash, Object: OfTopic, Keys: []Pattern{{key.Topic(id),
		"the topic, also once deleted", ""}}},
	{Name: "topic-internal", Type: Hash, Object: OfTopic, Keys: []Pattern{{key.Internal(key.Topic(id)),
		"likewise", ""}}},
	{Name: "topic-text", Type: String, Object: OfTopic, Keys: []Pattern{{key.Text(key.Topic(id)),
		"a text of more than 1,024 bytes: revision, line feed, text", ""}}},
	{Name: "topic-set", Type: ZSet, Object: OfTopic, Keys: []Pattern{
		{key.TopicComments(id),
			"comments, with tombstones, without held ones: id by comment number", ""},
		{key.TopicReplies(id),
			"those without parent, likewise", ""},
		{key.Tombstones(id),
			"tombstones and hidden comments, likewise", ""},
		{key.HeldComments(id),
			"held comments: id by time of posting", ""},
		{key.Authors(id),
			"live comments: 8 hex digits of the author, 8 of the number; score 0", ""},
		{key.Bookmarkers(id),
			"reverse sides of users' `bookmarks` and `watching`", ""},
		{key.Watchers(id), "likewise", ""},
	}},
	{Name: "topic-changes", Type: ZSet, Object: OfChanges, Life: forum.ChangesLife, Export: LeftOut,
		Keys: []Pattern{{key.Changes(id),
			"last changes of comments: `number:id` by position: 2 × time, or more after a later one, + 1 if " +
				"deleted. `-`: up to where they are dropped",
			"a day after the last; 256 comments"}}},
	{Name: "topic-ended", Type: ZSet, Object: OfReverseEnded, Life: key.EndedLife,
		Keys: []Pattern{{all(key.Ended(key.Bookmarkers(id)), key.Ended(key.Watchers(id))),
			"as `{pXX}:u:<id>:followers:ended`",
			"each an hour; 2 h after the last"}}},
	{Name: "topic-votes", Type: ZSet, Object: OfVoters, Keys: []Pattern{{
		all(key.Upvoters(key.Topic(id)), key.Downvoters(key.Topic(id))),
		"voters, without imported ones: id by id",
		"of an ARTICLE 1 h after voting ends"}}},
	{Name: "topic-tally", Type: Hash, Object: OfTopic, Keys: []Pattern{{key.CommentVotes(key.Topic(id)),
		"comment → `" + TallyRow.Shape + "`: votes, if any", ""}}},
	{Name: "topic-ranking", Type: String, Object: OfRanking, Life: keptLife, Export: LeftOut,
		Keys: []Pattern{{
			all(key.Ranking(key.TopicComments(id), "<sum>"), key.Ranking(key.TopicReplies(id), "<sum>")),
			"a list by votes: 4 bytes, big-endian, per id; `<sum>`: 16 digits of its SHA-256",
			"11 min; 10,000 comments"}}},
	{Name: "topic-revisions", Type: ZSet, Object: OfTopic, Keys: []Pattern{{key.Revisions(forum.Subject{Topic: id}),
		"numbers of revisions, each its own score",
		"100; 1 MiB of texts"}}},
	{Name: "topic-texts", Type: Hash, Object: OfTopic, Keys: []Pattern{{key.Texts(forum.Subject{Topic: id}),
		"number → `" + RevisionRow.Shape + "`: earlier revisions, see below", ""}}},
	{Name: "topic-acts", Type: ZSet, Object: OfTopic, Keys: []Pattern{{key.SubjectActs(forum.Subject{Topic: id}),
		"acts on it, as `{mod}:log`", ""}}},
}

var commentKeys = []Kind{
	{Name: "comment", Type: Hash, Object: OfComment, Keys: []Pattern{{key.Comment(id),
		"the comment, also as a tombstone", ""}}},
	{Name: "comment-internal", Type: Hash, Object: OfComment, Keys: []Pattern{{key.Internal(key.Comment(id)),
		"likewise", ""}}},
	{Name: "comment-text", Type: String, Object: OfComment, Keys: []Pattern{{key.Text(key.Comment(id)),
		"as for topics", "as there"}}},
	{Name: "comment-replies", Type: ZSet, Object: OfComment, Keys: []Pattern{{key.CommentReplies(id),
		"direct replies, as `replies` of topics", ""}}},
	{Name: "comment-votes", Type: ZSet, Object: OfComment, Keys: []Pattern{{
		all(key.Upvoters(key.Comment(id)), key.Downvoters(key.Comment(id))),
		"as for topics", "as there"}}},
	{Name: "comment-tally", Type: Hash, Object: OfComment, Keys: []Pattern{{key.CommentVotes(key.Comment(id)),
		"as for topics, of its direct replies", ""}}},
	{Name: "comment-ranking", Type: String, Object: OfRanking, Life: keptLife, Export: LeftOut,
		Keys: []Pattern{{key.Ranking(key.CommentReplies(id), "<sum>"),
			"as for topics", "as there"}}},
	{Name: "comment-revisions", Type: ZSet, Object: OfComment, Keys: []Pattern{{key.Revisions(forum.Subject{Comment: id}),
		"as for topics", "as there"}}},
	{Name: "comment-texts", Type: Hash, Object: OfComment, Keys: []Pattern{{key.Texts(forum.Subject{Comment: id}),
		"as for topics", "as there"}}},
	{Name: "comment-acts", Type: ZSet, Object: OfComment, Keys: []Pattern{{key.SubjectActs(forum.Subject{Comment: id}),
		"as for topics", "as there"}}},
}
