package categories_test

import (
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
