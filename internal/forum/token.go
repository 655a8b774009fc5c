package forum

import "slices"

// Scope is what an API token may be used for.
type Scope string

// The scopes.
const (
	ScopeRead        Scope = "READ"
	ScopePost        Scope = "POST"
	ScopeVote        Scope = "VOTE"
	ScopeFollow      Scope = "FOLLOW"
	ScopeProfile     Scope = "PROFILE"
	ScopeModerate    Scope = "MODERATE"
	ScopeAdmin       Scope = "ADMIN"
	ScopeImpersonate Scope = "IMPERSONATE"
	ScopeEndSessions Scope = "END_SESSIONS"
	ScopeExport      Scope = "EXPORT"
	// ScopeRooms is needed to see categories that not everybody sees.
	ScopeRooms Scope = "ROOMS"
)

// SessionOnly is the scope of mutations that only sessions may call: those on the account itself.
const SessionOnly Scope = "session only"

// Scopes are all scopes, in the order in which they are stored.
var Scopes = []Scope{ScopeRead, ScopePost, ScopeVote, ScopeFollow, ScopeProfile, ScopeModerate, ScopeAdmin,
	ScopeImpersonate, ScopeEndSessions, ScopeExport, ScopeRooms}

// IsValid reports whether s is one of the scopes.
func (s Scope) IsValid() bool { return slices.Contains(Scopes, s) }

// NeedsProof reports whether a token with the scope is only made after a recent sign-in: it has more than a member's
// rights, or reads all that the site keeps about the member.
func (s Scope) NeedsProof() bool {
	return s == ScopeModerate || s == ScopeAdmin || s == ScopeImpersonate || s == ScopeExport
}

// APIToken is an API token of a user. The token itself is not stored.
type APIToken struct {
	User UserID
	// Digest is the digest of the token.
	Digest string
	// Name is what the user calls it.
	Name   string
	Scopes []Scope
	// CreatedAt is when it was created. SeenAt is when it was last used, stale by at most SessionSeen; 0 for never.
	// EndsAt is when it expires even if it is used; 0 for never.
	CreatedAt, SeenAt, EndsAt Time
	Provenance
}

// DiesAt returns when the token dies unless it is used before.
func (t *APIToken) DiesAt() Time {
	idle := max(t.CreatedAt, t.SeenAt) + Time(TokenIdle.Milliseconds())
	if t.EndsAt != 0 {
		return min(t.EndsAt, idle)
	}
	return idle
}

// Credential names what a request was sent with: a session, an API token or a token of an issuer, and whom the owner of
// an API token acts as.
type Credential struct {
	// Owner is the user of the session or token, Digest the digest of its secret.
	Owner  UserID
	Digest string
	// External is the hash of an account at an issuer, "" unless it is a token of one, which was issued and ends then.
	External     string
	Issued, Ends Time
	// ProvedAt is Viewer.ProvedAt of such a token.
	ProvedAt Time
	// API reports whether it is an API token.
	API bool
	// As is the member as whom the owner of an API token acts, 0 for the owner.
	As UserID
}

// Users returns the users on whose accounts the authority of the credential depends.
func (c Credential) Users() []UserID {
	if c.As == 0 || c.As == c.Owner {
		return []UserID{c.Owner}
	}
	return []UserID{c.Owner, c.As}
}

// Credential returns what the viewer's request was sent with.
func (v *Viewer) Credential() Credential {
	c := Credential{Owner: v.ID, Digest: v.Session, API: v.Scopes != nil, External: v.External, Issued: v.Issued}
	if c.External != "" {
		c.Ends, c.ProvedAt = v.SessionEnds, v.ProvedAt
	}
	if v.Owner != 0 {
		c.Owner, c.As = v.Owner, v.ID
	}
	return c
}

// TokenDigest returns the digest of the API token that the request was sent with, "" for a session.
func (v *Viewer) TokenDigest() string {
	if v.Scopes == nil {
		return ""
	}
	return v.Session
}

// May reports whether what the viewer's request was sent with has the scope.
func (v *Viewer) May(s Scope) bool {
	return v == nil || v.Scopes == nil || slices.Contains(v.Scopes, s)
}

// Restrict limits the viewer to the scopes of an API token: the role is at most MODERATOR without ADMIN, and without
// MODERATE, too, it is USER and the viewer moderates no categories.
func (v *Viewer) Restrict(scopes []Scope) {
	v.Scopes, v.administers = scopes, v.Role == RoleAdmin
	switch {
	case v.May(ScopeAdmin):
	case !v.May(ScopeModerate):
		v.Role, v.Moderates = RoleUser, nil
	case v.Role == RoleAdmin:
		v.Role = RoleModerator
	}
}

// MayFor reports whether the viewer may use a scope for a user: for oneself, and for all as an administrator, also with
// an API token that has no more than that scope.
func (v *Viewer) MayFor(of UserID, s Scope) bool {
	return v.Is(of) || v.Has(RoleAdmin) || v != nil && v.administers && v.May(s)
}

// Proved reports whether the viewer proved at most ProofLife ago who it is.
func (v *Viewer) Proved(now Time) bool {
	return v != nil && v.ProvedAt != 0 && now-v.ProvedAt <= Time(ProofLife.Milliseconds())
}

// ScopeMissing returns a SCOPE_MISSING error: what the request was sent with does not have the scope that a field of
// the schema needs, or the request itself if field is "".
func ScopeMissing(s Scope, field string) *Error {
	what := field
	if field == "" {
		what = "This"
	}
	return &Error{Code: CodeScopeMissing, Scope: s, Field: field,
		Message: what + " needs an API token with the scope " + string(s) + "."}
}

// CannotActAs returns a CANNOT_ACT_AS error: the owner of the API token may not act as that user.
func CannotActAs(why string) *Error { return &Error{Code: CodeCannotActAs, Message: why} }
