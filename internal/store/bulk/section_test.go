package bulk_test

import (
	"testing"

	"agora/internal/store/bulk"
	"agora/internal/store/categories"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
)

// rooms begins an import and reads what earlier imports created.
func sections(x *storetest.Site) (*bulk.Import, bulk.Sections) {
	x.T.Helper()
	im := x.Import()
	sections := must.Do(im.Sections(x.Ctx))(x.T)
	return im, sections
}

// A category that was deleted here is created again; one that was renamed stays the imported one.
func TestImportedSectionsThatChangedHere(t *testing.T) {
	x := storetest.New(t)
	first := must.Do(x.ImportSections(x.Import()))(t)
	storetest.WantOK(t, "DeleteCategory", x.Categories.DeleteCategory(t.Context(), nil, first.Categories["old:c"]))
	storetest.WantOK(t, "UpdateCategory",
		x.Categories.UpdateCategory(t.Context(), first.Categories["old:d"],
			categories.CategoryChange{Name: new("New"), Fold: new("new")}))
	storetest.WantOK(t, "DeleteTab", x.Categories.DeleteTab(t.Context(), nil, first.Tabs["old:t"]))
	_, sections := sections(x)
	if len(sections.Categories) != 1 || len(sections.Tabs) != 0 {
		t.Errorf("Sections = %+v; want the renamed category only", sections)
	}
	x.WantClean()
	again := must.Do(x.ImportSections(x.Import()))(t)
	if again.Categories["old:d"] != first.Categories["old:d"] ||
		again.Categories["old:c"] == first.Categories["old:c"] {
		t.Errorf("Sections = %+v; want old:c again, old:d as before in %+v", again, first)
	}
	x.WantClean()
}

// A run died between creating a tab, or adding a category, and recording it.
func TestSectionsLeftByADeadRun(t *testing.T) {
	x := storetest.New(t)
	sections := must.Do(x.ImportSections(x.Import()))(t)
	x.Redis.Del(t.Context(), key.TabSources)
	again, err := x.ImportSections(x.Import())
	if err != nil || again.Tabs["old:t"] != sections.Tabs["old:t"] {
		t.Errorf("import again = %+v, %v; want tab %d", again, err, sections.Tabs["old:t"])
	}
	x.WantClean()
}
