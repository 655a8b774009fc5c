package graph_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/test/issuertest"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// startSession exchanges a token of an issuer for a session.
func (m *memberSite) startSession(token string) string {
	m.t.Helper()
	return m.mutate(token, "startSession", input{}, "token").text("startSession", "token")
}

// since returns a token of a member who proved then who it is.
func (m *memberSite) since(subject string, ago time.Duration) string {
	return m.of.Token(m.t, subject, issuertest.Claims{"auth_time": m.of.Now().Add(-ago).Unix()})
}

// API tokens with more than a member's rights are made soon after a sign-in, whatever the maker's role; others at any time.
func TestStrongTokensNeedARecentSignIn(t *testing.T) {
	m := newMemberSite(t)
	create := func(token, scope string) string {
		return m.mutate(token, "createToken", input{"name": "a", "scopes": []string{scope}}, "token").verdict()
	}
	ada := m.admin("ada")
	ofIssuer, ended := m.startSession(m.since("7", 0)), m.since("7", forum.ProofLife+time.Second)
	again := m.startSession(m.since("7", forum.ProofLife-time.Minute))
	for name, tt := range map[string]struct {
		token string
		fresh bool
	}{
		"a password":                   {ada, true},
		"a session of an issuer":       {ofIssuer, true},
		"a token with auth_time":       {m.since("7", forum.ProofLife-time.Second), true},
		"one that is older":            {ended, false},
		"a session of that":            {m.startSession(ended), false},
		"a token without auth_time":    {m.of.Token(t, "7", nil), false},
		"a session of that one":        {m.startSession(m.of.Token(t, "7", nil)), false},
		"a token of the future":        {m.since("7", -time.Hour), false},
		"an auth_time that is no time": {m.of.Token(t, "7", issuertest.Claims{"auth_time": "now"}), false},
	} {
		want := map[bool]string{false: "SIGN_IN_AGAIN input.scopes"}[tt.fresh]
		for _, scope := range []string{"MODERATE", "ADMIN"} {
			if got := create(tt.token, scope); got != want {
				t.Errorf("%s: createToken with %s = %q; want %q", name, scope, got, want)
			}
		}
		if got := create(tt.token, "READ"); got != "" {
			t.Errorf("%s: createToken with READ = %q", name, got)
		}
	}
	m.wantVerdict("IMPERSONATE", m.mutate(ada, "createToken", input{"name": "a", "scopes": []string{"IMPERSONATE"}}, ""), "")
	m.clock.Advance(2 * time.Minute)
	m.wantVerdict("the proof of the issuer is over", m.mutate(again, "createToken",
		input{"name": "a", "scopes": []string{"ADMIN"}}, ""), "SIGN_IN_AGAIN input.scopes")
	m.clock.Advance(forum.ProofLife - 2*time.Minute)
	if got := create(ada, "ADMIN"); got != "" {
		t.Errorf("createToken at the end = %q", got)
	}
	m.clock.Advance(time.Millisecond)
	for _, scope := range []string{"MODERATE", "ADMIN", "IMPERSONATE"} {
		if got := create(ada, scope); got != "SIGN_IN_AGAIN input.scopes" {
			t.Errorf("createToken with %s after the end = %q; want SIGN_IN_AGAIN", scope, got)
		}
	}
}

// Members of an issuer delete their account with a recent sign-in, others with the password; their posts stay or not.
func TestMembersDeleteTheirAccount(t *testing.T) {
	m := newMemberSite(t)
	remove := func(token string, in input) answer { return m.mutate(token, "deleteAccount", in, "deletedUserId") }
	bob := m.userWith("bob", "a good password")
	m.wantVerdict("no password", remove(bob, input{}), "WRONG_CREDENTIALS input.password")
	m.wantVerdict("signed out", remove("", input{"identifier": "bob"}), "WRONG_CREDENTIALS input.password")
	m.wantVerdict("a token without auth_time", remove(m.of.Token(t, "7", nil), input{}), "SIGN_IN_AGAIN ")
	m.wantVerdict("a password that is not there", remove(m.since("7", 0), input{"password": ""}),
		"WRONG_CREDENTIALS input.password")
	m.wantVerdict("a recent sign-in", remove(m.startSession(m.since("7", time.Minute)), input{}), "")
	m.wantVerdict("a recent token", remove(m.since("8", time.Minute), input{"content": "ERASE"}), "")
	m.wantVerdict("a password", remove(bob, input{"password": "a good password", "content": "ERASE"}), "")
	if n := m.marked("erase"); n != 2 {
		t.Errorf("what %d users wrote is to be deleted; want 2", n)
	}
}

// marked returns how many users have an internal field.
func (s *site) marked(field string) (n int) {
	s.t.Helper()
	for _, k := range must.Do(redistest.Keys(s.t.Context(), s.redis, "*:u:*"))(s.t) {
		if has, _ := s.redis.HExists(s.t.Context(), k, field).Result(); has {
			n++
		}
	}
	return n
}

// A token with END_SESSIONS ends the sessions of others only while its owner is an administrator, and does nothing else.
func TestTokensEndSessions(t *testing.T) {
	m := newMemberSite(t)
	ada, bob := m.admin("ada"), m.userWith("bob", "a good password")
	token := m.apiToken(ada, forum.ScopeEndSessions)
	end := func(token string) answer {
		return m.mutate(token, "endSessions", input{"userId": userID(bob)}, "user { id }")
	}
	m.wantVerdict("another member's", end(m.apiToken(m.userWith("cid", "a good password"), forum.ScopeEndSessions)), "FORBIDDEN")
	m.wantVerdict("an administrator's without the scope", end(m.apiToken(ada, forum.ScopeAdmin)), "SCOPE_MISSING")
	m.wantVerdict("with it", end(token), "")
	m.wantVerdict("the session has ended", m.mutate(bob, "logout", input{}, ""), "UNAUTHENTICATED")
	m.wantVerdict("upsertUser", m.mutate(token, "upsertUser", input{"external": m.external("7")}, ""), "SCOPE_MISSING")
}
