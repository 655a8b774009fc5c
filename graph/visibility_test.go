package graph_test

import (
	"agora/internal/globalid"
	"fmt"
	"testing"
)

// viewers are the viewers: signed out, another user, the owner, a moderator.
func (b *fullSite) viewers() map[string]string {
	return map[string]string{"signed out": "", "stranger": b.bob, "owner": b.ann, "moderator": b.mod}
}

// same reads an object by node, by nodes and by its owner's field, and checks that all agree; there reports whether
// the object should be visible. owner is a query that returns the object as x.
func (b *fullSite) same(name, token, id, owner string, there bool) {
	b.t.Helper()
	a := b.ask(token, `query($id: ID!) { node(id: $id) { __typename id } nodes(ids: [$id, $id]) { __typename id } }`, input{"id": id})
	o := b.ask(token, owner, nil)
	seen := any(nil)
	if there {
		seen = a.at("node")
		if seen == nil {
			b.t.Errorf("%s: node is null; want it seen", name)
			return
		}
	}
	wantEqual(b.t, name+": node", a.at("node"), seen)
	wantEqual(b.t, name+": nodes", a.at("nodes"), any([]any{seen, seen}))
	wantEqual(b.t, name+": the owner's field", firstX(o.Data), seen)
	for _, x := range []answer{a, o} {
		b.wantVerdict(name, x, "")
		b.wantNothingInternal(name, x) // no e-mail address among it
	}
}

// firstX returns the object called x at any depth.
func firstX(v any) any {
	m, _ := v.(map[string]any)
	if x, ok := m["x"]; ok {
		return x
	}
	for _, inner := range m {
		if found := firstX(inner); found != nil {
			return found
		}
	}
	return nil
}

const xFields = "{ __typename id }"

func TestVisibilityOfWhatAllSee(t *testing.T) {
	b := newFullSite(t)
	ann := b.must(b.ann, `{ viewer { user { id } } }`, nil).text("viewer", "user", "id")
	green := b.must("", `{ tag(name: "green") { id } }`, nil).text("tag", "id")
	_, number, _ := globalid.Split(green)
	objects := []struct{ name, id, owner string }{
		{"User", ann, fmt.Sprintf(`{ x: user(by: {login: "ANN"}) %s }`, xFields)},
		{"User as author", ann, fmt.Sprintf(`{ topic(by: {id: %q}) { x: author %s } }`, b.topic, xFields)},
		{"ghost", gid("User", "0"), fmt.Sprintf(`{ x: user(by: {login: "ghost"}) %s }`, xFields)},
		{"ghost as author of a tombstone", gid("User", "0"), fmt.Sprintf(`{ node(id: %q) { ... on Comment { x: author %s } } }`, b.tombstone, xFields)},
		{"Topic", b.topic, fmt.Sprintf(`{ x: topic(by: {id: %q}) %s }`, b.topic, xFields)},
		{"Topic of a comment", b.topic, fmt.Sprintf(`{ node(id: %q) { ... on Comment { x: topic %s } } }`, b.reply, xFields)},
		{"Comment", b.comment, fmt.Sprintf(`{ node(id: %q) { ... on Comment { x: parent %s } } }`, b.reply, xFields)},
		{"tombstone", b.tombstone, fmt.Sprintf(`{ x: node(id: %q) %s }`, b.tombstone, xFields)},
		{"Category", b.tea, fmt.Sprintf(`{ x: category(by: {name: "tea"}) %s }`, xFields)},
		{"Category of a topic", b.tea, fmt.Sprintf(`{ topic(by: {id: %q}) { x: category %s } }`, b.topic, xFields)},
		{"Tab", b.tab, fmt.Sprintf(`{ x: tab(by: {name: "all"}) %s }`, xFields)},
		{"Tag", green, fmt.Sprintf(`{ x: tag(name: "ＧＲＥＥＮ") %s }`, xFields)},
		{"Timeline of a tag", gid("Timeline", "tag:"+number+":score:desc"), fmt.Sprintf(`{ tag(name: "Green") { x: timeline %s } }`, xFields)},
		{"Timeline of a day", gid("Timeline", "day_rank:46022:replies_today:desc"), fmt.Sprintf(`{ x: dayRank %s }`, xFields)},
		{"Timeline of yesterday", gid("Timeline", "day_rank:46021:replies_today:desc"), fmt.Sprintf(`{ x: dayRank(date: "2096-01-01") %s }`, xFields)},
		{"Timeline of a user", gid("Timeline", fmt.Sprintf("profile:%d:created:desc", userOf(b.ann))), fmt.Sprintf(`{ user(by: {login: "ann"}) { x: profile %s } }`, xFields)},
		{"Timeline of the ghost", gid("Timeline", "profile:0:created:desc"), fmt.Sprintf(`{ user(by: {login: "ghost"}) { x: profile %s } }`, xFields)},
		{"Timeline of a period", gid("Timeline", "front:0:top:asc:week"), fmt.Sprintf(`{ x: front(orderBy: {field: TOP, direction: ASC}, period: WEEK) %s }`, xFields)},
		{"Timeline of the front", gid("Timeline", "front:0:active:desc"), fmt.Sprintf(`{ x: front %s }`, xFields)},
		{"Timeline of a category", gid("Timeline", "category:1:active:desc"), fmt.Sprintf(`{ category(by: {name: "Tea"}) { x: timeline %s } }`, xFields)},
		{"Timeline of a tab", gid("Timeline", "tab:1:active:desc"), fmt.Sprintf(`{ tab(by: {name: "All"}) { x: timeline %s } }`, xFields)},
	}
	for who, token := range b.viewers() {
		for _, o := range objects {
			b.same(o.name+", "+who, token, o.id, o.owner, true)
		}
	}
	for _, id := range []string{gid("Timeline", "category:99:active:desc"), gid("Timeline", "tab:99:active:desc"),
		gid("Timeline", "tag:99:score:desc"), gid("Timeline", "profile:99:created:desc"),
		gid("Timeline", "day_rank:46020:replies_today:desc"), gid("Category", "99"), gid("Tab", "99"), gid("Tag", "99"),
		gid("User", "99"), gid("Topic", "99"), gid("Comment", "99")} {
		b.same("nothing", b.mod, id, fmt.Sprintf(`{ x: node(id: %q) { id } }`, id), false)
	}
}

func TestVisibilityOfViewers(t *testing.T) {
	b := newFullSite(t)
	id := b.must(b.ann, `{ viewer { id } }`, nil).text("viewer", "id")
	b.same("owner", b.ann, id, `{ x: viewer `+xFields+` }`, true)
	for who, token := range map[string]string{"signed out": "", "stranger": b.bob, "moderator": b.mod} {
		a := b.must(token, `query($id: ID!) { node(id: $id) { id } nodes(ids: [$id]) { id } viewer { id } }`, input{"id": id})
		wantEqual(t, who+": node of ann's Viewer", a.at("node"), nil)
		wantEqual(t, who+": nodes of ann's Viewer", a.at("nodes"), any([]any{nil}))
		if a.text("viewer", "id") == id {
			t.Errorf("%s: viewer is ann's", who)
		}
	}
	if user := b.must(b.ann, `{ viewer { user { id } } }`, nil).text("viewer", "user", "id"); user == id {
		t.Errorf("id of ann's User and Viewer are both %q; want them to differ", id)
	}
}

func TestTombstones(t *testing.T) {
	b := newFullSite(t)
	b.wantVerdict("delete", b.mutate(b.ann, "deleteComment", input{"commentId": b.comment}, ""), "")
	query := `query($id: ID!) { node(id: $id) { ... on Comment { id number depth content contentHtml deletedAt author { login } mentions { login } replyCount votes { isOpen }
		replies { totalCount nodes { id } } topic { commentCount comments { totalCount nodes { id } } } } } }`
	want := any(map[string]any{"id": b.comment, "number": 1.0, "depth": 0.0, "content": "", "contentHtml": "",
		"deletedAt": "2096-01-02T03:04:13.000Z",
		"author":    map[string]any{"login": "ghost"}, "mentions": []any{}, "replyCount": 1.0, "votes": map[string]any{"isOpen": false},
		"replies": map[string]any{"totalCount": 2.0, "nodes": []any{map[string]any{"id": b.reply}, map[string]any{"id": b.tombstone}}},
		"topic": map[string]any{"commentCount": 1.0, "comments": map[string]any{"totalCount": 3.0,
			"nodes": []any{map[string]any{"id": b.comment}, map[string]any{"id": b.reply}, map[string]any{"id": b.tombstone}}}}})
	for who, token := range b.viewers() {
		wantEqual(t, "tombstone seen by the "+who, b.must(token, query, input{"id": b.comment}).at("node"), want)
	}
	b.clock.Advance(second)
	again := b.mutate(b.ann, "deleteComment", input{"commentId": b.comment},
		"comment { deletedAt topic { commentCount } }")
	b.wantVerdict("delete it again", again, "")
	wantEqual(t, "after deleting it again", again.at("deleteComment", "comment"), any(map[string]any{
		"deletedAt": "2096-01-02T03:04:13.000Z", "topic": map[string]any{"commentCount": 1.0}}))
}
