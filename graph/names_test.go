package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// namesOf returns the names that a list of users or tags has, and its total.
func (s *site) namesOf(field, args string) string {
	s.t.Helper()
	name := map[string]string{"users": "login", "tags": "name"}[field]
	a := s.must("", fmt.Sprintf("{ %s%s { totalCount nodes { %s } } }", field, args, name), nil)
	var all []string
	for _, node := range a.at(field, "nodes").([]any) {
		all = append(all, node.(map[string]any)[name].(string))
	}
	return fmt.Sprintf("%d: %s", a.number(field, "totalCount"), strings.Join(all, " "))
}

// walk reads a list page by page, forwards and backwards, which must agree, and returns its names.
func (s *site) walk(field, args string, size int) []string {
	s.t.Helper()
	name := map[string]string{"users": "login", "tags": "name"}[field]
	read := func(count, from, end, more string) (all []string) {
		for cursor := ""; ; {
			page := fmt.Sprintf("%s: %d", count, size)
			if cursor != "" {
				page += fmt.Sprintf(", %s: %q", from, cursor)
			}
			a := s.must("", fmt.Sprintf("{ %s(%s %s) { edges { cursor node { %s } } pageInfo { %s %s } } }", field, args, page,
				name, end, more), nil)
			var names []string
			for _, e := range a.at(field, "edges").([]any) {
				names = append(names, e.(map[string]any)["node"].(map[string]any)[name].(string))
			}
			if count == "last" {
				all = append(names, all...)
			} else {
				all = append(all, names...)
			}
			if a.at(field, "pageInfo", more) != true {
				return all
			}
			cursor = a.text(field, "pageInfo", end)
		}
	}
	forwards := read("first", "after", "endCursor", "hasNextPage")
	backwards := read("last", "before", "startCursor", "hasPreviousPage")
	wantEqual(s.t, field+args+" backwards", backwards, forwards)
	return forwards
}

func TestUsers(t *testing.T) {
	s := newSite(t)
	tokens := map[string]string{}
	for _, login := range []string{"dora", "Ann", "ann-lee", "bob", "anna", "Zoë", "ann.x", "carl", "Жанна"} {
		tokens[login] = s.user(login)
	}
	s.settle()
	wantEqual(t, "all", s.namesOf("users", ""), "9: Ann ann-lee ann.x anna bob carl dora Zoë Жанна")
	prefixes := map[string]string{"AN": "4: Ann ann-lee ann.x anna", "ann-": "1: ann-lee", "ann.x": "1: ann.x",
		"annab": "0: ", "ＢＯ": "1: bob", "zoe": "0: ", "ZO\u0308": "0: ", "zoE\u0308": "1: Zoë", "ж": "1: Жанна", "$": "0: ", " ": "0: ", "\x00": "0: ",
		"a*": "0: ", strings.Repeat("a", 40): "0: ", "": "9: Ann ann-lee ann.x anna bob carl dora Zoë Жанна"}
	for prefix, want := range prefixes {
		a := s.must("", `query($p: String) { users(prefix: $p) { totalCount nodes { login } } }`, input{"p": prefix})
		var all []string
		for _, node := range a.at("users", "nodes").([]any) {
			all = append(all, node.(map[string]any)["login"].(string))
		}
		wantEqual(t, "prefix "+prefix, fmt.Sprintf("%d: %s", a.number("users", "totalCount"), strings.Join(all, " ")), want)
	}
	for _, size := range []int{1, 2, 3, 100} {
		wantEqual(t, "pages of all", s.walk("users", "", size),
			strings.Fields("Ann ann-lee ann.x anna bob carl dora Zoë Жанна"))
		wantEqual(t, "pages of some", s.walk("users", `prefix: "an",`, size), strings.Fields("Ann ann-lee ann.x anna"))
	}
	wantEqual(t, "no rows", s.namesOf("users", `(first: 0, prefix: "an")`), "4: ")
	cursor := s.must("", `{ users(first: 1) { pageInfo { endCursor } } }`, nil).text("users", "pageInfo", "endCursor")
	bad := map[string]string{`first: 101`: "BAD_USER_INPUT first", `first: -1`: "BAD_USER_INPUT first",
		`after: "x"`: "CURSOR_INVALID after", fmt.Sprintf(`prefix: "a", after: %q`, cursor): "CURSOR_INVALID after"}
	for args, want := range bad {
		s.wantVerdict(args, s.ask("", "{ users("+args+") { totalCount } }", nil), want)
	}
	s.wantVerdict("delete", s.mutate(tokens["anna"], "deleteAccount", input{"password": "a good password"}, ""), "")
	wantEqual(t, "after a deletion", s.namesOf("users", `(prefix: "a")`), "3: Ann ann-lee ann.x")
}

func TestTags(t *testing.T) {
	b := newFullSite(t)
	post := func(tags ...string) string {
		b.clock.Advance(second)
		return b.mutate(b.ann, "createTopic", input{"title": "x", "category": input{"id": b.tea}, "tags": tags},
			"topic { id }").text("createTopic", "topic", "id")
	}
	b.wantVerdict("untag", b.mutate(b.mod, "tagTopic",
		input{"topicId": b.other, "remove": []string{"green"}, "reason": "OTHER"}, ""), "")
	b.settle()
	wantEqual(t, "no tags", b.namesOf("tags", ""), "0: ")
	first := post("Go", "go lang", "Redis")
	post("GO", "golf")
	last := post("go", "ravens")
	b.settle()
	wantEqual(t, "by count", b.namesOf("tags", ""), "5: Go go lang golf ravens Redis")
	wantEqual(t, "by name", b.namesOf("tags", "(orderBy: NAME)"), "5: Go go lang golf ravens Redis")
	wantEqual(t, "by time", b.namesOf("tags", "(orderBy: RECENT)"), "5: Go ravens golf go lang Redis")
	for _, order := range []string{"COUNT", "NAME", "RECENT"} {
		wantEqual(t, "with a prefix by "+order, len(strings.Fields(b.namesOf("tags", `(prefix: "gO", orderBy: `+order+`)`))), 5)
		for _, size := range []int{1, 2, 100} {
			all := b.walk("tags", "orderBy: "+order+",", size)
			some := b.walk("tags", `prefix: "R", orderBy: `+order+",", size)
			wantEqual(t, "pages by "+order, len(all), 5)
			wantEqual(t, "pages with a prefix by "+order, some,
				slices.DeleteFunc(slices.Clone(all), func(n string) bool { return !strings.HasPrefix(strings.ToLower(n), "r") }))
		}
	}
	wantEqual(t, "with two words", b.namesOf("tags", `(prefix: "go L")`), "1: go lang")
	wantEqual(t, "of none", b.namesOf("tags", `(prefix: "*")`), "0: ")
	b.wantVerdict("tag", b.mutate(b.ann, "tagTopic", input{"topicId": last, "add": []string{"redis", "golf"},
		"remove": []string{"Ravens"}}, ""), "")
	b.settle()
	wantEqual(t, "after a change", b.namesOf("tags", ""), "4: Go golf Redis go lang")
	b.wantVerdict("delete", b.mutate(b.ann, "deleteTopic", input{"topicId": last}, ""), "")
	b.settle()
	wantEqual(t, "after a deletion", b.namesOf("tags", "(orderBy: RECENT)"), "4: Go golf go lang Redis")
	b.wantVerdict("delete the first", b.mutate(b.ann, "deleteTopic", input{"topicId": first}, ""), "")
	b.settle()
	wantEqual(t, "at the end", b.namesOf("tags", "(orderBy: null, prefix: null)"), "2: Go golf")
	b.wantVerdict("an order", b.ask("", "{ tags(orderBy: TOP) { totalCount } }", nil), "GRAPHQL_VALIDATION_FAILED")
}
