package forum

import "time"

// Bounds of texts, in code points after NFC normalisation unless said otherwise.
const (
	MaxTitle       = 200
	MaxContent     = 65_536
	MaxName        = 64 // names of categories, tabs and users
	MaxDescription = 1_000
	MinLogin       = 2
	MaxLogin       = 32
	MaxEmail       = 254 // RFC 5321, 4.5.3.1.3, less the angle brackets
	MinPassword    = 8
	MaxPassword    = 256
	MaxLink        = 2_048
	MaxKey         = 64 // idempotencyKey
	MaxMentions    = 10
	MaxTag         = 32
	MaxTopicTags   = 10 // each is one more index that a topic stands in
	MaxUserAgent   = 256
	MaxStatus      = 1_000 // content of a STATUS
)

// Bounds of lists and pages.
const (
	// MaxPage is the most rows of a page. Source: GitHub's GraphQL API.
	MaxPage = 100
	// DefaultPage is the rows of a page if neither first nor last is given.
	// Source: Redis in Action, chapter 8 (get_status_messages).
	DefaultPage = 30
	// MaxSkip is the most rows that a numbered page may leave out.
	MaxSkip = 10_000
	// MaxNodes is the most ids of `nodes` and `recordClicks`.
	MaxNodes = 100
	// MaxTabCategories is the most categories of a tab: each is one range read.
	MaxTabCategories = 50
	// MaxCategoryTabs is the most tabs that show one category.
	MaxCategoryTabs = 16
	// SnapshotSize is the most topics of a snapshot.
	SnapshotSize = 1000
	// SnapshotCandidates is how many topics, newest first, a snapshot is chosen from.
	SnapshotCandidates = 200_000
	// RankedComments is how many comments of a list, newest first, TOP and
	// CONTROVERSIAL choose from.
	RankedComments = 10_000
	// VoteLog is how many of a user's latest votes on articles are remembered when
	// the lists of voters are gone.
	VoteLog = 1000
	// StreamLength is about how many events a watched timeline remembers, and the most
	// that a subscriber who comes back is sent.
	StreamLength = 256
	// HomeSize is the most topics that a home keeps. Source: Redis in Action, chapter 8
	// (HOME_TIMELINE_SIZE).
	HomeSize = 1000
	// HomeLow is the number of topics below which a home is filled up again. Source:
	// Redis in Action, chapter 8 (refill_timeline).
	HomeLow = 750
	// FanOutPass is the most homes that one pass of spreading a topic writes. Source:
	// Redis in Action, chapter 8 (POSTS_PER_PASS).
	FanOutPass = 1000
	// MaxBookmarks is the most topics that a user keeps.
	MaxBookmarks = 10_000
	// MaxReadMarks is the most topics and timelines of which it is known up to where a user
	// has read them; of those beyond, the ones marked longest ago are forgotten.
	MaxReadMarks = 10_000
	// MaxUnread is up to where new topics of a timeline are counted.
	MaxUnread = 1000
	// MaxLists is the most lists of a user.
	MaxLists = 100
	// MaxListMembers is the most users on a list: each is one range read.
	MaxListMembers = 500
	// MaxMembersAtOnce is the most users that one call puts on a list, and takes off it.
	MaxMembersAtOnce = 100
	// MaxNotifications is how many notifications of a user are kept, newest first.
	MaxNotifications = 1000
	// MaxSessions is the most sessions of a user; the oldest ends when one more begins.
	MaxSessions = 20
)

// Lives of what passes.
const (
	// SessionLife is how long a token is good for.
	SessionLife = 30 * 24 * time.Hour
	// SessionSeen is how old the time of a session's last use may be.
	SessionSeen = time.Hour
	// IdempotencyLife is how long an idempotency key is remembered.
	IdempotencyLife = 24 * time.Hour
	// ClickLife is how long one viewer's click on a topic counts for all further ones.
	ClickLife = 10 * time.Minute
	// PendingLife is how long a registration may take before it is given up.
	PendingLife = 30 * time.Second
	// LoginRest is how long nobody can take the login of a deleted account, or one that
	// looks like it: links to it still stand in texts. Those of staff rest for ever.
	LoginRest = 90 * 24 * time.Hour
	// SnapshotEvery is how long a snapshot serves those who begin to read.
	SnapshotEvery = time.Minute
	// SnapshotLife is how long those who began with a snapshot may go on.
	SnapshotLife = 10 * time.Minute
	// InactiveAfter is how long after its owner's last use a home is kept up.
	InactiveAfter = 30 * 24 * time.Hour
	// StreamLife is how long events of a timeline are kept on for somebody who watched it.
	StreamLife = 24 * time.Hour
	// RemovalLife is how long an index remembers that a topic left it, so that
	// a late write cannot bring it back.
	RemovalLife = time.Hour
	// ExpiryGrace is added to every expiry that Redis's clock decides: the
	// rules use the server's clock, and the key goes a little later.
	ExpiryGrace = time.Hour
)

// Bounds of how often passwords may be tried.
const (
	// SignInLimit is how many calls that take a password one address is let through in
	// SignInWindow, and how many sign-ins with one name from one address may fail in
	// FailureWindow, unless the site says otherwise. Networks that hold many addresses have
	// NetworkShare times as many calls, for each byte that is left out of their prefix.
	SignInLimit = 10
	// ProofLimit is how many calls that take the viewer's own password are let
	// through in SignInWindow.
	ProofLimit = 10
	// SignInWindow is the time in which those calls are counted.
	SignInWindow = time.Minute
	// FailureWindow is the time in which failed sign-ins with one name are counted.
	FailureWindow = 5 * time.Minute
	// NameFailures is how many sign-ins with one name may fail in FailureWindow, from
	// whatever addresses, before further addresses that the account does not know have to
	// wait for each attempt: FirstWait, twice as long after each failure more, at most
	// LongestWait. Waits go by address, so that nobody is kept out by others' attempts.
	NameFailures = 20
	FirstWait    = time.Second
	LongestWait  = time.Minute
	// MaxDevices is from how many addresses an account remembers to have been signed in
	// from; the one not used for longest is forgotten, each after DeviceLife.
	MaxDevices = 20
	DeviceLife = 90 * 24 * time.Hour
	// NetworkShare is how many times the allowance of a network of IPv6 the next wider one
	// has: /56 of /64, and /48 of /56. A provider gives a home a /56, a company a /48.
	// Source: RFC 6177.
	NetworkShare = 4
)
