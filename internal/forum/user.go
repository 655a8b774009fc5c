package forum

import "slices"

// Role is a user's role. Each role includes the rights of the lower ones.
type Role string

// The roles, lowest first.
const (
	RoleUser      Role = "USER"
	RoleModerator Role = "MODERATOR"
	RoleAdmin     Role = "ADMIN"
)

var roleRank = map[Role]int{RoleUser: 1, RoleModerator: 2, RoleAdmin: 3}

// IsValid reports whether r is one of the three roles.
func (r Role) IsValid() bool { return roleRank[r] > 0 }

// Includes reports whether r may do what other may.
func (r Role) Includes(other Role) bool { return roleRank[r] >= roleRank[other] }

// At returns the role at a time, of a user who has r until then, 0 for no end: one that tokens of an issuer gave ends
// unless a token that says so is seen.
func (r Role) At(until, now Time) Role {
	if until != 0 && until <= now {
		return RoleUser
	}
	return r
}

// GhostLogin is the login of the ghost, the stand-in for users who no longer exist.
const GhostLogin = "ghost"

// User is a member as other users see it. It never contains the e-mail address or the password.
type User struct {
	ID UserID
	// Active reports that the account is registered completely and not deleted.
	Active bool
	Login  string
	// LoginFold is the folded login, used for comparison.
	LoginFold string
	Name      string
	// Role is what is stored; RoleAt is what counts. RoleUntil is when a role from tokens of an issuer ends, 0 for
	// never.
	Role      Role
	RoleUntil Time
	CreatedAt Time
	// Bio is plain text, Website and AvatarURL are addresses; each "" for none.
	Bio, Website, AvatarURL string
	// IsBot reports whether the user says that a program posts with the account.
	IsBot bool
	// OldFold is the folded login that the user had before, "" for none. It finds the user as long as it is reserved.
	OldFold string
	// Ban is the last ban; its scope is "" for none, and it may have ended.
	Ban Ban
	// Moderates are the categories that the user moderates; some may be deleted.
	Moderates []CategoryID
}

// RoleAt returns the role of the user at a time.
func (u *User) RoleAt(now Time) Role { return u.Role.At(u.RoleUntil, now) }

// UserCounts are the counts of a user, which others change often.
type UserCounts struct {
	Topics int
	// Followers is how many users follow this one, Following how many it follows.
	Followers, Following int
	// Karma is the votes of others on the user's posts, up minus down, without those on deleted posts.
	Karma int
}

// Ghost returns the user that stands in for deleted authors. Its account is as old as the data:
// since is when they were initialized.
func Ghost(since Time) *User {
	return &User{Active: true, Login: GhostLogin, LoginFold: GhostLogin, Name: "Ghost", Role: RoleUser,
		CreatedAt: since}
}

// Viewer is the signed-in user who sends a request. It is nil if the request is anonymous.
type Viewer struct {
	ID   UserID
	Role Role
	// RoleEnds is when the role ends unless a token that says so is seen; 0 is never.
	RoleEnds Time
	// Session is the digest of the request's token.
	Session string
	// SessionEnds is when the session ends, or the token expires; 0 is never.
	SessionEnds Time
	// Extended reports that this request has moved the end of the session on.
	Extended bool
	// External names the account at an issuer whose token the viewer is signed in with, in place of a session, and
	// Issued is when the token was issued; "" for none.
	External string
	Issued   Time
	// Origin is the account at an issuer that the session, API token or token of an issuer came from; "" for none.
	// ProvedAt is when its user last proved who it is, by a password or at the issuer; 0 if that is not known.
	Origin   string
	ProvedAt Time
	// Scopes are those of the API token that the request was sent with, which have already limited Role and Moderates;
	// nil for a session, which has all.
	Scopes []Scope
	// administers reports that the owner of the API token is an administrator, whatever its scopes.
	administers bool
	// Owner is the administrator whose API token acts as the user, or 0.
	Owner UserID
	// CreatedAt is when the account was created.
	CreatedAt Time
	// Karma is the user's karma.
	Karma int
	// Moderates are the categories that the user moderates, whatever the role; some may be deleted.
	Moderates []CategoryID
	// Groups are the groups that the user is in at the time of the request; some may be deleted.
	Groups []GroupID
	// GroupsEnd is when the first of these memberships ends; 0 is never.
	GroupsEnd Time
	// Prepared reports that the account was made for a member who had not come before this request.
	Prepared bool
	// Ban is what the user is banned from, or nil; it may have ended meanwhile.
	Ban *Ban
	// Suspended reports that the ban has suspended the role and the categories that the user moderates: Role and
	// Moderates are those of a member.
	Suspended bool
}

// Session is a sign-in of a user.
type Session struct {
	User UserID
	// Digest is the digest of the token, which itself is not stored.
	Digest string
	// CreatedAt is when the session began. SeenAt is when it was last used, stale by at most
	// SessionSeen. EndsAt is when it expires.
	CreatedAt, SeenAt, EndsAt Time
	// UserAgent is the User-Agent header at sign-in, truncated to MaxUserAgent; "" if there was
	// none.
	UserAgent string
	Provenance
}

// Provenance is where a session or API token comes from.
type Provenance struct {
	// Origin is the hash of the account at an issuer whose token made it, also by a session that it made; "" for none.
	Origin string
	// ProvedAt is when the user of a session proved who it is, by a password or at the issuer; 0 if that is not known.
	ProvedAt Time
}

// Is reports whether the viewer is the user id.
func (v *Viewer) Is(id UserID) bool { return v != nil && id != 0 && v.ID == id }

// Has reports whether the viewer has at least the given role.
func (v *Viewer) Has(role Role) bool { return v != nil && v.Role.Includes(role) }

// moderatorOf reports whether the viewer moderates a category that the viewer sees: as a moderator of the site, or of
// that category.
func (v *Viewer) moderatorOf(category CategoryID) bool {
	return v.Has(RoleModerator) || v != nil && category != 0 && slices.Contains(v.Moderates, category)
}

// Suspend takes role and moderated categories from a viewer with a ban in force.
func (v *Viewer) Suspend(now Time) {
	if v.Ban.InForce(now) && v.Moderator() {
		v.Role, v.Moderates, v.Suspended = RoleUser, nil, true
	}
}

// SameRights reports whether the viewer has the role, the categories, the groups and the ban that was had.
func (v *Viewer) SameRights(was *Viewer) bool {
	banned := func(v *Viewer) ActID {
		if v.Ban == nil {
			return 0
		}
		return v.Ban.Act
	}
	return v.Role == was.Role && slices.Equal(v.Moderates, was.Moderates) && slices.Equal(v.Groups, was.Groups) &&
		banned(v) == banned(was)
}

// Moderator reports whether the viewer is a moderator of the site or of any category.
func (v *Viewer) Moderator() bool { return v.Has(RoleModerator) || v != nil && len(v.Moderates) > 0 }

// Outranks reports whether the viewer, who moderates what a user with the role posted, may act on it. peer reports
// whether the user moderates the category of the post: its moderators are between members and moderators of the site.
func (v *Viewer) Outranks(role Role, peer bool) bool {
	if v.Has(RoleModerator) {
		return roleRank[v.Role] > roleRank[role]
	}
	return v != nil && !peer && !role.Includes(RoleModerator)
}

// Sees reports whether the viewer may see what author wrote and moderators took out of sight.
func (v *Viewer) Sees(author UserID) bool { return v.Is(author) || v.Has(RoleModerator) }
