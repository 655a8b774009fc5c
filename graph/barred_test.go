package graph_test

import (
	"strings"
	"testing"
	"time"
)

// registers tries to register an account with an e-mail.
func (m *sanctionSite) registers(login, email string) string {
	m.t.Helper()
	m.settle()
	in := input{"login": login, "email": email, "password": "a good password"}
	return m.mutate("", "register", in, "token").verdict()
}

// Whoever is banned cannot delete the account and have another with its e-mail, nor with one that it had while banned,
// before the ban ends, and 90 days have passed.
func TestBansOutliveAccounts(t *testing.T) {
	m := newSanctionSite(t)
	day := 24 * time.Hour
	end := func(login string) {
		m.wantVerdict("deleteAccount", m.mutate("", "deleteAccount",
			input{"identifier": login, "password": "a good password"}, "deletedUserId"), "")
	}
	change := m.mutate(m.ann, "changeEmail", input{"email": "old@example.com", "password": "a good password"}, "")
	m.wantVerdict("changeEmail before the ban", change, "")
	until := m.clock.Now().Add(100 * day).UTC().Format(time.RFC3339)
	verdict, _, _ := m.ban(m.mia, m.ann, input{"until": until, "scope": "POST"})
	wantEqual(t, "ban", verdict, "")
	change = m.mutate(m.ann, "changeEmail", input{"email": "new@example.com", "password": "a good password"}, "")
	m.wantVerdict("changeEmail while banned", change, "")
	wantEqual(t, "an e-mail from before the ban", m.registers("early", "ann@example.com"), "")
	wantEqual(t, "the e-mail of the ban", m.registers("again", "Old@example.com"), "BANNED input.email")

	// If the ban is lifted, so is that.
	m.wantVerdict("unban", m.mutate(m.mia, "unban", input{"userId": userID(m.ann), "reason": "OTHER"}, ""), "")
	wantEqual(t, "after unban", m.registers("again", "old@example.com"), "")
	m.ban(m.mia, m.ann, input{"until": until})
	end("ann")
	wantEqual(t, "the e-mail of the deleted account", m.registers("ann2", "new@example.com"), "BANNED input.email")
	change = m.mutate(m.bob, "changeEmail", input{"email": "new@example.com", "password": "a good password"}, "")
	m.wantVerdict("changeEmail of another account to it", change, "BANNED input.email")
	wantEqual(t, "another one", m.registers("ann2", "other@example.com"), "")
	for name, value := range m.contents() {
		if strings.Contains(name+value, "new@example") {
			t.Errorf("%s = %.200s has the e-mail of a deleted account", name, value)
		}
	}
	m.ban(m.mia, m.bob, input{"until": m.clock.Now().Add(time.Hour).UTC().Format(time.RFC3339)})
	end("bob")
	m.clock.Advance(90*day - time.Second)
	wantEqual(t, "after a short ban", m.registers("bob2", "bob@example.com"), "BANNED input.email")
	m.clock.Advance(time.Second)
	wantEqual(t, "90 days later", m.registers("bob2", "bob@example.com"), "")
	wantEqual(t, "before the end of a long ban", m.registers("ann3", "new@example.com"), "BANNED input.email")
	m.clock.Advance(10 * day)
	wantEqual(t, "after the end of a long ban", m.registers("ann3", "new@example.com"), "")
}

// What a deleted account posted, and what was done about it, stays connected for moderators, and for nobody else.
func TestDeletedAccountsStayConnected(t *testing.T) {
	b := newFullSite(t)
	other, root := b.user("other"), b.admin("ada")
	b.wantVerdict("appoint", b.mutate(root, "setCategoryModerators",
		input{"category": input{"id": b.ink}, "add": []string{userID(other)}}, ""), "")
	b.wantVerdict("report", b.report(b.bob, b.comment), "")
	b.wantVerdict("warn", b.mutate(b.mod, "warn", input{"userId": userID(b.ann), "reason": "ABUSE"}, ""), "")
	b.wantVerdict("rules", b.mutate(root, "updateRules", input{"publicModerationLog": true}, ""), "")
	ann := userID(b.ann)
	b.wantVerdict("delete", b.mutate(b.ann, "deleteComment", input{"commentId": b.comment}, ""), "")
	b.wantVerdict("deleteAccount", b.mutate(b.ann, "deleteAccount", input{"password": "a good password"}, ""), "")
	b.settle()
	ids := func(token string) []any {
		a := b.must(token, `query($t: ID!, $c: ID!, $u: ID!) { t: node(id: $t) { ... on Topic { authorId author { login } } }
			c: node(id: $c) { ... on Comment { authorId author { login } } }
			moderationLog(user: {id: $u}) { nodes { action memberId } } }`, input{"t": b.topic, "c": b.comment, "u": ann})
		wantEqual(t, "author", a.at("t", "author", "login"), any("ghost"))
		wantEqual(t, "action", a.at("moderationLog", "nodes", 0, "action"), any("WARN"))
		return []any{a.at("t", "authorId"), a.at("c", "authorId"), a.at("moderationLog", "nodes", 0, "memberId")}
	}
	wantEqual(t, "a moderator", ids(b.mod), []any{ann, ann, ann})
	wantEqual(t, "of another category", ids(other), []any{nil, nil, any(ann)})
	wantEqual(t, "a member", ids(b.bob), []any{nil, nil, nil})
	wantEqual(t, "a guest", ids(""), []any{nil, nil, nil})
	a := b.must(b.mod, `{ reportQueue { nodes { authorId evidence { authorId } } } }`, nil)
	wantEqual(t, "the case", a.at("reportQueue", "nodes", 0, "authorId"), any(ann))
	wantEqual(t, "its evidence", a.at("reportQueue", "nodes", 0, "evidence", 0, "authorId"), any(ann))
}
