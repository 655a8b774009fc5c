package forum

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

// GhostLogin is the login of the ghost, the stand-in for users who no longer exist.
const GhostLogin = "ghost"

// User is a member as other users see it. It never contains the e-mail address or the password.
type User struct {
	Handle
	ID UserID
	// Active reports that the account is registered completely and not deleted.
	Active bool
	Login  string
	// LoginFold is the folded login, used for comparison.
	LoginFold  string
	Name       string
	Role       Role
	CreatedAt  Time
	TopicCount int
	// FollowerCount is how many users follow this one, FollowingCount how many it follows.
	FollowerCount  int
	FollowingCount int
	// Bio is plain text, Website and AvatarURL are addresses; each "" for none.
	Bio, Website, AvatarURL string
	// Karma is the votes of others on the user's posts, up minus down, without those on deleted posts.
	Karma int
	// OldFold is the folded login that the user had before, "" for none. It finds the user as long as it is reserved.
	OldFold string
}

// Ghost returns the user that stands in for deleted authors. Its account is as old as the data:
// since is when they were initialized.
func Ghost(since Time) *User {
	return &User{Active: true, Login: GhostLogin, LoginFold: GhostLogin, Name: "Ghost", Role: RoleUser, CreatedAt: since}
}

// Viewer is the signed-in user who sends a request. It is nil if the request is anonymous.
type Viewer struct {
	ID   UserID
	Role Role
	// Session is the digest of the request's token.
	Session string
	// SessionEnds is when the session ends.
	SessionEnds Time
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
}

// Is reports whether the viewer is the user id.
func (v *Viewer) Is(id UserID) bool { return v != nil && id != 0 && v.ID == id }

// Has reports whether the viewer has at least the given role.
func (v *Viewer) Has(role Role) bool { return v != nil && v.Role.Includes(role) }

// Sees reports whether the viewer may see deleted content by author.
func (v *Viewer) Sees(author UserID) bool { return v.Is(author) || v.Has(RoleModerator) }
