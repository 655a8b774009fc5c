package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agora/internal/store/accounts"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

const (
	wrongCurrent  = "WRONG_CREDENTIALS input.currentPassword"
	wrongPassword = "WRONG_CREDENTIALS input.password"
	privateViewer = "viewer { email user { login } sessions { id isCurrent } }"
)

// signsIn reports whether a user can sign in.
func (s *site) signsIn(identifier, password string) bool {
	s.t.Helper()
	return s.mutate("", "login", input{"identifier": identifier, "password": password}, "").verdict() == ""
}

// claims are the logins and e-mails claimed in Redis.
func (s *site) claims() []string {
	s.t.Helper()
	keys, _ := redistest.Keys(context.Background(), s.redis, "uniq:{[le]:*")
	slices.Sort(keys)
	return keys
}

func TestChangePassword(t *testing.T) {
	s := newSite(t)
	first, bob := s.user("ann"), s.user("bob")
	s.clock.Advance(second)
	current := s.signIn("ann")
	s.settle()
	change := func(token, was, will string) answer {
		return s.mutate(token, "changePassword", input{"currentPassword": was, "newPassword": will}, privateViewer)
	}
	before := s.contents()
	refused := change(current, "a bad password", "another password")
	s.wantVerdict("wrong password", refused, wrongCurrent)
	wantEqual(t, "viewer on failure", refused.at("changePassword", "viewer"), nil)
	s.wantUntouched("wrong password", before, answer{})
	s.wantVerdict("wrong password and a bad new one", change(current, "a bad password", "x"), wrongCurrent)
	s.wantVerdict("a bad new one", change(current, "a good password", "x"), "TOO_SHORT input.newPassword")
	s.wantUntouched("bad new password", before, answer{})

	a := change(current, "a good password", "Another　password") // an ideographic space
	s.wantVerdict("change", a, "")
	wantEqual(t, "payload", a.at("changePassword", "viewer"),
		any(map[string]any{"email": "ann@example.com", "user": map[string]any{"login": "ann"},
			"sessions": []any{map[string]any{"id": sessionID(current), "isCurrent": true}}}))
	wantEqual(t, "stored sessions", len(s.stored(current)), 1)
	who := map[string]string{first: "401 UNAUTHENTICATED", current: "200  ann", bob: "200  bob"}
	for token, want := range who {
		wantEqual(t, "after the change", s.whoami(token), want)
	}
	wantEqual(t, "the old password", s.signsIn("ann", "a good password"), false)
	wantEqual(t, "the new one, with a plain space", s.signsIn("ann@example.com", "Another password"), true)
	s.wantVerdict("the old one as proof", change(current, "a good password", "A third password"), wrongCurrent)
	s.wantVerdict("back to the first", change(current, "Another password", "a good password"), "")
	if all := fmt.Sprint(s.contents()); strings.Contains(all, "nother") {
		t.Error("a password is in Redis")
	}
}

func TestChangeEmail(t *testing.T) {
	s := newSite(t)
	ann, bob := s.user("ann"), s.user("bob")
	other := s.signIn("ann")
	s.settle()
	change := func(token, email string) answer {
		return s.mutate(token, "changeEmail", input{"password": "a good password", "email": email}, privateViewer)
	}
	before := s.contents()
	refused := s.mutate(ann, "changeEmail", input{"password": "a bad password", "email": "new@agora.org"}, privateViewer)
	s.wantVerdict("wrong password", refused, wrongPassword)
	wantEqual(t, "viewer on failure", refused.at("changeEmail", "viewer"), nil)
	s.wantUntouched("wrong password", before, answer{})

	a := change(ann, "New@Agora.org")
	s.wantVerdict("change", a, "")
	wantEqual(t, "payload: email", a.text("changeEmail", "viewer", "email"), "New@Agora.org")
	wantEqual(t, "payload: sessions", len(a.texts("id", "changeEmail", "viewer", "sessions")), 2)
	wantEqual(t, "email in the other session", s.must(other, `{ viewer { email } }`, nil).text("viewer", "email"), "New@Agora.org")
	for identifier, want := range map[string]bool{"new@agora.org": true, "NEW@AGORA.ORG": true, "ann": true,
		"ann@example.com": false} {
		wantEqual(t, "sign in as "+identifier, s.signsIn(identifier, "a good password"), want)
	}
	taken := change(bob, "NEW@agora.ORG")
	s.wantVerdict("another's", taken, "TAKEN input.email")
	s.wantVerdict("another's at registration", s.mutate("", "register", newcomer, ""), "TAKEN input.email")
	s.settle()
	wantEqual(t, "claims: two logins, two e-mails", len(s.claims()), 4)
	wantEqual(t, "bob's e-mail", s.must(bob, `{ viewer { email } }`, nil).text("viewer", "email"), "bob@example.com")

	s.wantVerdict("the old one is free at once", change(bob, "Ann@Example.com"), "")
	s.wantVerdict("and so is bob's",
		s.mutate("", "register", input{"login": "cid", "email": "bob@example.com", "password": "a good password"}, ""), "")
	s.wantVerdict("one's own in another spelling", change(ann, "nEW@agora.org"), "")
	wantEqual(t, "email as written last", s.must(ann, `{ viewer { email } }`, nil).text("viewer", "email"), "nEW@agora.org")
	for _, email := range []string{"second@agora.org", "third@agora.org", "second@agora.org", "new@agora.org"} {
		s.wantVerdict("to "+email, change(ann, email), "")
		wantEqual(t, "sign in as "+email, s.signsIn(email, "a good password"), true)
	}
	s.settle()
	wantEqual(t, "claims of three accounts", len(s.claims()), 6)
	wantEqual(t, "what is left of changes", strings.Contains(fmt.Sprint(s.contents()), "newEmail"), false)
}

// The value of TAKEN is the compared form.
func TestChangeEmailReportsTheTakenForm(t *testing.T) {
	s := newSite(t)
	ann := s.user("ann")
	s.user("bob")
	a := s.mutate(ann, "changeEmail", input{"password": "a good password", "email": "BOB@Example.COM"},
		"errors { ... on TakenError { value } }")
	s.wantVerdict("another's", a, "TAKEN input.email")
	wantEqual(t, "value", a.text("changeEmail", "errors", 0, "value"), "bob@example.com")
	s.wantVerdict("the password as e-mail", s.mutate(s.userWith("cid", "a.good@password.org"), "changeEmail",
		input{"password": "a.good@password.org", "email": "A.Good@password.org"}, ""), "INVALID input.email")
}

// userWith registers a user with a password.
func (s *site) userWith(login, password string) string {
	s.t.Helper()
	a := s.mutate("", "register", input{"login": login, "email": login + "@example.com", "password": password}, "token")
	s.wantVerdict("register "+login, a, "")
	return a.text("register", "token")
}

// imported creates an account as an import does: without password and e-mail.
func (s *site) imported(login string) {
	s.t.Helper()
	must.Do(s.store.Accounts.Register(context.Background(),
		accounts.NewUser{Login: login, LoginFold: login, Name: login}))(s.t)
}

// An imported account can sign in and get an e-mail once an administrator has set its password.
func TestImportedAccountCanSignInOnceItHasAPassword(t *testing.T) {
	s := newSite(t)
	s.userWith("bob", "a good password")
	s.imported("ann")
	wantEqual(t, "sign in without password", s.signsIn("ann", ""), false)
	ctx := context.Background()
	found := must.Do(s.store.Sessions.Credentials(ctx, "bob", false))(t)
	ann, err := s.store.Sessions.Credentials(ctx, "ann", false)
	if err != nil || ann.User == 0 || ann.PasswordHash != "" {
		t.Fatalf("Credentials of ann = %+v, %v; want a user without hash", ann, err)
	}
	must.OK(t, s.store.Accounts.SetPassword(ctx, ann.User, found.PasswordHash))
	token := s.signIn("ann")
	wantEqual(t, "email", s.must(token, `{ viewer { email } }`, nil).at("viewer", "email"), nil)
	s.wantVerdict("new password", s.mutate(token, "changePassword",
		input{"currentPassword": "a good password", "newPassword": "another password"}, ""), "")
	a := s.mutate(token, "changeEmail", input{"password": "another password", "email": "ann@agora.org"},
		"viewer { email }")
	s.wantVerdict("first e-mail", a, "")
	wantEqual(t, "email after", a.text("changeEmail", "viewer", "email"), "ann@agora.org")
	wantEqual(t, "sign in by it", s.signsIn("ANN@agora.org", "another password"), true)
	s.wantVerdict("delete", s.mutate(token, "deleteAccount", input{"password": "another password"}, ""), "")
	s.settle()
	wantEqual(t, "claims, one of a login that rests", len(s.claims()), 3)
}
