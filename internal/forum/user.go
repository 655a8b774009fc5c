package forum

// Role is what a user may do; each role may do all that lesser roles may.
type Role string

// The roles from least to most.
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

// GhostLogin is the login of the ghost, the stand-in for whoever is gone.
const GhostLogin = "ghost"

// User is a member as others see it. E-mail and password never leave the store
// with it.
type User struct {
	Handle
	ID UserID
	// Active tells that the account is neither being registered nor gone.
	Active bool
	Login  string
	// LoginFold is the login in the form in which it is compared.
	LoginFold  string
	Name       string
	Role       Role
	CreatedAt  Time
	TopicCount int
	// FollowerCount is how many users follow this one, FollowingCount how many it follows.
	FollowerCount  int
	FollowingCount int
}

// Ghost is the user who stands for authors who are gone. The account has
// existed as long as the data: since is the time at which they were laid out.
func Ghost(since Time) *User {
	return &User{Active: true, Login: GhostLogin, LoginFold: GhostLogin, Name: "Ghost", Role: RoleUser, CreatedAt: since}
}

// Viewer is the signed-in user on whose behalf a request runs. A nil Viewer is
// somebody who is signed out.
type Viewer struct {
	ID   UserID
	Role Role
	// Session is the digest of the token with which the request came.
	Session string
	// SessionEnds is when it ends.
	SessionEnds Time
}

// Session is one place where a user is signed in.
type Session struct {
	User UserID
	// Digest is what is kept of the token.
	Digest string
	// CreatedAt is when it began, SeenAt when it was last used, up to
	// SessionSeen ago, EndsAt when it ends by itself.
	CreatedAt, SeenAt, EndsAt Time
	// UserAgent is the header at sign-in, cut to MaxUserAgent; "" if none was sent.
	UserAgent string
}

// Is reports whether the viewer is the user id.
func (v *Viewer) Is(id UserID) bool { return v != nil && id != 0 && v.ID == id }

// Has reports whether the viewer may do what role may.
func (v *Viewer) Has(role Role) bool { return v != nil && v.Role.Includes(role) }

// Sees reports whether what author wrote is the viewer's to see after deletion.
func (v *Viewer) Sees(author UserID) bool { return v.Is(author) || v.Has(RoleModerator) }
