package graph_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"agora/internal/forum"
)

// idForm is an input with an id in it.
type idForm struct {
	mutation, token, typ, path string
	put                        func(id string) input
	or                         string // another type that it accepts
}

func (b *fullSite) idForms() []idForm {
	plain := func(name string, more input) func(string) input {
		return func(id string) input { return with(more, name, id) }
	}
	list := func(name string, more input) func(string) input {
		return func(id string) input { return with(more, name, []string{id}) }
	}
	ref := func(more input) func(string) input {
		return func(id string) input { return with(more, "category", input{"id": id}) }
	}
	refList := func(name string, more input) func(string) input {
		return func(id string) input { return with(more, name, refs(id)) }
	}
	admin, friends := b.admin("ada"), b.list(b.ann, "Friends")
	b.settle()
	return []idForm{
		{"createTopic", b.ann, "Category", "input.category.id", ref(input{"title": "New"}), ""},
		{"updateTopic", b.ann, "Category", "input.category.id", ref(input{"topicId": b.topic}), ""},
		{"updateTopic", b.ann, "Topic", "input.topicId", plain("topicId", input{"title": "New"}), ""},
		{"deleteTopic", b.ann, "Topic", "input.topicId", plain("topicId", nil), ""},
		{"tagTopic", b.ann, "Topic", "input.topicId", plain("topicId", input{"add": []string{"new"}}), ""},
		{"vote", b.bob, "Topic", "input.subjectId", plain("subjectId", input{"direction": "UP"}), "Comment"},
		{"vote", b.bob, "Comment", "input.subjectId", plain("subjectId", input{"direction": "DOWN"}), "Topic"},
		{"createComment", b.ann, "Topic", "input.topicId", plain("topicId", input{"content": "x"}), ""},
		{"createComment", b.ann, "Comment", "input.parentId", plain("parentId", input{"content": "x", "topicId": b.topic}),
			""},
		{"updateComment", b.ann, "Comment", "input.commentId", plain("commentId", input{"content": "x"}), ""},
		{"deleteComment", b.ann, "Comment", "input.commentId", plain("commentId", nil), ""},
		{"updateCategory", b.mod, "Category", "input.category", ref(input{"name": "New"}), ""},
		{"deleteCategory", b.mod, "Category", "input.category", ref(nil), ""},
		{"createTab", b.mod, "Category", "input.categories.0", refList("categories", input{"name": "New"}), ""},
		{"updateTab", b.mod, "Tab", "input.tabId", plain("tabId", input{"name": "New"}), ""},
		{"updateTab", b.mod, "Category", "input.addCategories.0", refList("addCategories", input{"tabId": b.tab}), ""},
		{"updateTab", b.mod, "Category", "input.removeCategories.0", refList("removeCategories", input{"tabId": b.tab}), ""},
		{"deleteTab", b.mod, "Tab", "input.tabId", plain("tabId", nil), ""},
		{"follow", b.bob, "User", "input.targetId", plain("targetId", nil), "Category"},
		{"follow", b.bob, "Category", "input.targetId", plain("targetId", nil), "User"},
		{"follow", b.bob, "Tag", "input.targetId", plain("targetId", input{"following": false}), "Category"},
		{"block", b.bob, "User", "input.userId", plain("userId", nil), ""},
		{"updateList", b.ann, "UserList", "input.listId", plain("listId", input{"name": "New"}), ""},
		{"updateListMembers", b.ann, "UserList", "input.listId", plain("listId", input{"add": []string{userID(b.bob)}}), ""},
		{"updateListMembers", b.ann, "User", "input.add.0", list("add", input{"listId": friends}), ""},
		{"deleteList", b.ann, "UserList", "input.listId", plain("listId", nil), ""},
		{"setUserRole", admin, "User", "input.userId", plain("userId", input{"role": "MODERATOR"}), ""},
	}
}

// badIDs are ids that no server can have issued; good is one of typ that was issued.
func badIDs(typ, good string) map[string]string {
	end := gid(typ, strings.Repeat("5", 3-len(typ)%3)) // so long that the last character has unused bits
	end = end[:len(end)-1] + string(end[len(end)-1]+1)
	bad := map[string]string{
		"empty": "", "space": " ", "a word": "x", "several words": "not an id", "plain": typ + ":5", "a number": "5",
		"NUL": good + "\x00", "line feed at the end": good + "\n", "line feed inside": good[:4] + "\r\n" + good[4:], "space at the end": good + " ",
		"padding": good + "=", "other last bits": end, "half": good[:5], "too long": strings.Repeat("A", 65), "far too long": strings.Repeat("QUFB", 10_000),
		"no key": gid(typ, ""), "no type": gid("", "5"), "leading zero": gid(typ, "0280"), "plus": gid(typ, "+5"), "minus": gid(typ, "-5"), "zero": gid(typ, "0"),
		"over 32 bits": gid(typ, "2147483648"), "over 64 bits": gid(typ, "18446744073709551617"), "hexadecimal": gid(typ, "0x118"), "space in the key": gid(typ, " 5"),
		"full-width digit": gid(typ, "５"), "type in small letters": gid(strings.ToLower(typ), "5"), "unknown type": gid("Secret", "5"), "more after the key": gid(typ, "5:5"),
		"key of Redis": gid(typ, "{p18}:u:280"), "ill-formed UTF-8": gid(typ, "\xff"), "ill-formed timeline": gid("Timeline", "front:0:warm:desc"),
		"timeline of a negative owner": gid("Timeline", "category:-1:active:desc"), "session without name": gid("Session", "280"), "session of an empty name": gid("Session", "280:"),
		"TOP without its period": gid("Timeline", "front:0:top:desc"), "a rank of a day that ascends": gid("Timeline", "day_rank:46022:replies_today:asc"),
		"tag zero": gid("Tag", "0"), "tag over 52 bits": gid("Tag", "4503599627370496"),
	}
	delete(bad, map[string]string{"User": "zero", "Tag": "over 32 bits"}[typ]) // the ghost; tags have larger ids
	return bad
}

func (b *fullSite) badIDsInMutations() (tests []refusal) {
	for _, f := range b.idForms() {
		good := map[string]string{"Topic": b.topic, "Comment": b.comment, "Category": b.tea, "Tab": b.tab,
			"User": userID(b.ann), "UserList": gid("UserList", "24"), "Tag": gid("Tag", "5")}
		bad := badIDs(f.typ, good[f.typ])
		for _, name := range slices.Sorted(maps.Keys(bad)) {
			tests = append(tests, refusal{f.path + " " + name, f.token, f.mutation, f.put(bad[name]),
				"BAD_USER_INPUT " + f.path})
		}
		delete(good, f.typ)
		delete(good, f.or)
		good["Tag"] = gid("Tag", "5")
		good["User"], good["Viewer"], good["Timeline"] = gid("User", "0"), gid("Viewer", "280"),
			gid("Timeline", "front:0:active:desc")
		good["missing "+f.typ] = gid(f.typ, "2147483647")
		for _, name := range slices.Sorted(maps.Keys(good)) {
			tests = append(tests, refusal{f.path + " is a " + name, f.token, f.mutation, f.put(good[name]),
				"NOT_FOUND " + f.path})
		}
	}
	for name, id := range badIDs("Topic", b.topic) {
		tests = append(tests, refusal{name, "", "recordClicks", input{"topicIds": []string{b.topic, id}},
			"BAD_USER_INPUT input.topicIds"})
	}
	for name, id := range badIDs("Session", gid("Session", "280:0123456789abcdef01234567")) {
		tests = append(tests, refusal{name, b.ann, "logout", input{"sessionId": id}, "BAD_USER_INPUT input.sessionId"})
	}
	return tests
}

func (b *fullSite) badIDsInQueries() (tests []refusal) {
	for _, q := range []struct{ typ, good, query, argument string }{
		{"Topic", b.topic, `query($id: ID!) { x: node(id: $id) { id } }`, "id"},
		{"Topic", b.topic, `query($id: ID!) { x: nodes(ids: [$id]) { id } }`, "ids"},
		{"User", gid("User", "280"), `query($id: ID!) { x: user(by: {id: $id}) { id } }`, "by.id"},
		{"Topic", b.topic, `query($id: ID!) { x: topic(by: {id: $id}) { id } }`, "by.id"},
		{"Category", b.tea, `query($id: ID!) { x: category(by: {id: $id}) { id } }`, "by.id"},
		{"Tab", b.tab, `query($id: ID!) { x: tab(by: {id: $id}) { id } }`, "by.id"},
		{"Tag", gid("Tag", "4503599627370495"), `query($id: ID!) { x: node(id: $id) { id } }`, "id"},
	} {
		for name, id := range badIDs(q.typ, q.good) {
			tests = append(tests, refusal{name, b.ann, q.query, input{"id": id}, "BAD_USER_INPUT " + q.argument})
		}
	}
	for n, want := range map[int]string{0: "BAD_USER_INPUT ids", 1: "", 100: "", 101: "BAD_USER_INPUT ids"} {
		tests = append(tests, refusal{fmt.Sprint(n, " ids"), "", `query($ids: [ID!]!) { nodes(ids: $ids) { id } }`,
			input{"ids": slices.Repeat([]string{b.topic}, n)}, want})
	}
	return tests
}

// The id of nothing is sound.
func TestIDsOfNothing(t *testing.T) {
	b := newFullSite(t)
	before := b.contents()
	nowhere := `query($id: ID!) { node(id: $id) { id } nodes(ids: [$id]) { id } user(by: {id: $id}) { id } topic(by: {id: $id}) { id } category(by: {id: $id}) { id } tab(by: {id: $id}) { id } }`
	for _, id := range []string{gid("Topic", "2147483647"), gid("User", "5"), gid("Category", "5"), gid("Tab", "5"),
		gid("Session", "5:0123456789abcdef01234567"), gid("Timeline", "tab:5:active:asc"),
		gid("Tag", "4503599627370495"), gid("Timeline", "tag:5:score:desc"),
		gid("Timeline", "day_rank:46020:replies_today:desc"), gid("Timeline", "day_rank:46023:replies_today:desc")} {
		a := b.ask(b.ann, nowhere, map[string]any{"id": id})
		wantEqual(t, "the id "+id+" of nothing", a.Data,
			map[string]any{"node": nil, "nodes": []any{nil}, "user": nil, "topic": nil, "category": nil, "tab": nil})
		b.wantUntouched(id, before, a)
	}
}

func (b *fullSite) badReferences() []refusal {
	topic := input{"title": "New", "category": input{"name": "Tea"}}
	missing := b.site.topic(b.mod, "Tea", "Of another partition")
	foreign := b.site.comment(b.mod, missing, "", "Of another partition")
	b.settle()
	return []refusal{
		{"no category", b.ann, "createTopic", input{"title": "New"}, "INVALID input.category"},
		{"unknown category", b.ann, "createTopic", with(topic, "category", input{"name": "Nowhere"}),
			"NOT_FOUND input.category.name"},
		{"empty category", b.ann, "createTopic", with(topic, "category", input{"name": ""}), "NOT_FOUND input.category.name"},
		{"category of control characters", b.ann, "createTopic", with(topic, "category", input{"name": "\x00\r\u0085"}),
			"NOT_FOUND input.category.name"},
		{"unknown category", b.ann, "updateTopic", input{"topicId": b.topic, "category": input{"name": "Nowhere"}},
			"NOT_FOUND input.category.name"},
		{"article without link", b.ann, "createTopic", with(topic, "kind", "ARTICLE"), "INVALID input.link"},
		{"article without link and category", b.ann, "createTopic", input{"title": "New", "kind": "ARTICLE"},
			"INVALID input.link"},
		{"article of an unknown category", b.ann, "createTopic", input{"title": "New", "kind": "ARTICLE",
			"link": "https://go.dev/", "category": input{"name": "Nowhere"}}, "NOT_FOUND input.category.name"},
		{"article without title", b.ann, "createTopic", input{"kind": "ARTICLE", "link": "https://go.dev/"},
			"TOO_SHORT input.title"},
		{"no title", b.ann, "createTopic", input{"category": input{"name": "Tea"}}, "TOO_SHORT input.title"},
		{"all at once", b.ann, "createTopic",
			input{"title": "", "content": "\x00", "link": "x", "tags": []string{"good", ""}, "idempotencyKey": ""},
			"TOO_SHORT input.title; INVALID input.content; INVALID input.link; INVALID input.category; TOO_SHORT input.tags.1; TOO_SHORT input.idempotencyKey"},
		{"deleted topic", b.bob, "createComment", input{"topicId": b.deleted, "content": "x"}, "NOT_FOUND input.topicId"},
		{"deleted topic, its author", b.ann, "createComment", input{"topicId": b.deleted, "content": "x"},
			"LOCKED input.topicId"},
		{"deleted topic, a moderator", b.mod, "createComment", input{"topicId": b.deleted, "content": "x"},
			"LOCKED input.topicId"},
		{"deleted topic", b.bob, "updateTopic", input{"topicId": b.deleted, "title": "x"}, "NOT_FOUND input.topicId"},
		{"deleted topic, author", b.ann, "updateTopic", input{"topicId": b.deleted, "title": "x"}, "LOCKED input.topicId"},
		{"deleted topic", b.bob, "deleteTopic", input{"topicId": b.deleted}, "NOT_FOUND input.topicId"},
		{"comment on a deleted topic", b.bob, "updateComment", input{"commentId": b.lost, "content": "x"},
			"NOT_FOUND input.commentId"},
		{"comment on a deleted topic, its author", b.ann, "updateComment", input{"commentId": b.lost, "content": "x"},
			"LOCKED input.commentId"},
		{"comment on a deleted topic", b.bob, "deleteComment", input{"commentId": b.lost}, "NOT_FOUND input.commentId"},
		{"tombstone", b.ann, "updateComment", input{"commentId": b.tombstone, "content": "x"}, "LOCKED input.commentId"},
		{"reply to a tombstone", b.bob, "createComment", input{"topicId": b.topic, "parentId": b.tombstone, "content": "x"},
			"LOCKED input.parentId"},
		{"reply to a tombstone, its author", b.ann, "createComment",
			input{"topicId": b.topic, "parentId": b.tombstone, "content": "x"}, "LOCKED input.parentId"},
		{"reply to a tombstone, a moderator", b.mod, "createComment",
			input{"topicId": b.topic, "parentId": b.tombstone, "content": "x"}, "LOCKED input.parentId"},
		{"of another user", b.bob, "updateTopic", input{"topicId": b.topic, "title": "x"}, "FORBIDDEN input.topicId"},
		{"of another user", b.bob, "deleteTopic", input{"topicId": b.topic}, "FORBIDDEN input.topicId"},
		{"of another user", b.bob, "updateComment", input{"commentId": b.comment, "content": "x"},
			"FORBIDDEN input.commentId"},
		{"of another user", b.bob, "deleteComment", input{"commentId": b.comment}, "FORBIDDEN input.commentId"},
		{"of another user, a moderator", b.mod, "deleteTopic", input{"topicId": b.topic}, "FORBIDDEN input.topicId"},
		{"deleted topic, a moderator", b.mod, "updateTopic", input{"topicId": b.deleted, "title": "x", "reason": "OTHER"},
			"LOCKED input.topicId"},
		{"parent of another topic", b.ann, "createComment",
			input{"topicId": b.topic, "parentId": b.foreign, "content": "x"}, "NOT_FOUND input.parentId"},
		{"parent of another topic and partition", b.ann, "createComment",
			input{"topicId": b.topic, "parentId": foreign, "content": "x"}, "NOT_FOUND input.parentId"},
		{"name of another", b.mod, "createCategory", input{"name": " ＴＥＡ "}, "TAKEN input.name"},
		{"name of another", b.mod, "updateCategory", input{"category": input{"id": b.ink}, "name": "te\u200ba"},
			"TAKEN input.name"},
		{"name of another", b.mod, "createTab", input{"name": "ALL"}, "TAKEN input.name"},
		{"with topics", b.mod, "deleteCategory", input{"category": input{"id": b.tea}}, "NOT_EMPTY input.category"},
		{"added and removed", b.mod, "updateTab", input{"tabId": b.tab, "addCategories": refs(b.tea, b.ink),
			"removeCategories": refs(b.ink)}, "INVALID input.removeCategories.0"},
		{"second of a list", b.mod, "createTab",
			input{"name": "New", "categories": refs(b.tea, gid("Category", "99"))}, "NOT_FOUND input.categories.1"},
		{"no topics", "", "recordClicks", input{"topicIds": []string{}}, "TOO_SHORT input.topicIds"},
		{"a topic too many", "", "recordClicks", input{"topicIds": slices.Repeat([]string{b.topic}, 101)},
			"TOO_LONG input.topicIds"},
		{"another's session", b.bob, "logout", input{"sessionId": gid("Session", "280:0123456789abcdef01234567")},
			"NOT_FOUND input.sessionId"},
	}
}

func TestTabBounds(t *testing.T) {
	s := newSite(t)
	mod := s.moderator("mia")
	ids := make([]string, forum.MaxTabCategories+1)
	for i := range ids {
		ids[i] = s.category(mod, fmt.Sprint("Category ", i))
	}
	create := func(name string, ids []string, want string) string {
		t.Helper()
		a := s.mutate(mod, "createTab", input{"name": name, "categories": refs(ids...)}, "tab { id }")
		s.wantVerdict(name, a, want)
		return a.text("createTab", "tab", "id")
	}
	create("A category too many", ids, "TOO_LONG input.categories")
	full := create("Full", ids[:forum.MaxTabCategories], "")
	last := ids[forum.MaxTabCategories]
	s.wantVerdict("add to a full tab", s.mutate(mod, "updateTab", input{"tabId": full, "addCategories": refs(last)},
		""), "TOO_LONG input.addCategories")
	s.wantVerdict("exchange in a full tab", s.mutate(mod, "updateTab",
		input{"tabId": full, "addCategories": refs(last), "removeCategories": refs(ids[:1]...)}, ""), "")
	s.wantVerdict("add those of a full tab", s.mutate(mod, "updateTab",
		input{"tabId": full, "addCategories": refs(ids[1:5]...)}, ""), "")
	for n := 1; n < forum.MaxCategoryTabs; n++ {
		create(fmt.Sprint("Tab ", n), []string{last, last}, "")
	}
	create("A tab too many", []string{ids[0], last}, "TOO_LONG input.categories.1")
	free := create("Free", ids[:1], "")
	s.wantVerdict("updateTab over the tabs", s.mutate(mod, "updateTab",
		input{"tabId": free, "addCategories": refs(last)}, ""), "TOO_LONG input.addCategories.0")
	s.wantVerdict("deleteTab", s.mutate(mod, "deleteTab", input{"tabId": full}, ""), "")
	s.wantVerdict("updateTab with a tab less", s.mutate(mod, "updateTab",
		input{"tabId": free, "addCategories": refs(last)}, ""), "")
}
