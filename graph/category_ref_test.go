package graph_test

import "testing"

// Categories are named by id or by name wherever an input names one.
func TestCategoriesByName(t *testing.T) {
	b := newFullSite(t)
	a := b.mutate(b.mod, "createTab", input{"name": "Drinks", "categories": []input{{"name": "tea"}, {"id": b.ink}}},
		"tab { id categories { nodes { name } } }")
	wantEqual(t, "a new tab", a.texts("name", "createTab", "tab", "categories", "nodes"), []string{"Tea", "Ink"})
	tab := a.text("createTab", "tab", "id")
	a = b.mutate(b.mod, "updateTab", input{"tabId": tab, "removeCategories": []input{{"name": "INK"}}},
		"tab { categories { nodes { name } } }")
	wantEqual(t, "without Ink", a.texts("name", "updateTab", "tab", "categories", "nodes"), []string{"Tea"})
	a = b.mutate(b.mod, "updateCategory", input{"category": input{"name": "Ink"}, "name": "Inks"}, "category { id name }")
	wantEqual(t, "renamed", a.at("updateCategory", "category"), any(map[string]any{"id": b.ink, "name": "Inks"}))
	b.wantVerdict("its name in capitals", b.mutate(b.mod, "updateCategory",
		input{"category": input{"name": "Inks"}, "name": "INKS"}, ""), "")
	a = b.mutate(b.mod, "deleteCategory", input{"category": input{"name": "inks"}}, "deletedCategoryId")
	wantEqual(t, "deleted", a.text("deleteCategory", "deletedCategoryId"), b.ink)
	for _, c := range []struct {
		field string
		in    input
		want  string
	}{
		{"createTab", input{"name": "New", "categories": []input{{"name": "Tea"}, {"name": "None"}}},
			"NOT_FOUND input.categories.1"},
		{"updateTab", input{"tabId": tab, "addCategories": []input{{"name": "None"}}}, "NOT_FOUND input.addCategories.0"},
		{"updateTab", input{"tabId": tab, "addCategories": []input{{"name": "Tea"}}, "removeCategories": refs(b.tea)},
			"INVALID input.removeCategories.0"},
		{"updateCategory", input{"category": input{"name": "None"}}, "NOT_FOUND input.category"},
		{"deleteCategory", input{"category": input{"name": "None"}}, "NOT_FOUND input.category"},
		{"deleteCategory", input{"category": input{"name": "Tea", "id": b.tea}}, "BAD_USER_INPUT"},
	} {
		before := b.contents()
		a := b.mutate(b.mod, c.field, c.in, "")
		if got := a.verdict(); got != c.want && (c.want != "BAD_USER_INPUT" || a.code() != c.want) {
			t.Errorf("%s %v: refused with %q; want %q", c.field, c.in, got, c.want)
		}
		b.wantUntouched(c.field, before, a)
	}
}
