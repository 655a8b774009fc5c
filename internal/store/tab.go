package store

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/script"
)

// CreateTab creates a tab of categories, ignoring duplicates. It returns TAKEN at name, and at categoryIds
// NOT_FOUND, or TOO_LONG if one is already in MaxCategoryTabs tabs.
func (s *Store) CreateTab(ctx context.Context, name, fold string, categories []forum.CategoryID) (forum.TabID, error) {
	call := script.TabCreate{
		Sequence: key.TabSequence, Names: key.TabNames, Tabs: key.Tabs,
		Prefix: key.TabPrefix, Name: name, Fold: fold, Now: s.Now(), Most: forum.MaxCategoryTabs,
	}
	for _, c := range categories {
		call.Categories = append(call.Categories, script.TabCreateCategory{
			Category: key.Category(c), Tabs: key.CategoryTabs(c), ID: c,
		})
	}
	id, err := s.rdb.Run(ctx, call).Int64()
	if err != nil {
		return 0, fmt.Errorf("create tab: %w", nameError(err, fold))
	}
	return forum.TabID(id), nil
}

// TabChange is a change to a tab.
type TabChange struct {
	Name, Fold  string // "" leaves the name unchanged
	Add, Remove []forum.CategoryID
}

// UpdateTab renames a tab, and adds and removes categories. It returns NOT_FOUND, TAKEN, and TOO_LONG if
// the tab would have more than MaxTabCategories categories or one of them would be in more than
// MaxCategoryTabs tabs.
func (s *Store) UpdateTab(ctx context.Context, id forum.TabID, c TabChange) error {
	call := script.TabUpdate{
		Tab: key.Tab(id), Names: key.TabNames, Members: key.TabCategories(id),
		ID: id, Name: c.Name, Fold: c.Fold, MostTabs: forum.MaxCategoryTabs, MostMembers: forum.MaxTabCategories,
	}
	for _, c := range c.Add {
		call.Add = append(call.Add, script.TabUpdateAdd{Category: key.Category(c), Tabs: key.CategoryTabs(c), ID: c})
	}
	for _, c := range c.Remove {
		call.Remove = append(call.Remove, script.TabUpdateRemove{
			Category: key.Category(c), Tabs: key.CategoryTabs(c), ID: c,
		})
	}
	if err := s.rdb.Run(ctx, call).Err(); err != nil {
		return fmt.Errorf("update tab %d: %w", id, nameError(err, c.Fold))
	}
	return nil
}

// DeleteTab deletes a tab but not its categories. It returns NOT_FOUND.
func (s *Store) DeleteTab(ctx context.Context, id forum.TabID) error {
	for {
		categories, err := s.rdb.Redis.ZRange(ctx, key.TabCategories(id), 0, -1).Result()
		if err != nil {
			return fmt.Errorf("delete tab %d: %w", id, err)
		}
		call := script.TabDelete{
			Tab: key.Tab(id), Names: key.TabNames, Tabs: key.Tabs, Members: key.TabCategories(id),
			ID: id,
		}
		for _, c := range categories {
			category, err := forum.ParseID[forum.CategoryID](c)
			if err != nil {
				return fmt.Errorf("category %q of tab %d: %w", c, id, err)
			}
			call.Categories = append(call.Categories, script.TabDeleteCategory{
				Tabs: key.CategoryTabs(category), ID: category,
			})
		}
		deleted, err := s.rdb.Run(ctx, call).Bool()
		if err != nil {
			return fmt.Errorf("delete tab %d: %w", id, scriptError(err))
		}
		if deleted {
			return nil
		}
	}
}
