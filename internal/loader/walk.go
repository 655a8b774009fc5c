package loader

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/homes"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
)

// walkTimelines reads one page of each of several walks: the one that a cursor names, or the present one, which is
// taken if it is missing. Those of homes and bookmarks are empty for all users except their owners.
func (l *Loaders) walkTimelines(ctx context.Context, timelines []forum.Timeline,
	windows []forum.Window) ([]forum.Page, []error) {
	pages := make([]forum.Page, len(timelines))
	var errs []error
	var keys []pageKey
	var which []int
	timelines, errs = l.withRooms(ctx, timelines)
	for i, t := range timelines {
		n, err := listing.SnapshotOf(windows[i])
		if err != nil {
			errs = addError(errs, len(timelines), i, err)
			continue
		}
		if n == 0 {
			n = l.store.Homes.WalkNow()
		}
		if (t.Kind == forum.HomeTimeline || t.Kind == forum.BookmarksTimeline) && !l.mine(t) {
			continue
		}
		keys, which = append(keys, pageKey{snapshot: snapshotKey{t, n}, window: l.window(windows[i])}), append(which, i)
	}
	found, failed := l.readPages(ctx, keys)
	for n, i := range which {
		p, err := found[n].page, at(failed, n)
		if p == nil && err == nil {
			p, err = l.missingWalk(ctx, keys[n].snapshot, keys[n].window)
		}
		if err != nil {
			errs = addError(errs, len(timelines), i, err)
			continue
		}
		pages[i] = *p
	}
	return pages, errs
}

// missingWalk is missingSnapshot for a walk.
func (l *Loaders) missingWalk(ctx context.Context, k snapshotKey, w *forum.Window) (*forum.Page, error) {
	if w.Bounded() {
		return nil, w.CursorExpired()
	}
	categories, users, errs := l.timelineSources(ctx, []forum.Timeline{k.timeline})
	if errs != nil {
		return nil, first(errs)
	}
	if err := l.store.Homes.TakeWalk(ctx, k.timeline, k.number, categories[0], users[0]); err != nil {
		return nil, err
	}
	r := l.store.Read(ctx)
	page := r.Homes.WalkPage(k.timeline, k.number, *w)
	if err := r.Exec(); err != nil {
		return nil, err
	}
	p, err := page()
	if p == nil && err == nil {
		err = &forum.Error{Code: forum.CodeUnavailable, Message: "The list could not be stored. Try again."}
	}
	return p, err
}

// CountAhead counts how many topics of timelines come before rows, all if nil, in the lists that timelines are read
// from; for homes, among those that the home holds.
func (l *Loaders) CountAhead(ctx context.Context, timelines []forum.Timeline, rows []*forum.Row) ([]int, []error) {
	lists, errs := l.timelineLists(ctx, timelines, listing.TimelineLists)
	var ahead []homes.Ahead
	var of []int
	for i, t := range timelines {
		if t.Kind == forum.HomeTimeline {
			lists[i] = posts.UnreadLists(t, nil)
		}
		for _, list := range lists[i] {
			ahead, of = append(ahead, homes.Ahead{List: list, Row: rows[i]}), append(of, i)
		}
	}
	found, failed := l.ahead.many(ctx, ahead)
	counts := make([]int, len(timelines))
	for n, i := range of {
		counts[i] += found[n]
		errs = addError(errs, len(timelines), i, at(failed, n))
	}
	return counts, errs
}
