package categories_test

import (
	"slices"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/categories"
	"agora/internal/store/storetest"
)

// A tab and its categories know each other, and names are free again, after each change of either.
func TestChangesOfTabsLeaveBothSidesSound(t *testing.T) {
	x := storetest.New(t)
	a, b, c := x.Category("a"), x.Category("b"), x.Category("c")
	first, second := x.Tab("first", b, a, b), x.Tab("second", b)
	for _, change := range []func() error{
		func() error {
			return x.Categories.UpdateTab(t.Context(), first, categories.TabChange{Name: "Third", Fold: "third",
				Add: []forum.CategoryID{c, c, a}, Remove: []forum.CategoryID{b}})
		},
		func() error {
			return x.Categories.UpdateTab(t.Context(), first,
				categories.TabChange{Add: []forum.CategoryID{b}, Remove: []forum.CategoryID{b}})
		},
		func() error {
			return x.Categories.UpdateCategory(t.Context(), c, categories.CategoryChange{Name: new("D"), Fold: new("d")})
		},
		func() error { return x.Categories.DeleteTab(t.Context(), nil, second) },
		func() error { return x.Categories.DeleteCategory(t.Context(), nil, a) },
	} {
		storetest.WantOK(t, "a change", change())
		x.WantSound()
	}
}

func TestChangesOfSectionsAreRefused(t *testing.T) {
	x := storetest.New(t)
	category := x.Category("go")
	_, taken := x.Categories.CreateCategory(t.Context(), "GO", "go", "")
	storetest.WantCode(t, "CreateCategory with a taken name", taken, forum.CodeTaken)
	storetest.WantCode(t, "UpdateTab, remove a missing category", x.Categories.UpdateTab(t.Context(), x.Tab("tab"),
		categories.TabChange{Remove: []forum.CategoryID{99}}), forum.CodeNotFound)
	_, err := x.Categories.CreateTab(t.Context(), "t", "t", []forum.CategoryID{category, 99})
	if got := storetest.PathOf(err); !slices.Equal(got, forum.Path("categories", "1")) {
		t.Errorf("path of CreateTab with a missing category = %v; want categories 1", got)
	}
}
