package graph_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"agora/graph"
	"agora/internal/ratelimit"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"
)

const walkPage = `query($id: ID!, $n: Int!, $after: String) { node(id: $id) { ... on Timeline {
	topics(first: $n, after: $after, walk: FIXED) { asOf newSince totalCount
		nodes { id } edges { cursor rank score explanation { terms { value } } } pageInfo { hasNextPage hasPreviousPage endCursor }
	} } } }`

// walks are timelines of every kind that changes, of bob's.
func (b *fullSite) walks() map[string]string {
	b.follow(b.bob, userID(b.ann), true)
	list := b.list(b.bob, "Ann", userID(b.ann))
	a := b.must(b.bob, `query($tab: ID!, $list: ID!) {
		active: front { id } hot: front(orderBy: {field: HOT}) { id } score: front(orderBy: {field: SCORE}) { id }
		worst: front(orderBy: {field: HOT, direction: ASC}) { id } created: front(orderBy: {field: CREATED}) { id }
		category(by: {name: "Tea"}) { timeline { id } } tab: node(id: $tab) { ... on Tab { timeline(orderBy: {field: HOT}) { id } } }
		tag(name: "green") { timeline { id } } user(by: {login: "ann"}) { profile { id } }
		viewer { home { id } bookmarks { id } } list: node(id: $list) { ... on UserList { timeline { id } } } dayRank { id } }`,
		input{"tab": b.tab, "list": list})
	return map[string]string{
		"active": a.text("active", "id"), "hot": a.text("hot", "id"), "score": a.text("score", "id"),
		"worst": a.text("worst", "id"), "created": a.text("created", "id"),
		"category": a.text("category", "timeline", "id"), "tab": a.text("tab", "timeline", "id"),
		"tag": a.text("tag", "timeline", "id"), "profile": a.text("user", "profile", "id"),
		"home": a.text("viewer", "home", "id"), "list": a.text("list", "timeline", "id"),
		"bookmarks": a.text("viewer", "bookmarks", "id"), "day": a.text("dayRank", "id"),
	}
}

// A fixed walk shows the list as it was at its first page, each topic once, whatever is posted, voted and said
// meanwhile.
func TestFixedWalks(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	r := rand.New(rand.NewPCG(testseed.First(), 5))
	var topics []string
	for i := range 23 {
		topics = append(topics, b.site.topic(b.ann, []string{"Tea", "Ink"}[i%2], "A topic"))
		if i%3 == 0 {
			b.mutate(b.ann, "tagTopic", input{"topicId": topics[i], "add": []string{"green"}}, "")
			b.bookmark(b.bob, topics[i], true)
			b.site.comment(b.mod, topics[i], "", "Words")
		}
		b.clock.Advance(second)
	}
	voters := []string{b.ann, b.bob, b.mod}
	for name, id := range b.walks() {
		b.settle()
		b.clock.Advance(11 * second) // so that no earlier walk is read
		live := b.must(b.bob, `query($id: ID!) { node(id: $id) { ... on Timeline {
			topics(first: 100) { nodes { id } edges { rank score explanation { terms { value } } } } } } }`, input{"id": id})
		var got []string
		var edges []any
		var after, asOf any
		for page := 0; ; page++ {
			a := b.must(b.bob, walkPage, input{"id": id, "n": 4, "after": after})
			got = append(got, a.texts("id", "node", "topics", "nodes")...)
			for _, e := range a.at("node", "topics", "edges").([]any) {
				delete(e.(map[string]any), "cursor")
				edges = append(edges, e)
			}
			if page == 0 {
				asOf = a.at("node", "topics", "asOf")
				wantEqual(t, name+": newSince at first", a.at("node", "topics", "newSince"), any(0.0))
			}
			wantEqual(t, name+": asOf", a.at("node", "topics", "asOf"), asOf)
			wantEqual(t, name+": hasPreviousPage", a.at("node", "topics", "pageInfo", "hasPreviousPage"), any(page > 0))
			if a.at("node", "topics", "pageInfo", "hasNextPage") != true {
				break
			}
			after = a.at("node", "topics", "pageInfo", "endCursor")
			for range 9 { // lists change while the reader pages
				topic := topics[r.IntN(len(topics))]
				b.vote(voters[r.IntN(3)], topic, []string{"UP", "DOWN"}[r.IntN(2)])
				if r.IntN(3) == 0 {
					b.site.comment(b.mod, topic, "", "More words")
				}
			}
			b.clock.Advance(second)
		}
		wantEqual(t, name, got, live.texts("id", "node", "topics", "nodes"))
		wantEqual(t, name+": edges", any(edges), live.at("node", "topics", "edges"))
	}
}

// newSince counts what has come before the first topic of a walk.
func TestNewSinceAWalk(t *testing.T) {
	b := newFullSite(t)
	id := b.must("", `{ front { id } }`, nil).text("front", "id")
	first := b.must("", walkPage, input{"id": id, "n": 1})
	since := func(after any) any {
		return b.must("", walkPage, input{"id": id, "n": 1, "after": after}).at("node", "topics", "newSince")
	}
	cursor := first.at("node", "topics", "pageInfo", "endCursor")
	wantEqual(t, "at once", since(cursor), any(0.0))
	b.clock.Advance(second)
	b.site.topic(b.bob, "Tea", "New")
	b.site.comment(b.bob, b.topic, "", "Bump")
	b.clock.Advance(20 * second)
	wantEqual(t, "after a topic and a comment on another", since(cursor), any(2.0))
	live := b.must("", `query($id: ID!) { node(id: $id) { ... on Timeline { topics(first: 1) { newSince asOf } } } }`, input{"id": id})
	wantEqual(t, "live", live.at("node", "topics"), any(map[string]any{"newSince": nil, "asOf": nil}))
}

// Cursors of a walk are its own, and expire.
func TestCursorsOfWalks(t *testing.T) {
	b := newFullSite(t)
	id := b.must("", `{ front { id } }`, nil).text("front", "id")
	page := func(walk string, after any) answer {
		return b.ask("", fmt.Sprintf(`query($id: ID!, $after: String) { node(id: $id) { ... on Timeline {
			topics(first: 1, after: $after, walk: %s) { edges { cursor } } } } }`, walk), input{"id": id, "after": after})
	}
	fixed := page("FIXED", nil).text("node", "topics", "edges", 0, "cursor")
	live := page("LIVE", nil).text("node", "topics", "edges", 0, "cursor")
	wantEqual(t, "a live cursor in a walk", page("FIXED", live).verdict(), "CURSOR_INVALID after")
	wantEqual(t, "a cursor of a walk in the live list", page("LIVE", fixed).verdict(), "CURSOR_INVALID after")
	b.clock.Advance(9 * 60 * second)
	wantEqual(t, "after nine minutes", page("FIXED", fixed).verdict(), "")
	b.clock.Advance(61 * second)
	wantEqual(t, "after ten minutes", page("FIXED", fixed).verdict(), "CURSOR_EXPIRED after")
	top := b.must("", `{ front(orderBy: {field: TOP}) { topics(first: 1, walk: FIXED) { asOf newSince edges { cursor } } } }`, nil)
	if top.at("front", "topics", "asOf") == nil || top.at("front", "topics", "newSince") != nil {
		t.Errorf("TOP with walk: FIXED is %s; want the snapshot", top.body)
	}
}

// First pages of walks have a rate of their own, because each may be stored; the following pages do not count.
func TestRateOfWalks(t *testing.T) {
	s := newSite(t, func(r *graph.Resolver) { r.Rates = ratelimit.New(ratelimit.Rates{ratelimit.Walks: 2}, time.Now) })
	mod := s.moderator("mia")
	s.category(mod, "Tea")
	s.topic(mod, "Tea", "One")
	const page = "topics(first: 1, walk: FIXED) { edges { cursor } }"
	a := s.ask(mod, "{ a: front { "+page+" } b: front(orderBy: {field: HOT}) { "+page+" } }", nil)
	s.wantVerdict("two walks", a, "")
	s.wantVerdict("a third", s.ask(mod, "{ front(orderBy: {field: SCORE}) { "+page+" } }", nil), "RATE_LIMITED")
	next := `{ front { topics(walk: FIXED, after: "` + a.text("a", "topics", "edges", 0, "cursor") + `") { edges { cursor } } } }`
	s.wantVerdict("the next page of the first", s.ask(mod, next, nil), "")
	s.wantVerdict("a live page", s.ask(mod, "{ front { topics(first: 1) { edges { cursor } } } }", nil), "")
}
