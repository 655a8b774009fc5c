package forum

import "time"

// Rules are what administrators set for the whole site while it runs. The zero Rules ask nothing of members.
type Rules struct {
	// A member is new while the account is younger than NewMemberSeconds, or has less karma than NewMemberKarma; 0
	// turns either off.
	NewMemberSeconds, NewMemberKarma int
	// NewMemberLinks and NewMemberMentions are how many links and mentions a post of a new member may have,
	// NewMemberPostsPerDay how many topics and comments a new member may post on one day of the site; nil for any
	// number.
	NewMemberLinks, NewMemberPostsPerDay, NewMemberMentions *int
	// HeldPosts is how many posts of a new member moderators approve before others are shown at once; 0 turns it off.
	HeldPosts int
	// RefuseDuplicates refuses a new member's post with the text of another one, within DuplicateLife.
	RefuseDuplicates bool
	// Access is who may use the site.
	Access SiteAccess
	// Categories are the categories in which not everybody may do everything; 0 is for topics without one.
	Categories map[CategoryID]CategoryAccess
	// Epochs counts how often who sees a category has changed, of all.
	Epochs int64
	// Registration is who may register.
	Registration RegistrationMode
	// InvitationsBy is the lowest role of those who may invite.
	InvitationsBy Role
	// MemberList is who may list, search and count the members.
	MemberList MemberList
	// PublicLog shows the moderation log to everybody, ShowModerators who acted.
	PublicLog, ShowModerators bool
}

// New reports whether a signed-in viewer is a new member. Those who moderate anything never are.
func (r Rules) New(v *Viewer, now Time) bool {
	seconds, karma := r.Missing(v, now)
	return !v.Moderator() && (seconds > 0 || karma > 0)
}

// Missing returns what a viewer lacks so as not to be a new member: seconds and karma.
func (r Rules) Missing(v *Viewer, now Time) (seconds, karma int) {
	if left := v.CreatedAt + Time(r.NewMemberSeconds)*1000 - now; left > 0 && r.NewMemberSeconds > 0 {
		seconds = int((left + 999) / 1000)
	}
	if r.NewMemberKarma > 0 {
		karma = max(r.NewMemberKarma-v.Karma, 0)
	}
	return seconds, karma
}

// NewMemberRule is a rule for new members (`NewMemberRule` in the schema).
type NewMemberRule string

// The rules for new members that refuse posts.
const (
	RuleLinks       NewMemberRule = "LINKS"
	RuleMentions    NewMemberRule = "MENTIONS"
	RulePostsPerDay NewMemberRule = "POSTS_PER_DAY"
	RuleDuplicates  NewMemberRule = "DUPLICATES"
	RuleEdits       NewMemberRule = "EDITS"
)

// NewMember says why a post of a new member was refused.
type NewMember struct {
	Rule NewMemberRule
	// Limit is that of the rule, nil for DUPLICATES.
	Limit *int
	// MissingSeconds and MissingKarma are what the member lacks so as not to be new; 0 for nothing.
	MissingSeconds, MissingKarma int
}

// NewMemberRefused returns a NEW_MEMBER error: a rule for new members refuses a post. A retry after wait may succeed; 0
// if that depends on the post only.
func (r Rules) NewMemberRefused(v *Viewer, now Time, rule NewMemberRule, wait Time) *Error {
	n := &NewMember{Rule: rule}
	n.MissingSeconds, n.MissingKarma = r.Missing(v, now)
	e := &Error{Code: CodeNewMember, NewMember: n, RetryAfter: time.Duration(wait) * time.Millisecond}
	switch rule {
	case RuleLinks:
		n.Limit, e.Message = r.NewMemberLinks, "New members cannot post so many links."
	case RuleMentions:
		n.Limit, e.Message = r.NewMemberMentions, "New members cannot mention so many users."
	case RulePostsPerDay:
		n.Limit, e.Message = r.NewMemberPostsPerDay, "New members cannot post more today."
	case RuleEdits:
		n.Limit, e.Message = &r.HeldPosts, "New members cannot edit posts until moderators have approved some, nor make an approved post another one."
	default:
		e.Message = "The same text was posted within the last hour."
	}
	return e
}

// BlockKind is what a blocklist holds (`BlockKind` in the schema).
type BlockKind string

// The kinds.
const (
	BlockWord   BlockKind = "WORD"
	BlockDomain BlockKind = "DOMAIN"
)

// IsValid reports whether it is one of the kinds.
func (k BlockKind) IsValid() bool { return k == BlockWord || k == BlockDomain }

// BlockedText returns a BLOCKED_TEXT error: a text has a word, or a link to a domain, that nobody may post.
func BlockedText(path []string, kind BlockKind, value string) *Error {
	return &Error{Code: CodeBlockedText, Path: path, BlockKind: kind, Value: value,
		Message: "The text has something that may not be posted here."}
}

// MaxBlocklist is the maximum number of words, and of domains, that nobody may post; MaxBlockedAtOnce is how many one
// call adds or removes.
const (
	MaxBlocklist     = 1_000
	MaxBlockedAtOnce = 100
	// MaxBlocked is the greatest length of an entry, in code points.
	MaxBlocked = 100
)

const (
	// DuplicateLife is how long a text of a new member cannot be posted again.
	DuplicateLife = time.Hour
	// DuplicateLength is the number of code points from which on a text cannot be posted by another new member either.
	DuplicateLength = 40
	// RecentPostsLife is how long what a new member posted is remembered: a day, which may have 25 hours, and as long
	// as idempotency keys.
	RecentPostsLife = 25 * time.Hour
)

// Limits of rules.
const (
	// MaxNewMemberSeconds is the longest time for which a member can be new: a year.
	MaxNewMemberSeconds = 365 * 24 * 60 * 60
	// MaxNewMemberKarma is the largest karma that can be asked of members.
	MaxNewMemberKarma = 1_000_000
	// MaxNewMemberLinks and MaxNewMemberPosts are the largest limits on links in a post and on posts in a day; that on
	// mentions is MaxMentions.
	MaxNewMemberLinks = 100
	MaxNewMemberPosts = 1_000
	// MaxHeldPosts is how many posts of a new member can be held at most.
	MaxHeldPosts = 100
)

// RuleRange is what a rule may be.
type RuleRange struct {
	Most int
	// Open reports that the rule is a limit that is lifted by -1; the others are off at 0.
	Open bool
}

// RuleRanges are the rules by their names in the schema; those that are on or off are 1 or 0, those
// with values of an enum the place of one, from 0.
var RuleRanges = map[string]RuleRange{
	"newMemberSeconds":     {Most: MaxNewMemberSeconds},
	"newMemberKarma":       {Most: MaxNewMemberKarma},
	"newMemberLinks":       {Most: MaxNewMemberLinks, Open: true},
	"newMemberPostsPerDay": {Most: MaxNewMemberPosts, Open: true},
	"newMemberMentions":    {Most: MaxMentions, Open: true},
	"heldPosts":            {Most: MaxHeldPosts},
	"refuseDuplicates":     {Most: 1},
	"publicModerationLog":  {Most: 1},
	"showModerators":       {Most: 1},
	"access":               {Most: len(SiteAccesses) - 1},
	"registration":         {Most: len(RegistrationModes) - 1},
	"invitationsBy":        {Most: len(InviterRoles) - 1},
	"memberList":           {Most: len(MemberLists) - 1},
}

// Least is the smallest value: the one that turns the rule off.
func (r RuleRange) Least() int {
	if r.Open {
		return -1
	}
	return 0
}

// RulesEvery is the greatest age of the rules that a process uses, as long as it can read them.
const RulesEvery = time.Second

// Counts reports whether posts of new members are counted or held.
func (r Rules) Counts() bool {
	return r.NewMemberPostsPerDay != nil || r.HeldPosts > 0 || r.RefuseDuplicates
}
