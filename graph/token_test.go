package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"agora/internal/auth"
	"agora/internal/forum"
)

const ownTokens = "{ viewer { tokens { id name scopes createdAt lastUsedAt expiresAt } } }"

// apiToken creates an API token and returns it.
func (s *site) apiToken(by string, scopes ...forum.Scope) string {
	s.t.Helper()
	a := s.mutate(by, "createToken", input{"name": "a robot", "scopes": scopes}, "token")
	if a.verdict() != "" {
		s.t.Fatalf("createToken: %s", a.body)
	}
	return a.text("createToken", "token")
}

// tokenName returns the public name of a token.
func tokenName(token string) string {
	parsed, _ := auth.ParseToken(token)
	return auth.SessionName(parsed.Digest())
}

// tokenID returns the global id of an API token.
func tokenID(token string) string {
	return gid("ApiToken", fmt.Sprint(userOf(token), ":", tokenName(token)))
}

// A token is shown once, listed to its owner with its last use to the hour, and ends when it is revoked.
func TestTokensOfTheViewer(t *testing.T) {
	s := newSite(t)
	ann, bob, admin := s.user("ann"), s.user("bob"), s.admin("ada")
	a := s.mutate(ann, "createToken", input{"name": " A robot ", "scopes": []string{"VOTE", "READ", "VOTE"},
		"expiresAt": "2096-02-01T00:00:00Z"}, "token apiToken { id name scopes createdAt lastUsedAt expiresAt }")
	token := a.text("createToken", "token")
	want := map[string]any{"id": tokenID(token), "name": "A robot", "scopes": []any{"READ", "VOTE"},
		"createdAt": "2096-01-02T03:04:05.000Z", "lastUsedAt": nil, "expiresAt": "2096-02-01T00:00:00.000Z"}
	wantEqual(t, "the payload", a.at("createToken", "apiToken"), any(want))
	wantEqual(t, "the list", s.must(ann, ownTokens, nil).at("viewer", "tokens"), any([]any{want}))
	for _, step := range []struct {
		advance time.Duration
		used    string
		trips   int
	}{{time.Minute, "2096-01-02T03:05:05.000Z", 3}, {time.Hour - time.Millisecond, "2096-01-02T03:05:05.000Z", 2},
		{time.Millisecond, "2096-01-02T04:05:05.000Z", 3}} {
		s.clock.Advance(step.advance)
		a := s.must(token, ownTokens, nil)
		wantEqual(t, "lastUsedAt", a.text("viewer", "tokens", 0, "lastUsedAt"), step.used)
		wantEqual(t, "round trips", a.Extensions.Redis.RoundTrips, step.trips)
	}
	byID := fmt.Sprintf(`{ node(id: %q) { ... on ApiToken { name } } }`, tokenID(token))
	wantEqual(t, "by id", s.must(ann, byID, nil).text("node", "name"), "A robot")
	for who, other := range map[string]string{"signed out": "", "another": bob, "an admin": admin} {
		wantEqual(t, "by id, "+who, s.must(other, byID, nil).at("node"), nil)
		if other != "" {
			s.wantVerdict("revokeToken by "+who, s.mutate(other, "revokeToken", input{"tokenId": tokenID(token)}, ""),
				"NOT_FOUND input.tokenId")
		}
	}
	_, secret, _ := strings.Cut(strings.TrimPrefix(token, "agora_pat_"), "_")
	if kept := fmt.Sprint(s.contents(), s.log); strings.Contains(kept, secret) {
		t.Error("the secret of the token is stored or logged")
	}
	s.wantVerdict("no name", s.mutate(ann, "revokeToken", input{"tokenId": gid("ApiToken", fmt.Sprint(userOf(ann), ":"))},
		""), "BAD_USER_INPUT input.tokenId")
	s.wantVerdict("a session by the token's id", s.mutate(ann, "logout", input{"sessionId": tokenID(token)}, ""),
		"NOT_FOUND input.sessionId")
	kept := s.apiToken(ann, forum.ScopeRead)
	revoke := func() answer { return s.mutate(ann, "revokeToken", input{"tokenId": tokenID(token)}, "revokedTokenId") }
	s.wantVerdict("revokeToken", revoke(), "")
	s.wantVerdict("revokeToken again", revoke(), "NOT_FOUND input.tokenId")
	wantEqual(t, "a revoked token", s.whoami(token), "401 UNAUTHENTICATED")
	wantEqual(t, "another one", s.whoami(kept), "200  ann")
	wantEqual(t, "the list after all", s.must(ann, ownTokens, nil).texts("id", "viewer", "tokens"), []string{tokenID(kept)})
}

func TestCreateTokenIsRefused(t *testing.T) {
	s := newSite(t)
	ann, mod := s.user("ann"), s.moderator("mia")
	s.settle()
	tests := []struct {
		name, token, want string
		in                input
	}{
		{"no scope", ann, "TOO_SHORT input.scopes", input{"name": "a", "scopes": []string{}}},
		{"no name", ann, "TOO_SHORT input.name", input{"name": " ", "scopes": []string{"READ"}}},
		{"long name", ann, "TOO_LONG input.name", input{"name": strings.Repeat("a", 65), "scopes": []string{"READ"}}},
		{"an end that is over", ann, "INVALID input.expiresAt",
			input{"name": "a", "scopes": []string{"READ"}, "expiresAt": "2096-01-02T03:04:05Z"}},
		{"IMPERSONATE by a moderator", mod, "FORBIDDEN input.scopes", input{"name": "a", "scopes": []string{"IMPERSONATE"}}},
		{"all at once", ann, "TOO_SHORT input.name; FORBIDDEN input.scopes; INVALID input.expiresAt",
			input{"name": "", "scopes": []string{"IMPERSONATE"}, "expiresAt": "1996-01-02T03:04:05Z"}},
	}
	before := s.contents()
	for _, tt := range tests {
		a := s.mutate(tt.token, "createToken", tt.in, "token")
		s.wantVerdict(tt.name, a, tt.want)
		s.wantUntouched(tt.name, before, a)
	}
	for range forum.MaxTokens {
		s.apiToken(ann, forum.ScopeRead)
	}
	s.wantVerdict("the 21st", s.mutate(ann, "createToken", input{"name": "a", "scopes": []string{"READ"}}, "token"),
		"TOO_LONG input.name")
}

// Every mutation is refused to a token without its scope, before anything is executed, and not to one that has it alone.
func TestMutationsNeedTheirScope(t *testing.T) {
	b := newFullSite(t)
	root := b.admin("ada")
	tokens := map[forum.Scope]string{}
	for _, s := range forum.Scopes {
		tokens[s] = b.apiToken(root, s)
	}
	all := b.apiToken(root, forum.Scopes...)
	for _, token := range []string{tokens[forum.ScopeRead], all} { // which records its use
		b.must(token, "mutation { __typename }", nil)
	}
	b.settle()
	before := b.contents()
	for name, rule := range ruledMutations(t) {
		in := leastInputOf(t, name)
		a, want := b.mutate(tokens[forum.ScopeRead], name, in, ""), "SCOPE_MISSING"
		if rule.Scope == forum.SessionOnly {
			want = "SESSION_REQUIRED"
		} else if !strings.Contains(a.body, fmt.Sprintf(`"scope":%q`, rule.Scope)) {
			t.Errorf("%s with READ: %s; want the scope %s named", name, a.body, rule.Scope)
		}
		if a.verdict() != want || a.Data != nil {
			t.Errorf("%s with READ: %s; want %s", name, a.body, want)
		}
		b.wantUntouched(name, before, a)
		if rule.Scope == forum.SessionOnly {
			a = b.mutate(all, name, in, "")
			b.wantVerdict(name+" with all scopes", a, want)
			b.wantUntouched(name, before, a)
		}
	}
	for name, rule := range ruledMutations(t) {
		if rule.Scope == forum.SessionOnly {
			continue
		}
		a := b.mutate(tokens[rule.Scope], name, leastInputOf(t, name), "")
		if said := a.verdict(); strings.Contains(said, "SCOPE_MISSING") || said == "FORBIDDEN" {
			t.Errorf("%s with %s: %s; want it executed", name, rule.Scope, a.body)
		}
	}
}

// Queries need READ, also those in payloads and beside mutations that are allowed; what names a topic does not.
func TestQueriesNeedRead(t *testing.T) {
	b := newFullSite(t)
	token := b.apiToken(b.ann, forum.ScopeFollow)
	for name, query := range map[string]string{
		"a query":              `{ viewer { id } }`,
		"introspection":        `{ __schema { queryType { name } } }`,
		"a query in a payload": `mutation { bookmark(input: {topicId: "%s"}) { query { viewer { id } } } }`,
		"in a fragment":        `mutation { ...m } fragment m on Mutation { bookmark(input: {topicId: "%s"}) { ...p } } fragment p on BookmarkPayload { q: query { site { name } } }`,
		"beside another":       `mutation { bookmark(input: {topicId: "%[1]s"}) { changed } vote(input: {subjectId: "%[1]s", direction: UP}) { changed } }`,
	} {
		if strings.Contains(query, "%") {
			query = fmt.Sprintf(query, b.topic)
		}
		b.wantVerdict(name, b.ask(token, query, nil), "SCOPE_MISSING")
	}
	a := b.ask(token, fmt.Sprintf(`mutation { __typename bookmark(input: {topicId: %q}) { changed topic { id } errors { code } } }`, b.topic), nil)
	if a.verdict() != "" || a.at("bookmark", "changed") != any(true) || a.text("bookmark", "topic", "id") == "" {
		t.Errorf("a mutation with its scope = %s; want it executed, and nothing before it", a.body)
	}
}

// A moderator's token without MODERATE is a member's.
func TestTokensOfModerators(t *testing.T) {
	b := newFullSite(t)
	b.wantVerdict("report", b.report(b.bob, b.comment), "")
	for _, tt := range []struct {
		scopes []forum.Scope
		want   string
	}{
		{[]forum.Scope{forum.ScopeRead, forum.ScopeModerate}, ""},
		{[]forum.Scope{forum.ScopeRead, forum.ScopePost}, "FORBIDDEN"},
	} {
		b.wantVerdict(fmt.Sprint(tt.scopes), b.ask(b.apiToken(b.mod, tt.scopes...), `{ reportQueue { totalCount } }`, nil),
			tt.want)
	}
	plain := b.apiToken(b.mod, forum.ScopeRead, forum.ScopePost)
	edit := input{"topicId": b.topic, "title": "Another title", "reason": "SPAM"}
	b.wantVerdict("an edit of another's topic", b.mutate(plain, "updateTopic", edit, ""), "FORBIDDEN input.topicId")
	b.wantVerdict("the same by the session", b.mutate(b.mod, "updateTopic", edit, ""), "")
}

// An administrator's server posts as a member, and the logs have both.
func TestActingAsAMember(t *testing.T) {
	b := newFullSite(t)
	root := b.admin("ada")
	b.log.Reset()
	token := b.apiToken(root, forum.ScopeRead, forum.ScopePost, forum.ScopeAdmin, forum.ScopeImpersonate)
	wantEqual(t, "the security log", strings.Join(b.securityLines(), "\n"),
		fmt.Sprintf(`token-created by=%d token=%s scopes="[READ POST ADMIN IMPERSONATE]"`, userOf(root), tokenName(token)))
	as := *b.site
	as.actAs = b.userID(b.ann)
	a := as.mutate(token, "createComment", input{"topicId": b.topic, "content": "Hello"}, "comment { author { login } }")
	wantEqual(t, "the author", a.text("createComment", "comment", "author", "login"), "ann")
	as.wantVerdict("what the member may not", as.mutate(token, "setUserRole", input{"userId": b.userID(b.bob),
		"role": "ADMIN"}, ""), "FORBIDDEN")
	as.actAs = b.userID(b.mod)
	as.wantVerdict("revoking", as.mutate(token, "revokeToken", input{"tokenId": tokenID(token)}, ""), "SESSION_REQUIRED")
	b.wantVerdict("revokeToken", b.mutate(root, "revokeToken", input{"tokenId": tokenID(token)}, ""), "")
	wantEqual(t, "the security log", strings.Join(b.securityLines(), "\n"),
		fmt.Sprintf("token-revoked by=%d token=%s", userOf(root), tokenName(token)))
}
