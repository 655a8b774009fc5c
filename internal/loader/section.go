package loader

import (
	"context"

	"agora/internal/forum"
)

// Categories returns handles of categories.
func (l *Loaders) Categories(ids []forum.CategoryID) []*Category {
	return l.categoryHandles.named(ids)
}

// CategoriesNow reads categories by id; nil for one that does not exist.
func (l *Loaders) CategoriesNow(ctx context.Context, ids []forum.CategoryID) ([]*Category, []error) {
	found := l.Categories(ids)
	errs := l.NeedCategories(ctx, found)
	return present(found), errs
}

// HidesCategories reports whether there are categories that the viewer does not see.
func (l *Loaders) HidesCategories() bool {
	l.rules()
	return l.hides
}

// SeesCategory reports whether the viewer sees a category, if it exists.
func (l *Loaders) SeesCategory(id forum.CategoryID) bool { return l.rules().In(id).SeenBy(l.viewer) }

// CategoryNamed returns a category by its folded name, or nil if it does not exist or the viewer does not see it.
func (l *Loaders) CategoryNamed(ctx context.Context, fold string) (*Category, error) {
	id, err := l.categoryBy.one(ctx, fold)
	if err != nil || id == 0 || !l.SeesCategory(id) {
		return nil, err
	}
	return l.categoryHandles.one(id), nil
}

// AskCategoriesNamed queues the look-up of categories by their folded names.
func (l *Loaders) AskCategoriesNamed(folds []string) { l.categoryBy.ask(folds) }

// CategoryCounts returns how many categories of tabs the viewer sees.
func (l *Loaders) CategoryCounts(ctx context.Context, tabs []*Tab) ([]int, []error) {
	counts := make([]int, len(tabs))
	if !l.HidesCategories() {
		errs := l.NeedTabs(ctx, tabs)
		for i, t := range tabs {
			counts[i] = t.CategoryCount
		}
		return counts, errs
	}
	ids := make([]forum.TabID, len(tabs))
	for i, t := range tabs {
		ids[i] = t.ID
	}
	categories, errs := l.TabCategories(ctx, ids)
	for i := range tabs {
		counts[i] = len(categories[i])
	}
	return counts, errs
}

// Tabs returns handles of tabs.
func (l *Loaders) Tabs(ids []forum.TabID) []*Tab { return l.tabHandles.named(ids) }

// TabsNow reads tabs by id; nil for one that does not exist.
func (l *Loaders) TabsNow(ctx context.Context, ids []forum.TabID) ([]*Tab, []error) {
	found := l.Tabs(ids)
	errs := l.NeedTabs(ctx, found)
	return present(found), errs
}

// TabNamed returns a tab by its folded name, or nil if it does not exist.
func (l *Loaders) TabNamed(ctx context.Context, fold string) (*Tab, error) {
	id, err := l.tabBy.one(ctx, fold)
	if err != nil || id == 0 {
		return nil, err
	}
	return l.tabHandles.one(id), nil
}
