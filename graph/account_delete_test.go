package graph_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"agora/internal/forum"
)

const deleted = "deletedUserId"

// leaves deletes the account of a token's owner, who wrote under that login.
func (b *fullSite) leaves(token string) answer {
	b.t.Helper()
	a := b.mutate(token, "deleteAccount", input{"password": "a good password"}, deleted)
	b.wantVerdict("deleteAccount", a, "")
	return a
}

// Once the mutation is answered, the account is missing on every path.
func TestDeletedAccountDisappearsImmediately(t *testing.T) {
	b := newFullSite(t)
	other := b.signIn("ann")
	ann := b.must(b.ann, `{ viewer { id user { id } } }`, nil)
	user, viewer := ann.text("viewer", "user", "id"), ann.text("viewer", "id")
	wantEqual(t, deleted, b.leaves(b.ann).text("deleteAccount", deleted), user)
	for _, token := range []string{b.ann, other} {
		wantEqual(t, "her sessions", b.whoami(token), "401 UNAUTHENTICATED")
	}
	query := `query($u: ID!, $v: ID!, $s: ID!) { node(id: $u) { id } nodes(ids: [$u, $v, $s]) { id } byId: user(by: {id: $u}) { id } byLogin: user(by: {login: "ann"}) { id } }`
	for who, token := range map[string]string{"signed out": "", "another": b.bob, "a moderator": b.mod} {
		a := b.must(token, query, input{"u": user, "v": viewer, "s": sessionID(other)})
		wantEqual(t, "seen by "+who, a.Data,
			map[string]any{"node": nil, "nodes": []any{nil, nil, nil}, "byId": nil, "byLogin": nil})
	}
	for _, identifier := range []string{"ann", "ann@example.com"} {
		a := b.mutate("", "login", input{"identifier": identifier, "password": "a good password"}, "")
		b.wantVerdict("login as "+identifier, a, wrongPassword)
	}
	b.settle()
	b.clock.Advance(10 * second) // the site's counts may be that old
	site := b.must("", `{ site { userCount topicCount commentCount } }`, nil)
	wantEqual(t, "counts", site.at("site"), any(map[string]any{"userCount": 2.0, "topicCount": 2.0, "commentCount": 3.0}))
	left := b.contents()
	maps.DeleteFunc(left, func(key, value string) bool { return strings.Contains(value, "0/rest:") }) // her login
	if all := fmt.Sprint(left); strings.Contains(all, "ann") || strings.Contains(all, "argon2") &&
		strings.Count(all, "argon2") != 2 {
		t.Errorf("something of her is left in Redis: %s", all)
	}
}

// The fields that follow in the same document run signed out.
func TestDeleteAccountInTheMiddleOfADocument(t *testing.T) {
	b := newFullSite(t)
	a := b.ask(b.ann, `mutation($t: ID!) {
		before: createComment(input: {topicId: $t, content: "Farewell"}) { comment { number author { login } } errors { code } }
		email: changeEmail(input: {password: "a good password", email: "new@agora.org"}) { viewer { email user { login } } errors { code } }
		gone: deleteAccount(input: {password: "a good password"}) { deletedUserId errors { code } }
		again: deleteAccount(input: {password: "a good password"}) { deletedUserId errors { code } }
		comment: createComment(input: {topicId: $t, content: "I am not here"}) { errors { code } }
		out: logout(input: {}) { endedSessionId errors { code } }
		clicks: recordClicks(input: {topicIds: [$t]}) { errors { code } }
	}`, input{"t": b.topic})
	b.wantVerdict("the document", a, "UNAUTHENTICATED; UNAUTHENTICATED; UNAUTHENTICATED")
	for field, path := range map[string]any{"again": "again", "comment": "comment", "out": "out"} {
		wantEqual(t, field, a.at(field), nil)
		wantEqual(t, "error of "+field, strings.Contains(a.body, fmt.Sprintf(`"path":[%q]`, path)), true)
	}
	wantEqual(t, "before", a.at("before", "comment"),
		any(map[string]any{"number": 4.0, "author": map[string]any{"login": "ann"}}))
	wantEqual(t, "her e-mail before", a.at("email", "viewer"),
		any(map[string]any{"email": "new@agora.org", "user": map[string]any{"login": "ann"}}))
	wantEqual(t, "signed out, clicks count", a.at("clicks", "errors"), any([]any{}))
	b.settle()
	wantEqual(t, "claims of two accounts, and a login that rests", len(b.claims()), 5)
	last := b.must("", `query($id: ID!) { topic(by: {id: $id}) { comments(last: 1) { nodes { content author { login } } } } }`, input{"id": b.topic})
	wantEqual(t, "last comment", last.at("topic", "comments", "nodes", 0),
		any(map[string]any{"content": "Farewell", "author": map[string]any{"login": "ghost"}}))
}

// The user's posts stay, with the ghost as author.
func TestTheGhostTakesOver(t *testing.T) {
	b := newFullSite(t)
	mention := b.comment1(b.bob, "Thank you, @ann and @mia")
	b.leaves(b.ann)
	b.settle()
	ghost := map[string]any{"id": gid("User", "0"), "login": "ghost", "name": "Ghost", "role": "USER", "topicCount": 0.0}
	author := "author { id login name role topicCount }"
	for who, token := range map[string]string{"signed out": "", "another": b.bob, "a moderator": b.mod} {
		a := b.must(token, `query($t: ID!, $c: ID!, $m: ID!) { topic(by: {id: $t}) { title content `+author+` comments { nodes { `+author+` } } }
			c: node(id: $c) { ... on Comment { content `+author+` } } m: node(id: $m) { ... on Comment { mentions { login } } }
			front { topics { nodes { author { login } } } } }`, input{"t": b.topic, "c": b.comment, "m": mention})
		wantEqual(t, who+": title", a.text("topic", "title"), "A topic")
		wantEqual(t, who+": author of the topic", a.at("topic", "author"), any(ghost))
		wantEqual(t, who+": author of a listed comment", a.at("topic", "comments", "nodes", 0, "author"), any(ghost))
		wantEqual(t, who+": comment", a.at("c"), any(map[string]any{"content": "Some words", "author": ghost}))
		wantEqual(t, who+": mentions", a.at("m", "mentions"), any([]any{map[string]any{"login": "mia"}}))
		wantEqual(t, who+": the front", fmt.Sprint(a.at("front", "topics", "nodes")), fmt.Sprint([]any{
			map[string]any{"author": map[string]any{"login": "ghost"}},
			map[string]any{"author": map[string]any{"login": "ghost"}}}))
	}
	own := b.must("", `{ user(by: {login: "ghost"}) { topicCount comments { totalCount } } }`, nil)
	wantEqual(t, "the ghost's own list", own.at("user"),
		any(map[string]any{"topicCount": 0.0, "comments": map[string]any{"totalCount": 0.0}}))
}

// comment1 posts a comment on the first topic of the site.
func (b *fullSite) comment1(token, content string) string {
	b.t.Helper()
	return b.site.comment(token, b.topic, "", content)
}

// Only moderators may change the posts of deleted accounts.
func TestModeratorsManageTheGhostsPosts(t *testing.T) {
	b := newFullSite(t)
	b.leaves(b.ann)
	edit, drop := input{"topicId": b.topic, "title": "Tidied"}, input{"commentId": b.comment}
	b.wantVerdict("edit by another", b.mutate(b.bob, "updateTopic", edit, ""), "FORBIDDEN input.topicId")
	b.wantVerdict("delete by another", b.mutate(b.bob, "deleteComment", drop, ""), "FORBIDDEN input.commentId")
	edit["reason"] = "OTHER"
	b.wantVerdict("edit by a moderator", b.mutate(b.mod, "updateTopic", edit, ""), "")
	b.wantVerdict("delete by a moderator", b.mutate(b.mod, "deleteComment", drop, ""), "FORBIDDEN input.commentId")
	b.wantVerdict("hide a comment", b.mutate(b.mod, "moderate", moderationOf(b.comment, "HIDE"), ""), "")
	b.wantVerdict("comment by another", b.mutate(b.bob, "createComment", input{"topicId": b.topic, "content": "Hm"}, ""),
		"")
	b.wantVerdict("hide a topic", b.mutate(b.mod, "moderate", moderationOf(b.topic, "HIDE"), ""), "")
	b.settle()
	b.clock.Advance(10 * second)
	wantEqual(t, "the front", b.listed("front", "id"), []string{b.other})
	site := b.must(b.mod, `query($id: ID!) { site { topicCount commentCount } topic(by: {id: $id}) { state author { login } } }`, input{"id": b.topic})
	wantEqual(t, "after", site.Data, map[string]any{"site": map[string]any{"topicCount": 1.0, "commentCount": 1.0},
		"topic": map[string]any{"state": "HIDDEN", "author": map[string]any{"login": "ghost"}}})
}

// Another user may take the e-mail immediately, and the login after a while, and gets nothing with them.
func TestNamesOfDeletedAccountsAreFreeAfterARest(t *testing.T) {
	b := newFullSite(t)
	mention := b.comment1(b.bob, "Thank you, @ann")
	old := b.signIn("ann")
	parts := b.must(b.ann, `{ viewer { id user { id } } }`, nil)
	b.leaves(b.ann)
	again := input{"login": "Ann", "email": "ann@example.com", "password": "a good password"}
	b.wantVerdict("register at once", b.mutate("", "register", again, ""), "TAKEN input.login")
	b.clock.Advance(forum.LoginRest)
	a := b.mutate("", "register", again, "token viewer { id "+privateViewer[len("viewer {"):])
	b.wantVerdict("register", a, "")
	token := a.text("register", "token")
	wantEqual(t, "sessions of the new account", a.texts("id", "register", "viewer", "sessions"),
		[]string{sessionID(token)})
	query := `query($t: ID!, $m: ID!, $gone: ID!) { viewer { id user { id login role topicCount comments { totalCount } } } user(by: {login: "ANN"}) { login }
		topic(by: {id: $t}) { author { login } votes { viewerVote } } m: node(id: $m) { ... on Comment { mentions { login } } } gone: topic(by: {id: $gone}) { id } }`
	got := b.must(token, query, input{"t": b.topic, "m": mention, "gone": b.deleted})
	id := got.text("viewer", "user", "id")
	wantEqual(t, "what the new account has", got.Data, map[string]any{
		"viewer": map[string]any{"id": got.text("viewer", "id"), "user": map[string]any{"id": id, "login": "Ann", "role": "USER", "topicCount": 0.0, "comments": map[string]any{"totalCount": 0.0}}},
		"user":   map[string]any{"login": "Ann"}, "topic": map[string]any{"author": map[string]any{"login": "ghost"}, "votes": map[string]any{"viewerVote": "NONE"}},
		"m": map[string]any{"mentions": []any{}}, "gone": nil,
	})
	if id == parts.text("viewer", "user", "id") || got.text("viewer", "id") == parts.text("viewer", "id") {
		t.Errorf("the new account has the old one's id %s", id)
	}
	for _, token := range []string{b.ann, old} {
		wantEqual(t, "tokens of the old account", b.whoami(token), "401 UNAUTHENTICATED")
	}
	b.wantVerdict("editing the old account's topic",
		b.mutate(token, "updateTopic", input{"topicId": b.topic, "title": "Mine"}, ""), "FORBIDDEN input.topicId")
	b.wantVerdict("deleting its comment", b.mutate(token, "deleteComment", input{"commentId": b.comment}, ""),
		"FORBIDDEN input.commentId")
	b.wantVerdict("moderating", b.mutate(token, "createCategory", input{"name": "New"}, ""), "FORBIDDEN")
	b.settle()
	wantEqual(t, "claims of three accounts", len(b.claims()), 6)
}
