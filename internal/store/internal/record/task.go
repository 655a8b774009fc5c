package record

import (
	"fmt"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// TaskLease is how long a claimed task is reserved for its holder, in ms. The holder renews it while it works. With
// the second in which workers look for tasks, what a killed process held is taken up within three; from the third
// attempt on, the reservation is as long as the wait after a failed one.
const TaskLease = 2_000

// TaskKind is what a task does. Its letter is the prefix of the names of such tasks, before a colon;
// scripts build some of these names themselves.
type TaskKind string

// The kinds of tasks. Subjects register what runs them with Engine.OnTask; their checks have a row for each.
const (
	// TaskRetract does what follows for the comments of a topic that was deleted, hidden or restored, and for the users
	// who bookmarked or watch it.
	TaskRetract TaskKind = "t"
	// TaskFanOut writes a topic into the remaining homes.
	TaskFanOut TaskKind = "s"
	// TaskVote records a user's vote on an article in the user's log.
	TaskVote TaskKind = "v"
	// TaskEdge writes the reverse side of an edge and updates homes.
	TaskEdge TaskKind = "e"
	// TaskList writes, for users, that they are on a list or not.
	TaskList TaskKind = "l"
	// TaskHome fills a home.
	TaskHome TaskKind = "h"
	// TaskAccountCleanup ends the edges of a deleted account.
	TaskAccountCleanup TaskKind = "x"
	// TaskNotify notifies the users whom a comment or topic concerns.
	TaskNotify TaskKind = "n"
	// TaskWatch notifies those who watch a comment's topic of it, or marks that as read once it is deleted.
	TaskWatch TaskKind = "w"
	// TaskReports tells reporters what became of their reports, which an act of a moderator has resolved.
	TaskReports TaskKind = "r"
	// TaskPosts hides or restores the posts of a user.
	TaskPosts TaskKind = "p"
	// TaskErase deletes what a deleted user wrote.
	TaskErase TaskKind = "d"
	// TaskCategory gives the topics of a category its audience, which was changed.
	TaskCategory TaskKind = "k"
)

// Task is the parsed name of a task.
type Task struct {
	Kind TaskKind
	// Topic is the topic of TaskRetract, TaskFanOut and TaskVote.
	Topic forum.TopicID
	// User is the user of the vote, edge, list, home, account or posts.
	User forum.UserID
	// Edge is that of TaskEdge, List that of TaskList, Subject that of TaskNotify and TaskWatch.
	Edge    Edge
	List    forum.ListID
	Subject forum.Subject
	// Act is that of TaskReports.
	Act forum.ActID
	// Category is that of TaskCategory.
	Category forum.CategoryID
}

// taskKinds is the registry of all kinds: what administrators are told that such a task does, how the part after the
// colon is parsed, and which hash counts the tasks of the kind, so that no token is reused; nil if tokens are counted
// otherwise.
var taskKinds = map[TaskKind]struct {
	work    string
	parse   func(t *Task, rest string) error
	counter func(t Task) string
}{
	TaskRetract:        {"hide or show the comments of a topic", parseTopicTask, nil},
	TaskFanOut:         {"write a topic into homes", parseTopicTask, func(t Task) string { return key.Topic(t.Topic) }},
	TaskVote:           {"record a vote on an article", parseVoteTask, nil},
	TaskEdge:           {"follow or block, or end that", parseEdgeTask, userOfTask},
	TaskList:           {"change the members of a list", parseListTask, userOfTask},
	TaskHome:           {"fill a home", parseUserTask, userOfTask},
	TaskAccountCleanup: {"clean up after a deleted account", parseUserTask, userOfTask},
	TaskNotify:         {"notify of a post", parseNotifyTask, func(t Task) string { return key.Subject(t.Subject) }},
	TaskWatch: {"notify those who watch a topic", parseWatchTask,
		func(t Task) string { return key.Subject(t.Subject) }},
	TaskReports:  {"tell reporters what became of their reports", parseReportTask, nil},
	TaskPosts:    {"hide or restore the posts of a user", parseUserTask, userOfTask},
	TaskErase:    {"delete what a deleted user wrote", parseUserTask, userOfTask},
	TaskCategory: {"show or hide the topics of a category in the lists of the site", parseCategoryTask, nil},
}

// TaskKinds returns all kinds of tasks.
func TaskKinds() []TaskKind {
	kinds := make([]TaskKind, 0, len(taskKinds))
	for kind := range taskKinds {
		kinds = append(kinds, kind)
	}
	return kinds
}

// ParseTask parses the name of a task.
func ParseTask(name string) (Task, error) {
	kind, rest, _ := strings.Cut(name, ":")
	k, known := taskKinds[TaskKind(kind)]
	if !known {
		return Task{}, fmt.Errorf("task %q has an unknown kind", name)
	}
	t := Task{Kind: TaskKind(kind)}
	if err := k.parse(&t, rest); err != nil {
		return Task{}, fmt.Errorf("task %q: %w", name, err)
	}
	return t, nil
}

// Partition returns the partition of the task.
func (t Task) Partition() forum.Partition {
	switch t.Kind {
	case TaskRetract, TaskFanOut, TaskVote:
		return t.Topic.Partition()
	case TaskNotify, TaskWatch:
		return t.Subject.Partition()
	case TaskReports:
		return t.Act.Partition()
	case TaskCategory:
		return CategoryPartition(t.Category)
	}
	return t.User.Partition()
}

// Work says what the task does.
func (t Task) Work() string { return taskKinds[t.Kind].work }

// About returns what the task is about.
func (t Task) About() forum.Subject {
	switch t.Kind {
	case TaskNotify, TaskWatch:
		return t.Subject
	case TaskReports:
		return forum.Subject{Act: t.Act}
	case TaskCategory:
		return forum.Subject{Category: t.Category}
	case TaskRetract, TaskFanOut, TaskVote:
		return forum.Subject{Topic: t.Topic}
	}
	return forum.Subject{User: t.User}
}

// Counter returns the hash whose field "armed" counts the tasks of the kind; "" if the tokens of the kind
// are counted otherwise.
func (t Task) Counter() string {
	if k := taskKinds[t.Kind]; k.counter != nil {
		return k.counter(t)
	}
	return ""
}

func userOfTask(t Task) string { return key.User(t.User) }

func parseTopicTask(t *Task, rest string) (err error) {
	t.Topic, err = forum.ParseID[forum.TopicID](rest)
	return err
}

func parseUserTask(t *Task, rest string) (err error) {
	t.User, err = forum.ParseID[forum.UserID](rest)
	return err
}

func parseVoteTask(t *Task, rest string) (err error) {
	topic, user, _ := strings.Cut(rest, ":")
	if t.Topic, err = forum.ParseID[forum.TopicID](topic); err == nil {
		t.User, err = forum.ParseID[forum.UserID](user)
	}
	return err
}

func parseEdgeTask(t *Task, rest string) (err error) {
	t.Edge, err = ParseEdge(rest)
	t.User = t.Edge.From
	return err
}

func parseListTask(t *Task, rest string) (err error) {
	t.User, t.List, err = ParseOwnedList(rest)
	if err == nil && t.List.Partition() != t.User.Partition() {
		err = fmt.Errorf("list %d cannot belong to user %d", t.List, t.User)
	}
	return err
}

func parseNotifyTask(t *Task, rest string) (err error) {
	if t.Subject, err = ParseSubject(rest); err == nil && t.Subject.User+forum.UserID(t.Subject.Act) != 0 {
		err = errNoSubject
	}
	return err
}

func parseWatchTask(t *Task, rest string) (err error) {
	t.Subject.Comment, err = forum.ParseID[forum.CommentID](rest)
	return err
}

func parseReportTask(t *Task, rest string) (err error) {
	t.Act, err = forum.ParseID[forum.ActID](rest)
	return err
}

func parseCategoryTask(t *Task, rest string) (err error) {
	t.Category, err = forum.ParseID[forum.CategoryID](rest)
	return err
}

// CategoryPartition returns the partition of the task of a category, which itself is in none.
func CategoryPartition(id forum.CategoryID) forum.Partition {
	return forum.Partition(id % forum.Partitions)
}

// ParseOwnedList parses "owner:list", as in names of tasks and members of listed sets.
func ParseOwnedList(text string) (owner forum.UserID, id forum.ListID, err error) {
	o, l, _ := strings.Cut(text, ":")
	if owner, err = forum.ParseID[forum.UserID](o); err == nil {
		id, err = forum.ParseID[forum.ListID](l)
	}
	return owner, id, err
}

func taskName(kind TaskKind, rest string) string { return string(kind) + ":" + rest }

// RetractTask returns the name of the TaskRetract of a topic.
func RetractTask(id forum.TopicID) string { return taskName(TaskRetract, key.Itoa(id)) }

// FanOutTask returns the name of the TaskFanOut of a topic.
func FanOutTask(id forum.TopicID) string { return taskName(TaskFanOut, key.Itoa(id)) }

// VoteTask returns the name of the TaskVote of a user's vote on a topic.
func VoteTask(topic forum.TopicID, user forum.UserID) string {
	return taskName(TaskVote, key.Itoa(topic)+":"+key.Itoa(user))
}

// Task returns the name of the TaskEdge of an edge.
func (e Edge) Task() string { return taskName(TaskEdge, key.Itoa(e.From)+":"+e.target()) }

// ListTask returns the name of the TaskList of a list.
func ListTask(owner forum.UserID, id forum.ListID) string {
	return taskName(TaskList, key.Itoa(owner)+":"+key.Itoa(id))
}

// HomeTask returns the name of the TaskHome of a user.
func HomeTask(id forum.UserID) string { return taskName(TaskHome, key.Itoa(id)) }

// AccountCleanupTask returns the name of the TaskAccountCleanup of a user.
func AccountCleanupTask(id forum.UserID) string { return taskName(TaskAccountCleanup, key.Itoa(id)) }

// NotifyTask returns the name of the TaskNotify of a comment or topic.
func NotifyTask(s forum.Subject) string { return taskName(TaskNotify, EncodeSubject(s)) }

// WatchTask returns the name of the TaskWatch of a comment.
func WatchTask(id forum.CommentID) string { return taskName(TaskWatch, key.Itoa(id)) }

// ReportTask returns the name of the TaskReports of an act.
func ReportTask(act string) string { return taskName(TaskReports, act) }

// PostsTask returns the name of the TaskPosts of a user.
func PostsTask(id forum.UserID) string { return taskName(TaskPosts, key.Itoa(id)) }

// EraseTask returns the name of the TaskErase of a user.
func EraseTask(id forum.UserID) string { return taskName(TaskErase, key.Itoa(id)) }

// CategoryTask returns the name of the TaskCategory of a category.
func CategoryTask(id forum.CategoryID) string { return taskName(TaskCategory, key.Itoa(id)) }

// ReportCursor returns the cursor of a TaskReports: the numbers of the last report that was told of, and of the last
// one to tell of.
func ReportCursor(done, last int64) string {
	return strconv.FormatInt(done, 10) + " " + strconv.FormatInt(last, 10)
}

// ParseReportCursor parses the result of ReportCursor; ok is false if it is none.
func ParseReportCursor(cursor string) (done, last int64, ok bool) {
	a, b, _ := strings.Cut(cursor, " ")
	done, last = Atoi(a), Atoi(b)
	return done, last, ReportCursor(done, last) == cursor && 0 <= done && done <= last
}
