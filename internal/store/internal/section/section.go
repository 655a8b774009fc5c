// Package section writes categories and tabs, which share one slot.
package section

import (
	"context"
	"fmt"
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// NewCategory is a category to create.
type NewCategory struct {
	Name, Fold, Description string
	Position                int
	// Source is what it was imported from; "" for none.
	Source string
}

// CreateCategory creates a category. It returns TAKEN at name.
func CreateCategory(ctx context.Context, rdb *pipeline.Client, in NewCategory,
	now forum.Time) (forum.CategoryID, error) {
	id, err := rdb.Run(ctx, script.CategoryCreate{
		Sequence: key.CategorySequence, Names: key.CategoryNames, Categories: key.Categories,
		Sources: key.CategorySources,
		Prefix:  key.CategoryPrefix, Name: in.Name, Fold: in.Fold, Description: in.Description,
		Position: int64(in.Position), Now: now, Source: in.Source,
	}).Int64()
	if err != nil {
		return 0, fmt.Errorf("create category: %w", NameError(err, in.Fold))
	}
	return forum.CategoryID(id), nil
}

// CategoryChange is a change to a category; nil leaves a field unchanged.
type CategoryChange struct {
	Name, Fold  *string // both or none
	Description *string
	Position    *int
}

// UpdateCategory renames, describes or moves a category. It returns NOT_FOUND, TAKEN.
func UpdateCategory(ctx context.Context, rdb *pipeline.Client, id forum.CategoryID, c CategoryChange) error {
	call := script.CategoryUpdate{
		Category: key.Category(id), Names: key.CategoryNames, Categories: key.Categories,
		Shown: key.CategoryTabs(id), ID: id, Position: optional(c.Position),
	}
	if c.Name != nil {
		call.Fold = *c.Fold
		call.Fields = append(call.Fields, "name", *c.Name)
	}
	if c.Description != nil {
		call.Fields = append(call.Fields, "description", *c.Description)
	}
	for {
		if c.Position != nil {
			tabs, err := linked[forum.TabID](ctx, rdb, call.Shown)
			if err != nil {
				return fmt.Errorf("update category %d: %w", id, err)
			}
			call.Tabs = nil
			for _, tab := range tabs {
				call.Tabs = append(call.Tabs, script.CategoryUpdateTab{Of: key.TabCategories(tab), ID: tab})
			}
		}
		if done, err := rdb.Run(ctx, call).Bool(); err != nil {
			return fmt.Errorf("update category %d: %w", id, NameError(err, call.Fold))
		} else if done {
			return nil
		}
	}
}

// NewTab is a tab to create.
type NewTab struct {
	Name, Fold string
	Categories []forum.CategoryID
	Position   int
}

// CreateTab creates a tab of categories, ignoring duplicates. It returns TAKEN at name, and at categories
// NOT_FOUND, or TOO_LONG if one is already in MaxCategoryTabs tabs.
func CreateTab(ctx context.Context, rdb *pipeline.Client, in NewTab, now forum.Time) (forum.TabID, error) {
	call := script.TabCreate{
		Sequence: key.TabSequence, Names: key.TabNames, Tabs: key.Tabs,
		Prefix: key.TabPrefix, Name: in.Name, Fold: in.Fold, Position: int64(in.Position), Now: now,
		Most: forum.MaxCategoryTabs,
	}
	for _, c := range in.Categories {
		call.Categories = append(call.Categories, script.TabCreateCategory{
			Category: key.Category(c), Tabs: key.CategoryTabs(c), ID: c,
		})
	}
	id, err := rdb.Run(ctx, call).Int64()
	if err != nil {
		return 0, fmt.Errorf("create tab: %w", NameError(err, in.Fold))
	}
	return forum.TabID(id), nil
}

// TabChange is a change to a tab.
type TabChange struct {
	Name, Fold  string // "" leaves the name unchanged
	Position    *int   // nil leaves it unchanged
	Add, Remove []forum.CategoryID
}

// UpdateTab renames or moves a tab, and adds and removes categories. It returns NOT_FOUND, TAKEN, and TOO_LONG
// if the tab would have more than MaxTabCategories categories or one of them would be in more than
// MaxCategoryTabs tabs.
func UpdateTab(ctx context.Context, rdb *pipeline.Client, id forum.TabID, c TabChange) error {
	call := script.TabUpdate{
		Tab: key.Tab(id), Names: key.TabNames, Members: key.TabCategories(id), All: key.Tabs,
		ID: id, Name: c.Name, Fold: c.Fold, Position: optional(c.Position),
		MostTabs: forum.MaxCategoryTabs, MostMembers: forum.MaxTabCategories,
	}
	for _, c := range c.Add {
		call.Add = append(call.Add, script.TabUpdateAdd{Category: key.Category(c), Tabs: key.CategoryTabs(c), ID: c})
	}
	for _, c := range c.Remove {
		call.Remove = append(call.Remove, script.TabUpdateRemove{
			Category: key.Category(c), Tabs: key.CategoryTabs(c), ID: c,
		})
	}
	for {
		if c.Position != nil {
			categories, err := linked[forum.CategoryID](ctx, rdb, call.Members)
			if err != nil {
				return fmt.Errorf("update tab %d: %w", id, err)
			}
			call.Now = nil
			for _, c := range categories {
				call.Now = append(call.Now, script.TabUpdateNow{Tabs: key.CategoryTabs(c), ID: c})
			}
		}
		if done, err := rdb.Run(ctx, call).Bool(); err != nil {
			return fmt.Errorf("update tab %d: %w", id, NameError(err, c.Fold))
		} else if done {
			return nil
		}
	}
}

// DeleteTab deletes a tab but not its categories. It returns NOT_FOUND.
func DeleteTab(ctx context.Context, rdb *pipeline.Client, id forum.TabID) error {
	for {
		call := script.TabDelete{
			Tab: key.Tab(id), Names: key.TabNames, Tabs: key.Tabs, Members: key.TabCategories(id),
			ID: id,
		}
		categories, err := linked[forum.CategoryID](ctx, rdb, call.Members)
		if err != nil {
			return fmt.Errorf("delete tab %d: %w", id, err)
		}
		for _, c := range categories {
			call.Categories = append(call.Categories, script.TabDeleteCategory{Tabs: key.CategoryTabs(c), ID: c})
		}
		if deleted, err := rdb.Run(ctx, call).Bool(); err != nil {
			return fmt.Errorf("delete tab %d: %w", id, record.ScriptError(err))
		} else if deleted {
			return nil
		}
	}
}

// linked reads the tabs of a category, or the categories of a tab.
func linked[ID ~int64](ctx context.Context, rdb *pipeline.Client, links string) ([]ID, error) {
	members, err := rdb.Redis.ZRange(ctx, links, 0, -1).Result()
	if err != nil {
		return nil, err
	}
	ids := make([]ID, len(members))
	for i, m := range members {
		if ids[i], err = forum.ParseID[ID](m); err != nil {
			return nil, fmt.Errorf("entry %q of %s: %w", m, links, err)
		}
	}
	return ids, nil
}

func optional(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// NameError adds the folded name to TAKEN.
func NameError(err error, fold string) error {
	err = record.ScriptError(err)
	if e, ok := err.(*forum.Error); ok && e.Code == forum.CodeTaken {
		e.Value = fold
	}
	return err
}
