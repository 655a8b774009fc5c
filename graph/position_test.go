package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/forum"
)

// placed returns the names in a list of categories or tabs with their positions.
func (s *site) placed(query string, path ...any) string {
	s.t.Helper()
	a := s.must("", query, nil)
	var all []string
	for _, node := range a.at(append(path, "nodes")...).([]any) {
		n := node.(map[string]any)
		all = append(all, fmt.Sprintf("%v %.0f", n["name"], n["position"]))
	}
	return strings.Join(all, ", ")
}

// Categories and tabs are listed by position, then by age, wherever they are listed.
func TestPositions(t *testing.T) {
	s := newSite(t)
	mod := s.moderator("mia")
	category := func(name string, in input) string {
		in["name"] = name
		return s.mutate(mod, "createCategory", in, "category { id }").text("createCategory", "category", "id")
	}
	a, b := category("A", input{}), category("B", input{"position": 5})
	c, d := category("C", input{"position": nil}), category("D", input{"position": -forum.MaxPosition})
	tab := func(name string, in input) string {
		in["name"] = name
		return s.mutate(mod, "createTab", in, "tab { id }").text("createTab", "tab", "id")
	}
	x := tab("X", input{"categories": refs(a, b, c), "position": forum.MaxPosition})
	y := tab("Y", input{"categories": refs(c)})
	z := tab("Z", input{})
	all, tabs := "{ categories { nodes { name position } } }", "{ tabs { nodes { name position } } }"
	inTab := func() string {
		return s.placed(`{ tab(by: {name: "X"}) { categories { nodes { name position } } } }`, "tab", "categories")
	}
	wantEqual(t, "categories", s.placed(all, "categories"), "D -1000000, A 0, C 0, B 5")
	wantEqual(t, "tabs", s.placed(tabs, "tabs"), "Y 0, Z 0, X 1000000")
	wantEqual(t, "in a tab", inTab(), "A 0, C 0, B 5")

	move := func(field, name, id string, in input, want string) {
		t.Helper()
		in[name] = id
		if name == "category" {
			in[name] = input{"id": id}
		}
		s.wantVerdict(field, s.mutate(mod, field, in, ""), want)
	}
	move("updateTab", "tabId", x,
		input{"addCategories": refs(d), "removeCategories": refs(b), "position": -1}, "")
	move("updateTab", "tabId", z, input{"addCategories": refs(c)}, "")
	wantEqual(t, "in a tab after its change", inTab(), "D -1000000, A 0, C 0")
	move("updateCategory", "category", a, input{"position": 7, "name": "Last"}, "")
	move("updateCategory", "category", d, input{"position": 7}, "")
	move("updateCategory", "category", c, input{"position": nil, "description": "x"}, "")
	wantEqual(t, "categories after moves", s.placed(all, "categories"), "C 0, B 5, Last 7, D 7")
	wantEqual(t, "in a tab after moves", inTab(), "C 0, Last 7, D 7")
	wantEqual(t, "tabs after a move", s.placed(tabs, "tabs"), "X -1, Y 0, Z 0")
	move("updateTab", "tabId", y, input{"position": 3, "name": "Why"}, "")
	shown := s.must("", `{ category(by: {name: "C"}) { tabs { name } } }`, nil).at("category", "tabs")
	wantEqual(t, "the tabs of a category", fmt.Sprint(shown), "[map[name:X] map[name:Z] map[name:Why]]")
	page := s.must("", `{ categories(first: 2) { pageInfo { endCursor } } }`, nil).text("categories", "pageInfo", "endCursor")
	wantEqual(t, "the next page", s.placed(`{ categories(after: "`+page+`") { nodes { name position } } }`, "categories"),
		"Last 7, D 7")

	bob := s.user("bob")
	s.settle()
	before := s.contents()
	for _, n := range []int{forum.MaxPosition + 1, -forum.MaxPosition - 1} {
		for field, id := range map[string]string{"createCategory": "", "createTab": "", "updateCategory": a, "updateTab": x} {
			in := input{"name": "New", "position": n}
			if id != "" {
				in = with(in, "tabId", id)
				if field == "updateCategory" {
					in = with(input{"name": "New", "position": n}, "category", input{"id": id})
				}
			}
			s.wantVerdict(field, s.mutate(mod, field, in, ""), "INVALID input.position")
			s.wantUntouched(field, before, answer{})
		}
	}
	move("updateCategory", "category", a, input{"position": 1, "name": "B"}, "TAKEN input.name")
	move("updateTab", "tabId", x, input{"position": 1, "name": "Why"}, "TAKEN input.name")
	move("updateTab", "tabId", x, input{"position": 1, "addCategories": refs(gid("Category", "99"))},
		"NOT_FOUND input.addCategories.0")
	s.wantUntouched("a refused move", before, answer{})
	refused := s.mutate(bob, "updateCategory", input{"category": input{"id": a}, "position": 1}, "")
	s.wantVerdict("a user", refused, "FORBIDDEN")
}
