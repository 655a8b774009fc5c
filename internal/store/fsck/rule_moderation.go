package fsck

// Moderation.
const (
	// RuleHeld: a topic has a list of its comments that are held; a deleted one has no such comments, unless a task erases
	// them. Repair follows the comments, and erases those of deleted topics, as the deletion was to do.
	RuleHeld Rule = "held"
	// RuleBan: a ban has a scope, an end, a reason and an act that was not ended; who is banned from signing in has no
	// sessions. Repair ends them, and removes what is left of no ban.
	RuleBan Rule = "ban"
	// RuleRejection: an application that is rejected was so by an act. Only reported.
	RuleRejection Rule = "rejection"
	// RuleBookmarkHidden: the bookmarks of a user that are not counted are those of hidden topics, unless a task will note
	// that. Repair follows the topics.
	RuleBookmarkHidden Rule = "bookmark-hidden"
	// RuleModerators: the moderators of a category are the users who moderate it, and the category exists. Repair follows
	// the users, but for categories that do not exist.
	RuleModerators Rule = "moderators"
)
