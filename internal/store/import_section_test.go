package store

import (
	"slices"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/bulk"
	"agora/internal/store/categories"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
)

// rooms begins an import and reads what earlier imports created.
func (x *site) sections() (*bulk.Import, bulk.Sections) {
	x.t.Helper()
	im := x.Import()
	sections, err := im.Sections(x.ctx)
	wantOK(x.t, "Rooms", err)
	return im, sections
}

// tabCategories returns the ids of the categories of a tab.
func (x *site) tabCategories(id forum.TabID) []forum.CategoryID {
	x.t.Helper()
	return ids[forum.CategoryID](x, listing.TabCategories(id))
}

// Existing categories and tabs with the same name are adopted; of two that have one name on the other site
// the second is refused.
func TestImportAdoptsSectionsByName(t *testing.T) {
	x := newSite(t)
	category, tab := x.category("old"), x.tab("archive")
	im, sections := x.sections()
	if id, err := im.Category(t.Context(), sections, "old:c", "Old", "old", ""); err != nil || id != category {
		t.Errorf("Category = %d, %v; want %d", id, err, category)
	}
	if id, err := im.Tab(t.Context(), sections, "old:t", "Archive", "archive"); err != nil || id != tab {
		t.Errorf("Tab = %d, %v; want %d", id, err, tab)
	}
	_, err := im.Category(t.Context(), sections, "old:d", "OLD", "old", "")
	wantCode(t, "Category of the same name", err, forum.CodeTaken)
	_, err = im.Tab(t.Context(), sections, "old:u", "ARCHIVE", "archive")
	wantCode(t, "Tab of the same name", err, forum.CodeTaken)
	if id, err := im.Category(t.Context(), sections, "other:c", "Old", "old", ""); err != nil || id != category {
		t.Errorf("Category of a third site = %d, %v; want %d", id, err, category)
	}
	x.wantClean()
	im, sections = x.sections()
	if sections.Categories["old:c"] != category || sections.Categories["other:c"] != category ||
		sections.Tabs["old:t"] != tab || len(sections.Categories) != 2 {
		t.Errorf("Sections = %+v; want category %d twice and tab %d", sections, category, tab)
	}
	_, err = im.Category(t.Context(), sections, "old:d", "Old", "old", "")
	wantCode(t, "Category of the same name in the next run", err, forum.CodeTaken)
	x.wantClean()
}

// A category that was deleted here is created again; one that was renamed stays the imported one.
func TestImportedSectionsThatChangedHere(t *testing.T) {
	x := newSite(t)
	first, err := x.importSections(x.Import())
	wantOK(t, "import", err)
	wantOK(t, "DeleteCategory", x.DeleteCategory(t.Context(), nil, first.Categories["old:c"]))
	wantOK(t, "UpdateCategory",
		x.UpdateCategory(t.Context(), first.Categories["old:d"], categories.CategoryChange{Name: text("New"), Fold: text("new")}))
	wantOK(t, "DeleteTab", x.DeleteTab(t.Context(), nil, first.Tabs["old:t"]))
	_, sections := x.sections()
	if len(sections.Categories) != 1 || len(sections.Tabs) != 0 {
		t.Errorf("Sections = %+v; want the renamed category only", sections)
	}
	x.wantClean()
	again, err := x.importSections(x.Import())
	wantOK(t, "import", err)
	if again.Categories["old:d"] != first.Categories["old:d"] || again.Categories["old:c"] == first.Categories["old:c"] {
		t.Errorf("Sections = %+v; want old:c again, old:d as before in %+v", again, first)
	}
	x.wantClean()
}

// An import adds a category to its tab once: a later removal is permanent.
func TestAddToTabOnlyOnce(t *testing.T) {
	x := newSite(t)
	sections, err := x.importSections(x.Import())
	wantOK(t, "import", err)
	tab, c, d := sections.Tabs["old:t"], sections.Categories["old:c"], sections.Categories["old:d"]
	if got := x.tabCategories(tab); len(got) != 2 {
		t.Errorf("categories of the tab = %v; want %d and %d", got, c, d)
	}
	wantOK(t, "UpdateTab", x.UpdateTab(t.Context(), tab, categories.TabChange{Remove: []forum.CategoryID{c}}))
	for range 2 {
		if _, err := x.importSections(x.Import()); err != nil {
			t.Errorf("import again: %v", err)
		}
		if got := x.tabCategories(tab); !slices.Equal(got, []forum.CategoryID{d}) {
			t.Errorf("categories of the tab = %v; want %d", got, d)
		}
	}
	x.wantClean()
}

// A full tab refuses more categories.
func TestAddToAFullTab(t *testing.T) {
	x := newSite(t)
	sections, err := x.importSections(x.Import())
	wantOK(t, "import", err)
	var many []forum.CategoryID
	for n := range forum.MaxTabCategories - 2 {
		many = append(many, x.category("c"+key.Itoa(forum.CategoryID(n))))
	}
	wantOK(t, "UpdateTab", x.UpdateTab(t.Context(), sections.Tabs["old:t"], categories.TabChange{Add: many}))
	im, sections := x.sections()
	_, err = im.Category(t.Context(), sections, "old:e", "Extra", "extra", "")
	wantOK(t, "Category", err)
	wantCode(t, "AddToTab", im.AddToTab(t.Context(), sections, "old:t", "old:e"), forum.CodeTooLong)
	wantOK(t, "AddToTab again", im.AddToTab(t.Context(), sections, "old:t", "old:e")) // reported once
	x.wantClean()
}

// A run died between creating a tab, or adding a category, and recording it.
func TestSectionsLeftByADeadRun(t *testing.T) {
	x := newSite(t)
	sections, err := x.importSections(x.Import())
	wantOK(t, "import", err)
	x.rdb.Del(t.Context(), key.TabSources)
	again, err := x.importSections(x.Import())
	if err != nil || again.Tabs["old:t"] != sections.Tabs["old:t"] {
		t.Errorf("import again = %+v, %v; want tab %d", again, err, sections.Tabs["old:t"])
	}
	x.wantClean()
}
