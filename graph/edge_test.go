package graph_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The edges in payloads have the cursors that a read of the list gives, so caches can add them to its pages.
func TestEdgesOfPayloads(t *testing.T) {
	b := newFullSite(t)
	first := b.site.comment(b.ann, b.topic, "", "first")
	for _, c := range []struct{ name, parent, argument, read string }{
		{"to the topic", "", "", "topic { comments(topLevelOnly: true, last: 1) { edges { cursor node { id } } } }"},
		{"to the topic, newest first", "", "(orderBy: NEWEST)",
			"topic { comments(topLevelOnly: true, orderBy: NEWEST, first: 1) { edges { cursor node { id } } } }"},
		{"to the topic, of all depths", "", "(allDepths: true)",
			"topic { comments(last: 1) { edges { cursor node { id } } } }"},
		{"to a comment", first, "", "parent { comments: replies(last: 1) { edges { cursor node { id } } } }"},
		{"to a comment, newest first", first, "(orderBy: NEWEST)",
			"parent { comments: replies(orderBy: NEWEST, first: 1) { edges { cursor node { id } } } }"},
		{"to a comment, of all depths", first, "(allDepths: true)",
			"topic { comments(last: 1) { edges { cursor node { id } } } }"},
		{"in the thread", first, "(maxDepth: 1, orderBy: NEWEST)",
			"topic { comments: thread(maxDepth: 1, orderBy: NEWEST, first: 100) { edges { cursor node { id } } } }"},
	} {
		in := input{"topicId": b.topic, "content": "Me too"}
		of := "topic"
		if c.parent != "" {
			in["parentId"], of = c.parent, "parent"
		}
		if strings.HasPrefix(c.read, "topic") {
			of = "topic"
		}
		selected := fmt.Sprintf("comment { %s } commentEdge%s { cursor node { id } }", c.read, c.argument)
		a := b.mutate(b.bob, "createComment", in, selected)
		edges := a.at("createComment", "comment", of, "comments", "edges").([]any)
		edge := a.at("createComment", "commentEdge")
		if !slices.ContainsFunc(edges, func(e any) bool { return cmp.Equal(e, edge) }) {
			node := edge.(map[string]any)["node"]
			t.Errorf("%s: the edge of %v is not among %v", c.name, node, edges)
		}
		b.clock.Advance(second)
	}
	codes := map[string]string{"orderBy: TOP": "", "maxDepth: 0": "", "maxDepth: 101": "BAD_USER_INPUT"}
	for argument, code := range codes {
		a := b.mutate(b.bob, "createComment", input{"topicId": b.topic, "parentId": first, "content": "No"},
			"commentEdge("+argument+") { cursor }")
		wantEqual(t, argument, a.at("createComment", "commentEdge"), nil)
		wantEqual(t, argument+": the code", a.code(), code)
	}
}

// A new topic has the edge that its timelines show, and none in others.
func TestEdgesOfNewTopics(t *testing.T) {
	b := newFullSite(t)
	teaRef := input{"name": "Tea"}
	tea := input{"category": teaRef}
	of := b.must(b.bob, `query($tab: ID!) {
		front { id }
		byScore: front(orderBy: {field: SCORE}) { id }
		top: front(orderBy: {field: TOP}) { id }
		tea: category(by: {name: "Tea"}) { timeline(orderBy: {field: CREATED}) { id } }
		oldest: category(by: {name: "Tea"}) { timeline(orderBy: {field: CREATED, direction: ASC}) { id } }
		tab: node(id: $tab) { ... on Tab { timeline { id } } }
		tag(name: "green") { timeline(orderBy: {field: CREATED}) { id } }
		user(by: {login: "bob"}) { profile { id } }
		ann: user(by: {login: "ann"}) { profile { id } }
		viewer { home { id } bookmarks { id } } }`, input{"tab": b.tab})
	for _, c := range []struct {
		name string
		id   string
		in   input
		has  bool
	}{
		{"front", of.text("front", "id"), tea, true},
		{"front by score", of.text("byScore", "id"), tea, true},
		{"front by votes", of.text("top", "id"), tea, false},
		{"its category", of.text("tea", "timeline", "id"), tea, true},
		{"its category, oldest first", of.text("oldest", "timeline", "id"), tea, true},
		{"another category", of.text("tea", "timeline", "id"), input{"kind": "ARTICLE", "link": "https://a.test"}, false},
		{"its tab", of.text("tab", "timeline", "id"), tea, true},
		{"its tag", of.text("tag", "timeline", "id"), input{"category": teaRef, "tags": []string{"green"}}, true},
		{"another tag", of.text("tag", "timeline", "id"), tea, false},
		{"its author", of.text("user", "profile", "id"), tea, true},
		{"another author", of.text("ann", "profile", "id"), tea, false},
		{"home", of.text("viewer", "home", "id"), tea, true},
		{"bookmarks", of.text("viewer", "bookmarks", "id"), tea, false},
	} {
		c.in = maps.Clone(c.in)
		c.in["title"] = "New"
		a := b.ask(b.bob, `mutation($in: CreateTopicInput!, $t: ID!) { createTopic(input: $in) {
			topic { id } topicEdge(timelineId: $t) { cursor rank score node { id title } }
			query { node(id: $t) { ... on Timeline { topics(first: 100) { edges { cursor rank score node { id title } } } } } }
			errors { code } } }`, input{"in": c.in, "t": c.id})
		var want any
		for _, edge := range a.at("createTopic", "query", "node", "topics", "edges").([]any) {
			if e := edge.(map[string]any); e["node"].(map[string]any)["id"] == a.text("createTopic", "topic", "id") {
				want = edge
			}
		}
		if c.name == "front by votes" {
			want = nil
		}
		wantEqual(t, c.name, a.at("createTopic", "topicEdge"), want)
		wantEqual(t, c.name+": an edge", want != nil, c.has)
		b.clock.Advance(second)
	}
	a := b.mutate(b.bob, "createTopic", input{"title": "New", "category": teaRef},
		`topicEdge { node { title } cursor }
		query { front(orderBy: {field: CREATED}) { topics(first: 1) { edges { node { title } cursor } } } }`)
	wantEqual(t, "without a timeline", a.at("createTopic", "topicEdge"),
		a.at("createTopic", "query", "front", "topics", "edges").([]any)[0])
	wantEqual(t, "of what is no timeline", b.mutate(b.bob, "createTopic", input{"title": "New", "category": teaRef},
		`topic { title } topicEdge(timelineId: "`+b.tab+`") { cursor }`).at("createTopic", "topicEdge"), nil)
}
