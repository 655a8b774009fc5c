package graph_test

import (
	"fmt"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/issuertest"
)

// Who may list, search and count the members follows from the rule and the role of the caller, whatever else is asked.
func TestMemberList(t *testing.T) {
	b := newFullSite(t)
	root := b.admin("ada")
	curator := b.user("cleo")
	b.wantVerdict("cleo moderates Ink", b.mutate(root, "setCategoryModerators",
		input{"category": input{"id": b.ink}, "add": []string{b.userID(curator)}}, ""), "")
	reader := b.apiToken(b.ann, forum.ScopeRead)
	callers := []struct {
		name, token string
		rank        int // 0 for everybody, 1 for members, 2 for moderators
		refused     string
	}{
		{"a guest", "", 0, "UNAUTHENTICATED"}, {"a member", b.bob, 1, "FORBIDDEN"},
		{"a member's program", reader, 1, "FORBIDDEN"}, {"a moderator of a category", curator, 2, ""},
		{"a moderator", b.mod, 2, ""}, {"an administrator", root, 2, ""},
	}
	asks := []string{
		`users { nodes { login } }`, `users(prefix: "a") { totalCount }`, `users(last: 1) { edges { cursor } }`,
	}
	for needed, rule := range forum.MemberLists {
		a := b.mutate(root, "updateRules", input{"memberList": rule}, "site { rules { memberList } }")
		wantEqual(t, "the rule", a.text("updateRules", "site", "rules", "memberList"), string(rule))
		for _, c := range callers {
			for _, ask := range asks {
				a := b.ask(c.token, fmt.Sprintf(`{ %s site { name userCount } user(by: {login: "ann"}) { login } }`, ask), nil)
				want := c.refused
				if c.rank >= needed {
					want = ""
				}
				what := fmt.Sprintf("%s, %s: %s", rule, c.name, ask)
				wantEqual(t, what, a.code(), want)
				wantEqual(t, what+": no list", a.at("users") == nil, want != "")
				wantEqual(t, what+": no count", a.at("site", "userCount") == nil, want != "")
				wantEqual(t, what+": the profile", a.text("user", "login"), "ann")
			}
		}
	}
}

// Accounts that upsertUser made are in no list, search or count until their members sign in, or something is done as
// they; reading as they does not count.
func TestPreparedMembersAreNotListed(t *testing.T) {
	m := newMemberSite(t)
	root := m.of.Token(t, "boss",
		issuertest.Claims{"preferred_username": "boss", "role": "admin", "auth_time": m.of.Now().Unix()})
	token := m.apiToken(root,
		forum.ScopeRead, forum.ScopePost, forum.ScopeFollow, forum.ScopeAdmin, forum.ScopeImpersonate)
	ids := map[string]string{}
	for _, login := range []string{"mara", "milo", "mona"} {
		in := input{"external": m.external(login), "login": login, "name": "A customer"}
		a := m.mutate(token, "upsertUser", in, "user { id }")
		ids[login] = a.text("upsertUser", "user", "id")
	}
	want := func(what, all, found string, count int) {
		t.Helper()
		m.clock.Advance(11 * second)
		m.settle()
		wantEqual(t, what, m.namesOf("users", ""), all)
		wantEqual(t, what+": search", m.namesOf("users", `(prefix: "m")`), found)
		wantEqual(t, what+": count", m.must("", `{ site { userCount } }`, nil).number("site", "userCount"), count)
		mona := m.must("", `{ user(by: {login: "mona"}) { name } }`, nil)
		wantEqual(t, what+": by login", mona.text("user", "name"), "A customer")
	}
	want("nobody has come", "1: boss", "0: ", 1)
	as := *m.site
	as.actAs = ids["milo"]
	as.must(token, `{ viewer { user { login } } front { topics { totalCount } } }`, nil)
	want("somebody read as a member", "1: boss", "0: ", 1)
	as.wantVerdict("follow", as.mutate(token, "follow", input{"targetId": ids["mara"]}, ""), "")
	want("somebody followed as a member", "2: boss milo", "1: milo", 2)
	m.must(m.of.Token(t, "mara", nil), `{ site { name } }`, nil)
	want("a member signed in", "3: boss mara milo", "2: mara milo", 3)
	m.mutate(token, "upsertUser", input{"external": m.external("mara"), "name": "Mara"}, "")
	want("a member who has come was changed", "3: boss mara milo", "2: mara milo", 3)
	m.mutate(token, "deleteUser", input{"userId": ids["mara"]}, "")
	want("a member was deleted", "2: boss milo", "1: milo", 2)
}
