package key

import (
	"fmt"

	"agora/internal/forum"
)

// AppendTopic appends the key that Topic returns.
func AppendTopic(b []byte, id forum.TopicID) []byte {
	return appendNumbered(b, id.Partition(), "t:", id)
}

// AppendComment appends the key that Comment returns.
func AppendComment(b []byte, id forum.CommentID) []byte {
	return appendNumbered(b, id.Partition(), "c:", id)
}

// Click is a STRING that exists while another click of the visitor (a hash) on the topic does not count.
func Click(id forum.TopicID, visitor string) string {
	return fmt.Sprintf("%sclick:%d:%s", PartitionPrefix(id.Partition()), id, visitor)
}

// Topic is a HASH: the fields of a topic.
func Topic(id forum.TopicID) string { return string(AppendTopic(nil, id)) }

// TopicComments is a ZSET: all comments of the topic.
func TopicComments(id forum.TopicID) string { return Topic(id) + ":comments" }

// TopicReplies is a ZSET: the top-level comments.
func TopicReplies(id forum.TopicID) string { return Topic(id) + ":replies" }

// Bookmarkers is a ZSET: users who have bookmarked the topic.
func Bookmarkers(id forum.TopicID) string { return Topic(id) + ":bookmarkers" }

// Watchers is a ZSET: users who watch the topic.
func Watchers(id forum.TopicID) string { return Topic(id) + ":watchers" }

// HeldComments is a ZSET: the topic's comments that wait for a moderator.
func HeldComments(id forum.TopicID) string { return Topic(id) + ":held" }

// Tombstones is a ZSET: the topic's deleted comments.
func Tombstones(id forum.TopicID) string { return Topic(id) + ":gone" }

// Changes is a ZSET: the latest changed comments of the topic, as "number:id", each with the position of its
// latest change.
func Changes(id forum.TopicID) string { return Topic(id) + ":changes" }

// Authors is a ZSET: the authors and numbers of the live comments of the topic.
func Authors(id forum.TopicID) string { return Topic(id) + ":authors" }

// Comment is a HASH: the fields of a comment.
func Comment(id forum.CommentID) string { return string(AppendComment(nil, id)) }

// CommentReplies is a ZSET: the replies to the comment.
func CommentReplies(id forum.CommentID) string { return Comment(id) + ":replies" }

// CommentVotes is a HASH: the votes on the comments of a list, which is that of a topic or of the replies to a
// comment.
func CommentVotes(list string) string { return list + ":tally" }

// Ranking is a STRING: the comments of a list in an order by votes.
func Ranking(list, sum string) string { return list + ":ranking:" + sum }

// Upvoters and Downvoters are ZSETs: users who voted on the subject, not counting the imported base, by id.
// For an ARTICLE they expire ExpiryGrace after voting has ended; otherwise no expiry.
func Upvoters(subject string) string { return subject + ":up" }

// Downvoters is described at Upvoters.
func Downvoters(subject string) string { return subject + ":down" }

// Revisions is a ZSET: numbers of the kept revisions of a topic or comment, each with itself as score.
func Revisions(s forum.Subject) string { return Subject(s) + ":revisions" }

// Texts is a HASH: the texts of the revisions but the present one.
func Texts(s forum.Subject) string { return Subject(s) + ":texts" }

// Subject is the HASH of a comment, topic, user, act, category or tab. No expiry.
func Subject(s forum.Subject) string {
	switch {
	case s.Act != 0:
		return Act(s.Act)
	case s.Comment != 0:
		return Comment(s.Comment)
	case s.User != 0:
		return User(s.User)
	case s.Category != 0:
		return Category(s.Category)
	case s.Tab != 0:
		return Tab(s.Tab)
	}
	return Topic(s.Topic)
}

// Author is the HASH of an author, in the slot of their posts. It is the user's own hash; for the ghost,
// who has none, it is a key that never exists. No expiry.
func Author(p forum.Partition, id forum.UserID) string { return UserPrefix(p) + Itoa(id) }
