package signin_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/issuer"
	"agora/internal/store/sessions"
	"agora/internal/test/issuertest"
	"agora/internal/test/must"
)

// roleClaims are values of the claim role, by the roles that they mean.
var roleClaims = map[forum.Role]string{forum.RoleUser: "x", forum.RoleModerator: "moderator", forum.RoleAdmin: "admin"}

// says returns claims of a token that was issued then.
func says(role forum.Role, issued time.Time) issuertest.Claims {
	return issuertest.Claims{"role": roleClaims[role], "iat": issued.Unix(), "exp": issued.Add(24 * time.Hour).Unix()}
}

// roles returns the user's role as a session, an API token and others see it.
func (w *world) roles(t testing.TB, id forum.UserID, session, token string) [3]forum.Role {
	t.Helper()
	all := [3]forum.Role{2: w.user(t, id).RoleAt(w.store.Engine.Now())}
	for i, c := range []forum.Credential{{Owner: id, Digest: session}, {Owner: id, Digest: token, API: true}} {
		read := w.store.Read(t.Context())
		signedIn := read.Sessions.SignedIn(c)
		must.OK(t, read.Exec())
		v, _, err := signedIn()
		must.OK(t, err)
		all[i] = v.Role
	}
	return all
}

// keep begins a session and makes an API token with all scopes.
func (w *world) keep(t testing.TB, v *forum.Viewer) (session, token string) {
	t.Helper()
	session, token = digest('a'), digest('b')
	must.OK(t, w.store.Sessions.StartSession(t.Context(), sessions.NewSession{User: v.ID, Digest: session,
		Ends: w.store.Engine.Now() + forum.Time(forum.SessionMost.Milliseconds())}))
	must.Do(w.store.Sessions.CreateToken(t.Context(), v, forum.APIToken{Digest: token, Name: "n",
		Scopes: forum.Scopes}))(t)
	return session, token
}

func digest(of rune) string {
	d := make([]rune, 64)
	for i := range d {
		d[i] = of
	}
	return string(d)
}

// What a token signed in keeps a role only while a token that says so is seen.
func TestRoleOfAClaimEnds(t *testing.T) {
	w := newWorld(t)
	start := w.clock.Now()
	v := w.signIn(t, "42", says(forum.RoleAdmin, start))
	session, token := w.keep(t, v)
	want := func(what string, role forum.Role) {
		t.Helper()
		if got := w.roles(t, v.ID, session, token); got != [3]forum.Role{role, role, role} {
			t.Errorf("%s: the roles are %v; want %s", what, got, role)
		}
	}
	want("at first", forum.RoleAdmin)
	w.clock.Advance(issuer.DefaultRoleLife - time.Millisecond)
	want("before the end", forum.RoleAdmin)
	w.clock.Advance(time.Millisecond)
	want("at the end", forum.RoleUser)
	w.signIn(t, "42", says(forum.RoleAdmin, start))
	want("after the same token was seen again", forum.RoleAdmin)
	w.clock.Advance(issuer.DefaultRoleLife / 2)
	w.signIn(t, "42", says(forum.RoleAdmin, start))
	w.clock.Advance(issuer.DefaultRoleLife - time.Millisecond)
	want("an hour after it was seen", forum.RoleAdmin)
	w.clock.Advance(time.Hour)
	w.signIn(t, "42", says(forum.RoleAdmin, start.Add(-time.Second)))
	want("after an older token", forum.RoleUser)
}

// A lower role does not wait for the minute between claims.
func TestLowerRoleActsAtOnce(t *testing.T) {
	w := newWorld(t)
	v := w.signIn(t, "42", says(forum.RoleAdmin, w.clock.Now()))
	session, token := w.keep(t, v)
	w.clock.Advance(time.Second)
	if v := w.signIn(t, "42", says(forum.RoleModerator, w.clock.Now())); v.Role != forum.RoleModerator {
		t.Errorf("the token of a moderator makes %s", v.Role)
	}
	if got := w.roles(t, v.ID, session, token); got != [3]forum.Role{"MODERATOR", "MODERATOR", "MODERATOR"} {
		t.Errorf("the roles are %v; want MODERATOR", got)
	}
}
