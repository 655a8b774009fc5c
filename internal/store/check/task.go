package check

import (
	"slices"
	"strings"

	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// A Task checks the tasks of a kind: it queues what must be read of one; the result, called afterwards, returns what
// the task has to do.
type Task func(l *Look, is record.Task) func() Work

// Work is what a task has to do.
type Work struct {
	Left   bool                     // whether there is anything
	Cursor func(cursor string) bool // reports whether a cursor is valid; nil if a task of the kind has none
	Start  string                   // the cursor of a restarted task
}

// TaskOf checks tasks that have work to do as long as a field of a hash has a value that works says so of. Cursors are
// valid that cursor accepts; with nil there are none.
func TaskOf(hash func(record.Task) string, field string, works func(value string) bool, cursor func(string) bool) Task {
	return func(l *Look, is record.Task) func() Work {
		value := l.Field(hash(is), field)
		return func() Work { return Work{Left: works(value.Val()), Cursor: cursor} }
	}
}

// TaskOfAuthor checks tasks of a user who is or was an account. It may have been deleted since.
func TaskOfAuthor(cursor func(string) bool) Task { return TaskOf(TaskUser, "state", IsAuthor, cursor) }

// TaskTopic returns the hash of the topic of a task.
func TaskTopic(is record.Task) string { return key.Topic(is.Topic) }

// TaskUser returns the hash of the user of a task.
func TaskUser(is record.Task) string { return key.User(is.User) }

// TaskSubject returns the hash of the topic or comment of a task.
func TaskSubject(is record.Task) string { return key.Subject(is.Subject) }

// Present accepts all values but none.
func Present(value string) bool { return value != "" }

// Parsed accepts the cursors that can be parsed.
func Parsed[T any](parse func(string) (T, error)) func(string) bool {
	return func(cursor string) bool {
		_, err := parse(cursor)
		return err == nil
	}
}

// Words accepts the cursors of which each word can be parsed.
func Words[T any](parse func(string) (T, error)) func(string) bool {
	return func(cursor string) bool {
		return !slices.ContainsFunc(strings.Fields(cursor), func(word string) bool { return !Parsed(parse)(word) })
	}
}
