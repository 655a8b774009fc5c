package forum

const (
	// MaxDeadTasks is the maximum number of dead tasks in one answer.
	MaxDeadTasks = 100
	// MaxRetried is the maximum number of tasks that one call makes due again.
	MaxRetried = 1000
)

// Tasks are the current numbers of background tasks (`Tasks` in the schema).
type Tasks struct {
	// Due can be claimed now.
	Due int
	// Waiting can be claimed later: they failed recently, or a process has claimed them.
	Waiting int
	// Dead were given up after many attempts, or are objects that a consumer of changes has set aside.
	Dead int
}

// DeadTask is a background task that was given up, or an object whose changes a consumer has set aside (`DeadTask` in the
// schema).
type DeadTask struct {
	// Name is unique; the log and `agora check` use it, too.
	Name string
	// Work says in English what the task does; nil if this version does not know it.
	Work *string
	// Subject is what the task is about: a topic, a comment, a user or an act of a moderator.
	Subject Subject
	// Attempts is the number of attempts since the last progress.
	Attempts int
	// Failure is what went wrong in the last attempt; nil if that is unknown.
	Failure *string
	// Since is when the task was given up, or the object was set aside.
	Since Time
}
