package forum

import "time"

// ReportState is whether the reports on a subject wait for a moderator, or how they were resolved.
type ReportState string

// The states of cases. A held post is OPEN, too.
const (
	ReportsOpen      ReportState = "OPEN"
	ReportsUpheld    ReportState = "UPHELD"
	ReportsDismissed ReportState = "DISMISSED"
)

// ReportOutcome is how reports are resolved.
type ReportOutcome string

// The outcomes, which are also states.
const (
	OutcomeUpheld    ReportOutcome = "UPHELD"
	OutcomeDismissed ReportOutcome = "DISMISSED"
)

// IsValid reports whether it is one of the outcomes.
func (o ReportOutcome) IsValid() bool { return o == OutcomeUpheld || o == OutcomeDismissed }

// IsValid reports whether it is one of the states.
func (s ReportState) IsValid() bool {
	return s == ReportsOpen || s == ReportsUpheld || s == ReportsDismissed
}

// ReportCase is the reports on one subject, which moderators resolve together.
type ReportCase struct {
	Subject Subject
	State   ReportState
	// Reports is how many reports there are, resolved ones included: the number of the last one. Through is that of the
	// last one that is resolved.
	Reports, Through int
	// FirstAt and LastAt are the times of the first and the last open report; 0 if none is open.
	FirstAt, LastAt Time
	// Reasons are how many open reports have each reason.
	Reasons map[Reason]int
	// HeldAt is when the subject was held; 0 if it is not.
	HeldAt Time
	// Category is that of the subject, 0 for none; Topic the topic of a comment.
	Category CategoryID
	Topic    TopicID
	// Author wrote the subject, or is it.
	Author UserID
	// Act resolved the last ones, Resolved of them; 0 for none.
	Act      ActID
	Resolved int
}

// Open returns how many reports are open.
func (c *ReportCase) Open() int { return c.Reports - c.Through }

// Count returns how many reports the case is about: those that are open, or the last that were resolved.
func (c *ReportCase) Count() int {
	if c.State == ReportsOpen {
		return c.Open()
	}
	return c.Resolved
}

// Report is one user's report on a subject. Only moderators see it.
type Report struct {
	// Number is its number among the reports on the subject, from 1.
	Number    int
	Reporter  UserID
	Reason    Reason
	Note      *string // nil for none
	CreatedAt Time
}

// EvidenceCause is why a copy was kept (`EvidenceCause` in the schema).
type EvidenceCause string

// The causes.
const (
	EvidenceReport EvidenceCause = "REPORT"
	EvidenceHide   EvidenceCause = "HIDE"
	EvidenceLock   EvidenceCause = "LOCK"
	EvidenceWarn   EvidenceCause = "WARN"
	EvidenceEdit   EvidenceCause = "EDIT"   // by the author, within MergeEdits, so that it leaves no revision
	EvidenceDelete EvidenceCause = "DELETE" // by the author, of what was reported, hidden, locked, held or written within MergeEdits
)

// EvidenceCauses are all causes.
var EvidenceCauses = []EvidenceCause{EvidenceReport, EvidenceHide, EvidenceLock, EvidenceWarn, EvidenceEdit, EvidenceDelete}

// Evidence is a copy of what a topic, comment or user showed, for those who moderate it.
type Evidence struct {
	Cause   EvidenceCause
	TakenAt Time
	// Author wrote it, or is the user.
	Author UserID
	// Content is the text of a topic or comment, the bio of a user. Truncated is set if it was longer than MaxEvidence.
	Content   string
	Truncated bool
	// Link is that of an article, or the website of a user; nil for none.
	Link *string
	// Revision is the number of the text's revision; it, Format and Title are nil of a user.
	Revision *int
	Format   *ContentFormat
	Title    *string
	Tags     []string
	// Login, Name and AvatarURL are those of a user; otherwise nil.
	Login, Name, AvatarURL *string
}

const (
	// EvidenceCopies is how many copies of one subject are kept: the first one and the latest. Edits make one less at most.
	EvidenceCopies = 5
	// MaxEvidence is the maximum size of the text of a copy, in bytes.
	MaxEvidence = 64 * 1024
	// HastyLife is how long copies are kept of what its author edited or deleted within MergeEdits, if nobody reported it
	// and no moderator acted on it: long enough for those who were shown it to say so.
	HastyLife = 30 * 24 * time.Hour
)

// ReportsPerMinute is how many reports a user may make in ReportWindow, counted in Redis.
const ReportsPerMinute = 10
