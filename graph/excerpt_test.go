package graph_test

import (
	"strings"
	"testing"
)

func TestExcerpts(t *testing.T) {
	s := newSite(t)
	ann := s.user("ann")
	s.category(s.moderator("molly"), "Go")
	content := "Some **bold**\n\nwords of @ann, " + strings.Repeat("and more ", 50)
	in := input{"title": "T", "content": content, "category": input{"name": "Go"}}
	a := s.mutate(ann, "createTopic", in, "topic { id }")
	topic := a.text("createTopic", "topic", "id")
	comment := s.comment(ann, topic, "", "`code` and more")
	const query = `query($id: ID!, $n: Int!) { node(id: $id) { ... on Topic { excerpt(length: $n) } ... on Comment { excerpt(length: $n) } } }`
	wantEqual(t, "topic", s.must("", query, input{"id": topic, "n": 30}).text("node", "excerpt"),
		"Some bold words of @ann, and…")
	wantEqual(t, "comment", s.must("", query, input{"id": comment, "n": 30}).text("node", "excerpt"), "code and more")
	whole := s.must("", `query($id: ID!) { node(id: $id) { ... on Topic { excerpt } } }`, input{"id": topic}).text("node", "excerpt")
	if n := len([]rune(whole)); n > 200 || n < 190 {
		t.Errorf("an excerpt without length has %d code points; want up to 200", n)
	}
	for _, n := range []int{19, 1001, -1} {
		if got := s.ask("", query, input{"id": topic, "n": n}).code(); got != "BAD_USER_INPUT" {
			t.Errorf("excerpt(length: %d) = %q; want BAD_USER_INPUT", n, got)
		}
	}
	s.wantVerdict("delete", s.mutate(ann, "deleteComment", input{"commentId": comment}, ""), "")
	wantEqual(t, "tombstone", s.must("", query, input{"id": comment, "n": 30}).text("node", "excerpt"), "")
}
