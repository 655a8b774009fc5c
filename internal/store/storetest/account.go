package storetest

import (
	"strings"

	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/test/must"
)

// Owner returns the owner of the login or e-mail; 0 for none.
func (x *Site) Owner(fold string) forum.UserID {
	x.T.Helper()
	c := must.Do(x.Sessions.Credentials(x.Ctx, fold, strings.Contains(fold, "@")))(x.T)
	return c.User
}

// SomeExternal is a user of another issuer.
var SomeExternal = forum.External{Issuer: "https://id.example.org", Subject: "a subject with spaces"}

// ExternalUser is an account for SomeExternal with a login.
func ExternalUser(login string) accounts.NewUser {
	return accounts.NewUser{Login: login, LoginFold: login, Name: login, External: SomeExternal}
}

// Digests of tokens.
var DigestA, DigestB, DigestC = strings.Repeat("a1", 32), strings.Repeat("b2", 32), strings.Repeat("c3", 32)

// Touch records a use of a session.
func (x *Site) Touch(what string, user forum.UserID, digest string) {
	x.T.Helper()
	_, err := x.Sessions.TouchSession(x.Ctx, user, digest)
	WantOK(x.T, what, err)
}

// Token creates an API token.
func (x *Site) Token(by *forum.Viewer, digest string, scopes ...forum.Scope) {
	x.T.Helper()
	_, err := x.Sessions.CreateToken(x.Ctx, by, forum.APIToken{Digest: digest, Name: "name of " + digest,
		Scopes: scopes})
	WantOK(x.T, "CreateToken", err)
}

// SignedIn returns the viewer whom a user's session signs in; nil if it has ended.
func (x *Site) SignedIn(user forum.UserID, digest string) *forum.Viewer {
	x.T.Helper()
	r := x.Read(x.Ctx)
	get := r.Sessions.Session(user, digest)
	WantOK(x.T, "Exec", r.Exec())
	v, _, err := get()
	WantOK(x.T, "Session", err)
	return v
}
