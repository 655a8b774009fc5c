package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/forum"
)

// ends reports whether the server ends the stream before the next event.
func (st *stream) ends() bool {
	st.t.Helper()
	_, more := st.next()
	return !more && st.completed
}

// setSees changes who sees a category.
func (b *fullSite) setSees(admin, category, sees string) {
	b.t.Helper()
	b.wantVerdict("updateAccess", b.mutate(admin, "updateAccess",
		input{"category": input{"id": category}, "sees": sees}, ""), "")
}

// Subscriptions end before the first event about what their viewer does not see any more: because who sees the category
// has changed, or because the topic was moved.
func TestRoomsEndSubscriptions(t *testing.T) {
	b := newFullSite(t)
	admin := b.admin("ada")
	b.setSees(admin, b.ink, "MEMBERS")
	tab := b.must("", `query($t: ID!) { node(id: $t) { ... on Tab { timeline(orderBy: {field: CREATED}) { id } } } }`,
		input{"t": b.tab}).text("node", "timeline", "id")
	category := b.must("", `query($c: ID!) { category(by: {id: $c}) { timeline { id } } }`, input{"c": b.tea}).
		text("category", "timeline", "id")
	const posted = `subscription($t: ID!) { commentAdded(topic: {id: $t}) { eventId comment { id } } }`
	const edited = `subscription($t: ID!) { commentsUpdated(topic: {id: $t}) { eventId } }`
	const updated = `subscription($t: ID!) { topicUpdated(topic: {id: $t}) { topicId } }`
	const moved = `subscription($t: ID!) { timelineUpdated(timelineId: $t) { kind topicId } }`
	watch := func(token string) map[string]*stream {
		return map[string]*stream{
			"commentAdded of a topic that is moved": b.subscribe(token, posted, input{"t": b.other}),
			"commentAdded":                          b.subscribe(token, posted, input{"t": b.topic}),
			"commentsUpdated":                       b.subscribe(token, edited, input{"t": b.topic}),
			"topicUpdated":                          b.subscribe(token, updated, input{"t": b.topic}),
			"timelineUpdated of the category":       b.subscribe(token, moved, input{"t": category}),
			"timelineUpdated of a tab":              b.subscribe(token, moved, input{"t": tab}),
		}
	}
	guest := watch("")
	b.wantVerdict("move", b.mutate(b.ann, "updateTopic", input{"topicId": b.other, "category": input{"id": b.ink}}, ""), "")
	b.site.comment(b.ann, b.other, "", "In a room")
	if left := guest["commentAdded of a topic that is moved"]; !left.ends() {
		t.Error("a guest is still subscribed to a topic that was moved into a room")
	}
	delete(guest, "commentAdded of a topic that is moved")
	b.setSees(admin, b.tea, "MEMBERS")
	b.site.comment(b.ann, b.topic, "", "In a room")
	b.site.topic(b.ann, "Tea", "In a room")
	b.wantVerdict("edit", b.mutate(b.ann, "updateComment", input{"commentId": b.comment, "content": "Other words"}, ""), "")
	for name, st := range guest {
		if strings.HasPrefix(name, "timeline") { // of the move
			st.wants(name, fmt.Sprintf(`{"timelineUpdated": {"kind": "REMOVED", "topicId": %q}}`, b.other))
		}
		if !st.ends() {
			t.Errorf("%s: a guest is still subscribed", name)
		}
	}
	st := b.subscribe(b.bob, posted, input{"t": b.topic})
	b.site.comment(b.ann, b.topic, "", "For members")
	if a, ok := st.next(); !ok || a.text("commentAdded", "comment", "id") == "" {
		t.Errorf("a member is sent %s", a.body)
	}
}

// An API token sees rooms with the scope ROOMS only.
func TestTokensSeeRoomsWithTheirScope(t *testing.T) {
	b := newFullSite(t)
	b.setSees(b.admin("ada"), b.tea, "MEMBERS")
	for scope, want := range map[forum.Scope]string{forum.ScopeRead: "", forum.ScopeRooms: b.topic} {
		token := b.apiToken(b.ann, forum.ScopeRead, scope)
		a := b.must(token, `query($t: ID!) { topic(by: {id: $t}) { id } category(by: {name: "Tea"}) { name } }`, input{"t": b.topic})
		if got := a.text("topic", "id"); got != want || (a.at("category") != nil) != (want != "") {
			t.Errorf("with %s: topic %q, category %v; want %q", scope, got, a.at("category"), want)
		}
	}
}
