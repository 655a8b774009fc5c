package graph_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/test/must"
)

const (
	sessionFields = "{ id createdAt lastSeenAt expiresAt userAgent isCurrent }"
	ownSessions   = "{ viewer { sessions " + sessionFields + " } }"
)

// sessionID returns the global id of a token's session.
func sessionID(token string) string {
	parsed, _ := auth.ParseToken(token)
	return gid("Session", fmt.Sprint(parsed.User, ":", auth.SessionName(parsed.Digest())))
}

// sessions are the ids of the sessions that a token's owner sees, in order.
func (s *site) sessions(token string) []string {
	s.t.Helper()
	return s.must(token, ownSessions, nil).texts("id", "viewer", "sessions")
}

// stored are the sessions of a token's user in Redis, by digest.
func (s *site) stored(token string) map[string]string {
	s.t.Helper()
	id := userOf(token)
	key := fmt.Sprintf("{p%02x}:u:%d:sessions", uint8(id.Partition()), id)
	return must.Do(s.redis.HGetAll(context.Background(), key).Result())(s.t)
}

func TestSessionsOfTheViewer(t *testing.T) {
	s := newSite(t)
	first := s.by("first/1.0").user("ann")
	s.by("bob's").user("bob")
	s.clock.Advance(10 * time.Minute)
	second := s.by("second/2.0").signIn("ann")
	s.clock.Advance(10 * time.Minute)
	third := s.signIn("ann")

	a := s.must(second, ownSessions, nil)
	session := func(token, began, ends string, agent any, current bool) any {
		return map[string]any{"id": sessionID(token), "createdAt": began, "lastSeenAt": began, "expiresAt": ends,
			"userAgent": agent, "isCurrent": current}
	}
	wantEqual(t, "sessions, latest use first", a.at("viewer", "sessions"), any([]any{
		session(third, "2096-01-02T03:24:05.000Z", "2096-02-01T03:24:05.000Z", nil, false),
		session(second, "2096-01-02T03:14:05.000Z", "2096-02-01T03:14:05.000Z", "second/2.0", true),
		session(first, "2096-01-02T03:04:05.000Z", "2096-02-01T03:04:05.000Z", "first/1.0", false),
	}))
	for _, token := range []string{first, second, third} {
		_, secret, _ := strings.Cut(strings.TrimPrefix(token, "agora_"), "_")
		if strings.Contains(a.body, secret) || strings.Contains(fmt.Sprint(s.contents()), secret) {
			t.Errorf("the secret of a token is shown or stored: %s", a.body)
		}
	}
}

// The use of a session is recorded once an hour, and costs a round trip only then.
func TestSessionUseIsNotedOnceAnHour(t *testing.T) {
	s := newSite(t)
	first := s.user("ann")
	s.clock.Advance(time.Minute)
	second := s.signIn("ann")
	parsed, _ := auth.ParseToken(first)
	query := `{ viewer { sessions { id lastSeenAt } } }`
	steps := []struct {
		name    string
		advance time.Duration
		seen    string
		trips   int
		order   []string
	}{
		{"after an hour less a millisecond", 59*time.Minute - time.Millisecond, "2096-01-02T03:04:05.000Z", 2,
			[]string{second, first}},
		{"after an hour", time.Millisecond, "2096-01-02T04:04:05.000Z", 3, []string{first, second}},
		{"at once again", 0, "2096-01-02T04:04:05.000Z", 2, []string{first, second}},
		{"within the next hour", time.Hour - time.Millisecond, "2096-01-02T04:04:05.000Z", 2, []string{first, second}},
		{"after the next hour", time.Millisecond, "2096-01-02T05:04:05.000Z", 3, []string{first, second}},
	}
	for _, step := range steps {
		s.clock.Advance(step.advance)
		a := s.must(first, query, nil)
		ids := []string{sessionID(step.order[0]), sessionID(step.order[1])}
		wantEqual(t, step.name+": order", a.texts("id", "viewer", "sessions"), ids)
		seen := a.texts("lastSeenAt", "viewer", "sessions")
		at := map[string]string{ids[0]: seen[0], ids[1]: seen[1]}
		wantEqual(t, step.name+": lastSeenAt", at[sessionID(first)], step.seen)
		wantEqual(t, step.name+": lastSeenAt of the other", at[sessionID(second)], "2096-01-02T03:05:05.000Z")
		wantEqual(t, step.name+": round trips", a.Extensions.Redis.RoundTrips, step.trips)
	}
	began, rest, _ := strings.Cut(s.stored(first)[parsed.Digest()], " ")
	wantEqual(t, "stored beginning", began, "3976311845000")
	wantEqual(t, "stored use and end", strings.TrimSpace(rest), "3976319045000 3978911045000:3976311845000:")
}

// A session that is used every 29 days ends 90 days after sign-in, and another one 30 days after its last use.
func TestSessionsSlide(t *testing.T) {
	s := newSite(t)
	used := s.user("ann")
	unused := s.signIn("ann")
	query := `{ viewer { id sessions { expiresAt } } }`
	for n := 1; n <= 3; n++ {
		s.clock.Advance(29 * 24 * time.Hour)
		s.must(used, query, nil)
	}
	wantEqual(t, "the unused session", s.ask(unused, query, nil).code(), "UNAUTHENTICATED")
	wantEqual(t, "ends", s.must(used, query, nil).texts("expiresAt", "viewer", "sessions"), []string{"2096-04-01T03:04:05.000Z"})
	wantEqual(t, "signed out", s.whoami(""), "200")
	s.clock.Advance(3*24*time.Hour - time.Millisecond)
	s.must(used, query, nil)
	s.clock.Advance(time.Millisecond)
	wantEqual(t, "after 90 days", s.ask(used, query, nil).code(), "UNAUTHENTICATED")
}

// A session is visible only to its owner, on every path.
func TestSessionsByID(t *testing.T) {
	s := newSite(t)
	other, bob, mod := s.user("ann"), s.user("bob"), s.moderator("mia")
	s.clock.Advance(second)
	ann := s.signIn("ann")
	admin := s.user("ada")
	s.promote(admin, forum.RoleAdmin)
	query := `query($a: ID!, $b: ID!, $none: ID!) { node(id: $a) { __typename ... on Session ` + sessionFields + ` } nodes(ids: [$a, $none, $b]) { id ... on Session { isCurrent } } }`
	ids := input{"a": sessionID(ann), "b": sessionID(other),
		"none": gid("Session", fmt.Sprint(userOf(ann), ":0123456789abcdef01234567"))}

	a := s.must(ann, query, ids)
	wantEqual(t, "node", a.at("node"),
		any(map[string]any{"__typename": "Session", "id": sessionID(ann), "createdAt": "2096-01-02T03:04:06.000Z",
			"lastSeenAt": "2096-01-02T03:04:06.000Z", "expiresAt": "2096-02-01T03:04:06.000Z", "userAgent": nil, "isCurrent": true}))
	wantEqual(t, "nodes", a.at("nodes"),
		any([]any{map[string]any{"id": sessionID(ann), "isCurrent": true}, nil,
			map[string]any{"id": sessionID(other), "isCurrent": false}}))
	for who, token := range map[string]string{"signed out": "", "another": bob, "a moderator": mod, "an admin": admin} {
		a := s.must(token, query, ids)
		wantEqual(t, who+": nodes", a.Data, map[string]any{"node": nil, "nodes": []any{nil, nil, nil}})
		wantEqual(t, who+": logout by id",
			s.mutate(token, "logout", input{"sessionId": sessionID(other)}, "").Data["logout"] == nil, token == "")
	}
	wantEqual(t, "sessions after all", len(s.sessions(ann)), 2)
	s.wantVerdict("logout by the id that is listed", s.mutate(ann, "logout", input{"sessionId": s.sessions(ann)[1]}, ""),
		"")
	left := s.sessions(ann)
	wantEqual(t, "sessions after logout", left, []string{sessionID(ann)})
	wantEqual(t, "an ended session by node", s.must(ann, query, ids).at("nodes"),
		any([]any{map[string]any{"id": sessionID(ann), "isCurrent": true}, nil, nil}))
	wantEqual(t, "a token whose session was ended elsewhere", s.whoami(other), "401 UNAUTHENTICATED")
}

// Sessions are read together with other objects by id.
func TestSessionsByIDShareARoundTrip(t *testing.T) {
	b := newFullSite(t)
	alone := b.must(b.ann, `query($s: ID!) { nodes(ids: [$s]) { id } }`, input{"s": sessionID(b.ann)}).Extensions.Redis.RoundTrips
	both := b.must(b.ann, `query($s: ID!, $t: ID!) { nodes(ids: [$s, $t]) { id } }`, input{"s": sessionID(b.ann), "t": b.topic})
	wantEqual(t, "round trips", []int{alone, both.Extensions.Redis.RoundTrips}, []int{2, 2})
	wantEqual(t, "ids", both.texts("id", "nodes"), []string{sessionID(b.ann), b.topic})
}

func TestTwentyFirstSessionEndsTheOldest(t *testing.T) {
	s := newSite(t)
	tokens := []string{s.user("ann")}
	for range forum.MaxSessions - 1 {
		s.clock.Advance(4 * time.Minute) // in total more than an hour: the first is the one used last
		tokens = append(tokens, s.signIn("ann"))
	}
	s.clock.Advance(second)
	wantEqual(t, "the first of 20 is used last", s.sessions(tokens[0])[0], sessionID(tokens[0]))
	want := []string{}
	for _, token := range tokens[1:] {
		want = append([]string{sessionID(token)}, want...)
	}
	s.clock.Advance(second)
	last := s.signIn("ann")
	wantEqual(t, "sessions after the 21st", s.sessions(last), append([]string{sessionID(last)}, want...))
	wantEqual(t, "stored", len(s.stored(last)), forum.MaxSessions)
	wantEqual(t, "the first of 21", s.whoami(tokens[0]), "401 UNAUTHENTICATED")
	wantEqual(t, "the second of 21", s.whoami(tokens[1]), "200  ann")
}

func TestExpiredSessionsAreNotListed(t *testing.T) {
	s := newSite(t)
	first := s.user("ann")
	s.clock.Advance(10 * 24 * time.Hour)
	second := s.signIn("ann")
	s.clock.Advance(20*24*time.Hour - time.Millisecond)
	wantEqual(t, "a moment before", s.sessions(second), []string{sessionID(second), sessionID(first)})
	s.clock.Advance(time.Millisecond)
	wantEqual(t, "after 30 days", s.sessions(second), []string{sessionID(second)})
	a := s.must(second, `query($id: ID!) { node(id: $id) { id } }`, input{"id": sessionID(first)})
	wantEqual(t, "an expired session by node", a.at("node"), nil)
	s.wantVerdict("logout of an expired session", s.mutate(second, "logout", input{"sessionId": sessionID(first)}, ""),
		"NOT_FOUND input.sessionId")
	wantEqual(t, "stored until the next sign-in", len(s.stored(second)), 2)
	third := s.signIn("ann")
	wantEqual(t, "stored after the next sign-in", len(s.stored(second)), 2)
	wantEqual(t, "listed after the next sign-in", s.sessions(second), []string{sessionID(third), sessionID(second)})
}

// A program may send any name; a short line of it is stored.
func TestSessionUserAgent(t *testing.T) {
	s := newSite(t)
	s.user("ann")
	tests := []struct {
		name, agent string
		want        any
	}{
		{"none", "", nil},
		{"blank", " \t ", nil},
		{"as it is", "Mozilla/5.0 (X11; Linux)", "Mozilla/5.0 (X11; Linux)"},
		{"256 characters", strings.Repeat("x", 256), strings.Repeat("x", 256)},
		{"257 characters", strings.Repeat("x", 257), strings.Repeat("x", 256)},
		{"longer than any", strings.Repeat("é", 5000), strings.Repeat("é", 256)},
		{"tab", "a\tb", "ab"},
		{"ill-formed", "a\xffb\xc3", "ab"},
		{"right-to-left override", "a\u202eb", "ab"},
		{"zero width", "a\u200bb\ufeff", "ab"},
		{"replacement character", "a\ufffdb", "ab"},
		{"cut at a space", strings.Repeat("x", 255) + " y", strings.Repeat("x", 255)},
		{"counted after cleaning", strings.Repeat("x\u202e", 300), strings.Repeat("x", 256)},
		{"line separator", "a\u2028b", "ab"},
		{"C1 control", "a\u0085b", "ab"},
		{"digits, as a session's times are", "1 2 3", "1 2 3"},
		{"markup", `<b>"x"</b>`, `<b>"x"</b>`},
	}
	for _, tt := range tests {
		s.clock.Advance(second)
		a := s.must(s.by(tt.agent).signIn("ann"), `{ viewer { sessions { userAgent isCurrent } } }`, nil)
		wantEqual(t, tt.name, a.at("viewer", "sessions", 0), any(map[string]any{"userAgent": tt.want, "isCurrent": true}))
	}
}
