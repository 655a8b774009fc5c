package key

import "agora/internal/forum"

// Case is a HASH: the reports on a subject as a whole, and whether it is held; see record.CaseFields. No expiry.
func Case(s forum.Subject) string { return Subject(s) + ":case" }

// Reporters is a ZSET: the users who have reported a subject.
func Reporters(s forum.Subject) string { return Subject(s) + ":reporters" }

// Reports is a HASH: the reports on a subject by reporter.
func Reports(s forum.Subject) string { return Subject(s) + ":reports" }

// Evidence is a HASH: copies of what a subject showed.
func Evidence(s forum.Subject) string { return Subject(s) + ":evidence" }

// QueuePrefix is the prefix of the lists of the queue of reports.
const QueuePrefix = "{mod}:queue:"

// Queue is a ZSET: the cases in a state (open, upheld, dismissed), of one category or, for 0, of all, by the time of
// the last report or of the resolution. Members are record.CaseMember. No expiry.
func Queue(state string, category forum.CategoryID) string {
	if category == 0 {
		return QueuePrefix + state
	}
	return QueuePrefix + state + ":c" + Itoa(category)
}

// QueueRevisions is a HASH: the states of cases that were written last.
const QueueRevisions = "{mod}:queue-rev"

// QueueEvents is a STREAM: what happened to the open cases: k (A added, M moved, R removed), m (record.CaseRow),
// o (the category).
const QueueEvents = "{mod}:queue-ev"
