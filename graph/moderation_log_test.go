package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// acts returns the kinds of the acts of a page of the log.
func (m *sanctionSite) acts(token, args string) string {
	m.t.Helper()
	a := m.ask(token, `{ moderationLog(`+args+`) { nodes { action } } }`, nil)
	if a.code() != "" {
		return a.code()
	}
	return strings.Join(a.texts("action", "moderationLog", "nodes"), " ")
}

// newLog returns a site on which ann was warned, banned and unbanned by mia, and bob warned by max.
func newLog(t *testing.T) *sanctionSite {
	m := newSanctionSite(t)
	act := func(by, field, user string) {
		m.clock.Advance(time.Second)
		m.wantVerdict(field, m.mutate(by, field, input{"userId": userID(user), "reason": "SPAM", "note": "Stop."}, ""), "")
	}
	act(m.mia, "warn", m.ann)
	act(m.mia, "ban", m.ann)
	act(m.mia, "unban", m.ann)
	act(m.max, "warn", m.bob)
	m.ann = m.signIn("ann")
	return m
}

func TestModerationLog(t *testing.T) {
	m := newLog(t)
	subject := fmt.Sprintf("subjectId: %q", userID(m.ann))
	roles := " SET_ROLE SET_ROLE SET_ROLE" // by the command line
	tests := []struct{ name, token, args, want string }{
		{"all", m.mia, "first: 10", "WARN UNBAN BAN WARN" + roles},
		{"the first", m.mia, "first: 2", "WARN UNBAN"},
		{"the last", m.mia, "last: 2", "SET_ROLE SET_ROLE"},
		{"of a kind", m.mia, "action: WARN", "WARN WARN"},
		{"on a user", m.mia, subject, "UNBAN BAN WARN"},
		{"that concern a user", m.mia, `user: {login: "bob"}`, "WARN"},
		{"by a moderator", m.mia, `moderator: {login: "mia"}`, "UNBAN BAN WARN"},
		{"by an unknown one", m.mia, `moderator: {login: "nobody"}`, ""},
		{"of a kind by a moderator", m.mia, `moderator: {login: "mia"}, action: BAN`, "BAN"},
		{"of a kind by another", m.mia, `user: {login: "ann"}, moderator: {login: "max"}`, ""},
		{"of a kind, backward", m.mia, `moderator: {login: "mia"}, action: WARN, last: 1`, "WARN"},
		{"about oneself", m.ann, `user: {login: "ann"}`, "UNBAN BAN WARN"},
		{"about others", m.ann, `user: {login: "bob"}`, "FORBIDDEN"},
		{"as a member", m.ann, "", "FORBIDDEN"},
		{"as a member, by a moderator", m.ann, `user: {login: "ann"}, moderator: {login: "mia"}`, "FORBIDDEN"},
		{"signed out", "", "", "UNAUTHENTICATED"},
		{"another type", m.mia, fmt.Sprintf("subjectId: %q", gid("UserList", "1")), "BAD_USER_INPUT"},
	}
	for _, tt := range tests {
		args := tt.args
		if args == "" {
			args = "first: 30"
		}
		wantEqual(t, tt.name, m.acts(tt.token, args), tt.want)
	}
}

// Pages of a filtered log have cursors, in both directions, and none is missing or twice.
func TestPagesOfTheModerationLog(t *testing.T) {
	m := newSanctionSite(t)
	for i := range 12 {
		m.clock.Advance(time.Second)
		user := []string{m.ann, m.bob}[i%2]
		m.mutate(m.mia, "warn", input{"userId": userID(user), "reason": "SPAM", "note": fmt.Sprint(i)}, "")
	}
	for _, filter := range []string{`user: {login: "ann"}`, `user: {login: "ann"}, action: WARN`,
		`user: {login: "ann"}, moderator: {login: "mia"}, action: WARN`} {
		for dir, ends := range map[string][2]string{"first: 4": {"after", "endCursor"},
			"last: 4": {"before", "startCursor"}} {
			got, cursor := []string{}, ""
			for range 5 {
				args := filter + ", " + dir
				if cursor != "" {
					args += fmt.Sprintf(", %s: %q", ends[0], cursor)
				}
				a := m.must(m.mia, `{ moderationLog(`+args+`) { edges { cursor node { note } } nodes { note }
					pageInfo { startCursor endCursor } } }`, nil)
				page := a.texts("note", "moderationLog", "nodes")
				if dir == "last: 4" {
					got = append(page, got...)
				} else {
					got = append(got, page...)
				}
				next, _ := a.at("moderationLog", "pageInfo", ends[1]).(string)
				if len(page) == 0 || next == "" {
					break
				}
				cursor = next
			}
			wantEqual(t, filter+" "+dir, fmt.Sprint(got), "[10 8 6 4 2 0]")
		}
	}
}

// What a public log shows to everybody: neither notes nor, unless the site shows them, who acted.
func TestPublicModerationLog(t *testing.T) {
	m := newLog(t)
	first := func(token string) string {
		a := m.must(token, `{ moderationLog(action: WARN, first: 1) {
			nodes { action note member { login } moderator { login } } } }`, nil)
		return fmt.Sprint(a.at("moderationLog", "nodes", 0))
	}
	rules := func(in input) {
		m.wantVerdict("updateRules", m.mutate(m.ada, "updateRules", in, ""), "")
	}
	shown := func(note, moderator any) string {
		return fmt.Sprint(map[string]any{"action": "WARN", "note": note, "member": map[string]any{"login": "bob"},
			"moderator": moderator})
	}
	max := map[string]any{"login": "max"}
	rules(input{"publicModerationLog": true})
	wantEqual(t, "signed out", first(""), shown(nil, nil))
	wantEqual(t, "a member", first(m.ann), shown(nil, nil))
	wantEqual(t, "whom it concerns", first(m.bob), shown("Stop.", nil))
	wantEqual(t, "a moderator", first(m.mia), shown("Stop.", max))
	rules(input{"showModerators": true})
	wantEqual(t, "signed out, with names", first(""), shown(nil, max))
}

func TestModeratorsOfCategories(t *testing.T) {
	m := newSanctionSite(t)
	tea := m.mutate(m.mia, "createCategory", input{"name": "Tea"}, "category { id }").
		text("createCategory", "category", "id")
	set := func(by string, in input) answer {
		in["category"] = map[string]any{"id": tea}
		return m.mutate(by, "setCategoryModerators", in,
			"changed category { moderators { login } } acts { action isModerator category { name } member { login } }")
	}
	moderators := func() string {
		return strings.Join(m.must("", `{ category(by: {name: "Tea"}) { moderators { login } } }`, nil).
			texts("login", "category", "moderators"), " ")
	}
	m.wantVerdict("as a moderator", set(m.mia, input{"add": []string{userID(m.ann)}}), "FORBIDDEN")
	m.clock.Advance(time.Second)
	a := set(m.ada, input{"add": []string{userID(m.ann), userID(m.bob)}})
	m.wantVerdict("add", a, "")
	wantEqual(t, "moderators", moderators(), "ann bob")
	wantEqual(t, "acts", fmt.Sprint(a.at("setCategoryModerators", "acts", 0)), fmt.Sprint(map[string]any{
		"action": "SET_MODERATOR", "isModerator": true, "category": map[string]any{"name": "Tea"},
		"member": map[string]any{"login": "ann"}}))
	again := set(m.ada, input{"add": []string{userID(m.ann)}})
	wantEqual(t, "repeated", again.at("setCategoryModerators", "changed"), any(false))
	wantEqual(t, "Viewer.moderates", fmt.Sprint(m.must(m.ann, `{ viewer { moderates { name } } }`, nil).
		texts("name", "viewer", "moderates")), "[Tea]")
	wantEqual(t, "the log", m.acts(m.ann, "first: 2"), "SET_MODERATOR SET_MODERATOR")
	m.wantVerdict("remove", set(m.ada, input{"remove": []string{userID(m.ann)}}), "")
	wantEqual(t, "moderators", moderators(), "bob")
	wantEqual(t, "the log after that", m.acts(m.ann, "first: 2"), "FORBIDDEN")
	m.wantVerdict("unknown", set(m.ada, input{"add": []string{gid("User", "77777")}}), "NOT_FOUND input.add.0")
	m.wantVerdict("both", set(m.ada, input{"add": []string{userID(m.ann)}, "remove": []string{userID(m.ann)}}),
		"INVALID input.remove.0")
	m.wantVerdict("oneself", set(m.ada, input{"add": []string{userID(m.ada)}}), "SELF input.add.0")
	var many []string
	for i := range 20 {
		many = append(many, userID(m.user(fmt.Sprint("member", i))))
	}
	m.wantVerdict("20 more", set(m.ada, input{"add": many}), "TOO_LONG input.add")
	m.wantVerdict("19 more", set(m.ada, input{"add": many[1:]}), "")
	deleted := m.mutate(m.mia, "deleteCategory", input{"category": map[string]any{"id": tea}}, "")
	m.wantVerdict("deleteCategory", deleted, "")
	wantEqual(t, "of a deleted category", fmt.Sprint(m.must(m.bob, `{ viewer { moderates { name } } }`, nil).
		texts("name", "viewer", "moderates")), "[]")
	m.settle()
}
