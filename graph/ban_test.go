package graph_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/store/posts"
)

// sanctionSite is a site with two moderators, an administrator and two members.
type sanctionSite struct {
	*site
	ada, mia, max, ann, bob string
}

func newSanctionSite(t *testing.T) *sanctionSite {
	s := newSite(t)
	m := &sanctionSite{site: s, ada: s.admin("ada"), mia: s.user("mia"), max: s.user("max"), ann: s.user("ann"),
		bob: s.user("bob")}
	s.promote(m.mia, forum.RoleModerator)
	s.promote(m.max, forum.RoleModerator)
	return m
}

// ban bans the owner of a token, and returns the verdict, whether it changed anything, and the act.
func (m *sanctionSite) ban(by, user string, more input) (verdict string, changed bool, act string) {
	m.t.Helper()
	in := input{"userId": userID(user), "reason": "ABUSE", "note": "Three times."}
	for name, value := range more {
		in[name] = value
	}
	a := m.mutate(by, "ban", in, "changed act { id } user { id }")
	if a.at("ban", "act") != nil {
		act = a.text("ban", "act", "id")
	}
	return a.verdict() + a.code(), a.at("ban", "changed") == true, act
}

// actFields are the fields of an act that tests compare.
const actFields = `action reason note member { login } moderator { login } scope until subjectId
	subject { ... on User { login } } reverses { action } reversedBy { action }`

func TestSanctionsObeyRanks(t *testing.T) {
	m := newSanctionSite(t)
	ids := map[string]string{"ada": userID(m.ada), "mia": userID(m.mia), "max": userID(m.max), "ann": userID(m.ann),
		"nobody": gid("User", "77777"), "ghost": gid("User", "0")}
	tests := []struct{ name, by, on, want string }{
		{"signed out", "", "ann", "UNAUTHENTICATED"},
		{"a member", m.bob, "ann", "FORBIDDEN"},
		{"oneself", m.mia, "mia", "SELF input.userId"},
		{"a peer", m.mia, "max", "FORBIDDEN input.userId"},
		{"above", m.mia, "ada", "FORBIDDEN input.userId"},
		{"unknown", m.mia, "nobody", "NOT_FOUND input.userId"},
		{"the ghost", m.mia, "ghost", "NOT_FOUND input.userId"},
		{"below", m.mia, "ann", ""},
		{"an administrator on a moderator", m.ada, "max", ""},
	}
	for _, field := range []string{"warn", "ban", "unban", "hidePosts"} {
		for _, tt := range tests {
			a := m.mutate(tt.by, field, input{"userId": ids[tt.on], "reason": "SPAM"}, "user { login } act { action }")
			m.wantVerdict(field+" "+tt.name, a, tt.want)
		}
	}
	past := m.clock.Now().Add(-time.Second).Format(time.RFC3339)
	verdict, _, _ := m.ban(m.mia, m.ann, input{"until": past})
	wantEqual(t, "a ban until a second ago", verdict, "INVALID input.until")
}

func TestBanFromSigningIn(t *testing.T) {
	m := newSanctionSite(t)
	until := m.clock.Now().Add(time.Hour).UTC().Format(model.DateTimeLayout)
	verdict, changed, act := m.ban(m.mia, m.ann, input{"until": until})
	wantEqual(t, "ban", fmt.Sprint(verdict, changed), "true")
	verdict, changed, again := m.ban(m.max, m.ann, input{"until": until, "reason": "SPAM"})
	wantEqual(t, "the same ban again", fmt.Sprint(verdict, changed, again == act), "false true")

	wantEqual(t, "the session", m.ask(m.ann, `{ viewer { id } }`, nil).at("viewer"), nil)
	login := func() answer {
		return m.mutate("", "login", input{"identifier": "ann", "password": "a good password"},
			"token errors { message ... on BannedError { scope until reason } }")
	}
	a := login()
	wantEqual(t, "login", fmt.Sprint(a.at("login", "errors")), fmt.Sprint([]any{map[string]any{
		"message": "You are banned from this.", "scope": "SIGN_IN", "until": until, "reason": "ABUSE", "code": "BANNED",
		"path": []any{}}}))
	wrong := m.mutate("", "login", input{"identifier": "ann", "password": "a bad password"}, "token")
	m.wantVerdict("login with a wrong password", wrong, "WRONG_CREDENTIALS input.password")

	user := `{ user(by: {login: "ann"}) { isBanned ban { scope until reason note act { id } } } }`
	seen := m.must(m.mia, user, nil)
	wantEqual(t, "as a moderator", fmt.Sprint(seen.at("user")), fmt.Sprint(map[string]any{"isBanned": true,
		"ban": map[string]any{"scope": "SIGN_IN", "until": until, "reason": "ABUSE", "note": "Three times.",
			"act": map[string]any{"id": act}}}))
	wantEqual(t, "as a member", fmt.Sprint(m.must(m.bob, user, nil).at("user")),
		fmt.Sprint(map[string]any{"isBanned": true, "ban": nil}))

	m.clock.Advance(time.Hour)
	m.wantVerdict("login when it is over", login(), "")
	wantEqual(t, "when it is over", fmt.Sprint(m.must(m.mia, user, nil).at("user")),
		fmt.Sprint(map[string]any{"isBanned": false, "ban": nil}))
	unbanned := m.mutate(m.mia, "unban", input{"userId": userID(m.ann), "reason": "OTHER"}, "changed act { id }")
	wantEqual(t, "unban when it is over", fmt.Sprint(unbanned.at("unban")),
		fmt.Sprint(map[string]any{"changed": false, "act": nil, "errors": []any{}}))
}

func TestBanFromPosting(t *testing.T) {
	m := newSanctionSite(t)
	topic := m.status(m.bob, "Hello")
	own := m.status(m.ann, "Mine")
	verdict, _, first := m.ban(m.mia, m.ann, input{"scope": "POST"})
	wantEqual(t, "ban", verdict, "")
	barred := []struct {
		field string
		in    input
	}{
		{"createTopic", input{"kind": "STATUS", "content": "Again"}},
		{"createComment", input{"topicId": topic, "content": "Again"}},
		{"updateTopic", input{"topicId": own, "content": "Again"}},
		{"vote", input{"subjectId": topic, "direction": "UP"}},
		{"follow", input{"targetId": userID(m.bob)}},
		{"tagTopic", input{"topicId": own, "add": []string{"tea"}}},
		{"updateProfile", input{"bio": "Banned"}},
		{"changeLogin", input{"password": "a good password", "login": "anna"}},
	}
	for _, tt := range barred {
		m.wantVerdict(tt.field, m.mutate(m.ann, tt.field, tt.in, ""), "BANNED ")
	}
	can := m.must(m.ann, `query($t: ID!, $o: ID!) { viewer { user { viewerCan ban { note } } }
		t: node(id: $t) { ... on Topic { viewerCan } } o: node(id: $o) { ... on Topic { viewerCan } } }`,
		input{"t": topic, "o": own})
	wantEqual(t, "what the banned can do", fmt.Sprint(can.Data), fmt.Sprint(map[string]any{
		"t": map[string]any{"viewerCan": []any{"BOOKMARK", "WATCH"}},
		"o": map[string]any{"viewerCan": []any{"DELETE", "BOOKMARK", "WATCH"}},
		"viewer": map[string]any{"user": map[string]any{"viewerCan": []any{"ADD_TO_LIST"},
			"ban": map[string]any{"note": "Three times."}}}}))
	m.wantVerdict("deleteTopic", m.mutate(m.ann, "deleteTopic", input{"topicId": own}, ""), "")

	// Another ban takes its place.
	_, changed, second := m.ban(m.mia, m.ann, input{"scope": "SIGN_IN"})
	wantEqual(t, "changed", changed, true)
	acts := m.must(m.mia, `query($a: ID!, $b: ID!) { a: node(id: $a) { ... on ModerationAct { `+actFields+` } }
		b: node(id: $b) { ... on ModerationAct { `+actFields+` } } }`, input{"a": first, "b": second})
	want := func(scope string, reverses, reversedBy any) map[string]any {
		return map[string]any{"action": "BAN", "reason": "ABUSE", "note": "Three times.", "scope": scope, "until": nil,
			"member": map[string]any{"login": "ann"}, "moderator": map[string]any{"login": "mia"},
			"subjectId": userID(m.ann), "subject": map[string]any{"login": "ann"},
			"reverses": reverses, "reversedBy": reversedBy}
	}
	ban := map[string]any{"action": "BAN"}
	wantEqual(t, "acts", acts.Data, map[string]any{"a": want("POST", nil, ban), "b": want("SIGN_IN", ban, nil)})
	lifted := m.mutate(m.max, "unban", input{"userId": userID(m.ann), "reason": "OTHER"},
		"changed user { isBanned } act { reverses { id } }")
	wantEqual(t, "unban", fmt.Sprint(lifted.at("unban")), fmt.Sprint(map[string]any{"changed": true,
		"user": map[string]any{"isBanned": false}, "act": map[string]any{"reverses": map[string]any{"id": second}},
		"errors": []any{}}))
	m.signIn("ann")
}

// A ban holds in other processes at once for what is checked by scripts, even if a session was read before it.
func TestBanIsCheckedByScripts(t *testing.T) {
	m := newSanctionSite(t)
	m.ban(m.mia, m.ann, input{"scope": "POST"})
	ctx := context.Background()
	_, err := m.store.Follows.Follow(ctx, userOf(m.ann), forum.Target{User: userOf(m.bob)}, true)
	wantEqual(t, "Follow", string(forum.CodeOf(err)), "BANNED")
	_, err = m.store.Posts.CreateTopic(ctx, posts.NewTopic{Author: userOf(m.ann), Kind: forum.Status, Content: "Hello"})
	wantEqual(t, "CreateTopic", string(forum.CodeOf(err)), "BANNED")
}

func TestBannedUsersDeleteTheirAccounts(t *testing.T) {
	m := newSanctionSite(t)
	m.ban(m.mia, m.ann, nil)
	remove := func(token string, in input) answer { return m.mutate(token, "deleteAccount", in, "deletedUserId") }
	good := input{"identifier": "ann", "password": "a good password"}
	m.wantVerdict("signed in", remove(m.bob, good), "INVALID input.identifier")
	m.wantVerdict("without a name", remove("", input{"password": "a good password"}), "UNAUTHENTICATED")
	for _, name := range []string{"ann", "nobody"} {
		m.wantVerdict("a wrong password of "+name, remove("", input{"identifier": name, "password": "a bad password"}),
			"WRONG_CREDENTIALS input.password")
	}
	a := remove("", good)
	m.wantVerdict("the right password", a, "")
	wantEqual(t, "deletedUserId", a.text("deleteAccount", "deletedUserId"), userID(m.ann))
	m.wantVerdict("again", remove("", good), "WRONG_CREDENTIALS input.password")
}

// Members are told of what concerns them, without the moderator's name; also those who blocked the moderator.
func TestMembersAreNotifiedOfSanctions(t *testing.T) {
	m := newSanctionSite(t)
	m.block(m.ann, userID(m.mia), true)
	for _, field := range []string{"warn", "ban", "unban"} {
		m.clock.Advance(time.Second)
		in := input{"userId": userID(m.ann), "reason": "SPAM", "note": "Stop it."}
		if field == "ban" {
			in["scope"] = "POST"
		}
		m.wantVerdict(field, m.mutate(m.mia, field, in, ""), "")
	}
	m.mutate(m.ada, "setUserRole", input{"userId": userID(m.ann), "role": "MODERATOR"}, "")
	m.mutate(m.ada, "setUserRole", input{"userId": userID(m.ann), "role": "USER"}, "")
	notes := func(token string) string {
		a := m.must(token, `{ viewer { notifications { nodes { reason isRead actor { login } subject { ... on User { login } }
			act { id action note moderator { login } } } } } }`, nil)
		got := ""
		for _, n := range a.at("viewer", "notifications", "nodes").([]any) {
			n := n.(map[string]any)
			act := n["act"].(map[string]any)
			got += fmt.Sprint(n["reason"], " ", n["actor"].(map[string]any)["login"], " ",
				n["subject"].(map[string]any)["login"], " ", act["action"], " ", act["note"], " ", act["moderator"], "; ")
		}
		return got
	}
	wantEqual(t, "notifications", notes(m.ann), "MODERATION ghost ann SET_ROLE <nil> <nil>; "+
		"MODERATION ghost ann SET_ROLE <nil> <nil>; BAN ghost ann UNBAN Stop it. <nil>; "+
		"BAN ghost ann BAN Stop it. <nil>; WARNING ghost ann WARN Stop it. <nil>; ")
	act := m.must(m.ann, `{ viewer { notifications { nodes { act { id } } } } }`, nil).
		text("viewer", "notifications", "nodes", 0, "act", "id")
	for token, want := range map[string]bool{m.ann: true, m.mia: true, m.bob: false, "": false} {
		seen := m.must(token, `query($id: ID!) { node(id: $id) { id } }`, input{"id": act}).at("node") != nil
		wantEqual(t, "the act is seen", seen, want)
	}
}

// What a ban costs does not depend on what the user has written.
func TestCostOfBan(t *testing.T) {
	m := newSanctionSite(t)
	for range 20 {
		m.status(m.ann, "Hello")
	}
	a := m.mutate(m.mia, "ban", input{"userId": userID(m.ann), "reason": "SPAM"},
		"changed user { login isBanned } act { id action }")
	if got := a.Extensions.Redis.RoundTrips; got > 4 {
		t.Errorf("ban took %d round trips; want at most 4: %s", got, a.body)
	}
}
