package graph_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

const caseFields = `subjectId state reportCount throughReport isHeld firstReportedAt lastReportedAt
	reasons { reason count } category { name } subject { __typename ... on Topic { title author { login } }
	... on Comment { content author { login } } ... on User { login } }
	resolvedBy { action reason note reportCount } reports { totalCount nodes { number reason note reporter { login } } }`

// queue returns the rows of the queue for a moderator.
func (s *site) queue(token, args string) []any {
	s.t.Helper()
	a := s.must(token, `{ reportQueue`+args+` { totalCount nodes { `+caseFields+` } edges { node { subjectId } } } }`, nil)
	rows, _ := a.at("reportQueue", "nodes").([]any)
	wantEqual(s.t, "edges", len(a.at("reportQueue", "edges").([]any)), len(rows))
	wantEqual(s.t, "totalCount", a.number("reportQueue", "totalCount"), len(rows))
	return rows
}

// report reports something as SPAM.
func (s *site) report(token, subject string) answer {
	s.t.Helper()
	return s.mutate(token, "report", input{"subjectId": subject, "reason": "SPAM"}, "subject { __typename }")
}

func TestReportsMakeOneCase(t *testing.T) {
	b := newFullSite(t)
	cas := b.user("cas")
	a := b.mutate(b.bob, "report", input{"subjectId": b.topic, "reason": "SPAM", "note": "Buy now"},
		"subject { __typename ... on Topic { title } }")
	b.wantVerdict("report", a, "")
	wantEqual(t, "subject", a.at("report", "subject"), any(map[string]any{"__typename": "Topic", "title": "A topic"}))
	for range 2 { // a repetition changes nothing
		b.clock.Advance(second)
		b.wantVerdict("report", b.mutate(cas, "report", input{"subjectId": b.topic, "reason": "ABUSE"}, ""), "")
	}
	b.clock.Advance(second)
	b.wantVerdict("report a comment", b.report(cas, b.comment), "")
	b.clock.Advance(second)
	b.wantVerdict("report a user", b.report(cas, userID(b.ann)), "")
	rows := b.queue(b.mod, "")
	wantEqual(t, "rows", len(rows), 3)
	for i, want := range []string{"User", "Comment", "Topic"} {
		wantEqual(t, "order", rows[i].(map[string]any)["subject"].(map[string]any)["__typename"], any(want))
	}
	got := rows[2].(map[string]any)
	wantEqual(t, "reports", got["reports"], any(map[string]any{"totalCount": 2.0, "nodes": []any{
		map[string]any{"number": 1.0, "reason": "SPAM", "note": "Buy now", "reporter": map[string]any{"login": "bob"}},
		map[string]any{"number": 2.0, "reason": "ABUSE", "note": nil, "reporter": map[string]any{"login": "cas"}}}}))
	wantEqual(t, "reasons", got["reasons"], any([]any{map[string]any{"reason": "SPAM", "count": 1.0},
		map[string]any{"reason": "ABUSE", "count": 1.0}}))
	wantEqual(t, "category", got["category"], any(map[string]any{"name": "Tea"}))
	wantEqual(t, "counts and state",
		fmt.Sprint(got["reportCount"], " ", got["throughReport"], " ", got["state"]), "2 2 OPEN")
	wantEqual(t, "of the category", len(b.queue(b.mod, `(category: {name: "Tea"})`)), 2)
	wantEqual(t, "of another", len(b.queue(b.mod, `(category: {name: "Ink"})`)), 0)
}

func TestReportIsRefused(t *testing.T) {
	b := newFullSite(t)
	in := func(id string) input { return input{"subjectId": id, "reason": "SPAM"} }
	long := make([]byte, 1001)
	for i := range long {
		long[i] = 'x'
	}
	b.wantRefused([]refusal{
		{"signed out", "", "report", in(b.topic), "UNAUTHENTICATED"},
		{"own topic", b.ann, "report", in(b.topic), "SELF input.subjectId"},
		{"own comment", b.ann, "report", in(b.comment), "SELF input.subjectId"},
		{"oneself", b.bob, "report", in(userID(b.bob)), "SELF input.subjectId"},
		{"a deleted topic", b.bob, "report", in(b.deleted), "NOT_FOUND input.subjectId"},
		{"a deleted topic, by its author", b.ann, "report", in(b.deleted), "NOT_FOUND input.subjectId"},
		{"a tombstone", b.bob, "report", in(b.tombstone), "NOT_FOUND input.subjectId"},
		{"a comment of a deleted topic", b.bob, "report", in(b.lost), "NOT_FOUND input.subjectId"},
		{"nobody", b.bob, "report", in(gid("User", "77777")), "NOT_FOUND input.subjectId"},
		{"no topic", b.bob, "report", in(gid("Topic", "77777")), "NOT_FOUND input.subjectId"},
		{"no comment", b.bob, "report", in(gid("Comment", "77777")), "NOT_FOUND input.subjectId"},
		{"the ghost", b.bob, "report", in(gid("User", "0")), "NOT_FOUND input.subjectId"},
		{"a category", b.bob, "report", in(b.tea), "NOT_FOUND input.subjectId"},
		{"a long note", b.bob, "report", with(in(b.topic), "note", string(long)), "TOO_LONG input.note"},
		{"no reason", b.bob, "report", input{"subjectId": b.topic}, "BAD_USER_INPUT i.reason"},
	})
}

func TestReportsHaveARate(t *testing.T) {
	b := newFullSite(t)
	for i := range 10 {
		b.wantVerdict(fmt.Sprint("report ", i), b.report(b.bob, b.topic), "")
	}
	b.wantVerdict("one more", b.report(b.bob, b.comment), "RATE_LIMITED ")
	b.clock.Advance(time.Minute)
	b.wantVerdict("a minute later", b.report(b.bob, b.comment), "")
}

func TestResolveReports(t *testing.T) {
	b := newFullSite(t)
	cas, dan := b.user("cas"), b.moderator("dan")
	b.report(b.bob, b.topic)
	b.report(cas, b.topic)
	resolve := func(token string, through int, outcome string) answer {
		b.clock.Advance(second)
		return b.mutate(token, "resolveReports", input{"subjectId": b.topic, "throughReport": through, "outcome": outcome,
			"note": "Thank you"}, "changed act { action reportCount note moderator { login } } case { "+caseFields+" }")
	}
	a := resolve(b.mod, 1, "UPHELD")
	b.wantVerdict("the first", a, "")
	act := map[string]any{"action": "UPHOLD", "reportCount": 1.0, "note": "Thank you",
		"moderator": map[string]any{"login": "mia"}}
	wantEqual(t, "act", a.at("resolveReports", "act"), any(act))
	wantEqual(t, "later ones are open", fmt.Sprint(a.at("resolveReports", "case", "state"), " ",
		a.at("resolveReports", "case", "reportCount")), "OPEN 1")
	again := resolve(dan, 1, "DISMISSED")
	b.wantVerdict("two moderators at once", again, "")
	wantEqual(t, "changed", again.at("resolveReports", "changed"), any(false))
	wantEqual(t, "the act in force", again.at("resolveReports", "act"), any(act))
	b.wantVerdict("the rest", resolve(dan, 9, "DISMISSED"), "")
	wantEqual(t, "open", len(b.queue(b.mod, "")), 0)
	wantEqual(t, "upheld", len(b.queue(b.mod, "(state: UPHELD)")), 0)
	dismissed := b.queue(b.mod, `(state: DISMISSED, category: {name: "Tea"})`)
	wantEqual(t, "dismissed", len(dismissed), 1)
	wantEqual(t, "reportCount", dismissed[0].(map[string]any)["reportCount"], any(1.0))
	b.report(dan, b.topic)
	wantEqual(t, "open again", len(b.queue(b.mod, "")), 1)
	wantEqual(t, "no longer dismissed", len(b.queue(b.mod, "(state: DISMISSED)")), 0)
	if n, err := b.store.Engine.RunDueTasks(context.Background()); n != 2 || err != nil {
		t.Errorf("RunDueTasks = %d, %v; want the 2 that tell the reporters", n, err)
	}
}

func TestResolveReportsIsRefused(t *testing.T) {
	b := newFullSite(t)
	dan, ada := b.moderator("dan"), b.admin("ada")
	post := b.site.topic(b.mod, "Tea", "A moderator's")
	b.report(b.bob, post)
	b.report(b.bob, b.topic)
	b.settle()
	in := func(id string) input { return input{"subjectId": id, "throughReport": 1, "outcome": "UPHELD"} }
	b.wantRefused([]refusal{
		{"signed out", "", "resolveReports", in(b.topic), "UNAUTHENTICATED"},
		{"a member", b.bob, "resolveReports", in(b.topic), "NOT_FOUND input.subjectId"},
		{"on oneself", b.mod, "resolveReports", in(post), "SELF input.subjectId"},
		{"on a peer", dan, "resolveReports", in(post), "FORBIDDEN input.subjectId"},
		{"not reported", dan, "resolveReports", in(b.other), "NOT_FOUND input.subjectId"},
		{"no number", dan, "resolveReports", with(in(b.topic), "throughReport", 0), "INVALID input.throughReport"},
	})
	b.wantVerdict("by a higher role", b.mutate(ada, "resolveReports", in(post), "act { action }"), "")
	for name, token := range map[string]string{"a member": b.bob, "signed out": ""} {
		want := map[string]string{"": "UNAUTHENTICATED", b.bob: "FORBIDDEN"}[token]
		wantEqual(t, "queue of "+name, b.ask(token, `{ reportQueue { totalCount } }`, nil).code(), want)
	}
}

// 10,000 reports are one row; 200 of them but in the slow tests.
func TestManyReportsAreOneRow(t *testing.T) {
	b := newFullSite(t)
	many := 200
	if testlevel.All() {
		many = 10_000
	}
	b.manyReports(b.topic, many)
	rows := b.queue(b.mod, "")
	wantEqual(t, "rows", len(rows), 1)
	wantEqual(t, "reportCount", rows[0].(map[string]any)["reportCount"], any(float64(many)))
	a := b.mutate(b.mod, "resolveReports", input{"subjectId": b.topic, "throughReport": many, "outcome": "UPHELD"},
		"act { reportCount }")
	wantEqual(t, "reportCount of the act", a.at("resolveReports", "act", "reportCount"), any(float64(many)))
}

// manyReports has members who do not exist report a topic.
func (b *fullSite) manyReports(topic string, n int) {
	b.t.Helper()
	_, key, _ := globalid.Split(topic)
	id := must.Do(forum.ParseID[forum.TopicID](key))(b.t)
	for i := range n {
		err := b.store.Acts.Report(context.Background(), &forum.Viewer{ID: forum.UserID(256*1000 + i),
			Role: forum.RoleUser},
			forum.Subject{Topic: id}, forum.Grounds{Reason: forum.ReasonSpam})
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

func TestQueuePages(t *testing.T) {
	b := newFullSite(t)
	subjects := []string{b.topic, b.comment, b.reply, b.other, userID(b.ann)}
	for _, id := range subjects {
		b.clock.Advance(second)
		b.wantVerdict("report", b.report(b.bob, id), "")
	}
	slices.Reverse(subjects) // the latest is first
	page := func(args string) (ids []string, info map[string]any) {
		a := b.must(b.mod, `{ reportQueue(`+args+`) { nodes { subjectId } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`, nil)
		for i := range a.at("reportQueue", "nodes").([]any) {
			ids = append(ids, a.text("reportQueue", "nodes", i, "subjectId"))
		}
		return ids, a.at("reportQueue", "pageInfo").(map[string]any)
	}
	first, info := page("first: 2")
	wantEqual(t, "the first page", first, subjects[:2])
	next, info := page(fmt.Sprintf("first: 2, after: %q", info["endCursor"]))
	wantEqual(t, "the second page", next, subjects[2:4])
	back, _ := page(fmt.Sprintf("last: 5, before: %q", info["startCursor"]))
	wantEqual(t, "backwards", back, subjects[:2])
	last, info := page("last: 2")
	wantEqual(t, "the last page", last, subjects[3:])
	wantEqual(t, "of it", fmt.Sprint(info["hasNextPage"], info["hasPreviousPage"]), "false true")
	for _, args := range []string{`after: "x"`, fmt.Sprintf(`state: UPHELD, after: %q`, info["endCursor"])} {
		wantEqual(t, args, b.ask(b.mod, `{ reportQueue(`+args+`) { totalCount } }`, nil).code(), "CURSOR_INVALID")
	}
}

// A page of the queue with the subjects and their authors costs four round trips, that of the session included, however
// many rows it has.
func TestCostOfTheQueue(t *testing.T) {
	b := newFullSite(t)
	const query = `{ reportQueue(first: 50) { nodes { state reportCount reasons { reason count } subject { __typename
		... on Topic { title content author { login name } } ... on Comment { content author { login name } } } } } }`
	add := func(n int) {
		for i := range n {
			b.clock.Advance(time.Minute)
			author := b.user(fmt.Sprintf("author%d", i+n))
			topic := b.site.topic(author, "Tea", "Reported")
			b.wantVerdict("report", b.report(b.bob, topic), "")
			b.wantVerdict("report", b.report(b.bob, b.site.comment(author, b.other, "", "Reported")), "")
		}
	}
	for _, n := range []int{2, 23} {
		add(n)
		a := b.must(b.mod, query, nil)
		wantEqual(t, "rows", len(a.at("reportQueue", "nodes").([]any)), map[int]int{2: 4, 23: 50}[n])
		wantEqual(t, "round trips", a.Extensions.Redis.RoundTrips, 4)
	}
}

// Moderators of a category see its reports, and resolve them, if they name it.
func TestQueueOfACategory(t *testing.T) {
	b := newFullSite(t)
	ada, cas := b.admin("ada"), b.user("cas")
	b.wantVerdict("setCategoryModerators", b.mutate(ada, "setCategoryModerators",
		input{"category": input{"name": "Tea"}, "add": []string{userID(cas)}, "reason": "OTHER"}, ""), "")
	inInk := b.site.topic(b.ann, "Ink", "About ink")
	for _, id := range []string{b.topic, b.comment, inInk, userID(b.ann)} {
		b.report(b.bob, id)
	}
	wantEqual(t, "of the category", len(b.queue(cas, `(category: {name: "Tea"})`)), 2)
	for _, args := range []string{"", `(category: {name: "Ink"})`} {
		wantEqual(t, "queue"+args, b.ask(cas, `{ reportQueue`+args+` { totalCount } }`, nil).code(), "FORBIDDEN")
	}
	resolve := func(id string) answer {
		return b.mutate(cas, "resolveReports", input{"subjectId": id, "throughReport": 1, "outcome": "UPHELD"}, "changed")
	}
	b.wantVerdict("in the category", resolve(b.topic), "")
	for _, id := range []string{inInk, userID(b.ann)} {
		b.wantVerdict("elsewhere", resolve(id), "NOT_FOUND input.subjectId")
	}
	b.wantVerdict("move",
		b.mutate(b.ann, "updateTopic", input{"topicId": inInk, "category": input{"name": "Tea"}}, ""), "")
	b.settle()
	wantEqual(t, "after the move", len(b.queue(cas, `(category: {name: "Tea"})`)), 2)
}

// Reporters learn what became of their reports, but not from whom.
func TestReportersAreNotifiedOfTheOutcome(t *testing.T) {
	b := newFullSite(t)
	b.report(b.bob, b.topic)
	b.mutate(b.mod, "resolveReports", input{"subjectId": b.topic, "throughReport": 1, "outcome": "UPHELD"}, "changed")
	must.Do(b.store.Engine.RunDueTasks(context.Background()))(t)
	a := b.must(b.bob, `{ viewer { notifications(first: 1) { nodes { reason actor { login } act { action moderator { login } } } } } }`, nil)
	wantEqual(t, "notification", a.at("viewer", "notifications", "nodes", 0), any(map[string]any{"reason": "REPORT",
		"actor": map[string]any{"login": "ghost"}, "act": map[string]any{"action": "UPHOLD", "moderator": nil}}))
}
