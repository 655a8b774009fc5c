package fsck

// Reports.
const (
	// RuleRules: the rules of the site are known, with values that they may have. Repair turns others off.
	RuleRules Rule = "rules"
)
