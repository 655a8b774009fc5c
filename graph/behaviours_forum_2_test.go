package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// X6: the documents' Topic.create adds the topic to no category, tab or list, and a reply updates none.
func TestPostsAndRepliesMoveTopicsUp(t *testing.T) {
	r := newRoom(t)
	steps := []struct {
		posted, reply       string // a topic in Tea, and one that gets a reply
		inGo, inTea, inTech string
		all                 string // in the tab All and on the front
	}{
		{"", "", "Go 1, Go 0", "Tea 1, Tea 0", "Redis 1, Go 1, Redis 0, Go 0",
			"Tea 1, Redis 1, Go 1, Tea 0, Redis 0, Go 0"},
		{"Tea 2", "", "Go 1, Go 0", "Tea 2, Tea 1, Tea 0", "Redis 1, Go 1, Redis 0, Go 0",
			"Tea 2, Tea 1, Redis 1, Go 1, Tea 0, Redis 0, Go 0"},
		{"", "Go 0", "Go 0, Go 1", "Tea 2, Tea 1, Tea 0", "Go 0, Redis 1, Go 1, Redis 0",
			"Go 0, Tea 2, Tea 1, Redis 1, Go 1, Tea 0, Redis 0"},
		{"", "Tea 0", "Go 0, Go 1", "Tea 0, Tea 2, Tea 1", "Go 0, Redis 1, Go 1, Redis 0",
			"Tea 0, Go 0, Tea 2, Tea 1, Redis 1, Go 1, Redis 0"},
		{"", "Tea 0", "Go 0, Go 1", "Tea 0, Tea 2, Tea 1", "Go 0, Redis 1, Go 1, Redis 0",
			"Tea 0, Go 0, Tea 2, Tea 1, Redis 1, Go 1, Redis 0"},
	}
	for _, s := range steps {
		if s.posted != "" {
			r.clock.Advance(second)
			r.ids[s.posted] = r.topic(r.mod, "Tea", s.posted)
		}
		if s.reply != "" {
			r.reply(s.reply)
		}
		for list, want := range map[string]string{inGo: s.inGo, inTea: s.inTea, inTech: s.inTech, inAll: s.all,
			"front": s.all} {
			r.wantListed(list, want)
		}
	}
	r.wantListed(inGo+"(orderBy: {field: CREATED})", "Go 1, Go 0")
}

func TestTopicIsInExactlyOneCategory(t *testing.T) {
	r := newRoom(t)
	a := r.mutate(r.mod, "updateTopic", input{"topicId": r.ids["Go 1"], "category": input{"id": r.ids["Tea"]}},
		"topic { category { name } }")
	if got := a.text("updateTopic", "topic", "category", "name"); got != "Tea" {
		t.Errorf("category after the move = %q; want Tea", got)
	}
	r.wantListed(inGo, "Go 0")
	r.wantListed(inTea, "Tea 1, Go 1, Tea 0")
	r.wantListed(inTech, "Redis 1, Redis 0, Go 0")
	r.wantListed("front", strings.Join(r.topics, ", "))
}

func TestCategoriesAndTabsCountTopics(t *testing.T) {
	r := newRoom(t)
	query := `{ tea: category(by: {name: "tea"}) { topicCount } tech: tab(by: {name: "TECH"}) { topicCount } all: tab(by: {name: "All"}) { topicCount } }`
	counts := func(tea, tech, all float64) map[string]any {
		return map[string]any{"tea": map[string]any{"topicCount": tea}, "tech": map[string]any{"topicCount": tech},
			"all": map[string]any{"topicCount": all}}
	}
	wantEqual(t, "counts", r.must("", query, nil).Data, counts(2, 4, 6))
	r.topic(r.mod, "Tea", "Tea 2")
	wantEqual(t, "counts after posting", r.must("", query, nil).Data, counts(3, 4, 7))
	r.wantVerdict("delete", r.mutate(r.mod, "deleteTopic", input{"topicId": r.ids["Go 0"]}, ""), "")
	wantEqual(t, "counts after deletion", r.must("", query, nil).Data, counts(3, 3, 6))
}

func TestTabHoldsCategories(t *testing.T) {
	r := newRoom(t)
	a := r.must("", `{ tab(by: {name: "All"}) { categoryCount categories { nodes { name } } } }`, nil)
	wantEqual(t, "A20 Tab.categories", a.texts("name", "tab", "categories", "nodes"), []string{"Go", "Redis", "Tea"})
	if got := a.number("tab", "categoryCount"); got != 3 {
		t.Errorf("A21: categoryCount = %d; want 3", got)
	}
	r.addTab("Nothing")
	none := r.must("", `{ tab(by: {name: "Nothing"}) { categoryCount topicCount categories { nodes { name } } timeline { topics { totalCount nodes { id } } } } }`, nil)
	wantEqual(t, "A16: a tab of no categories", none.at("tab"), map[string]any{"categoryCount": 0.0, "topicCount": 0.0,
		"categories": map[string]any{"nodes": []any{}}, "timeline": map[string]any{"topics": map[string]any{"totalCount": 0.0, "nodes": []any{}}}})
}

// X10: the documents' add_member adds none of the category's topics, there is no way to remove a category, and
// nothing says which tabs a reply must bump.
func TestCategoriesComeAndGoWithTheirTopics(t *testing.T) {
	r := newRoom(t)
	r.reply("Tea 0")
	change := func(in input, want string) {
		t.Helper()
		r.wantVerdict("updateTab", r.mutate(r.mod, "updateTab", with(in, "tabId", r.ids["Tech"]), ""), "")
		r.wantListed(inTech, want)
	}
	change(input{"addCategories": refs(r.ids["Tea"])}, "Tea 0, Tea 1, Redis 1, Go 1, Redis 0, Go 0")
	change(input{"removeCategories": refs(r.ids["Go"])}, "Tea 0, Tea 1, Redis 1, Redis 0")
	r.reply("Tea 1")
	r.reply("Go 0")
	r.wantListed(inTech, "Tea 1, Tea 0, Redis 1, Redis 0")
}

func TestCategoryNamesItsTabs(t *testing.T) {
	r := newRoom(t)
	a := r.must("", `{ go: category(by: {name: "Go"}) { tabs { name } } tea: category(by: {name: "Tea"}) { tabs { name } } }`, nil)
	wantEqual(t, "tabs of Go", a.texts("name", "go", "tabs"), []string{"Tech", "All"})
	wantEqual(t, "tabs of Tea", a.texts("name", "tea", "tabs"), []string{"All"})
}

func TestCreateComment(t *testing.T) {
	r := newRoom(t)
	r.clock.Advance(second)
	a := r.mutate(r.mod, "createComment", input{"topicId": r.ids["Go 0"], "content": "Well *said*"},
		"comment { author { login } createdAt content format depth number parent { id } topic { title commentCount } }")
	r.wantVerdict("createComment", a, "")
	wantEqual(t, "the comment", a.at("createComment", "comment"), map[string]any{"author": map[string]any{"login": "mia"},
		"createdAt": "2096-01-02T03:04:12.000Z", "content": "Well *said*", "format": "MARKDOWN", "depth": 0.0, "number": 1.0, "parent": nil,
		"topic": map[string]any{"title": "Go 0", "commentCount": 1.0}})
}

func TestCommentByID(t *testing.T) {
	b := newFullSite(t)
	query := `query($id: ID!) { node(id: $id) { id ... on Comment { content parent { id } topic { id } } } }`
	wantEqual(t, "a reply", b.must("", query, map[string]any{"id": b.reply}).at("node"),
		map[string]any{"id": b.reply, "content": "Some words",
			"parent": map[string]any{"id": b.comment}, "topic": map[string]any{"id": b.topic}})
	wantEqual(t, "no comment", b.must("", query, map[string]any{"id": gid("Comment", "77777")}).at("node"), nil)
}

func TestCommentsNewestFirst(t *testing.T) {
	r := newRoom(t)
	for n := range 5 {
		r.clock.Advance(second)
		r.comment(r.mod, r.ids["Go 0"], "", fmt.Sprint(n+1))
	}
	pages := [][]string{{"5", "4"}, {"3", "2"}, {"1"}}
	var after any
	for n, want := range pages {
		a := r.must("", `query($id: ID!, $after: String) { topic(by: {id: $id}) { commentCount comments(orderBy: NEWEST, first: 2, after: $after) {
			totalCount nodes { content } pageInfo { endCursor hasNextPage hasPreviousPage } } } }`, map[string]any{"id": r.ids["Go 0"], "after": after})
		wantEqual(t, fmt.Sprintf("A31: page %d", n+1), a.texts("content", "topic", "comments", "nodes"), want)
		if got := a.number("topic", "commentCount"); got != 5 {
			t.Errorf("A30: commentCount = %d; want 5", got)
		}
		wantEqual(t, "hasNextPage", a.at("topic", "comments", "pageInfo", "hasNextPage"), n < 2)
		wantEqual(t, "hasPreviousPage", a.at("topic", "comments", "pageInfo", "hasPreviousPage"), n > 0)
		after = a.at("topic", "comments", "pageInfo", "endCursor")
	}
}

// X29: the documents sort equal scores by bytes: 9, 2, 10.
func TestEqualTimesAreSortedByIDNumerically(t *testing.T) {
	s := newSite(t)
	ann, mod := s.user("ann"), s.moderator("mia")
	s.category(mod, "Go")
	rising := append(s.numbers(mod, "Go", 12), s.numbers(ann, "Go", 3)...) // without moving the clock
	slices.Sort(rising)
	falling := slices.Clone(rising)
	slices.Reverse(falling)
	tests := []struct {
		order string
		want  []int
	}{
		{"{field: CREATED, direction: ASC}", rising},
		{"{field: CREATED, direction: DESC}", falling},
		{"{field: ACTIVE, direction: ASC}", rising},
		{"{field: ACTIVE, direction: DESC}", falling},
	}
	for _, tt := range tests {
		want := strings.Fields(strings.Trim(fmt.Sprint(tt.want), "[]"))
		for _, list := range []string{"front", inGo} {
			wantEqual(t, list+" by "+tt.order, s.listed(list+"(orderBy: "+tt.order+")", "number"), want)
		}
	}
}
