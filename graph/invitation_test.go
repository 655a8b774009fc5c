package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/globalid"
)

// invited is the input that login registers with, with the code of an invitation.
func invited(login, code string) input {
	return with(registration(login, login+"@example.com"), "invitation", code)
}

const invitationFields = "id code isOpen note uses usesLeft users { login }"

// invite makes an invitation, which must succeed, and returns its id and code.
func (s *site) invite(by string, in input) (id, code string) {
	s.t.Helper()
	a := s.mutate(by, "createInvitation", in, "invitation { "+invitationFields+" }")
	s.wantVerdict("createInvitation", a, "")
	return a.text("createInvitation", "invitation", "id"), a.text("createInvitation", "invitation", "code")
}

func TestRegisterWithAnInvitation(t *testing.T) {
	s := newSite(t)
	ada, eve := s.admin("ada"), s.user("eve")
	s.registrationIs(ada, "INVITE")
	id, code := s.invite(ada, input{"uses": 2, "note": "Friends"})
	for scope, shown := range map[forum.Scope]any{forum.ScopeRead: nil, forum.ScopeModerate: code} {
		a := s.must(s.apiToken(ada, forum.ScopeRead, scope), "{ viewer { invitations { code } } }", nil)
		wantEqual(t, "code", a.at("viewer", "invitations"), any([]any{map[string]any{"code": shown}}))
	}
	for name, tt := range map[string]struct {
		in   input
		want string
	}{
		"none":           {registration("bob", "bob@example.com"), "INVALID input.invitation"},
		"an empty one":   {invited("bob", ""), "INVALID input.invitation"},
		"not a code":     {invited("bob", "please"), "NOT_FOUND input.invitation"},
		"an unknown one": {invited("bob", "257-aaaaa-aaaaa-aaaaa-aaaaa"), "NOT_FOUND input.invitation"},
		"one in use":     {with(invited("ada", code), "email", "bob@example.com"), "TAKEN input.login"},
	} {
		s.wantVerdict(name, s.mutate("", "register", tt.in, ""), tt.want)
	}
	again := with(invited("bob", " "+strings.ToUpper(code)), "idempotencyKey", "k")
	bob := s.mutate("", "register", again, "token").text("register", "token")
	carl := s.mutate("", "register", invited("carl", strings.ReplaceAll(code, "-", " ")), "token")
	s.wantVerdict("hyphens are needed after the number only", carl, "NOT_FOUND input.invitation")
	s.wantVerdict("the second use", s.mutate("", "register", invited("carl", code), ""), "")
	s.wantVerdict("a third", s.mutate("", "register", invited("dora", code), ""), "NOT_FOUND input.invitation")
	s.wantVerdict("the first call repeated", s.mutate("", "register", again, ""), "")

	want := map[string]any{"id": id, "code": nil, "isOpen": false, "note": "Friends", "uses": 2.0, "usesLeft": 0.0,
		"users": []any{map[string]any{"login": "bob"}, map[string]any{"login": "carl"}}}
	wantEqual(t, "list", s.must(ada, "{ viewer { invitations { "+invitationFields+" } } }", nil).at("viewer", "invitations"),
		any([]any{want}))
	node := "query ($id: ID!) { node(id: $id) { ... on Invitation { " + invitationFields + " } } }"
	wantEqual(t, "node", s.must(ada, node, input{"id": id}).at("node"), any(want))
	for _, other := range []string{bob, ""} {
		wantEqual(t, "node for others", s.must(other, node, input{"id": id}).at("node"), nil)
	}
	inviter := `{ user(by: {login: "bob"}) { invitedBy { login } } }`
	for token, sees := range map[string]any{ada: map[string]any{"login": "ada"}, bob: map[string]any{"login": "ada"},
		eve: nil, "": nil} {
		wantEqual(t, "invitedBy", s.must(token, inviter, nil).at("user", "invitedBy"), sees)
	}
	s.settle()
}

func TestInvitationsEnd(t *testing.T) {
	s := newSite(t)
	ada, ann, eve := s.admin("ada"), s.user("ann"), s.user("eve")
	s.wantVerdict("a member's", s.mutate(ann, "createInvitation", input{}, ""), "FORBIDDEN ")
	s.wantVerdict("rule", s.mutate(ada, "updateRules", input{"invitationsBy": "USER", "registration": "INVITE"}, ""), "")
	_, code := s.invite(ann, input{})
	id, second := s.invite(ann, input{"expiresAt": s.clock.Now().Add(48 * time.Hour).UTC().Format(model.DateTimeLayout)})
	s.wantVerdict("another's", s.mutate(eve, "revokeInvitation", input{"invitationId": id}, ""),
		"NOT_FOUND input.invitationId")
	s.wantVerdict("revoke", s.mutate(ann, "revokeInvitation", input{"invitationId": id}, "invitation { isOpen }"), "")
	s.wantVerdict("a revoked one", s.mutate("", "register", invited("bob", second), ""), "NOT_FOUND input.invitation")
	s.wantVerdict("rule", s.mutate(ada, "updateRules", input{"invitationsBy": "ADMIN"}, ""), "")
	s.wantVerdict("its creator may no longer invite", s.mutate("", "register", invited("bob", code), ""),
		"NOT_FOUND input.invitation")
	s.wantVerdict("rule", s.mutate(ada, "updateRules", input{"invitationsBy": "USER"}, ""), "")
	s.clock.Advance(30 * 24 * time.Hour)
	s.wantVerdict("an expired one", s.mutate("", "register", invited("bob", code), ""), "NOT_FOUND input.invitation")
	s.settle()
}

// Administrators find and revoke the invitations of others, whose codes and notes they are not shown.
func TestAdministratorsRevokeInvitations(t *testing.T) {
	s := newSite(t)
	ada, mod, ann := s.admin("ada"), s.moderator("mia"), s.user("ann")
	s.wantVerdict("rule", s.mutate(ada, "updateRules", input{"invitationsBy": "USER", "registration": "INVITE"}, ""), "")
	id, code := s.invite(ann, input{"note": "for Bob"})
	const list = `{ user(by: {login: "ann"}) { invitations { id code note isOpen } } }`
	shown := func(code, note any) any {
		return []any{map[string]any{"id": id, "code": code, "note": note, "isOpen": true}}
	}
	for _, tt := range []struct {
		by   string
		want any
	}{{"", nil}, {mod, nil}, {ada, shown(nil, nil)}, {ann, shown(code, "for Bob")}} {
		wantEqual(t, "as seen by "+tt.by, s.must(tt.by, list, nil).at("user", "invitations"), tt.want)
	}
	s.wantVerdict("by a moderator", s.mutate(mod, "revokeInvitation", input{"invitationId": id}, ""),
		"NOT_FOUND input.invitationId")
	a := s.mutate(ada, "revokeInvitation", input{"invitationId": id}, "invitation { isOpen note }")
	s.wantVerdict("by an administrator", a, "")
	wantEqual(t, "the answer", a.at("revokeInvitation", "invitation"), any(map[string]any{"isOpen": false, "note": nil}))
	s.wantVerdict("a revoked one", s.mutate("", "register", invited("bob", code), ""), "NOT_FOUND input.invitation")
	s.settle()
}

func TestBadInvitations(t *testing.T) {
	s := newFullSite(t)
	ada := s.admin("ada")
	s.settle()
	at := func(d time.Duration) string { return s.clock.Now().Add(d).UTC().Format(model.DateTimeLayout) }
	s.wantRefused([]refusal{
		{"signed out", "", "createInvitation", input{}, "UNAUTHENTICATED"},
		{"no uses", ada, "createInvitation", input{"uses": 0}, "INVALID input.uses"},
		{"many uses", ada, "createInvitation", input{"uses": 101}, "INVALID input.uses"},
		{"in the past", ada, "createInvitation", input{"expiresAt": at(-time.Second)}, "INVALID input.expiresAt"},
		{"too late", ada, "createInvitation", input{"expiresAt": at(366 * 24 * time.Hour)}, "INVALID input.expiresAt"},
		{"a long note", ada, "createInvitation", input{"note": strings.Repeat("a", 201)}, "TOO_LONG input.note"},
		{"no invitation", ada, "revokeInvitation", input{"invitationId": "x"}, "BAD_USER_INPUT input.invitationId"},
		{"another object", ada, "revokeInvitation", input{"invitationId": globalid.New("User", "1")},
			"NOT_FOUND input.invitationId"},
		{"unknown", ada, "revokeInvitation", input{"invitationId": globalid.New("Invitation",
			fmt.Sprintf("%d:0123456789abcdef01234567", userOf(ada)))}, "NOT_FOUND input.invitationId"},
	})
}
