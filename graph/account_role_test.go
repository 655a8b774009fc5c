package graph_test

import (
	"fmt"
	"testing"

	"agora/internal/forum"
)

// admin registers a user and makes them an ADMIN as the command line does.
func (s *site) admin(login string) string {
	s.t.Helper()
	token := s.user(login)
	s.promote(token, forum.RoleAdmin)
	return token
}

// userID returns the global id of a token's user.
func userID(token string) string { return gid("User", fmt.Sprint(userOf(token))) }

func TestSetUserRole(t *testing.T) {
	s := newSite(t)
	admin, ann := s.admin("ada"), s.user("ann")
	other := s.signIn("ann")
	role := `{ viewer { user { role } } user(by: {login: "ann"}) { role } }`
	steps := []struct {
		role       forum.Role
		moderating string // verdict of what moderators may
		appointing string // and of what admins may
	}{
		{forum.RoleModerator, "", "FORBIDDEN"},
		{forum.RoleModerator, "", "FORBIDDEN"},
		{forum.RoleAdmin, "", ""},
		{forum.RoleUser, "FORBIDDEN", "FORBIDDEN"},
	}
	for n, step := range steps {
		a := s.mutate(admin, "setUserRole", input{"userId": userID(ann), "role": step.role}, "user { id login role }")
		s.wantVerdict(fmt.Sprint("to ", step.role), a, "")
		wantEqual(t, "payload", a.at("setUserRole", "user"),
			any(map[string]any{"id": userID(ann), "login": "ann", "role": string(step.role)}))
		for i, token := range []string{ann, other} { // open sessions have it immediately
			wantEqual(t, "role shown", s.must(token, role, nil).Data, map[string]any{
				"viewer": map[string]any{"user": map[string]any{"role": string(step.role)}}, "user": map[string]any{"role": string(step.role)}})
			s.wantVerdict(fmt.Sprint("createCategory as ", step.role),
				s.mutate(token, "createCategory", input{"name": fmt.Sprint("Category ", n, i)}, ""), step.moderating)
			s.wantVerdict(fmt.Sprint("setUserRole as ", step.role),
				s.mutate(token, "setUserRole", input{"userId": gid("User", "77777"), "role": "USER"}, ""),
				map[string]string{"": "NOT_FOUND input.userId"}[step.appointing]+step.appointing)
		}
	}
	wantEqual(t, "sessions are left alone", len(s.sessions(ann)), 2)
}

func TestSetUserRoleIsRefused(t *testing.T) {
	b := newFullSite(t)
	admin, gone := b.admin("ada"), b.user("eve")
	b.wantVerdict("delete", b.mutate(gone, "deleteAccount", input{"password": "a good password"}, ""), "")
	b.settle()
	in := func(id string) input { return input{"userId": id, "role": "ADMIN"} }
	var tests []refusal
	for who, token := range map[string]string{"a user": b.bob, "a moderator": b.mod} {
		tests = append(tests, refusal{"on oneself, by " + who, token, "setUserRole", in(userID(token)), "FORBIDDEN"})
	}
	b.wantRefused(append(tests, []refusal{
		{"on oneself", admin, "setUserRole", in(userID(admin)), "SELF input.userId"},
		{"on oneself, the same role", admin, "setUserRole", input{"userId": userID(admin), "role": "USER"},
			"SELF input.userId"},
		{"on the ghost", admin, "setUserRole", in(gid("User", "0")), "NOT_FOUND input.userId"},
		{"on a deleted account", admin, "setUserRole", in(userID(gone)), "NOT_FOUND input.userId"},
		{"unknown role", admin, "setUserRole", input{"userId": userID(b.ann), "role": "KING"}, "BAD_USER_INPUT i.role"},
		{"role in small letters", admin, "setUserRole", input{"userId": userID(b.ann), "role": "admin"},
			"BAD_USER_INPUT i.role"},
		{"no role", admin, "setUserRole", input{"userId": userID(b.ann)}, "BAD_USER_INPUT i.role"},
	}...))
	a := b.mutate(admin, "setUserRole", in(gid("User", "77777")),
		"user { id } errors { ... on NotFoundError { missingId } }")
	wantEqual(t, "missingId", a.text("setUserRole", "errors", 0, "missingId"), gid("User", "77777"))
	wantEqual(t, "user on failure", a.at("setUserRole", "user"), nil)
}
