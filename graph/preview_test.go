package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"agora/graph"
	"agora/internal/ratelimit"
)

// A preview is what the posted text shows.
func TestPreviews(t *testing.T) {
	b := newFullSite(t)
	b.wantVerdict("block", b.block(b.mod, userID(b.ann), true), "")
	const shown = "contentHtml excerpt(length: 40) mentions { login }"
	for _, content := range []string{"*Hello* @bob, @mia and @nobody", "| a | b |\n|---|---|\n| 1 | ~~2~~ |",
		"<b>raw</b>", "a\nb",
		"[x](javascript:alert(1))", "日本語 @bob"} {
		for _, format := range []string{"MARKDOWN", "HTML"} {
			preview := b.must(b.ann, "query($c: String!, $f: ContentFormat) { preview(content: $c, format: $f) { "+shown+" } }",
				input{"c": content, "f": format})
			posted := b.mutate(b.ann, "createComment", input{"topicId": b.topic, "content": content, "format": format},
				"comment { "+shown+" }")
			wantEqual(t, fmt.Sprintf("%s %q", format, content), preview.at("preview"), posted.at("createComment", "comment"))
		}
	}
	empty := b.must(b.ann, `{ preview(content: "") { contentHtml } }`, nil)
	wantEqual(t, "nothing", empty.at("preview", "contentHtml"), any(""))
	for _, c := range []struct{ name, token, content, want string }{
		{"signed out", "", "x", "UNAUTHENTICATED"},
		{"too long", b.ann, strings.Repeat("x", 65_537), "BAD_USER_INPUT content"},
		{"control characters", b.ann, "\x00", "BAD_USER_INPUT content"},
	} {
		a := b.ask(c.token, `query($c: String!) { preview(content: $c) { contentHtml } }`, input{"c": c.content})
		b.wantVerdict(c.name, a, c.want)
		wantEqual(t, c.name+": data", a.at("preview"), nil)
	}
}

// Previews have a rate of their own.
func TestRateOfPreviews(t *testing.T) {
	s := newSite(t, func(r *graph.Resolver) { r.Rates = ratelimit.New(ratelimit.Rates{ratelimit.Previews: 2}, time.Now) })
	ann := s.user("ann")
	a := s.ask(ann, `{ a: preview(content: "x") { contentHtml } b: preview(content: "x") { contentHtml }
		c: preview(content: "x") { contentHtml } }`, nil)
	s.wantVerdict("three previews", a, "RATE_LIMITED")
	wantEqual(t, "the first two", []any{a.at("a", "contentHtml"), a.at("b", "contentHtml"), a.at("c")},
		[]any{"<p>x</p>\n", "<p>x</p>\n", nil})
}

// A tab reports whether it shows a category, by id or name.
func TestTabIncludes(t *testing.T) {
	b := newFullSite(t)
	tab := b.mutate(b.mod, "createTab", input{"name": "Tea only", "categories": refs(b.tea)}, "tab { id }")
	a := b.must("", `query($tab: ID!, $tea: ID!, $ink: ID!) { node(id: $tab) { ... on Tab {
		tea: includes(category: {id: $tea}) ink: includes(category: {id: $ink}) byName: includes(category: {name: "TEA"})
		other: includes(category: {name: "Ink"}) none: includes(category: {name: "None"}) } } }`,
		input{"tab": tab.text("createTab", "tab", "id"), "tea": b.tea, "ink": b.ink})
	wantEqual(t, "the categories", a.at("node"),
		any(map[string]any{"tea": true, "ink": false, "byName": true, "other": false, "none": false}))
	bad := b.ask("", `query($tab: ID!) { node(id: $tab) { ... on Tab { includes(category: {id: "?"}) } } }`,
		input{"tab": b.tab})
	b.wantVerdict("a bad id", bad, "BAD_USER_INPUT category.id")
}
