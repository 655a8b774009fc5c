package fsck

// Moderation.
const (
	// RuleActFields: an act of a moderator has a kind, a subject in its partition, a reason and a time. Only reported.
	RuleActFields Rule = "act-fields"
	// RuleActPair: an act that ends another one is the one that ended it. Repair follows the later act.
	RuleActPair Rule = "act-pair"
	// RuleActList: an act is in the moderation log, in that of its kind, and in those of its subject, its moderator and
	// the member whom it concerns, unless it is marked for the sweeper. Repair adds it.
	RuleActList Rule = "act-list"
	// RuleActStray: these lists have no other entries. Repair removes them.
	RuleActStray Rule = "act-stray"
	// RuleActTold: the member whom an act concerns has the notification, unless it was dropped with others as old. Repair
	// sends it.
	RuleActTold Rule = "act-told"
	// RuleActPosts: the posts that an act hides are posts of its member, and the act, or the one that undid it, has reached
	// each that was not deleted, unless a task will. Repair has it reach them, and removes what is no such post.
	RuleActPosts Rule = "act-posts"
	// RuleApproved: the approved posts of a user are those of which an act says so. Repair follows the acts.
	RuleApproved Rule = "approved"
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
