package loader

import (
	"context"
	"math"

	"agora/internal/forum"
	"agora/internal/store/listing"
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
func (l *Loaders) HidesCategories() bool { return l.rules().Hidden(l.viewer) != nil }

// SeesCategory reports whether the viewer sees a category, if it exists.
func (l *Loaders) SeesCategory(id forum.CategoryID) bool { return l.rules().In(id).SeenBy(l.viewer) }

// allCategories is a window of a whole list of categories.
var allCategories = forum.Window{Count: math.MaxInt32}

// windowOf returns the window in which a page of a list is read: all of it, if the viewer does not see some of what it
// may have.
func (l *Loaders) windowOf(list *listing.List, w *forum.Window) *forum.Window {
	if list.Categories && l.HidesCategories() {
		return &allCategories
	}
	return w
}

// seenCategories returns a page of those categories of a whole list that the viewer sees.
func (l *Loaders) seenCategories(all *forum.Page, w forum.Window) *forum.Page {
	return seenRows(all.Rows, w, func(id int64) bool { return l.SeesCategory(forum.CategoryID(id)) })
}

// seenRows returns a page of those rows of a whole list that the viewer sees.
func seenRows(all []forum.Row, w forum.Window, sees func(id int64) bool) *forum.Page {
	var rows []forum.Row
	first := 0 // the first row after w.After
	end := 0   // the first row from w.Before on
	for _, row := range all {
		if !sees(row.ID) {
			continue
		}
		rows = append(rows, row)
		if w.After != nil && row.Position.Score <= w.After.Score {
			first = len(rows)
		}
		if w.Before == nil || row.Position.Score < w.Before.Score {
			end = len(rows)
		}
	}
	from := min(first+w.Skip, end)
	to := min(from+w.Count, end)
	if w.Backward {
		from, to = max(end-w.Count, from), end
	}
	p := &forum.Page{Rows: rows[from:to], Start: from, Total: len(rows)}
	if w.Preceding && from > 0 {
		p.Preceding = &rows[from-1]
	}
	return p
}

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
