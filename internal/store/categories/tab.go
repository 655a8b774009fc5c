package categories

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/internal/section"
)

// CreateTab creates a tab of categories at position 0, as AddTab does.
func (s *Store) CreateTab(ctx context.Context, name, fold string, categories []forum.CategoryID) (forum.TabID, error) {
	return s.AddTab(ctx, NewTab{Name: name, Fold: fold, Categories: categories})
}

// NewTab is a tab to create, and TabChange a change to one.
type (
	NewTab    = section.NewTab
	TabChange = section.TabChange
)

// AddTab creates a tab of categories, ignoring duplicates. It returns TAKEN at name, and at categories
// NOT_FOUND, or TOO_LONG if one is already in MaxCategoryTabs tabs.
func (s *Store) AddTab(ctx context.Context, in NewTab) (forum.TabID, error) {
	return s.AddTabAs(ctx, in, s.acts.SectionRecorder(in.By))
}

// AddTabAs is AddTab, as r records it.
func (s *Store) AddTabAs(ctx context.Context, in NewTab, r section.Recorder) (forum.TabID, error) {
	done, err := section.CreateTab(ctx, s.engine.Client, in, r)
	if err != nil {
		return 0, err
	}
	return done.ID, s.acts.ListAct(ctx, done.Recorded, forum.ActCreateTab, forum.Subject{Tab: done.ID}, r)
}

// UpdateTab renames or moves a tab, and adds and removes categories. It returns NOT_FOUND, TAKEN, and TOO_LONG
// if the tab would have more than MaxTabCategories categories or one of them would be in more than
// MaxCategoryTabs tabs.
func (s *Store) UpdateTab(ctx context.Context, id forum.TabID, c TabChange) error {
	return s.UpdateTabAs(ctx, id, c, s.acts.SectionRecorder(c.By))
}

// UpdateTabAs is UpdateTab, as r records it.
func (s *Store) UpdateTabAs(ctx context.Context, id forum.TabID, c TabChange, r section.Recorder) error {
	act, err := section.UpdateTab(ctx, s.engine.Client, id, c, r)
	if err != nil {
		return err
	}
	return s.acts.ListAct(ctx, act, forum.ActUpdateTab, forum.Subject{Tab: id}, r)
}

// DeleteTab deletes a tab but not its categories; by is nil for the command line. It returns NOT_FOUND.
func (s *Store) DeleteTab(ctx context.Context, by *forum.Viewer, id forum.TabID) error {
	return s.DeleteTabAs(ctx, id, s.acts.SectionRecorder(by))
}

// DeleteTabAs is DeleteTab, as r records it.
func (s *Store) DeleteTabAs(ctx context.Context, id forum.TabID, r section.Recorder) error {
	act, err := section.DeleteTab(ctx, s.engine.Client, id, r)
	if err != nil {
		return err
	}
	return s.acts.ListAct(ctx, act, forum.ActDeleteTab, forum.Subject{Tab: id}, r)
}
