package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// pin pins topics, or ends that, one second apart.
func (b *fullSite) pin(action, place string, topics ...string) {
	b.t.Helper()
	for _, id := range topics {
		b.clock.Advance(second)
		b.wantVerdict(action, b.mutate(b.mod, "moderate",
			input{"subjectId": id, "action": action, "place": place, "reason": "OTHER"}, "changed"), "")
	}
}

// pagesOf returns the topics of all pages of a timeline, and how many rows of the first page are pinned.
func (b *fullSite) pagesOf(timeline string, size int) (pages [][]string, pinned int) {
	b.t.Helper()
	after, end := "null", strings.Repeat(" }", strings.Count(timeline, ") {"))
	path := []any{"x"}
	if end != "" {
		path = append(path, "timeline")
	}
	path = append(path, "topics")
	for {
		a := b.must("", fmt.Sprintf(`{ x: %s { topics(first: %d, after: %s) { totalCount
			edges { isPinned rank cursor score explanation { formula } node { title number } } pageInfo { hasNextPage endCursor } } } %s }`,
			timeline, size, after, end), nil)
		var titles []string
		for _, e := range a.at(append(path, "edges")...).([]any) {
			e := e.(map[string]any)
			node := e["node"].(map[string]any)
			title := node["title"].(string)
			if title == "A topic" { // several have this title
				title = fmt.Sprint(node["number"])
			}
			titles = append(titles, title)
			if e["isPinned"] == true {
				pinned++
			}
		}
		pages = append(pages, titles)
		if a.at(append(path, "pageInfo", "hasNextPage")...) != true {
			return pages, pinned
		}
		after = fmt.Sprintf("%q", a.text(append(path, "pageInfo", "endCursor")...))
		if len(pages) > 50 {
			b.t.Fatalf("%s has no end: %v", timeline, pages)
		}
	}
}

// Pinned topics are first in every order's first page, and whoever pages on from any page size misses nothing.
func TestPinnedTopicsAreFirst(t *testing.T) {
	b := newFullSite(t)
	var ids []string
	for i := range 8 {
		b.clock.Advance(second)
		ids = append(ids, b.mutate(b.ann, "createTopic", input{"title": fmt.Sprint("T", i), "content": "x",
			"category": input{"name": "Tea"}}, "topic { id }").text("createTopic", "topic", "id"))
	}
	b.pin("PIN", "FRONT", ids[2], ids[0])
	b.settle()
	for _, only := range []string{"ASC}", "DESC}", "DESC}, kinds: [DISCUSSION]"} {
		for _, order := range []string{"CREATED", "ACTIVE", "SCORE", "HOT", "TOP", "CONTROVERSIAL"} {
			timeline := fmt.Sprintf("front(orderBy: {field: %s, direction: %s)", order, only)
			b.pin("UNPIN", "FRONT", ids[2], ids[0])
			whole, none := b.pagesOf(timeline, 100)
			b.pin("PIN", "FRONT", ids[2], ids[0])
			for _, size := range []int{1, 2, 3, 5, 100} {
				pages, pinned := b.pagesOf(timeline, size)
				if want := []string{"T0", "T2"}[:min(size, 2)]; !slices.Equal(pages[0][:len(want)], want) ||
					pinned != len(want) || none != 0 {
					t.Errorf("%s, pages of %d: %v with %d pinned; want %v first", timeline, size, pages[0], pinned, want)
				}
				all := slices.Concat(pages...)
				for _, title := range whole[0] {
					if !slices.Contains(all, title) {
						t.Errorf("%s, pages of %d: %v lack %s", timeline, size, pages, title)
					}
				}
				first := slices.Clone(pages[0])
				slices.Sort(first)
				if len(slices.Compact(first)) != min(size, len(whole[0])) {
					t.Errorf("%s, pages of %d: %v; want each topic once, and a full page", timeline, size, pages[0])
				}
				// What follows the first page is as without pins: nothing but these is shown again.
				if rest := slices.Concat(pages[1:]...); len(rest) > 0 && !slices.Equal(rest, whole[0][len(whole[0])-len(rest):]) {
					t.Errorf("%s, pages of %d: %v; want the end of %v", timeline, size, pages, whole[0])
				}
			}
		}
	}
}

// A category has pins of its own, which a move ends; a fourth pin ends the oldest.
func TestPinsOfACategory(t *testing.T) {
	b := newFullSite(t)
	b.must(b.mod, `mutation { createCategory(input: {name: "Soup"}) { errors { code } } }`, nil)
	var ids []string
	for i := range 5 {
		ids = append(ids, b.mutate(b.ann, "createTopic", input{"title": fmt.Sprint("T", i), "content": "x",
			"category": input{"name": "Tea"}}, "topic { id }").text("createTopic", "topic", "id"))
	}
	b.pin("PIN", "CATEGORY", ids[:4]...)
	first := func(timeline string) []string {
		pages, pinned := b.pagesOf(timeline, 100)
		return pages[0][:pinned]
	}
	tea := `category(by: {name: "Tea"}) { timeline`
	wantEqual(t, "pins of the category", first(tea), []string{"T3", "T2", "T1"})
	if got := first("front"); len(got) > 0 {
		t.Errorf("the front shows %v; want no pins of a category", got)
	}
	b.wantVerdict("move", b.mutate(b.mod, "moderate", input{"subjectId": ids[3], "action": "MOVE",
		"category": input{"name": "Soup"}, "reason": "OFF_TOPIC"}, "changed"), "")
	b.settle()
	wantEqual(t, "pins after a move", first(tea), []string{"T2", "T1"})
}
