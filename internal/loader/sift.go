package loader

import (
	"context"
	"math"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/listing"
)

// Lists of categories and notifications may have some that the viewer does not see. Then a page is cut from what the
// viewer sees of the whole list, so that neither pages nor counts show that there is more. Such lists are short.

// wholeList is a window of a whole list.
var wholeList = forum.Window{Count: math.MaxInt32}

// windowOf returns the window in which a page of a list is read.
func (l *Loaders) windowOf(list *listing.List, w *forum.Window) *forum.Window {
	if (list.Categories || list.Notes != 0) && l.HidesCategories() {
		return &wholeList
	}
	return w
}

// cut returns the page of a window from a whole list, without what the viewer does not see.
func (l *Loaders) cut(ctx context.Context, list *listing.List, all *forum.Page, w forum.Window) (*forum.Page, error) {
	seen, err := l.seenRows(ctx, list, all)
	if err != nil {
		return &forum.Page{}, err
	}
	return cutRows(list, all.Rows, seen, w), nil
}

// cutRows returns the page of a window from those rows of a whole list that are seen.
func cutRows(list *listing.List, all []forum.Row, seen []bool, w forum.Window) *forum.Page {
	var rows []forum.Row
	first, end := 0, 0 // the first row after w.After, and that from w.Before on
	for i, row := range all {
		if !seen[i] {
			continue
		}
		if rows = append(rows, row); w.After != nil && !list.Precedes(forum.Row{Position: *w.After}, row) {
			first = len(rows)
		}
		if w.Before == nil || list.Precedes(row, forum.Row{Position: *w.Before}) {
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

// seenRows reports which rows of a list the viewer sees.
func (l *Loaders) seenRows(ctx context.Context, list *listing.List, all *forum.Page) ([]bool, error) {
	if list.Notes != 0 {
		notes, errs := l.Notifications(ctx, list.Notes, IDs[int64](all))
		seen := make([]bool, len(notes))
		for i, n := range notes {
			seen[i] = n != nil
		}
		return seen, first(errs)
	}
	seen := make([]bool, len(all.Rows))
	for i, row := range all.Rows {
		seen[i] = l.SeesCategory(forum.CategoryID(row.ID))
	}
	return seen, nil
}

// seenNotes returns nil in place of notifications about what is in categories that the viewer does not see.
func (l *Loaders) seenNotes(ctx context.Context, notes []*forum.Notification) ([]*forum.Notification, []error) {
	if !l.HidesCategories() {
		return notes, nil
	}
	var acts []forum.ActID
	var comments []*Comment
	topics := make([]*Topic, len(notes))
	for i, n := range notes {
		switch {
		case n == nil:
		case n.Subject.Act != 0:
			acts = append(acts, n.Subject.Act)
		case n.Subject.Comment != 0:
			comments = append(comments, l.commentHandles.one(n.Subject.Comment))
		case n.Subject.Topic != 0:
			topics[i] = l.topicHandles.one(n.Subject.Topic)
		}
	}
	errs := l.NeedComments(ctx, comments)
	for i, n := range notes {
		if n != nil && n.Subject.Comment != 0 {
			if c := l.commentHandles.one(n.Subject.Comment); c.TopicID != 0 {
				topics[i] = l.topicHandles.one(c.TopicID)
			}
		}
	}
	failed := l.NeedTopics(ctx, slices.DeleteFunc(slices.Clone(topics), func(t *Topic) bool { return t == nil }))
	done, lost := l.Acts(ctx, acts)
	for _, err := range []error{first(errs), first(failed), first(lost)} {
		if err != nil {
			return make([]*forum.Notification, len(notes)), slices.Repeat([]error{err}, len(notes))
		}
	}
	seen := make([]*forum.Notification, len(notes))
	for i, n := range notes {
		if n != nil && n.Subject.Act != 0 {
			if done[0] != nil {
				seen[i] = n
			}
			done = done[1:]
		} else if topics[i] == nil || l.SeesCategory(topics[i].CategoryID) {
			seen[i] = n
		}
	}
	return seen, nil
}
