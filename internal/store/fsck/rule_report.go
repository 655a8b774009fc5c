package fsck

// Reports.
const (
	// RuleReports: a subject's case agrees with the reports on it, which are numbered, one for each reporter, and with
	// whether the subject is held; what is held has one. Repair follows the reports, without malformed ones, and the
	// subject.
	RuleReports Rule = "reports"
	// RuleEvidence: the copies of a subject are numbered, sound and at most forum.EvidenceCopies, and the partition's list
	// of what is kept has the subject. Repair removes the others, and lists the subject as of now.
	RuleEvidence Rule = "evidence"
	// RuleQueue: the queue has each case in the lists of its state and category, and nothing else. Repair writes the
	// case again, and removes what does not belong there.
	RuleQueue Rule = "queue"
	// RuleRules: the rules of the site are known, with values that they may have. Repair turns others off.
	RuleRules Rule = "rules"
)
