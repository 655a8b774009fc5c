package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"agora/internal/forum"
)

// shown returns the fields of a status.
func (s *site) shown(token, id string) map[string]any {
	s.t.Helper()
	found, _ := s.must(token, `query($id: ID!) { topic(by: {id: $id}) { kind title content link category { name } tags { name } editedAt } }`, input{"id": id}).at("topic").(map[string]any)
	return found
}

// C3, C5, C11 and X31: a status is in its author's profile and home, in the followers' homes and on the front, and
// counts.
func TestPostingAStatus(t *testing.T) {
	p := newVoteSite(t)
	p.follow(p.bob, userID(p.ann), true)
	p.clock.Advance(second)
	a := p.mutate(p.ann, "createTopic",
		input{"kind": "STATUS", "content": "My *first* words\n\nand more", "tags": []string{"Tea"}},
		"topic { id kind title link category { name } tags { name } author { login topicCount } votes { up } }")
	p.wantVerdict("createTopic", a, "")
	id := a.text("createTopic", "topic", "id")
	wantEqual(t, "C3: a status", a.at("createTopic", "topic"),
		any(map[string]any{"id": id, "kind": "STATUS", "title": "My first words", "link": nil, "category": nil,
			"tags": []any{map[string]any{"name": "Tea"}}, "author": map[string]any{"login": "ann", "topicCount": 1.0}, "votes": map[string]any{"up": 0.0}}))
	for name, timeline := range map[string]string{"C5: the profile": `user(by: {login: "ann"}) { profile`, "the front": "front(orderBy: {field: CREATED})", "the tag": `tag(name: "tea") { timeline`} {
		wantEqual(t, name, p.listed(timeline, "id"), []string{id})
	}
	p.wantHome("X31: one's own home", p.ann, "My first words")
	p.wantHome("C11: a follower's home", p.bob, "My first words")
	p.wantHome("a stranger's home", p.cid, "")
	p.comment(p.bob, id, "", "Welcome") // a status can have comments
}

// C6: newest first, thirty per page, also numbered pages.
func TestPagesOfAHome(t *testing.T) {
	p := newVoteSite(t)
	p.follow(p.bob, userID(p.ann), true)
	var want []string
	for i := range 35 {
		want = append(want, p.status(p.ann, fmt.Sprint("Number ", i)))
	}
	slices.Reverse(want)
	read := func(args string) answer {
		t.Helper()
		return p.must(p.bob, `{ viewer { home { topics`+args+` { nodes { id } pageInfo { hasNextPage endCursor } } } } }`, nil)
	}
	first := read("")
	wantEqual(t, "the first page", first.texts("id", "viewer", "home", "topics", "nodes"), want[:forum.DefaultPage])
	wantEqual(t, "hasNextPage", first.at("viewer", "home", "topics", "pageInfo", "hasNextPage"), any(true))
	wantEqual(t, "the second page",
		read(fmt.Sprintf("(after: %q)", first.text("viewer", "home", "topics", "pageInfo", "endCursor"))).texts("id",
			"viewer", "home", "topics", "nodes"), want[forum.DefaultPage:])
	wantEqual(t, "a numbered page", read("(first: 5, skip: 10)").texts("id", "viewer", "home", "topics", "nodes"),
		want[10:15])
}

// C14: only its author can delete a status, and then it is nowhere.
func TestDeletingAStatus(t *testing.T) {
	p := newVoteSite(t)
	p.follow(p.bob, userID(p.ann), true)
	id, kept := p.status(p.ann, "Some words"), p.status(p.ann, "Other words")
	p.wantVerdict("a stranger", p.mutate(p.bob, "deleteTopic", input{"topicId": id}, ""), "FORBIDDEN input.topicId")
	p.wantVerdict("its author", p.mutate(p.ann, "deleteTopic", input{"topicId": id}, ""), "")
	p.wantVerdict("once more", p.mutate(p.ann, "deleteTopic", input{"topicId": id}, ""), "")
	for _, timeline := range []string{`user(by: {login: "ann"}) { profile`, "front"} {
		wantEqual(t, timeline, p.listed(timeline, "id"), []string{kept})
	}
	p.wantHome("its author's", p.ann, "Other words")
	p.wantHome("a follower's", p.bob, "Other words")
	wantEqual(t, "topicCount", p.must("", `{ user(by: {login: "ann"}) { topicCount } }`, nil).number("user", "topicCount"), 1)
}

func TestBadStatuses(t *testing.T) {
	b := newFullSite(t)
	id := b.site.status(b.ann, "Some words")
	before := b.shown(b.ann, id)
	b.settle()
	status := input{"kind": "STATUS", "content": "Words"}
	edit := func(field string, value any) input { return input{"topicId": id, field: value} }
	tea := input{"name": "Tea"}
	b.wantRefused([]refusal{
		{"a title", b.ann, "createTopic", with(status, "title", "New"), "INVALID input.title"},
		{"an empty title", b.ann, "createTopic", with(status, "title", ""), "INVALID input.title"},
		{"a link", b.ann, "createTopic", with(status, "link", "https://example.net/"), "INVALID input.link"},
		{"a category", b.ann, "createTopic", with(status, "category", tea), "INVALID input.category"},
		{"an unknown category", b.ann, "createTopic", with(status, "category", input{"name": "Nowhere"}),
			"INVALID input.category"},
		{"no text", b.ann, "createTopic", input{"kind": "STATUS"}, "TOO_SHORT input.content"},
		{"a blank text", b.ann, "createTopic", with(status, "content", " \n\u200b"), "TOO_SHORT input.content"},
		{"a long text", b.ann, "createTopic", with(status, "content", strings.Repeat("茶", forum.MaxStatus+1)),
			"TOO_LONG input.content"},
		{"all at once", b.ann, "createTopic",
			input{"kind": "STATUS", "title": "x", "link": "x", "category": tea, "tags": []string{""}, "idempotencyKey": ""},
			"INVALID input.title; TOO_SHORT input.content; INVALID input.link; INVALID input.category; TOO_SHORT input.tags.0; TOO_SHORT input.idempotencyKey"},
		{"a title", b.ann, "updateTopic", edit("title", "New"), "INVALID input.title"},
		{"a title, a moderator", b.mod, "updateTopic", edit("title", "New"), "INVALID input.title"},
		{"a title beside a good text", b.ann, "updateTopic", with(edit("title", "New"), "content", "New words"),
			"INVALID input.title"},
		{"a link", b.ann, "updateTopic", edit("link", "https://example.net/"), "INVALID input.link"},
		{"a category", b.ann, "updateTopic", edit("category", tea), "INVALID input.category"},
		{"no text", b.ann, "updateTopic", edit("content", ""), "TOO_SHORT input.content"},
		{"a blank text", b.ann, "updateTopic", edit("content", "\u2800"), "TOO_SHORT input.content"},
		{"a long text", b.ann, "updateTopic", edit("content", strings.Repeat("x", forum.MaxStatus+1)),
			"TOO_LONG input.content"},
		{"a stranger's text", b.bob, "updateTopic", edit("content", "Mine"), "FORBIDDEN input.topicId"},
	})
	wantEqual(t, "after refusals", b.shown(b.ann, id), before)
}

// The title of a status is derived from its text; those of all other topics stay.
func TestTitlesOfStatuses(t *testing.T) {
	b := newFullSite(t)
	long := strings.Repeat("茶", forum.MaxStatus)
	id := b.site.status(b.ann, long)
	wantEqual(t, "the longest", b.shown("", id)["title"], any(strings.Repeat("茶", 79)+"…"))
	steps := []struct {
		name string
		in   input
		want string
	}{
		{"another text", input{"content": "\n<b>One</b>\nTwo"}, "<b>One</b>"},
		{"another format", input{"format": "HTML"}, "One Two"},
		{"both", input{"content": "*One*", "format": "MARKDOWN"}, "One"},
		{"nothing", input{}, "One"},
	}
	for _, tt := range steps {
		a := b.mutate(b.ann, "updateTopic", with(tt.in, "topicId", id), "topic { title }")
		b.wantVerdict(tt.name, a, "")
		wantEqual(t, tt.name, a.text("updateTopic", "topic", "title"), tt.want)
	}
	a := b.mutate(b.ann, "updateTopic", input{"topicId": b.topic, "content": "New words"}, "topic { title }")
	wantEqual(t, "of a discussion", a.text("updateTopic", "topic", "title"), "A topic")
}

// Neither of two users in a block is mentioned by the other.
func TestMentionsLeaveOutTheBlocked(t *testing.T) {
	b := newFullSite(t)
	mentioned := func(token, content string) []string {
		t.Helper()
		a := b.mutate(token, "createComment", input{"topicId": b.topic, "content": content},
			"comment { id contentHtml mentions { login } }")
		b.wantVerdict(content, a, "")
		return a.texts("login", "createComment", "comment", "mentions")
	}
	wantEqual(t, "before", mentioned(b.ann, "@bob @mia @ann @nobody"), []string{"bob", "mia", "ann"})
	b.block(b.bob, userID(b.ann), true)
	wantEqual(t, "by who is blocked", mentioned(b.ann, "@bob @mia"), []string{"mia"})
	wantEqual(t, "by who has blocked", mentioned(b.bob, "@mia @ann"), []string{"mia"})
	wantEqual(t, "by another", mentioned(b.mod, "@bob @ann"), []string{"bob", "ann"})
	a := b.mutate(b.ann, "updateComment", input{"commentId": b.comment, "content": "@bob @mia"},
		"comment { mentions { login } }")
	wantEqual(t, "in an edit", a.texts("login", "updateComment", "comment", "mentions"), []string{"mia"})
	b.block(b.bob, userID(b.ann), false)
	wantEqual(t, "after the block", mentioned(b.ann, "@bob"), []string{"bob"})
}
