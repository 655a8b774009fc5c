package forum

// ActKind is what a moderator did.
type ActKind string

// The kinds of acts (`ModerationAction` in the schema).
const (
	ActLock     ActKind = "LOCK"
	ActUnlock   ActKind = "UNLOCK"
	ActHide     ActKind = "HIDE"
	ActRestore  ActKind = "RESTORE"
	ActApprove  ActKind = "APPROVE" // RESTORE of what was held
	ActPin      ActKind = "PIN"
	ActUnpin    ActKind = "UNPIN"
	ActMove     ActKind = "MOVE"
	ActEdit     ActKind = "EDIT"
	ActTag      ActKind = "TAG"
	ActRedact   ActKind = "REDACT"
	ActUnredact ActKind = "UNREDACT"
	ActUphold   ActKind = "UPHOLD"
	ActDismiss  ActKind = "DISMISS"
	ActWarn     ActKind = "WARN"
	ActBan      ActKind = "BAN"
	ActUnban    ActKind = "UNBAN"
	ActSetRole  ActKind = "SET_ROLE"
	ActSetStaff ActKind = "SET_MODERATOR" // of a category

	ActHidePosts    ActKind = "HIDE_POSTS" // all of a user
	ActRestorePosts ActKind = "RESTORE_POSTS"

	ActCreateCategory ActKind = "CREATE_CATEGORY"
	ActUpdateCategory ActKind = "UPDATE_CATEGORY"
	ActDeleteCategory ActKind = "DELETE_CATEGORY"
	ActCreateTab      ActKind = "CREATE_TAB"
	ActUpdateTab      ActKind = "UPDATE_TAB"
	ActDeleteTab      ActKind = "DELETE_TAB"

	ActApproveAccount ActKind = "APPROVE_ACCOUNT"
	ActRejectAccount  ActKind = "REJECT_ACCOUNT"

	ActUpdateAccess    ActKind = "UPDATE_ACCESS"
	ActUpdateRules     ActKind = "UPDATE_RULES"
	ActUpdateBlocklist ActKind = "UPDATE_BLOCKLIST"
)

// ActKinds are all kinds of acts.
var ActKinds = []ActKind{ActLock, ActUnlock, ActHide, ActRestore, ActApprove, ActPin, ActUnpin, ActMove, ActEdit,
	ActTag, ActRedact, ActUnredact, ActUphold, ActDismiss, ActWarn, ActBan, ActUnban, ActSetRole, ActSetStaff,
	ActHidePosts, ActRestorePosts, ActApproveAccount, ActRejectAccount, ActCreateCategory, ActUpdateCategory,
	ActDeleteCategory, ActCreateTab, ActUpdateTab, ActDeleteTab, ActUpdateAccess, ActUpdateRules,
	ActUpdateBlocklist}

// Reason is why a moderator acts, or a member reports something (`ModerationReason` in the schema).
type Reason string

// The reasons.
const (
	ReasonSpam      Reason = "SPAM"
	ReasonAbuse     Reason = "ABUSE"
	ReasonOffTopic  Reason = "OFF_TOPIC"
	ReasonDuplicate Reason = "DUPLICATE"
	ReasonExplicit  Reason = "EXPLICIT"
	ReasonIllegal   Reason = "ILLEGAL"
	ReasonPrivacy   Reason = "PRIVACY"
	ReasonOther     Reason = "OTHER"
)

// Reasons are all reasons.
var Reasons = []Reason{ReasonSpam, ReasonAbuse, ReasonOffTopic, ReasonDuplicate, ReasonExplicit, ReasonIllegal,
	ReasonPrivacy, ReasonOther}

// Grounds are why a moderator acts.
type Grounds struct {
	Reason Reason
	// Note is at most MaxNote code points of plain text, for the member concerned and for moderators; "" for none.
	Note string
}

// Act is an entry of the moderation log: what a moderator did. It never changes, except that a later act may reverse
// it.
type Act struct {
	ID   ActID
	Kind ActKind
	// Subject is a topic, comment, user, category or tab, or the site, as of UPDATE_ACCESS to topics without a category.
	Subject Subject
	// Member is whom the act concerns: the author of the subject, or the user itself; 0 is the ghost.
	Member UserID
	// By is who acted; 0 is the command line.
	By UserID
	Grounds
	CreatedAt Time
	// Reverses is the earlier act that this one ends, ReversedBy the later one that ends this; 0 for none.
	Reverses, ReversedBy ActID
	// Detail depends on the kind: MOVE "from to" (categories), PIN and UNPIN "FRONT" or "CATEGORY", TAG a line "+name"
	// or "-name" for each tag, REDACT and UNREDACT the number of the revision, BAN "scope until" (Unix ms, 0 for good),
	// SET_ROLE "from to", SET_MODERATOR "+category" or "-category", UPHOLD and DISMISS how many reports, HIDE_POSTS
	// "posts since" (how many, and Unix ms, 0 for all), RESTORE_POSTS what the act says that it ends; EDIT, and those on
	// categories, tabs and the site, a Change in JSON.
	Detail string
}
