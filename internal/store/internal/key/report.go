package key

import "agora/internal/forum"

// Case is a HASH: the reports on a subject as a whole, and whether it is held; see record.CaseFields. No expiry.
func Case(s forum.Subject) string { return Subject(s) + ":case" }

// Reporters is a ZSET: the users who have reported a subject, by the number of the report. No expiry.
func Reporters(s forum.Subject) string { return Subject(s) + ":reporters" }

// Reports is a HASH: reporter -> "number reason created note". No expiry.
func Reports(s forum.Subject) string { return Subject(s) + ":reports" }

// Evidence is a HASH: copies of what a subject showed, by their numbers from 1; see record.ParseEvidence. At most
// forum.EvidenceCopies. No expiry: Hidden says when they are erased.
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

// QueueRevisions is a HASH: member of a list of the queue -> revision, state and category that were written last. No
// expiry.
const QueueRevisions = "{mod}:queue-rev"

// QueueEvents is a STREAM: what happened to the open cases: k (A added, M moved, R removed), m (record.CaseRow), o (the
// category). Exists while someone watches it; expires 24 h after.
const QueueEvents = "{mod}:queue-ev"
