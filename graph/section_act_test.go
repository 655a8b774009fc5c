package graph_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"agora/internal/test/must"
)

const changedFields = `action subjectId subject { __typename } member { login } moderator { login }
	before { name description position categoryIds tabIds } after { name description position categoryIds tabIds }`

// Changes of categories and tabs are in the log, with what they changed.
func TestActsOnCategoriesAndTabs(t *testing.T) {
	s := newSite(t)
	mod := s.moderator("mia")
	tea, ink := s.category(mod, "Tea"), s.category(mod, "Ink")
	change := func(field string, in input) {
		t.Helper()
		s.clock.Advance(second)
		s.wantVerdict(field, s.mutate(mod, field, in, ""), "")
	}
	s.clock.Advance(second)
	tab := s.mutate(mod, "createTab", input{"name": "All", "categories": refs(tea)}, "tab { id }").
		text("createTab", "tab", "id")
	change("updateCategory", input{"category": input{"id": tea}, "name": "Vandal", "description": "Café \"<x>\"\nend",
		"position": 3})
	change("updateCategory", input{"category": input{"id": tea}, "name": "Vandal"}) // changes nothing
	change("updateTab", input{"tabId": tab, "name": "Most", "addCategories": refs(ink)})
	change("deleteCategory", input{"category": input{"id": ink}})
	change("deleteTab", input{"tabId": tab})

	want := func(action, id, typ, before, after string) string {
		return fmt.Sprintf(`{"action":%q,"after":%s,"before":%s,"member":null,"moderator":{"login":"mia"},"subject":%s,"subjectId":%q}`,
			action, after, before, typ, id)
	}
	state := func(categories, description, name, position, tabs string) string {
		return fmt.Sprintf(`{"categoryIds":%s,"description":%s,"name":%s,"position":%s,"tabIds":%s}`, categories,
			description, name, position, tabs)
	}
	category := `{"__typename":"Category"}`
	both, _ := json.Marshal([]string{ink, tea})
	wants := []string{
		want("DELETE_TAB", tab, "null", state(fmt.Sprintf("[%q]", tea), "null", `"Most"`, "0", "null"), "null"),
		want("DELETE_CATEGORY", ink, "null", state("null", `""`, `"Ink"`, "0", fmt.Sprintf("[%q]", tab)), "null"),
		want("UPDATE_TAB", tab, "null", state(fmt.Sprintf("[%q]", tea), "null", `"All"`, "null", "null"),
			state(string(both), "null", `"Most"`, "null", "null")),
		want("UPDATE_CATEGORY", tea, category, state("null", `""`, `"Tea"`, "0", "null"),
			state("null", `"Café \"<x>\"\nend"`, `"Vandal"`, "3", "null")),
		want("CREATE_TAB", tab, "null", "null", state(fmt.Sprintf("[%q]", tea), "null", `"All"`, "0", "null")),
		want("CREATE_CATEGORY", ink, "null", "null", state("null", `""`, `"Ink"`, "0", "null")),
	}
	a := s.must(mod, `{ moderationLog(first: 6) { nodes { `+changedFields+` } } }`, nil)
	for i, want := range wants {
		wantEqual(t, fmt.Sprint("act ", i), compact(t, a.at("moderationLog", "nodes", i)), compactText(t, want))
	}

	on := s.must(mod, `query($s: ID!) { moderationLog(first: 9, subjectId: $s) { nodes { id action } } }`, input{"s": tea})
	wantEqual(t, "the acts on a category", on.texts("action", "moderationLog", "nodes"),
		[]string{"UPDATE_CATEGORY", "CREATE_CATEGORY"})
	id := on.text("moderationLog", "nodes", 0, "id")
	s.wantSeesAct(id, mod)
}

// wantSeesAct checks who sees an act on a category, and what it changed.
func (s *site) wantSeesAct(id, mod string) {
	s.t.Helper()
	root, ann := s.admin("ada"), s.user("ann")
	query := `query($id: ID!) { node(id: $id) { ... on ModerationAct { action before { name } after { name } } } }`
	sees := func(who, token, want string) {
		s.t.Helper()
		wantEqual(s.t, who, fmt.Sprint(s.must(token, query, input{"id": id}).at("node")), want)
	}
	whole := "map[action:UPDATE_CATEGORY after:map[name:Vandal] before:map[name:Tea]]"
	sees("a moderator", mod, whole)
	sees("an administrator", root, whole)
	sees("a member", ann, "<nil>")
	sees("signed out", "", "<nil>")
	s.wantVerdict("updateRules", s.mutate(root, "updateRules", input{"publicModerationLog": true}, ""), "")
	bare := "map[action:UPDATE_CATEGORY after:<nil> before:<nil>]"
	sees("a member, of a public log", ann, bare)
	sees("signed out, of a public log", "", bare)
	sees("a moderator, of a public log", mod, whole)
}

// Changes of rules and of the blocklist are in the log; its words are for administrators only.
func TestActsOnTheSite(t *testing.T) {
	s := newSite(t)
	root, mod, ann := s.admin("ada"), s.moderator("mia"), s.user("ann")
	s.wantVerdict("updateRules", s.mutate(root, "updateRules", input{"newMemberLinks": 2, "heldPosts": 0,
		"publicModerationLog": true}, ""), "")
	s.clock.Advance(second)
	s.wantVerdict("words", s.mutate(mod, "updateBlocklist", input{"kind": "WORD", "add": []string{"spam", "ham"}}, ""), "")
	s.clock.Advance(second)
	s.wantVerdict("words", s.mutate(mod, "updateBlocklist", input{"kind": "DOMAIN", "add": []string{"a.example"}}, ""), "")
	s.clock.Advance(second)
	s.wantVerdict("words", s.mutate(mod, "updateBlocklist", input{"kind": "WORD", "remove": []string{"ham", "egg"}}, ""),
		"")

	rules := `{"action":"UPDATE_RULES","after":%s,"before":%s,"subject":null,"subjectId":null}`
	list := `{"action":"UPDATE_BLOCKLIST","after":%s,"before":%s,"subject":null,"subjectId":null}`
	state := func(domains, rules, words string) string {
		return fmt.Sprintf(`{"domains":%s,"rules":%s,"words":%s}`, domains, rules, words)
	}
	oldRules := state("null", `[{"name":"newMemberLinks","value":-1},{"name":"publicModerationLog","value":0}]`, "null")
	newRules := state("null", `[{"name":"newMemberLinks","value":2},{"name":"publicModerationLog","value":1}]`, "null")
	seen := fmt.Sprintf(rules, newRules, oldRules)
	entries := []string{fmt.Sprintf(list, "null", state("null", "null", `["ham"]`)),
		fmt.Sprintf(list, state(`["a.example"]`, "null", "null"), "null"),
		fmt.Sprintf(list, state("null", "null", `["spam","ham"]`), "null")}
	hidden := fmt.Sprintf(list, "null", "null")
	for who, tt := range map[string]struct {
		token string
		want  []string
	}{
		"an administrator": {root, append(entries, seen)},
		"a moderator":      {mod, []string{hidden, hidden, hidden, seen}},
		"a member":         {ann, []string{hidden, hidden, hidden, fmt.Sprintf(rules, "null", "null")}},
	} {
		a := s.must(tt.token, `{ moderationLog(first: 4) { nodes { action subjectId subject { __typename }
			before { rules { name value } words domains } after { rules { name value } words domains } } } }`, nil)
		for i, want := range tt.want {
			wantEqual(t, fmt.Sprint("act ", i, " for ", who), compact(t, a.at("moderationLog", "nodes", i)),
				compactText(t, want))
		}
	}
}

// An EDIT has the old and the new title, for moderators of the site and whoever did it.
func TestActsOfEdits(t *testing.T) {
	s := newSite(t)
	root, mod, ann, cat, dan := s.admin("ada"), s.moderator("mia"), s.user("ann"), s.user("cat"), s.user("dan")
	for _, name := range []string{"Tea", "Ink"} {
		who := map[string]string{"Tea": cat, "Ink": dan}[name]
		s.wantVerdict("appoint", s.mutate(root, "setCategoryModerators", input{"category": input{"id": s.category(mod, name)},
			"add": []string{userID(who)}}, ""), "")
	}
	topic := s.topic(ann, "Tea", `A "title"`)
	s.clock.Advance(second)
	s.wantVerdict("updateTopic", s.mutate(cat, "updateTopic", input{"topicId": topic, "title": "Another",
		"reason": "OTHER"}, ""), "")
	for who, tt := range map[string]struct{ token, want string }{
		"a moderator":            {mod, `[{"title":"A \"title\"","link":null},{"title":"Another","link":null}]`},
		"who did it":             {cat, `[{"title":"A \"title\"","link":null},{"title":"Another","link":null}]`},
		"of another category":    {dan, "[null,null]"},
		"the author of the post": {ann, "[null,null]"},
	} {
		a := s.must(tt.token, `query($u: ID!) { moderationLog(user: {id: $u}, first: 1) { nodes { action fields
			before { title link } after { title link } } } }`, input{"u": userID(ann)})
		node := a.at("moderationLog", "nodes", 0).(map[string]any)
		wantEqual(t, who, compact(t, []any{node["before"], node["after"]}), compactText(t, tt.want))
		wantEqual(t, "fields", fmt.Sprint(node["fields"]), "[title]")
	}
}

func compact(t testing.TB, v any) string {
	t.Helper()
	b := must.Do(json.Marshal(v))(t)
	return string(b)
}

// compactText returns JSON in the form that compact has.
func compactText(t testing.TB, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return compact(t, v)
}
