package store

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var (
	tabCreate = newScript("tab_create")
	tabUpdate = newScript("tab_update")
	tabDelete = newScript("tab_delete")
)

// CreateTab makes a tab of categories; repetitions count once. It returns TAKEN at
// name, and at categoryIds NOT_FOUND, or TOO_LONG when one is in MaxCategoryTabs
// tabs already.
func (s *Store) CreateTab(ctx context.Context, name, fold string, categories []forum.CategoryID) (forum.TabID, error) {
	keys := []string{key.TabSequence, key.TabNames, key.Tabs}
	args := []any{key.TabPrefix, name, fold, int64(s.Now()), forum.MaxCategoryTabs}
	keys, args = appendCategories(keys, args, categories)
	id, err := s.rdb.Run(ctx, tabCreate, keys, args...).Int64()
	if err != nil {
		return 0, fmt.Errorf("create tab: %w", nameError(err, fold))
	}
	return forum.TabID(id), nil
}

// TabChange is what changes in a tab.
type TabChange struct {
	Name, Fold  string // "" leaves the name
	Add, Remove []forum.CategoryID
}

// UpdateTab renames a tab, adds and removes categories. It returns NOT_FOUND,
// TAKEN, and TOO_LONG when the tab would have more than MaxTabCategories
// categories or one of them be in more than MaxCategoryTabs tabs.
func (s *Store) UpdateTab(ctx context.Context, id forum.TabID, c TabChange) error {
	keys := []string{key.Tab(id), key.TabNames, key.TabCategories(id)}
	args := []any{key.Itoa(id), c.Name, c.Fold, forum.MaxCategoryTabs, forum.MaxTabCategories, len(c.Add)}
	keys, args = appendCategories(keys, args, c.Add)
	keys, args = appendCategories(keys, args, c.Remove)
	if err := s.rdb.Run(ctx, tabUpdate, keys, args...).Err(); err != nil {
		return fmt.Errorf("update tab %d: %w", id, nameError(err, c.Fold))
	}
	return nil
}

func appendCategories(keys []string, args []any, categories []forum.CategoryID) ([]string, []any) {
	for _, c := range categories {
		keys = append(keys, key.Category(c), key.CategoryTabs(c))
		args = append(args, key.Itoa(c))
	}
	return keys, args
}

// DeleteTab deletes a tab, not what it shows. It returns NOT_FOUND.
func (s *Store) DeleteTab(ctx context.Context, id forum.TabID) error {
	for {
		categories, err := s.rdb.ZRange(ctx, key.TabCategories(id), 0, -1).Result()
		if err != nil {
			return fmt.Errorf("delete tab %d: %w", id, err)
		}
		keys := []string{key.Tab(id), key.TabNames, key.Tabs, key.TabCategories(id)}
		args := []any{key.Itoa(id)}
		for _, c := range categories {
			category, err := forum.ParseID[forum.CategoryID](c)
			if err != nil {
				return fmt.Errorf("category %q of tab %d: %w", c, id, err)
			}
			keys = append(keys, key.CategoryTabs(category))
			args = append(args, c)
		}
		gone, err := s.rdb.Run(ctx, tabDelete, keys, args...).Bool()
		if err != nil {
			return fmt.Errorf("delete tab %d: %w", id, scriptError(err))
		}
		if gone {
			return nil
		}
	}
}
