package graph_test

import (
	"fmt"
	"testing"
)

// latestAct returns the id of the latest act in the log.
func (s *site) latestAct(token string) string {
	s.t.Helper()
	return s.must(token, `{ moderationLog(first: 1) { nodes { id } } }`, nil).text("moderationLog", "nodes", 0, "id")
}

// revert reverts an act, a second after what was done before.
func (s *site) revert(token, id string) answer {
	s.t.Helper()
	s.clock.Advance(second)
	return s.mutate(token, "revertAct", input{"actId": id, "reason": "OTHER", "note": "Undo"},
		"changed act { id action note reverses { id reversedBy { id } } }")
}

// wantReverted checks that a call reverted an act by one of a kind.
func (s *site) wantReverted(a answer, id, action string) {
	s.t.Helper()
	s.wantVerdict("revertAct", a, "")
	by := a.text("revertAct", "act", "id")
	wantEqual(s.t, "revertAct", compact(s.t, a.at("revertAct", "act")), compactText(s.t, fmt.Sprintf(
		`{"id":%q,"action":%q,"note":"Undo","reverses":{"id":%q,"reversedBy":{"id":%q}}}`, by, action, id, by)))
	wantEqual(s.t, "changed", a.at("revertAct", "changed"), any(true))
}

// What moderators change of categories and tabs can be reverted, if nobody has changed it since.
func TestRevertSectionActs(t *testing.T) {
	s := newSite(t)
	mod := s.moderator("mia")
	tea, ink := s.category(mod, "Tea"), s.category(mod, "Ink")
	do := func(field string, in input) string {
		t.Helper()
		s.clock.Advance(second)
		s.wantVerdict(field, s.mutate(mod, field, in, ""), "")
		return s.latestAct(mod)
	}
	created := do("createTab", input{"name": "All", "categories": refs(tea), "position": 2})
	const query = `{ categories(first: 9) { nodes { name description position tabs { name } } }
		tabs(first: 9) { nodes { name position categories { nodes { name } } } } }`
	shown := func() string { return compact(t, s.must(mod, query, nil).at()) }
	tab := s.must(mod, `{ tabs(first: 1) { nodes { id } } }`, nil).text("tabs", "nodes", 0, "id")

	do("updateCategory", input{"category": input{"id": tea}, "position": -1})
	first := shown()
	renamed := do("updateCategory", input{"category": input{"id": tea}, "name": "Chai", "description": "d", "position": 1})
	s.wantReverted(s.revert(mod, renamed), renamed, "UPDATE_CATEGORY")
	wantEqual(t, "a category renamed and back", shown(), first)
	again := s.revert(mod, renamed)
	s.wantVerdict("again", again, "")
	wantEqual(t, "again", again.at("revertAct", "changed"), any(false))
	wantEqual(t, "the act that reverted it", again.text("revertAct", "act", "id"), s.latestAct(mod))

	changed := do("updateTab", input{"tabId": tab, "name": "Most", "addCategories": refs(ink),
		"removeCategories": refs(tea)})
	s.wantReverted(s.revert(mod, changed), changed, "UPDATE_TAB")
	wantEqual(t, "a tab changed and back", shown(), first)
	dropped := do("deleteTab", input{"tabId": tab})
	s.wantReverted(s.revert(mod, dropped), dropped, "CREATE_TAB")
	wantEqual(t, "a tab deleted and back", shown(), first)
	deleted := do("deleteCategory", input{"category": input{"id": tea}})
	s.wantReverted(s.revert(mod, deleted), deleted, "CREATE_CATEGORY")
	wantEqual(t, "a category deleted and back", shown(), first)
	second := s.latestAct(mod)
	s.wantReverted(s.revert(mod, second), second, "DELETE_CATEGORY")
	third := s.latestAct(mod)
	s.wantReverted(s.revert(mod, third), third, "CREATE_CATEGORY")
	wantEqual(t, "a category that came and went", shown(), first)
	s.wantVerdict("what is gone", s.revert(mod, created), "CONFLICT input.actId")
	wantEqual(t, "a refused one changes nothing", shown(), first)
}

// A revert that meets another change, or a name or topics that are in the way, changes nothing.
func TestRevertIsRefused(t *testing.T) {
	s := newSite(t)
	root, mod, ann := s.admin("ada"), s.moderator("mia"), s.user("ann")
	do := func(token, field string, in input) string {
		t.Helper()
		s.clock.Advance(second)
		s.wantVerdict(field, s.mutate(token, field, in, ""), "")
		return s.latestAct(root)
	}
	made := do(mod, "createCategory", input{"name": "Tea"})
	tea := s.must(mod, `{ category(by: {name: "Tea"}) { id } }`, nil).text("category", "id")
	renamed := do(mod, "updateCategory", input{"category": input{"id": tea}, "name": "Chai"})
	described := do(mod, "updateCategory", input{"category": input{"id": tea}, "description": "d"})
	do(mod, "updateCategory", input{"category": input{"id": tea}, "description": "e"})
	do(mod, "createCategory", input{"name": "tea"})
	filled := do(mod, "createCategory", input{"name": "Ink"})
	topic := s.topic(ann, "Ink", "A topic")
	locked := do(mod, "moderate", input{"subjectId": topic, "action": "LOCK", "reason": "OTHER"})
	rules := do(root, "updateRules", input{"heldPosts": 2})
	words := do(mod, "updateBlocklist", input{"kind": "WORD", "add": []string{"ham", "spam"}})
	do(mod, "updateBlocklist", input{"kind": "WORD", "remove": []string{"spam"}})
	warned := do(mod, "warn", input{"userId": userID(ann), "reason": "OTHER"})
	for _, tt := range []struct{ name, token, id, want string }{
		{"a creation changed since", mod, made, "CONFLICT input.actId"},
		{"a name that another has now", mod, renamed, "TAKEN input.actId"},
		{"a description changed since", mod, described, "CONFLICT input.actId"},
		{"a category with topics", mod, filled, "NOT_EMPTY input.actId"},
		{"a lock", mod, locked, "INVALID input.actId"},
		{"a warning", mod, warned, "INVALID input.actId"},
		{"rules, as a moderator", mod, rules, "FORBIDDEN input.actId"},
		{"words removed since", mod, words, "CONFLICT input.actId"},
		{"an act that does not exist", mod, gid("ModerationAct", "4294967295"), "NOT_FOUND input.actId"},
		{"as a member", ann, renamed, "FORBIDDEN"},
		{"signed out", "", renamed, "UNAUTHENTICATED"},
	} {
		before := s.latestAct(root)
		s.wantVerdict(tt.name, s.revert(tt.token, tt.id), tt.want)
		wantEqual(t, tt.name+": the latest act", s.latestAct(root), before)
	}
}

// Rules, blocklists and moderators of categories are reverted, too; the security log has the first two.
func TestRevertSiteActs(t *testing.T) {
	s := newSite(t)
	root, mod, ann := s.admin("ada"), s.moderator("mia"), s.user("ann")
	tea := s.category(mod, "Tea")
	do := func(field string, in input) string {
		t.Helper()
		s.clock.Advance(second)
		s.wantVerdict(field, s.mutate(root, field, in, ""), "")
		return s.latestAct(root)
	}
	const query = `{ site { showModerators rules { newMemberLinks heldPosts } } blocklist(kind: DOMAIN)
		category(by: {name: "Tea"}) { moderators { login } } }`
	shown := func() string { return compact(t, s.must(root, query, nil).at()) }
	do("updateRules", input{"newMemberLinks": 3})
	do("updateBlocklist", input{"kind": "DOMAIN", "add": []string{"a.example", "b.example"}})
	first := shown()
	for _, tt := range []struct {
		action, field string
		in            input
	}{
		{"UPDATE_RULES", "updateRules", input{"newMemberLinks": -1, "heldPosts": 2, "showModerators": true}},
		{"UPDATE_BLOCKLIST", "updateBlocklist", input{"kind": "DOMAIN", "add": []string{"c.example", "b.example"},
			"remove": []string{"a.example"}}},
		{"SET_MODERATOR", "setCategoryModerators", input{"category": input{"id": tea}, "add": []string{userID(ann)}}},
	} {
		id := do(tt.field, tt.in)
		if shown() == first {
			t.Errorf("%s changes nothing", tt.field)
		}
		s.wantReverted(s.revert(root, id), id, tt.action)
		wantEqual(t, tt.field+" and back", shown(), first)
		again := s.latestAct(root)
		s.wantReverted(s.revert(root, again), again, tt.action)
		if shown() == first {
			t.Errorf("%s: the revert is not reverted", tt.field)
		}
		id = s.latestAct(root)
		s.wantReverted(s.revert(root, id), id, tt.action)
		wantEqual(t, tt.field+", back and forth", shown(), first)
	}
}
