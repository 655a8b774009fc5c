package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/forum"
)

const shownRevisions = `revision editor { login } revisions(first: 100) { totalCount nodes { number title content
	isRedacted editor { login } hunks { oldStart newStart lines { change text } } } }`

// history returns the revisions of a topic or comment for a viewer, latest first, as "number title content by editor
// hunks".
func (b *fullSite) history(token, id string) []string {
	b.t.Helper()
	node := b.must(token, `query($id: ID!) { node(id: $id) { ... on Topic { `+shownRevisions+` } ... on Comment { `+
		shownRevisions+` } } }`, input{"id": id})
	var all []string
	for _, n := range node.at("node", "revisions", "nodes").([]any) {
		r := n.(map[string]any)
		line := fmt.Sprintf("%v %v %q by %v", r["number"], r["title"], r["content"], r["editor"].(map[string]any)["login"])
		hunks, _ := r["hunks"].([]any)
		for _, h := range hunks {
			for _, l := range h.(map[string]any)["lines"].([]any) {
				l := l.(map[string]any)
				line += fmt.Sprintf(" %.1v:%v", l["change"], l["text"])
			}
		}
		all = append(all, line)
	}
	return all
}

// The history of edits shows who wrote what, and what each edit changed; quick edits are one.
func TestHistoryOfEdits(t *testing.T) {
	b := newFullSite(t)
	if got := b.history(b.bob, b.comment); len(got) > 0 {
		t.Errorf("history without an edit: %q", got)
	}
	edit := func(later bool, content string) {
		t.Helper()
		if later {
			b.clock.Advance(forum.MergeEdits)
		}
		b.wantVerdict("edit", b.mutate(b.ann, "updateComment", input{"commentId": b.comment, "content": content}, ""), "")
	}
	edit(true, "one\ntwo")
	edit(false, "one\ntwo\nthree")
	edit(true, "one\n2\nthree")
	got := b.history("", b.comment)
	wantEqual(t, "the latest", got[0], `4 <nil> "one\n2\nthree" by ann K:one R:two A:2 K:three`)
	if len(got) != 3 || !strings.HasPrefix(got[1], `3 <nil> "one\ntwo\nthree" by ann`) || !strings.HasPrefix(got[2], "1 ") {
		t.Errorf("history: %q; want revisions 4, 3 and 1: 2 was merged", got)
	}
}

// An edit that expects another revision than the present one changes nothing, and says which one is present.
func TestEditOfAnOldRevision(t *testing.T) {
	b := newFullSite(t)
	update := func(seen any, title string) answer {
		return b.mutate(b.ann, "updateTopic", input{"topicId": b.topic, "title": title, "expectedRevision": seen},
			"topic { revision title } errors { __typename code path ... on ConflictError { presentRevision } }")
	}
	b.wantVerdict("the present one", update(1, "Second"), "")
	a := update(1, "Lost")
	b.wantVerdict("an old one", a, "CONFLICT input.expectedRevision")
	if got := fmt.Sprint(a.at("updateTopic", "errors", 0)); !strings.Contains(got, "presentRevision:2") ||
		!strings.Contains(got, "ConflictError") {
		t.Errorf("error: %s; want the present revision", got)
	}
	b.wantVerdict("none", update(0, "Lost"), "INVALID input.expectedRevision")
	if a := update(2, "Third"); a.text("updateTopic", "topic", "title") != "Third" {
		t.Errorf("an edit of the present revision: %v", a)
	}
}

// A moderator takes an earlier text out of sight: others no longer see it, nor what changed then. It can be shown
// again.
func TestRedactedRevisions(t *testing.T) {
	b := newFullSite(t)
	b.edited("updateComment", "commentId", b.comment)
	number := 2
	redact := func(token string, n int, redacted bool) answer {
		return b.mutate(token, "redactRevision", input{"subjectId": b.comment, "number": n, "redacted": redacted,
			"reason": "PRIVACY"}, "changed revision { content } act { action revision reverses { action } }")
	}
	for _, tt := range []struct {
		name, token string
		number      int
		want        string
	}{
		{"by a member", b.bob, number, "FORBIDDEN input.subjectId"},
		{"of the present text", b.mod, number + 1, "INVALID input.number"},
		{"of no text", b.mod, 99, "NOT_FOUND input.number"},
	} {
		b.wantVerdict("redact "+tt.name, redact(tt.token, tt.number, true), tt.want)
	}
	whole := b.history("", b.comment)
	if a := redact(b.mod, number, true); a.at("redactRevision", "changed") != true {
		t.Fatalf("redact: %v", a)
	}
	again := redact(b.mod, number, true)
	if again.at("redactRevision", "changed") != false || again.text("redactRevision", "act", "action") != "REDACT" {
		t.Errorf("redact again: %v; want the act in force", again)
	}
	for _, token := range []string{"", b.bob} {
		got := b.history(token, b.comment)
		if want := `2 <nil> %!q(<nil>) by ann`; got[1] != want || strings.Contains(strings.Join(got, " "), "Once more") {
			t.Errorf("history after that: %q; want %q second, and its text nowhere", got, want)
		}
	}
	for _, token := range []string{b.ann, b.mod} {
		wantEqual(t, "history for the editor and moderators", b.history(token, b.comment), whole)
	}
	shown := redact(b.mod, number, false)
	if shown.text("redactRevision", "act", "reverses", "action") != "REDACT" {
		t.Errorf("show again: %v; want an act that reverses the first", shown)
	}
	wantEqual(t, "history at the end", b.history("", b.comment), whole)
}
