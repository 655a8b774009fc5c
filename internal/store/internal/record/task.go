package record

import (
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// TaskLease is how long a claimed task is left to its holder, ms.
const TaskLease = 30_000

// DepartTask is the name of the task that ends what a deleted account has with others.
func DepartTask(id forum.UserID) string { return "x:" + key.Itoa(id) }

// HomeTask is the name of the task that fills a home up.
func HomeTask(id forum.UserID) string { return "h:" + key.Itoa(id) }

// SpreadTask is the name of the task that brings a topic to the homes that are left.
func SpreadTask(id forum.TopicID) string { return "s:" + key.Itoa(id) }

// RetractTask is the name of the task that takes a deleted topic out of bookmarks, and
// its comments out of their authors' lists.
func RetractTask(id forum.TopicID) string { return "t:" + key.Itoa(id) }

// CommentTellTask is the name of the task that notifies users of a comment.
func CommentTellTask(id forum.CommentID) string { return "n:c" + key.Itoa(id) }

// TopicTellTask is the name of the task that notifies users of a topic.
func TopicTellTask(id forum.TopicID) string { return "n:t" + key.Itoa(id) }

// ListTask is the name of the task that tells users that they are on a list, or no more.
func ListTask(owner forum.UserID, id forum.ListID) string {
	return "l:" + key.Itoa(owner) + ":" + key.Itoa(id)
}

// ParseListTask reads what follows "l:" in a task's name.
func ParseListTask(name string) (owner forum.UserID, id forum.ListID, err error) {
	o, l, _ := strings.Cut(name, ":")
	if owner, err = forum.ParseID[forum.UserID](o); err == nil {
		id, err = forum.ParseID[forum.ListID](l)
	}
	return owner, id, err
}

// VoteTask is the name of the task that notes a user's vote on a topic in the user's log.
func VoteTask(topic forum.TopicID, user forum.UserID) string {
	return "v:" + key.Itoa(topic) + ":" + key.Itoa(user)
}

// ParseVoteTask reads what VoteTask wrote.
func ParseVoteTask(name string) (topic forum.TopicID, user forum.UserID, ok bool) {
	rest, isVote := strings.CutPrefix(name, "v:")
	t, u, _ := strings.Cut(rest, ":")
	topic, terr := forum.ParseID[forum.TopicID](t)
	user, uerr := forum.ParseID[forum.UserID](u)
	return topic, user, isVote && terr == nil && uerr == nil
}
