package forum

import "time"

// Limits of texts, in code points after NFC normalisation unless stated otherwise.
const (
	MaxTitle       = 200
	MaxContent     = 65_536
	MaxName        = 64 // names of categories, tabs and users
	MaxDescription = 1_000
	MaxNote        = 1_000 // of reports, and of acts of moderators
	MaxBio         = 1_000
	MinLogin       = 2
	MaxLogin       = 32
	MaxEmail       = 254 // RFC 5321, 4.5.3.1.3, less the angle brackets
	MinPassword    = 8
	MaxPassword    = 256
	MaxLink        = 2_048
	MaxKey         = 64 // idempotencyKey
	MaxMentions    = 10
	MaxTag         = 32
	MaxTopicTags   = 10 // each adds the topic to one more index
	MaxUserAgent   = 256
	MaxStatus      = 1_000 // content of a STATUS
	// MaxRevisions is how many revisions of a text are kept: the first one and the latest.
	MaxRevisions = 100
	// MaxRevisionBytes is the most bytes of the earlier texts of a topic or comment together. The first one and the
	// latest are kept in any case.
	MaxRevisionBytes = 1 << 20
	// MaxHunkLines is the most lines that are shown of the changes of a revision.
	MaxHunkLines = 1000
)

// MergeEdits is how long further edits by the same editor are merged into one revision.
const MergeEdits = 2 * time.Minute

// Limits of lists and pages.
const (
	// MaxPage is the maximum number of rows of a page. Source: GitHub's GraphQL API.
	MaxPage = 100
	// DefaultPage is the number of rows of a page if neither first nor last is set. Source: Redis
	// in Action, chapter 8 (get_status_messages).
	DefaultPage = 30
	// DefaultReplies is DefaultPage for the replies to a comment, which stand in pages of comments: three levels of
	// pages stay within the limit on rows.
	DefaultReplies = 10
	// MaxSkip is the maximum number of rows that a numbered page may skip.
	MaxSkip = 10_000
	// DefaultThreadDepth and MaxThreadDepth are how deep replies may be in a thread, by default and at most. A cursor
	// of a thread costs one read for each level.
	DefaultThreadDepth = 10
	MaxThreadDepth     = 100
	// ThreadComments is how many of the newest comments a thread by votes is made of: each takes a read in the script.
	ThreadComments = 2_000
	// MaxLooked is how many comments are looked at to find one that is neither deleted nor, where these do not count,
	// the viewer's own.
	MaxLooked = 1_000
	// MaxNodes is the maximum number of ids passed to `nodes` and `recordClicks`.
	MaxNodes = 100
	// MaxTabCategories is the maximum number of categories of a tab. Each costs one range read.
	MaxTabCategories = 50
	// MaxPosition is the largest position of a category or tab; the smallest is -MaxPosition.
	MaxPosition = 1_000_000
	// MaxCategoryModerators is the maximum number of moderators of one category, MaxModerated that of categories that
	// one user moderates.
	MaxCategoryModerators = 20
	MaxModerated          = 50
	// MaxCategoryTabs is the maximum number of tabs that show one category.
	MaxCategoryTabs = 16
	// SnapshotSize is the maximum number of topics in a snapshot.
	SnapshotSize = 1000
	// SnapshotCandidates is how many of the newest topics a snapshot is selected from.
	SnapshotCandidates = 200_000
	// RankedComments is how many of the newest comments of a list TOP and CONTROVERSIAL rank.
	RankedComments = 10_000
	// RankedNames is how many of the tags with a prefix are sorted by something else than their names.
	RankedNames = 1000
	// VoteLog is how many of a user's latest votes on articles are remembered after the lists of
	// voters have been deleted.
	VoteLog = 1000
	// KindsExamined is how many topics a page of some kinds is chosen from at most. KindsPerResponse is how many all
	// pages of a response may examine beyond their own sizes.
	KindsExamined    = 1000
	KindsPerResponse = 5000
	// StreamLength is about how many events a watched timeline keeps, and the maximum number sent
	// to a subscriber that resumes.
	StreamLength = 256
	// ChangedComments is of how many comments of a topic, those changed last, the latest change is kept.
	ChangedComments = 256
	// HomeSize is the maximum number of topics in a home. Source: Redis in Action, chapter 8
	// (HOME_TIMELINE_SIZE).
	HomeSize = 1000
	// HomeLow is the number of topics below which a home is refilled. Source: Redis in Action,
	// chapter 8 (refill_timeline).
	HomeLow = 750
	// FanOutPass is the maximum number of homes that one pass of a fan-out writes. Source: Redis in
	// Action, chapter 8 (POSTS_PER_PASS).
	FanOutPass = 1000
	// MaxBookmarks is the maximum number of topics that a user can bookmark.
	MaxBookmarks = 10_000
	// MaxWatched is the maximum number of topics that a user can watch.
	MaxWatched = 10_000
	// WatchersAtOnce is how many watchers of a topic are notified of a comment before it is acknowledged; the others
	// are by a task.
	WatchersAtOnce = 100
	// MaxReadMarks is the maximum number of read marks of a user, on topics and timelines. Beyond
	// it, the oldest marks are dropped.
	MaxReadMarks = 10_000
	// MaxUnread is the limit up to which new topics of a timeline are counted.
	MaxUnread = 1000
	// MaxHiddenPosts is the maximum number of posts of a user that one act hides.
	MaxHiddenPosts = 1000
	// MaxLists is the maximum number of lists of a user.
	MaxLists = 100
	// MaxListMembers is the maximum number of users on a list. Each costs one range read.
	MaxListMembers = 500
	// MaxMembersAtOnce is the maximum number of users that one call adds to a list or removes from
	// it.
	MaxMembersAtOnce = 100
	// MaxNotifications is how many notifications of a user are kept, newest first.
	MaxNotifications = 1000
	// MaxInvitations is the maximum number of open invitations of a user.
	MaxInvitations = 50
	// InvitationsKept is the maximum number of all invitations of a user; the oldest closed ones are forgotten.
	InvitationsKept = 100
	// MaxInvitationUses is the maximum number of uses of an invitation.
	MaxInvitationUses = 100
	// MaxSessions is the maximum number of sessions of a user. A new one ends the oldest.
	MaxSessions = 20
	// MaxTokens is the maximum number of API tokens of a user, without dead ones.
	MaxTokens = 20
)

// Lifetimes.
const (
	// ProofLife is how long after a sign-in a session may do what needs a recent one.
	ProofLife = 10 * time.Minute
	// SessionLife is how long a session lasts after its last use, SessionMost after sign-in.
	SessionLife = 30 * 24 * time.Hour
	SessionMost = 90 * 24 * time.Hour
	// SessionSeen is how stale a session's or API token's time of last use may be.
	SessionSeen = time.Hour
	// TokenIdle is how long an API token is valid after its last use, or its creation. Source: Discourse,
	// revoke_api_keys_unused_days.
	TokenIdle = 180 * 24 * time.Hour
	// IdempotencyLife is how long an idempotency key is remembered.
	IdempotencyLife = 24 * time.Hour
	// ClickLife is how long further clicks of a viewer on the same topic are not counted.
	ClickLife = 10 * time.Minute
	// PendingLife is how long a registration may take before it is abandoned.
	PendingLife = 30 * time.Second
	// LoginKept is how long a login must be kept before it can be changed again.
	LoginKept = 30 * 24 * time.Hour
	// LoginRest is how long the login of a deleted account, or a former one, and logins that look like it, cannot be
	// registered, because links to it remain in texts. Those of users who are or were
	// staff, that is who moderate the site or a category, are reserved forever.
	LoginRest = 90 * 24 * time.Hour
	// EmailBarred and EmailBarredMost are the shortest and the longest time for which the e-mail of a banned account
	// cannot be registered once the account no longer has it; otherwise that ends with the ban.
	EmailBarred     = 90 * 24 * time.Hour
	EmailBarredMost = 100 * 365 * 24 * time.Hour
	// SnapshotEvery is how long a snapshot serves readers who start with the first page.
	SnapshotEvery = time.Minute
	// SnapshotLife is how long a snapshot remains readable for readers who started with it.
	SnapshotLife = 10 * time.Minute
	// SnapshotsBack is how many snapshots back is the oldest that is shown while a new one is being taken.
	SnapshotsBack = 2
	// WalkEvery is how long the order that was fixed for one reader serves others who start with the first page.
	WalkEvery = 10 * time.Second
	// InactiveAfter is how long a home is maintained after its owner's last use.
	InactiveAfter = 30 * 24 * time.Hour
	// StreamLife is how long the events of a timeline are recorded after it was last watched.
	StreamLife = 24 * time.Hour
	// ChangesLife is how long changes to a topic's comments are kept after the last one.
	ChangesLife = 24 * time.Hour
	// ChangesEvery is the shortest time between two reads of the changes to a topic's comments, so that each comment
	// is sent at most four times a second.
	ChangesEvery = 250 * time.Millisecond
	// HiddenLife is how long what a moderator has hidden is kept, in ms: 90 days, in which it can be restored. Evidence
	// is kept as long once its case is closed.
	HiddenLife = Time(90 * 24 * time.Hour / time.Millisecond)
	// RemovalLife is how long an index remembers that a topic was removed, so that a late write
	// cannot add it again.
	RemovalLife = time.Hour
	// TakeoutLife is how long the address of a take-out may be used, TakeoutLease how long one whose process has died
	// keeps others from beginning.
	TakeoutLife  = 10 * time.Minute
	TakeoutLease = time.Minute

	// ExpiryGrace is added to every expiry set in Redis. The rules use the server's clock, so keys
	// expire a little later than the rules require.
	ExpiryGrace = time.Hour
)

// Limits of password attempts.
const (
	// SignInLimit is how many calls with a password one address may make in SignInWindow, and how
	// many sign-ins with one name from one address may fail in FailureWindow, unless the site
	// configures another number. IPv6 networks get NetworkShare times as many calls for each byte
	// dropped from their prefix.
	SignInLimit = 10
	// ProofLimit is how many calls that require the viewer's own password are allowed in
	// SignInWindow.
	ProofLimit = 10
	// SignInWindow is the window in which those calls are counted.
	SignInWindow = time.Minute
	// FailureWindow is the window in which failed sign-ins with one name are counted.
	FailureWindow = 5 * time.Minute
	// NameFailures is how many sign-ins with one name may fail in FailureWindow, from any
	// addresses, before addresses that the account does not know must wait between attempts:
	// FirstWait, doubled with each further failure, at most LongestWait. Waits are per address, so
	// that an attacker cannot lock a user out.
	NameFailures = 20
	FirstWait    = time.Second
	LongestWait  = time.Minute
	// MaxDevices is how many addresses an account remembers having been signed in from. The least
	// recently used is dropped, and each after DeviceLife.
	MaxDevices = 20
	DeviceLife = 90 * 24 * time.Hour
	// NetworkShare is the factor between the allowances of an IPv6 network and the next wider one:
	// /56 and /64, /48 and /56. A provider assigns a /56 to a household and a /48 to a company.
	// Source: RFC 6177.
	NetworkShare = 4
)

// Limits are those limits that a test may want to be small.
type Limits struct {
	Home, HomeLow, FanOutPass                                    int
	Bookmarks, Watched, WatchersAtOnce, ReadMarks, Notifications int
}

// DefaultLimits are those of all sites but those of tests.
var DefaultLimits = Limits{
	Home: HomeSize, HomeLow: HomeLow, FanOutPass: FanOutPass,
	Bookmarks: MaxBookmarks, Watched: MaxWatched, WatchersAtOnce: WatchersAtOnce, ReadMarks: MaxReadMarks,
	Notifications: MaxNotifications,
}
