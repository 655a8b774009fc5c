package graph_test

import (
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/testlevel"
)

// categoryModerator registers a user who moderates a category, and returns the token.
func (b *fullSite) categoryModerator(login, category string) string {
	b.t.Helper()
	if b.root == "" {
		b.root = b.admin("rita")
	}
	token := b.user(login)
	b.wantVerdict("setCategoryModerators", b.mutate(b.root, "setCategoryModerators",
		input{"category": input{"id": category}, "add": []string{userID(token)}, "reason": "OTHER"}, ""), "")
	return token
}

// moderation is the input of `moderate` without a note.
func moderationOf(subject, action string) input {
	return input{"subjectId": subject, "action": action, "reason": "OTHER"}
}

// Who may moderate what, and what is refused.
func TestModerateIsRefused(t *testing.T) {
	b := newFullSite(t)
	cat := b.categoryModerator("cat", b.tea)
	modsTopic, ink := b.site.topic(b.mod, "Tea", "A moderator's"), b.site.topic(b.bob, "Ink", "In Ink")
	in := func(subject, action, field string, value any) input {
		m := moderationOf(subject, action)
		if field != "" {
			m[field] = value
		}
		return m
	}
	for _, tt := range []struct {
		name, by string
		in       input
		want     string
	}{
		{"a member", b.bob, in(b.topic, "LOCK", "", nil), "FORBIDDEN input.subjectId"},
		{"the author", b.ann, in(b.topic, "HIDE", "", nil), "FORBIDDEN input.subjectId"},
		{"one's own", b.mod, in(modsTopic, "LOCK", "", nil), "SELF input.subjectId"},
		{"one's own, to pin it", b.mod, in(modsTopic, "PIN", "", nil), ""},
		{"a peer's", cat, in(modsTopic, "HIDE", "", nil), "FORBIDDEN input.subjectId"},
		{"another category", cat, in(ink, "HIDE", "", nil), "FORBIDDEN input.subjectId"},
		{"one's category", cat, in(b.topic, "LOCK", "", nil), ""},
		{"a deleted topic", b.mod, in(b.deleted, "RESTORE", "", nil), "NOT_FOUND input.subjectId"},
		{"a tombstone", b.mod, in(b.tombstone, "RESTORE", "", nil), "NOT_FOUND input.subjectId"},
		{"a comment on a deleted topic", b.mod, in(b.lost, "HIDE", "", nil), "NOT_FOUND input.subjectId"},
		{"a user", b.mod, in(userID(b.bob), "HIDE", "", nil), "NOT_FOUND input.subjectId"},
		{"a comment to pin", b.mod, in(b.comment, "PIN", "", nil), "INVALID input.action"},
		{"a move to nowhere", b.mod, in(b.other, "MOVE", "", nil), "INVALID input.category"},
		{"a category for nothing", b.mod, in(b.other, "HIDE", "category", input{"id": b.ink}), "INVALID input.category"},
		{"a long note", b.mod, in(b.other, "HIDE", "note", strings.Repeat("x", 1001)), "TOO_LONG input.note"},
		{"a move", b.mod, in(b.other, "MOVE", "category", input{"id": b.ink}), ""},
	} {
		b.wantVerdict(tt.name, b.mutate(tt.by, "moderate", tt.in, "changed"), tt.want)
	}
}

// A locked topic or comment accepts nothing but from moderators, a hidden one nothing; moderators change titles of
// others, with a reason, and never their texts.
func TestLocksHold(t *testing.T) {
	b := newFullSite(t)
	try := func(by, field string, in input) string { return b.mutate(by, field, in, "").verdict() }
	reply := input{"topicId": b.topic, "content": "Words"}
	to := input{"topicId": b.topic, "parentId": b.comment, "content": "Words"}
	vote := input{"subjectId": b.topic, "direction": "UP"}
	title := input{"topicId": b.topic, "title": "New", "reason": "OTHER"}
	all := func() []string {
		return []string{try(b.bob, "createComment", reply), try(b.mod, "createComment", reply),
			try(b.bob, "createComment", to), try(b.bob, "vote", vote), try(b.ann, "updateTopic", title),
			try(b.mod, "updateTopic", title), try(b.mod, "updateTopic", with(title, "content", "x")),
			try(b.mod, "updateTopic", input{"topicId": b.topic, "title": "Newer"}),
			try(b.mod, "updateComment", input{"commentId": b.comment, "content": "x"})}
	}
	never := []string{"FORBIDDEN input.content", "INVALID input.reason", "FORBIDDEN input.commentId"}
	wantEqual(t, "open", all(), append([]string{"", "", "", "", "", ""}, never...))
	b.wantVerdict("lock the comment", b.mutate(b.mod, "moderate", moderationOf(b.comment, "LOCK"), ""), "")
	wantEqual(t, "a locked comment", all(), append([]string{"", "", "LOCKED input.parentId", "", "", ""}, never...))
	b.wantVerdict("lock the topic", b.mutate(b.mod, "moderate", moderationOf(b.topic, "LOCK"), ""), "")
	locked := "LOCKED input.topicId"
	wantEqual(t, "a locked topic", all(),
		append([]string{locked, "", locked, "LOCKED input.subjectId", locked, ""}, never...))
	b.wantVerdict("hide the topic", b.mutate(b.mod, "moderate", moderationOf(b.topic, "HIDE"), ""), "")
	gone := "NOT_FOUND input.topicId"
	wantEqual(t, "a hidden topic", all(), []string{gone, locked, gone, "NOT_FOUND input.subjectId", locked, locked,
		"FORBIDDEN input.content", locked, "FORBIDDEN input.commentId"})
	b.wantVerdict("restore it", b.mutate(b.mod, "moderate", moderationOf(b.topic, "RESTORE"), ""), "")
	wantEqual(t, "locked again", all()[:2], []string{locked, ""})
}

// The payload has the new act, or that in force; two moderators at once do it once.
func TestModerateOnce(t *testing.T) {
	b := newFullSite(t)
	other := b.moderator("max")
	selection := `changed act { id action reason note subjectId moderator { login } } subject { ... on Topic { state hiddenAt } }`
	first := b.mutate(b.mod, "moderate", with(moderationOf(b.topic, "HIDE"), "note", "See the rules"), selection)
	again := b.mutate(other, "moderate", moderationOf(b.topic, "HIDE"), selection)
	wantEqual(t, "changed", []any{first.at("moderate", "changed"), again.at("moderate", "changed")}, []any{true, false})
	wantEqual(t, "the act in force", again.at("moderate", "act"), first.at("moderate", "act"))
	wantEqual(t, "its note", first.at("moderate", "act", "note"), any("See the rules"))
	wantEqual(t, "state", again.text("moderate", "subject", "state"), "HIDDEN")
	undo := b.mutate(other, "moderate", moderationOf(b.topic, "RESTORE"), `act { reverses { id } }`)
	wantEqual(t, "reverses", undo.text("moderate", "act", "reverses", "id"), first.text("moderate", "act", "id"))
}

// Acts take at most five round trips, with the session, the lists and what the payload shows of the subject, whatever
// the number of comments.
func TestCostsOfModeration(t *testing.T) {
	testlevel.WithoutRace(t)
	const usual = `changed act { id } subject { ... on Topic { id title topicState: state category { name } author { login } }
		... on Comment { id content state author { login } topic { title } } }`
	for _, tt := range []struct {
		action         string
		topic, comment int // round trips; 0 if there is no such act
	}{
		{"HIDE", 4, 5}, {"RESTORE", 4, 5}, {"LOCK", 3, 5}, {"UNLOCK", 3, 5}, {"PIN", 4, 0}, {"UNPIN", 3, 0}, {"MOVE", 5, 0},
	} {
		for _, selection := range []string{"changed", usual} {
			c := newCostSite(t)
			mod := c.moderator("mia")
			c.promote(c.ann, forum.RoleUser)
			ink := c.category(mod, "Ink")
			for range 30 {
				c.site.comment(c.bob, c.topic, "", "Words")
			}
			for subject, want := range map[string]int{c.topic: tt.topic, c.comment: tt.comment} {
				if want == 0 {
					continue
				}
				if tt.action == "RESTORE" {
					c.mutate(mod, "moderate", moderationOf(subject, "HIDE"), "changed")
				}
				c.settle()
				c.forgetCalls()
				in := moderationOf(subject, tt.action)
				if tt.action == "MOVE" {
					in["category"] = input{"id": ink}
				}
				a := c.mutate(mod, "moderate", in, selection)
				c.wantVerdict(tt.action, a, "")
				if got := a.Extensions.Redis.RoundTrips; got != want {
					t.Errorf("%s of %s with %s took %d round trips; want %d", tt.action, subject, selection, got, want)
				}
				c.mutate(mod, "moderate", moderationOf(subject, "RESTORE"), "")
			}
		}
	}
}

// Moderators of a category do not act on each other in it; elsewhere they are members. Those of the site act on both.
func TestCategoryModeratorsArePeers(t *testing.T) {
	b := newFullSite(t)
	cat, cot := b.categoryModerator("cat", b.tea), b.categoryModerator("cot", b.tea)
	both := b.categoryModerator("dot", b.ink)
	b.wantVerdict("a second category", b.mutate(b.root, "setCategoryModerators",
		input{"category": input{"id": b.tea}, "add": []string{userID(both)}, "reason": "OTHER"}, ""), "")
	for _, peer := range []string{cot, both} {
		topic, comment := b.site.topic(peer, "Tea", "A peer's"), b.site.comment(peer, b.topic, "", "A peer's")
		b.site.comment(b.bob, topic, "", "A member's")
		ink := b.site.topic(cat, "Ink", "As a member")
		b.clock.Advance(3 * 60 * second) // edits within 2 minutes are one revision
		b.wantVerdict("edit", b.mutate(peer, "updateComment", input{"commentId": comment, "content": "New"}, ""), "")
		for _, id := range []string{topic, comment} {
			b.wantVerdict("report", b.report(b.bob, id), "")
			for _, action := range []string{"LOCK", "UNLOCK", "HIDE", "RESTORE"} {
				b.wantVerdict(action, b.mutate(cat, "moderate", moderationOf(id, action), ""), "FORBIDDEN input.subjectId")
			}
			b.wantVerdict("resolveReports", b.mutate(cat, "resolveReports",
				input{"subjectId": id, "throughReport": 1, "outcome": "DISMISSED"}, ""), "FORBIDDEN input.subjectId")
			can := b.must(cat, `query($i: ID!) { node(id: $i) { ... on Topic { viewerCan } ... on Comment { viewerCan } } }`,
				input{"i": id}).at("node", "viewerCan")
			for _, action := range can.([]any) {
				if action == "MODERATE" || action == "EDIT" || action == "TAG" {
					t.Errorf("a peer's: viewerCan has %s", action)
				}
			}
		}
		b.wantVerdict("pin", b.mutate(cat, "moderate", moderationOf(topic, "PIN"), ""), "")
		b.wantVerdict("title", b.mutate(cat, "updateTopic", input{"topicId": topic, "title": "x", "reason": "OTHER"}, ""),
			"FORBIDDEN input.topicId")
		b.wantVerdict("tag", b.mutate(cat, "tagTopic", input{"topicId": topic, "add": []string{"x"}, "reason": "OTHER"}, ""),
			"FORBIDDEN input.topicId")
		b.wantVerdict("redact", b.mutate(cat, "redactRevision",
			input{"subjectId": comment, "number": 1, "reason": "OTHER"}, ""), "FORBIDDEN input.number")
		b.wantVerdict("ban", b.mutate(cat, "warn", input{"userId": userID(peer), "reason": "OTHER"}, ""), "FORBIDDEN")
		b.wantVerdict("by a moderator of the site", b.mutate(b.mod, "moderate", moderationOf(topic, "HIDE"), ""), "")
		want := map[string]string{cot: "FORBIDDEN input.subjectId", both: ""}[peer] // only the latter moderates Ink
		b.wantVerdict("elsewhere", b.mutate(peer, "moderate", moderationOf(ink, "HIDE"), ""), want)
	}
}

// A hidden topic whose category was deleted meanwhile is not restored, and stays hidden; it can be moved, and restored
// then.
func TestRestoreIntoADeletedCategory(t *testing.T) {
	b := newFullSite(t)
	topic := b.site.topic(b.bob, "Ink", "Lonely")
	comment := b.site.comment(b.ann, topic, "", "Words")
	b.bookmark(b.ann, topic, true)
	b.wantVerdict("hide", b.mutate(b.mod, "moderate", moderationOf(topic, "HIDE"), ""), "")
	b.wantVerdict("delete the category", b.mutate(b.mod, "deleteCategory", input{"category": input{"id": b.ink}}, ""), "")
	for range 2 {
		b.wantVerdict("restore", b.mutate(b.mod, "moderate", moderationOf(topic, "RESTORE"), ""), "INVALID input.subjectId")
		b.settle()
		state := b.must(b.mod, `query($i: ID!) { node(id: $i) { ... on Topic { state title commentCount hiddenAt } } site { topicCount } }`,
			input{"i": topic})
		wantEqual(t, "state", state.text("node", "state"), "HIDDEN")
		wantEqual(t, "title", state.text("node", "title"), "Lonely")
	}
	log := b.must(b.mod, `query($i: ID!) { moderationLog(subjectId: $i) { nodes { action } } }`,
		input{"i": topic})
	wantEqual(t, "log", log.texts("action", "moderationLog", "nodes"),
		[]string{"HIDE", "RESTORE", "HIDE", "RESTORE", "HIDE"})
	move := moderationOf(topic, "MOVE")
	move["category"] = input{"id": b.tea}
	b.wantVerdict("move", b.mutate(b.mod, "moderate", move, ""), "")
	b.wantVerdict("restore", b.mutate(b.mod, "moderate", moderationOf(topic, "RESTORE"), ""), "")
	b.settle()
	wantEqual(t, "in its new category", b.listedFor("", inTea, "id")[0], topic)
	wantEqual(t, "its comments", b.must("", `{ user(by: {login: "ann"}) { comments { nodes { id } } } }`, nil).
		text("user", "comments", "nodes", 0, "id"), comment)
	wantEqual(t, "bookmarks", b.must(b.ann, `{ viewer { bookmarks { topics { totalCount } } } }`, nil).
		number("viewer", "bookmarks", "topics", "totalCount"), 1)
}
