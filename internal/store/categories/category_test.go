package categories_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store/categories"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
)

func oneCategory(x *storetest.Site, id forum.CategoryID) *forum.Category {
	x.T.Helper()
	r := x.Read(x.Ctx)
	return storetest.One(x, r, r.Listing.Categories([]forum.CategoryID{id}))
}

func oneTab(x *storetest.Site, id forum.TabID) *forum.Tab {
	x.T.Helper()
	r := x.Read(x.Ctx)
	return storetest.One(x, r, r.Listing.Tabs([]forum.TabID{id}))
}

// named finds categories and tabs by folded name.
func named(x *storetest.Site, fold string) (forum.CategoryID, forum.TabID) {
	x.T.Helper()
	r := x.Read(x.Ctx)
	categories, tabs := r.Categories.CategoriesNamed([]string{fold}), r.Categories.TabsNamed([]string{fold})
	storetest.WantOK(x.T, "Exec", r.Exec())
	c := must.Do(categories())(x.T)
	t := must.Do(tabs())(x.T)
	return c[0], t[0]
}

func TestCategoryReadsBackAsGiven(t *testing.T) {
	x := storetest.New(t)
	id := must.Do(x.Categories.CreateCategory(t.Context(), "Go Language", "go language", "All about Go"))(t)
	want := &forum.Category{ID: id, Name: "Go Language", Description: "All about Go"}
	if diff := cmp.Diff(want, oneCategory(x, id)); diff != "" {
		t.Errorf("category (-want +got):\n%s", diff)
	}
	if got, _ := named(x, "go language"); got != id {
		t.Errorf("CategoriesNamed = %d; want %d", got, id)
	}
	if got, _ := named(x, "Go Language"); got != 0 {
		t.Errorf("CategoriesNamed of a name that is not folded = %d; want none", got)
	}
	second := x.Category("redis")
	if got, want := storetest.IDs[forum.CategoryID](x, listing.AllCategories()), []forum.CategoryID{id,
		second}; !slices.Equal(got, want) {
		t.Errorf("all categories = %v; want %v", got, want)
	}
	x.WantSound()
}

func TestCategoryNamesAreUnique(t *testing.T) {
	x := storetest.New(t)
	goID, redisID := x.Category("go"), x.Category("redis")
	_, err := x.Categories.CreateCategory(t.Context(), "GO", "go", "")
	storetest.WantCode(t, "CreateCategory with a taken name", err, forum.CodeTaken)
	err = x.Categories.UpdateCategory(t.Context(), redisID, categories.CategoryChange{Name: new("Go"),
		Fold: new("go")})
	storetest.WantCode(t, "UpdateCategory to a taken name", err, forum.CodeTaken)
	storetest.WantOK(t, "UpdateCategory to its own name",
		x.Categories.UpdateCategory(t.Context(), goID, categories.CategoryChange{Name: new("Go!"), Fold: new("go")}))
	if got := oneCategory(x, goID).Name; got != "Go!" {
		t.Errorf("Name = %q; want Go!", got)
	}
	storetest.WantOK(t, "UpdateCategory", x.Categories.UpdateCategory(t.Context(), goID,
		categories.CategoryChange{Name: new("Golang"), Fold: new("golang"), Description: new("d")}))
	if old, _ := named(x, "go"); old != 0 {
		t.Errorf("the old name is category %d; want none", old)
	}
	if got, _ := named(x, "golang"); got != goID {
		t.Errorf("the new name is category %d; want %d", got, goID)
	}
	x.Category("go")
	storetest.WantOK(t, "DeleteCategory", x.Categories.DeleteCategory(t.Context(), nil, goID))
	x.Category("golang")
	x.WantSound()
}

func TestMissingCategoriesAndTabs(t *testing.T) {
	x := storetest.New(t)
	category := x.Category("go")
	calls := map[string]error{
		"UpdateCategory": x.Categories.UpdateCategory(t.Context(), 99,
			categories.CategoryChange{Description: new("d")}),
		"DeleteCategory": x.Categories.DeleteCategory(t.Context(), nil, 99),
		"UpdateTab":      x.Categories.UpdateTab(t.Context(), 99, categories.TabChange{Name: "n", Fold: "n"}),
		"DeleteTab":      x.Categories.DeleteTab(t.Context(), nil, 99),
		"UpdateTab add": x.Categories.UpdateTab(t.Context(), x.Tab("tab"),
			categories.TabChange{Add: []forum.CategoryID{category, 99}}),
		"UpdateTab remove": x.Categories.UpdateTab(t.Context(), x.Tab("tab2", category),
			categories.TabChange{Remove: []forum.CategoryID{99}}),
		"CreateTab of a missing category": func() error {
			_, err := x.Categories.CreateTab(t.Context(), "t", "t", []forum.CategoryID{category, 99})
			return err
		}(),
	}
	for name, err := range calls {
		storetest.WantCode(t, name, err, forum.CodeNotFound)
	}
	if got := storetest.PathOf(calls["CreateTab of a missing category"]); !slices.Equal(got,
		forum.Path("categories", "1")) {
		t.Errorf("path of CreateTab = %v; want categories 1", got)
	}
	x.WantSound()
}

func TestDeleteCategoryOnlyWhenEmpty(t *testing.T) {
	x := storetest.New(t)
	author, category := x.User("ann"), x.Category("go")
	tab := x.Tab("tab", category, x.Category("redis"))
	topic := x.Topic(author, category)
	storetest.WantCode(t, "DeleteCategory with a topic", x.Categories.DeleteCategory(t.Context(), nil, category),
		forum.CodeNotEmpty)
	other := x.Topic(author, category) // a refused deletion leaves the category open
	for _, id := range []forum.TopicID{topic, other} {
		storetest.WantOK(t, "DeleteTopic", x.Posts.DeleteTopic(t.Context(), author, id))
	}
	storetest.WantOK(t, "DeleteCategory", x.Categories.DeleteCategory(t.Context(), nil, category))
	storetest.WantCode(t, "DeleteCategory again", x.Categories.DeleteCategory(t.Context(), nil, category),
		forum.CodeNotFound)
	if got := oneTab(x, tab).CategoryCount; got != 1 {
		t.Errorf("CategoryCount of its tab = %d; want 1", got)
	}
	x.WantClean()
}

// Behaviours A16 to A21: a tab is a set, visible from both sides.
func TestTabsAndCategoriesKnowEachOther(t *testing.T) {
	x := storetest.New(t)
	a, b, c := x.Category("a"), x.Category("b"), x.Category("c")
	first, second := x.Tab("first", b, a, b), x.Tab("second", b)
	tests := []struct {
		name string
		got  any
		want any
	}{
		{"categories of the first tab", storetest.IDs[forum.CategoryID](x, listing.TabCategories(first)),
			[]forum.CategoryID{a, b}},
		{"count of the first tab", oneTab(x, first).CategoryCount, 2},
		{"tabs of b", storetest.IDs[forum.TabID](x, listing.CategoryTabs(b)), []forum.TabID{first, second}},
		{"tabs of c", storetest.IDs[forum.TabID](x, listing.CategoryTabs(c)), []forum.TabID{}},
		{"all tabs", storetest.IDs[forum.TabID](x, listing.AllTabs()), []forum.TabID{first, second}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	x.WantSound()
	storetest.WantOK(t, "UpdateTab", x.Categories.UpdateTab(t.Context(), first,
		categories.TabChange{Add: []forum.CategoryID{c, c, a}, Remove: []forum.CategoryID{b}}))
	if got, want := storetest.IDs[forum.CategoryID](x, listing.TabCategories(first)), []forum.CategoryID{a,
		c}; !slices.Equal(got, want) {
		t.Errorf("categories after UpdateTab = %v; want %v", got, want)
	}
	x.WantSound()
	storetest.WantOK(t, "UpdateTab", x.Categories.UpdateTab(t.Context(), first,
		categories.TabChange{Add: []forum.CategoryID{b}, Remove: []forum.CategoryID{b}}))
	if got := oneTab(x, first).CategoryCount; got != 2 {
		t.Errorf("CategoryCount after adding and removing the same = %d; want 2", got)
	}
	x.WantSound()
	storetest.WantOK(t, "DeleteTab", x.Categories.DeleteTab(t.Context(), nil, second))
	storetest.WantCode(t, "DeleteTab again", x.Categories.DeleteTab(t.Context(), nil, second), forum.CodeNotFound)
	if _, tab := named(x, "second"); tab != 0 {
		t.Errorf("the name of a deleted tab is tab %d; want none", tab)
	}
	storetest.WantOK(t, "DeleteCategory", x.Categories.DeleteCategory(t.Context(), nil, a))
	x.WantSound()
}

func TestTabNamesAreUnique(t *testing.T) {
	x := storetest.New(t)
	first, second := x.Tab("first"), x.Tab("second")
	_, err := x.Categories.CreateTab(t.Context(), "First", "first", nil)
	storetest.WantCode(t, "CreateTab with a taken name", err, forum.CodeTaken)
	storetest.WantCode(t, "UpdateTab to a taken name", x.Categories.UpdateTab(t.Context(), second,
		categories.TabChange{Name: "First", Fold: "first"}),
		forum.CodeTaken)
	storetest.WantOK(t, "UpdateTab", x.Categories.UpdateTab(t.Context(), first, categories.TabChange{Name: "Third",
		Fold: "third"}))
	if got := x.Tab("first"); got == first {
		t.Errorf("CreateTab with a released name = %d; want a new tab", got)
	}
	x.WantSound()
}

// The edge of MaxTabCategories: 50 and 51.
func TestTabHoldsAtMostFiftyCategories(t *testing.T) {
	x := storetest.New(t)
	all := x.SomeCategories(forum.MaxTabCategories + 1)
	full, last := all[:forum.MaxTabCategories], all[forum.MaxTabCategories]
	tab := x.Tab("tab", full...)
	add := func(change categories.TabChange) error { return x.Categories.UpdateTab(t.Context(), tab, change) }
	storetest.WantCode(t, "UpdateTab beyond the cap", add(categories.TabChange{Add: []forum.CategoryID{last}}),
		forum.CodeTooLong)
	storetest.WantOK(t, "UpdateTab with present categories", add(categories.TabChange{Add: full[:5]}))
	storetest.WantOK(t, "UpdateTab, one in, one out", add(categories.TabChange{Add: []forum.CategoryID{last},
		Remove: full[:1]}))
	if got := oneTab(x, tab).CategoryCount; got != forum.MaxTabCategories {
		t.Errorf("CategoryCount = %d; want %d", got, forum.MaxTabCategories)
	}
	x.WantSound()
}

// The edge of MaxCategoryTabs: 16 and 17.
func TestCategoryIsInAtMostSixteenTabs(t *testing.T) {
	x := storetest.New(t)
	category, free := x.Category("go"), x.Category("redis")
	for n := range forum.MaxCategoryTabs {
		x.Tab(fmt.Sprintf("tab %d", n), category)
	}
	_, err := x.Categories.CreateTab(t.Context(), "one more", "one more", []forum.CategoryID{free, category})
	storetest.WantCode(t, "CreateTab beyond the cap", err, forum.CodeTooLong)
	if got := storetest.PathOf(err); !slices.Equal(got, forum.Path("categories", "1")) {
		t.Errorf("path = %v; want categories 1", got)
	}
	tab := x.Tab("empty")
	err = x.Categories.UpdateTab(t.Context(), tab, categories.TabChange{Add: []forum.CategoryID{category}})
	storetest.WantCode(t, "UpdateTab beyond the cap", err, forum.CodeTooLong)
	storetest.WantOK(t, "DeleteTab", x.Categories.DeleteTab(t.Context(), nil, 1))
	storetest.WantOK(t, "UpdateTab after a removal", x.Categories.UpdateTab(t.Context(), tab,
		categories.TabChange{Add: []forum.CategoryID{category}}))
	x.WantSound()
}
