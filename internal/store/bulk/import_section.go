package bulk

import (
	"context"
	"fmt"
	"maps"

	"agora/internal/forum"
	"agora/internal/store/categories"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
)

// Sections are the imported categories and tabs of other sites, by Source. Placements of categories in tabs
// are keyed by the tab's Source, a line feed and the category's Source.
type Sections struct {
	Categories map[string]forum.CategoryID
	Tabs       map[string]forum.TabID
	Placed     map[string]bool
	// Deleted are the categories that were deleted here.
	Deleted map[string]bool
}

// Sections reads what was imported before, in two round trips.
func (im *Import) Sections(ctx context.Context) (Sections, error) {
	r := Sections{Categories: map[string]forum.CategoryID{}, Tabs: map[string]forum.TabID{}, Placed: map[string]bool{},
		Deleted: map[string]bool{}}
	b := im.s.engine.Client.Batch()
	categories := b.HGetAll(ctx, key.CategorySources)
	tabs := b.HGetAll(ctx, key.TabSources)
	if err := b.Exec(ctx); err != nil {
		return r, fmt.Errorf("import categories: %w", err)
	}
	var categoryIDs []forum.CategoryID
	for source := range categories.Val() {
		r.Categories[source] = forum.CategoryID(record.Fields(categories.Val()).Int(source))
		categoryIDs = append(categoryIDs, r.Categories[source])
	}
	var tabIDs []forum.TabID
	for source, id := range tabs.Val() {
		if id == record.Placed {
			r.Placed[source] = true
			continue
		}
		r.Tabs[source] = forum.TabID(record.Fields(tabs.Val()).Int(source))
		tabIDs = append(tabIDs, r.Tabs[source])
	}
	// Sections that were deleted here are created again when a new topic needs them.
	read := im.s.engine.Read(ctx)
	readCategories, readTabs := listing.On(read).Categories(categoryIDs), listing.On(read).Tabs(tabIDs)
	if err := read.Exec(); err != nil {
		return r, fmt.Errorf("import categories: %w", err)
	}
	cs, _ := readCategories()
	ts, _ := readTabs()
	foundCategories, foundTabs := map[forum.CategoryID]bool{}, map[forum.TabID]bool{}
	for i, id := range categoryIDs {
		foundCategories[id] = cs[i] != nil
	}
	for i, id := range tabIDs {
		foundTabs[id] = ts[i] != nil
	}
	for source, id := range r.Categories {
		r.Deleted[source] = !foundCategories[id]
	}
	maps.DeleteFunc(r.Categories, func(_ string, id forum.CategoryID) bool { return !foundCategories[id] })
	maps.DeleteFunc(r.Tabs, func(_ string, id forum.TabID) bool { return !foundTabs[id] })
	return r, nil
}

// Category creates a category. If its name is in use by a category that was not imported from the same site
// under another source, that category is used; otherwise it returns TAKEN.
func (im *Import) Category(ctx context.Context, sections Sections, source, name, fold,
	description string) (forum.CategoryID, error) {
	id, err := im.s.categories.AddCategory(ctx,
		categories.NewCategory{Name: name, Fold: fold, Description: description, Source: source})
	if forum.CodeOf(err) == forum.CodeTaken {
		if id, err = adopt(ctx, im, source, func(r *engine.Read, folds []string) func() ([]forum.CategoryID, error) {
			return categories.On(r).CategoriesNamed(folds)
		}, fold, sections.Categories, key.CategorySources,
			err); err != nil {
			return 0, err
		}
	}
	if err != nil {
		return 0, fmt.Errorf("import category: %w", err)
	}
	sections.Categories[source] = id
	return id, nil
}

// Tab creates a tab, or finds the one with that name, as Category does.
func (im *Import) Tab(ctx context.Context, sections Sections, source, name, fold string) (forum.TabID, error) {
	id, err := im.s.categories.CreateTab(ctx, name, fold, nil)
	if err == nil {
		err = im.s.engine.Client.Redis.HSet(ctx, key.TabSources, source, key.Itoa(id)).Err()
	} else if forum.CodeOf(err) == forum.CodeTaken {
		// Also the one that this import created just before it died.
		id, err = adopt(ctx, im, source, func(r *engine.Read, folds []string) func() ([]forum.TabID, error) {
			return categories.On(r).TabsNamed(folds)
		}, fold, sections.Tabs, key.TabSources, err)
	}
	if err != nil {
		return 0, fmt.Errorf("import tab: %w", err)
	}
	sections.Tabs[source] = id
	return id, nil
}

// adopt finds the section with a name that is taken, unless it was imported from the same site under
// another source.
func adopt[ID ~int64](ctx context.Context, im *Import, source string,
	named func(*engine.Read, []string) func() ([]ID, error), fold string,
	known map[string]ID, k string, taken error) (ID, error) {
	read := im.s.engine.Read(ctx)
	find := named(read, []string{fold})
	if err := read.Exec(); err != nil {
		return 0, err
	}
	ids, _ := find()
	for other, id := range known {
		if id == ids[0] && siteOf(other) == siteOf(source) {
			return 0, taken
		}
	}
	if ids[0] == 0 {
		return 0, taken // deleted concurrently
	}
	return ids[0], im.s.engine.Client.Redis.HSet(ctx, k, source, key.Itoa(ids[0])).Err()
}

// AddToTab adds a category to a tab, once: if it is removed later, it is not added again. It returns
// TOO_LONG if the tab or the category has no room left.
func (im *Import) AddToTab(ctx context.Context, sections Sections, tabSource, categorySource string) error {
	placement := tabSource + "\n" + categorySource
	if sections.Placed[placement] {
		return nil
	}
	change := categories.TabChange{Add: []forum.CategoryID{sections.Categories[categorySource]}}
	err := im.s.categories.UpdateTab(ctx, sections.Tabs[tabSource], change)
	if err != nil && forum.CodeOf(err) == "" {
		return fmt.Errorf("import tab: %w", err)
	}
	sections.Placed[placement] = true
	if err != nil {
		return err
	}
	if err := im.s.engine.Client.Redis.HSet(ctx, key.TabSources, placement, record.Placed).Err(); err != nil {
		return fmt.Errorf("import tab: %w", err)
	}
	return nil
}
