// Package section writes categories and tabs, which share one slot.
package section

import (
	"context"
	"embed"
	"fmt"
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Recorder is what scripts need to record an act of a moderator; of the command line they record none.
type Recorder struct {
	script.Creation
	script.Act
	script.Revert
}

// NewCategory is a category to create.
type NewCategory struct {
	Name, Fold, Description string
	Position                int
	// Tabs are the tabs that show it.
	Tabs []forum.TabID
	// Source is what it was imported from; "" for none.
	Source string
	// By is the moderator who creates it; nil for the command line and imports.
	By *forum.Viewer
}

// CreateCategory creates a category. It returns TAKEN at name, and at tabs NOT_FOUND, TOO_LONG.
func CreateCategory(ctx context.Context, rdb *pipeline.Client, in NewCategory,
	r Recorder) (done script.CategoryCreateResult, err error) {
	call := script.CategoryCreate{
		Creation: r.Creation, Act: r.Act, Revert: r.Revert,
		Numbers: key.CategorySequence, Names: key.CategoryNames, Categories: key.Categories, Sources: key.CategorySources,
		Keys: key.CategoryPrefix, Name: in.Name, Fold: in.Fold, Description: in.Description,
		Position: int64(in.Position), Now: r.ActAt, Source: in.Source,
		Most: forum.MaxTabCategories,
	}
	for _, t := range in.Tabs {
		call.Tabs = append(call.Tabs, script.CategoryCreateTab{Tab: key.Tab(t), Of: key.TabCategories(t), ID: t})
	}
	if done, err = call.Result(rdb.Run(ctx, call).Result()); err != nil {
		return done, fmt.Errorf("create category: %w", NameError(err, in.Fold))
	}
	return done, nil
}

// CategoryChange is a change to a category; nil leaves a field unchanged.
type CategoryChange struct {
	Name, Fold  *string // both or none
	Description *string
	Position    *int
	// By is the moderator who changes it; nil for the command line.
	By *forum.Viewer
}

// UpdateCategory renames, describes or moves a category, and returns the act, "0" for none. It returns NOT_FOUND,
// TAKEN.
func UpdateCategory(ctx context.Context, rdb *pipeline.Client, id forum.CategoryID, c CategoryChange,
	r Recorder) (act string, err error) {
	call := script.CategoryUpdate{
		Creation: r.Creation, Act: r.Act, Revert: r.Revert,
		Category: key.Category(id), Names: key.CategoryNames, Categories: key.Categories,
		Shown: key.CategoryTabs(id), ID: id, Position: optional(c.Position),
	}
	if c.Name != nil {
		call.Fold, call.Named = *c.Fold, *c.Name
	}
	if c.Description != nil {
		call.Described = "=" + *c.Description
	}
	for {
		if c.Position != nil {
			tabs, err := linked[forum.TabID](ctx, rdb, call.Shown)
			if err != nil {
				return "", fmt.Errorf("update category %d: %w", id, err)
			}
			call.Tabs = nil
			for _, tab := range tabs {
				call.Tabs = append(call.Tabs, script.CategoryUpdateTab{Of: key.TabCategories(tab), ID: tab})
			}
		}
		if done, err := call.Result(rdb.Run(ctx, call).Result()); err != nil {
			return "", fmt.Errorf("update category %d: %w", id, NameError(err, call.Fold))
		} else if done.Done {
			return done.Recorded, nil
		}
	}
}

// NewTab is a tab to create.
type NewTab struct {
	Name, Fold string
	Categories []forum.CategoryID
	Position   int
	// By is the moderator who creates it; nil for the command line and imports.
	By *forum.Viewer
}

// CreateTab creates a tab of categories, ignoring duplicates. It returns TAKEN at name, and at categories
// NOT_FOUND, or TOO_LONG if one is already in MaxCategoryTabs tabs.
func CreateTab(ctx context.Context, rdb *pipeline.Client, in NewTab,
	r Recorder) (done script.TabCreateResult, err error) {
	call := script.TabCreate{
		Creation: r.Creation, Act: r.Act, Revert: r.Revert,
		Numbers: key.TabSequence, Names: key.TabNames, Tabs: key.Tabs,
		Keys: key.TabPrefix, Name: in.Name, Fold: in.Fold, Position: int64(in.Position), Now: r.ActAt,
		Most: forum.MaxCategoryTabs,
	}
	for _, c := range in.Categories {
		call.Categories = append(call.Categories, script.TabCreateCategory{
			Category: key.Category(c), Tabs: key.CategoryTabs(c), ID: c,
		})
	}
	if done, err = call.Result(rdb.Run(ctx, call).Result()); err != nil {
		return done, fmt.Errorf("create tab: %w", NameError(err, in.Fold))
	}
	return done, nil
}

// TabChange is a change to a tab.
type TabChange struct {
	Name, Fold  string // "" leaves the name unchanged
	Position    *int   // nil leaves it unchanged
	Add, Remove []forum.CategoryID
	// By is the moderator who changes it; nil for the command line and imports.
	By *forum.Viewer
}

// UpdateTab renames or moves a tab, adds and removes categories, and returns the act, "0" for none. It returns
// NOT_FOUND, TAKEN, and TOO_LONG if the tab would have more than MaxTabCategories categories or one of them would be in
// more than MaxCategoryTabs tabs.
func UpdateTab(ctx context.Context, rdb *pipeline.Client, id forum.TabID, c TabChange,
	r Recorder) (act string, err error) {
	call := script.TabUpdate{
		Creation: r.Creation, Act: r.Act, Revert: r.Revert,
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
				return "", fmt.Errorf("update tab %d: %w", id, err)
			}
			call.Now = nil
			for _, c := range categories {
				call.Now = append(call.Now, script.TabUpdateNow{Tabs: key.CategoryTabs(c), ID: c})
			}
		}
		if done, err := call.Result(rdb.Run(ctx, call).Result()); err != nil {
			return "", fmt.Errorf("update tab %d: %w", id, NameError(err, c.Fold))
		} else if done.Done {
			return done.Recorded, nil
		}
	}
}

// DeleteTab deletes a tab but not its categories, and returns the act, "0" for none. It returns NOT_FOUND.
func DeleteTab(ctx context.Context, rdb *pipeline.Client, id forum.TabID, r Recorder) (act string, err error) {
	for {
		call := script.TabDelete{
			Creation: r.Creation, Act: r.Act, Revert: r.Revert,
			Tab: key.Tab(id), Names: key.TabNames, Tabs: key.Tabs, Members: key.TabCategories(id),
			ID: id,
		}
		categories, err := linked[forum.CategoryID](ctx, rdb, call.Members)
		if err != nil {
			return "", fmt.Errorf("delete tab %d: %w", id, err)
		}
		for _, c := range categories {
			call.Categories = append(call.Categories, script.TabDeleteCategory{Tabs: key.CategoryTabs(c), ID: c})
		}
		if done, err := call.Result(rdb.Run(ctx, call).Result()); err != nil {
			return "", fmt.Errorf("delete tab %d: %w", id, record.ScriptError(err))
		} else if done.Deleted {
			return done.Recorded, nil
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
