package graph_test

import (
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
)

// Who changes the login signs in with the new one, and the old one still finds the user, in texts too, for as long as
// it rests.
func TestChangeLogin(t *testing.T) {
	b := newFullSite(t)
	said := b.comment1(b.bob, "As @ann said")
	change := func(token, login string) answer {
		return b.mutate(token, "changeLogin", input{"password": "a good password", "login": login},
			"viewer { user { login } } errors { ... on RateLimitedError { retryAfterSeconds } }")
	}
	b.settle()
	before := b.contents()
	b.wantVerdict("a wrong password",
		b.mutate(b.ann, "changeLogin", input{"password": "a bad password", "login": "annabel"}, ""), wrongPassword)
	b.wantUntouched("a wrong password", before, answer{})
	bad := map[string]string{"": "TOO_SHORT input.login", "a b": "INVALID input.login", "admin": "INVALID input.login",
		"BOB": "TAKEN input.login", "b0b": "TAKEN input.login", strings.Repeat("x", 33): "TOO_LONG input.login"}
	for login, want := range bad {
		a := change(b.ann, login)
		b.wantVerdict("changeLogin to "+login, a, want)
		wantEqual(t, "the viewer", a.at("changeLogin", "viewer"), nil)
	}
	b.settle()
	after := b.contents()
	for k := range after { // of a refused change, only the revision of the account
		if _, ok := before[k]; !ok && !strings.HasPrefix(k, "rate:") {
			t.Errorf("a refused change left %s", k)
		}
	}
	b.wantVerdict("signed out", change("", "annabel"), "UNAUTHENTICATED")

	a := change(b.ann, "Annabel")
	b.wantVerdict("changeLogin", a, "")
	wantEqual(t, "the new login", a.text("changeLogin", "viewer", "user", "login"), "Annabel")
	wantEqual(t, "signing in with the new one", b.signsIn("annabel", "a good password"), true)
	wantEqual(t, "signing in with the old one", b.signsIn("ann", "a good password"), false)
	wantEqual(t, "signing in with the e-mail", b.signsIn("ann@example.com", "a good password"), true)
	find := func(login string) any {
		return b.must("", `query($l: String!) { user(by: {login: $l}) { login } }`, input{"l": login}).at("user")
	}
	annabel := any(map[string]any{"login": "Annabel"})
	wantEqual(t, "found by the old one", find("ann"), annabel)
	wantEqual(t, "found by the new one", find("ANNABEL"), annabel)
	wantEqual(t, "in the list of users", b.namesOf("users", `(prefix: "ann")`), "1: Annabel")
	for when, id := range map[string]string{"before": said, "after": b.comment1(b.bob, "As @ann said")} {
		shown := b.must("", `query($id: ID!) { node(id: $id) { ... on Comment { contentHtml mentions { login } } } }`,
			input{"id": id})
		wantEqual(t, "mentions of a text written "+when, shown.at("node", "mentions"), any([]any{annabel}))
		if html := shown.text("node", "contentHtml"); !strings.Contains(html, `href="/@Annabel"`) {
			t.Errorf("a text written %s is %s; want a link", when, html)
		}
	}
	b.wantVerdict("taken by another", change(b.bob, "ann"), "TAKEN input.login")
	a = change(b.ann, "another")
	b.wantVerdict("again", a, "RATE_LIMITED input.login")
	wantEqual(t, "when it can be changed again", a.number("changeLogin", "errors", 0, "retryAfterSeconds"),
		int(forum.LoginKept/time.Second))
	b.wantVerdict("another spelling", change(b.ann, "ANNABEL"), "")
	b.wantVerdict("one that looks like the old", change(b.bob, "b0b"), "INVALID input.login")
	b.settle()
}
