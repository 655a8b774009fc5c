package store_test

import (
	"testing"

	"agora/internal/store/bulk"
	"agora/internal/store/categories"
	"agora/internal/store/internal/key"
	"agora/internal/test/must"
)

// rooms begins an import and reads what earlier imports created.
func (x *site) sections() (*bulk.Import, bulk.Sections) {
	x.t.Helper()
	im := x.Import()
	sections := must.Do(im.Sections(x.ctx))(x.t)
	return im, sections
}

// A category that was deleted here is created again; one that was renamed stays the imported one.
func TestImportedSectionsThatChangedHere(t *testing.T) {
	x := newSite(t)
	first := must.Do(x.importSections(x.Import()))(t)
	wantOK(t, "DeleteCategory", x.Categories.DeleteCategory(t.Context(), nil, first.Categories["old:c"]))
	wantOK(t, "UpdateCategory",
		x.Categories.UpdateCategory(t.Context(), first.Categories["old:d"],
			categories.CategoryChange{Name: new("New"), Fold: new("new")}))
	wantOK(t, "DeleteTab", x.Categories.DeleteTab(t.Context(), nil, first.Tabs["old:t"]))
	_, sections := x.sections()
	if len(sections.Categories) != 1 || len(sections.Tabs) != 0 {
		t.Errorf("Sections = %+v; want the renamed category only", sections)
	}
	x.wantClean()
	again := must.Do(x.importSections(x.Import()))(t)
	if again.Categories["old:d"] != first.Categories["old:d"] || again.Categories["old:c"] == first.Categories["old:c"] {
		t.Errorf("Sections = %+v; want old:c again, old:d as before in %+v", again, first)
	}
	x.wantClean()
}

// A run died between creating a tab, or adding a category, and recording it.
func TestSectionsLeftByADeadRun(t *testing.T) {
	x := newSite(t)
	sections := must.Do(x.importSections(x.Import()))(t)
	x.rdb.Del(t.Context(), key.TabSources)
	again, err := x.importSections(x.Import())
	if err != nil || again.Tabs["old:t"] != sections.Tabs["old:t"] {
		t.Errorf("import again = %+v, %v; want tab %d", again, err, sections.Tabs["old:t"])
	}
	x.wantClean()
}
