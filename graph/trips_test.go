package graph_test

import (
	"strings"
	"testing"
)

// Reads of the moderation log, the queue of reports, and revisions take the stated round trips, sign-in included.
func TestRoundTripsOfModerationAreExact(t *testing.T) {
	s := newSite(t)
	s.fill(small)
	s.busy()
	a := s.must("", `{ front { topics(first: 1) { nodes { id comments(first: 1) { nodes { id } } } } } }`, nil)
	ids := strings.NewReplacer("TOPIC", a.text("front", "topics", "nodes", 0, "id"),
		"COMMENT", a.text("front", "topics", "nodes", 0, "comments", "nodes", 0, "id"))
	const edits = "revisions(first: 8) { nodes { number content editor { login } hunks { newStart } } }"
	moderator := s.tokenOf("user00")
	for _, tt := range []struct {
		query string
		trips int
	}{
		{`moderationLog(first: 8) { nodes { reason createdAt } }`, 3},
		{`moderationLog(first: 8) { nodes { moderator { login } } }`, 4},
		{`moderationLog(first: 8, subjectId: "TOPIC") { nodes { action } }`, 3},
		{`moderationLog(first: 8, subjectId: "TOPIC") { nodes {
			subject { ... on Topic { title author { login } } } reversedBy { action } } }`, 5},
		{`moderationLog(first: 8, subjectId: "COMMENT") { nodes {
			subject { ... on Comment { content } } reverses { member { login } } } }`, 5},
		{`moderationLog(first: 8, user: {login: "user04"}) { nodes { action reason } }`, 5},
		{`moderationLog(first: 8, moderator: {login: "user03"}) { nodes { action } }`, 5},
		{`moderationLog(first: 8, action: BAN) { nodes { member { login } } }`, 4},
		{`reportQueue(first: 8) { nodes { reportCount } }`, 3},
		{`reportQueue(first: 8, category: {name: "redis"}) { nodes {
			subject { ... on Topic { title author { login } } ... on Comment { content } } } }`, 5},
		{`reportQueue(first: 8, category: {name: "go"}) { nodes {
			reports(first: 8) { nodes { reporter { login } } } } }`, 7},
		{`reportQueue(first: 8, state: UPHELD) { nodes { resolvedBy { moderator { login } } } }`, 5},
		{`reportQueue(first: 8) { nodes { subject { ... on User { login } } } }`, 4},
		{`topic(by: {id: "TOPIC"}) { ` + edits + ` }`, 4},
		{`node(id: "COMMENT") { ... on Comment { ` + edits + ` } }`, 4},
	} {
		s.clock.Advance(15 * second) // what the process remembers of the site is older
		a := s.must(moderator, "{ "+ids.Replace(tt.query)+" }", nil)
		if got := a.Extensions.Redis.RoundTrips; got != tt.trips || strings.Contains(a.body, `"nodes":[]`) {
			t.Errorf("%s took %d round trips; want %d: %.300s", tt.query, got, tt.trips, a.body)
		}
	}
}

// The first reader in a minute takes the snapshot, and the first in 10 seconds the walk; the next one finds it.
func TestOnlyFirstReadersTakeSnapshotsAndWalks(t *testing.T) {
	s := newSite(t)
	s.fill(small)
	s.busy()
	for _, tt := range []struct {
		query       string
		first, next int
	}{
		{`{ front(orderBy: {field: TOP}) { topics(first: 5) { nodes { title } } } }`, 9, 3},
		{`{ category(by: {name: "go"}) { timeline(orderBy: {field: CONTROVERSIAL}) {
			topics(first: 5) { nodes { title } } } } }`, 10, 4},
		{`{ front { topics(first: 5, walk: FIXED) { nodes { title } newSince } } }`, 7, 3},
		{`{ tab(by: {name: "all"}) { timeline { topics(first: 5, walk: FIXED) { nodes { title } newSince } } } }`, 9, 5},
		{`{ viewer { home { topics(first: 5, walk: FIXED) { nodes { title } newSince } } } }`, 7, 3},
		{`{ viewer { lists(first: 1) { nodes { timeline { topics(first: 5, walk: FIXED) { newSince } } } } } }`, 9, 5},
	} {
		s.clock.Advance(70 * second)
		first := s.must(s.tokenOf("user01"), tt.query, nil).Extensions.Redis.RoundTrips
		next := s.must(s.tokenOf("user01"), tt.query, nil).Extensions.Redis.RoundTrips
		if first != tt.first || next != tt.next {
			t.Errorf("%s: the first took %d, the next %d; want %d and %d", tt.query, first, next, tt.first, tt.next)
		}
	}
}
