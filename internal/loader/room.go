package loader

import (
	"context"

	"agora/internal/breadth"
	"agora/internal/forum"
)

// Categories gives categories by id; nil where there is none.
func (l *Loaders) Categories(ctx context.Context, ids []forum.CategoryID) ([]*forum.Category, []error) {
	if breadth.Running(ctx) {
		return l.categoryHandles.named(ids), nil
	}
	return l.categories.many(ctx, ids)
}

// CategoriesNow reads categories by id; nil where there is none.
func (l *Loaders) CategoriesNow(ctx context.Context, ids []forum.CategoryID) ([]*forum.Category, []error) {
	found, errs := l.Categories(ctx, ids)
	if !breadth.Running(ctx) {
		return found, errs
	}
	errs = l.NeedCategories(ctx, found)
	return present(found), errs
}

// CategoryNamed gives a category by its folded name; nil when there is none.
func (l *Loaders) CategoryNamed(ctx context.Context, fold string) (*forum.Category, error) {
	id, err := l.categoryBy.one(ctx, fold)
	if err != nil || id == 0 {
		return nil, err
	}
	found, errs := l.Categories(ctx, []forum.CategoryID{id})
	return found[0], at(errs, 0)
}

// Tabs gives tabs by id; nil where there is none.
func (l *Loaders) Tabs(ctx context.Context, ids []forum.TabID) ([]*forum.Tab, []error) {
	if breadth.Running(ctx) {
		return l.tabHandles.named(ids), nil
	}
	return l.tabs.many(ctx, ids)
}

// TabsNow reads tabs by id; nil where there is none.
func (l *Loaders) TabsNow(ctx context.Context, ids []forum.TabID) ([]*forum.Tab, []error) {
	found, errs := l.Tabs(ctx, ids)
	if !breadth.Running(ctx) {
		return found, errs
	}
	errs = l.NeedTabs(ctx, found)
	return present(found), errs
}

// TabNamed gives a tab by its folded name; nil when there is none.
func (l *Loaders) TabNamed(ctx context.Context, fold string) (*forum.Tab, error) {
	id, err := l.tabBy.one(ctx, fold)
	if err != nil || id == 0 {
		return nil, err
	}
	found, errs := l.Tabs(ctx, []forum.TabID{id})
	return found[0], at(errs, 0)
}
