package forum

import "slices"

// BanScope is what a ban bars a user from (`BanScope` in the schema).
type BanScope string

// The scopes.
const (
	// BanPost bars from posting, voting, following, moderating, and changing one's profile; the user can still read while
	// signed in.
	BanPost BanScope = "POST"
	// BanSignIn also bars from signing in, and ends all sessions.
	BanSignIn BanScope = "SIGN_IN"
)

// BanScopes are all scopes.
var BanScopes = []BanScope{BanPost, BanSignIn}

// Ban bars a user from something, for a time or for good.
type Ban struct {
	Scope BanScope
	// Until is when it ends by itself; 0 is never.
	Until Time
	// The note is not kept with the user; it is in the act.
	Grounds
	// Act is the entry of the moderation log that imposed it.
	Act ActID
}

// InForce reports whether the ban has not ended; b may be nil.
func (b *Ban) InForce(now Time) bool {
	return b != nil && b.Scope != "" && (b.Until == 0 || now < b.Until)
}

// BarsSignIn reports whether the ban keeps its user from signing in; b may be nil.
func (b *Ban) BarsSignIn(now Time) bool { return b.InForce(now) && b.Scope == BanSignIn }

// WhileBanned reports whether those who are banned from posting may do this.
func (a Action) WhileBanned() bool {
	return slices.Contains([]Action{ActionDelete, ActionBookmark, ActionWatch, ActionBlock, ActionAddToList}, a)
}

// Banned returns a BANNED error: the ban keeps the viewer from doing this.
func Banned(path []string, b Ban) *Error {
	return &Error{Code: CodeBanned, Path: path, Ban: &b, Message: "You are banned from this."}
}
