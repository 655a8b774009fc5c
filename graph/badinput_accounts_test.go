package graph_test

import (
	"slices"
	"strings"
	"testing"

	"agora/internal/forum"
)

// accountForms are the mutations that change accounts, each of its own user: the e-mail first, since the password
// changes.
func (b *fullSite) accountForms() []textForm {
	token := b.user("penelope")
	b.settle()
	own := []badText{{"the login", "Penelope", "INVALID"}, {"the login in full width", "ｐｅｎｅｌｏｐｅ", "INVALID"},
		{"the e-mail", "PENELOPE@example.com", "INVALID"}}
	strange := slices.DeleteFunc(slices.Clone(badPassword),
		func(t badText) bool { return strings.HasPrefix(t.name, "the ") })
	return []textForm{
		{"changeEmail", token, input{"password": "a good password", "email": "pen@agora.org"}, []textField{
			{"email", 254, "m", [][]badText{badEverywhere, badEmail, {{"no local part", "@agora.org", "INVALID"}, {"quoted", `"pen pen"@agora.org`, "INVALID"}}}}}},
		{"changePassword", token, input{"currentPassword": "a good password", "newPassword": "another password"}, []textField{
			{"newPassword", 256, "🍵", [][]badText{strange, own[:2]}}}},
	}
}

// A new password must be neither the login nor the e-mail of the account.
func TestPasswordsEqualToNames(t *testing.T) {
	b := newFullSite(t)
	token := b.user("penelope")
	change := func(field string, in input) refusal {
		return refusal{in["newPassword"].(string), token, field, with(in, "currentPassword", "a good password"),
			"INVALID input.newPassword"}
	}
	b.settle()
	b.wantRefused([]refusal{
		change("changePassword", input{"newPassword": "PENELOPE"}),
		change("changePassword", input{"newPassword": "ｐｅｎｅｌｏｐｅ"}),
		change("changePassword", input{"newPassword": "Penelope@example.com"}),
	})
	b.wantVerdict("changeEmail",
		b.mutate(token, "changeEmail", input{"password": "a good password", "email": "pen@agora.org"}, ""), "")
	b.settle()
	b.wantRefused([]refusal{change("changePassword", input{"newPassword": "PEN@agora.org"})})
	b.wantVerdict("the e-mail of before", b.mutate(token, "changePassword",
		input{"currentPassword": "a good password", "newPassword": "penelope@example.com"}, ""), "")
}

// badProofs are wrong, never bad input, whatever is sent as the current password.
func (b *fullSite) badProofs() (tests []refusal) {
	add := func(name, password string) {
		for field, put := range proofs {
			path := " input.password"
			if field == "changePassword" {
				path = " input.currentPassword"
			}
			tests = append(tests, refusal{"own password: " + name, b.ann, field, put(password), wrong + path})
		}
	}
	for _, bad := range concat([][]badText{badEverywhere, badEmpty, badLine, badPassword}) {
		add(bad.name, bad.text)
	}
	add("a very long one", strings.Repeat("x", 100_000))
	add("that of another case", "A good password")
	return tests
}

// Invalid tokens are refused before anything is done, whatever is requested.
func TestBadTokensChangeNothing(t *testing.T) {
	b := newFullSite(t)
	revoked, unknown := b.signIn("ann"), "agora_280_"+strings.Repeat("A", 43)
	b.wantVerdict("logout", b.mutate(revoked, "logout", input{}, ""), "")
	expired := b.signIn("bob")
	b.clock.Advance(forum.SessionLife)
	fresh := b.signIn("ann")
	b.settle()
	var tests []refusal
	for name, token := range map[string]string{"malformed": "x", "unknown": unknown, "revoked": revoked,
		"expired": expired} {
		for field, put := range proofs {
			tests = append(tests, refusal{"token " + name, token, field, put("a good password"), "UNAUTHENTICATED"})
		}
		tests = append(tests, refusal{"token " + name, token, "logout", input{}, "UNAUTHENTICATED"},
			refusal{"token " + name, token, "setUserRole", input{"userId": userID(fresh), "role": "ADMIN"}, "UNAUTHENTICATED"},
			refusal{"token " + name, token, "register", newcomer, "UNAUTHENTICATED"},
			refusal{"token " + name, token, "login", input{"identifier": "ann", "password": "a good password"},
				"UNAUTHENTICATED"})
	}
	b.wantRefused(tests)
	for _, token := range []string{"x", unknown, revoked, expired} {
		wantEqual(t, "status with a token that is no good",
			b.mutate(token, "deleteAccount", input{"password": "a good password"}, "").status, 401)
	}
	wantEqual(t, "a good one", b.whoami(fresh), "200  ann")
}
