package loader

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store"
)

// snapshotKey is a page of a snapshot.
type snapshotKey struct {
	timeline forum.Timeline
	number   int64
	window   *forum.Window
}

func readSnapshots(r *store.Read, keys []snapshotKey) func() ([]*forum.Page, error) {
	gets := make([]func() (*forum.Page, error), len(keys))
	for i, k := range keys {
		gets[i] = r.SnapshotPage(k.timeline, k.number, *k.window)
	}
	return func() ([]*forum.Page, error) {
		pages := make([]*forum.Page, len(keys))
		for i, get := range gets {
			var err error
			if pages[i], err = get(); err != nil {
				return nil, err
			}
		}
		return pages, nil
	}
}

// snapshotTimelines reads one page of each of several snapshots: of that which a
// cursor names, or of that of the present minute, which is taken if it is not there.
func (l *Loaders) snapshotTimelines(ctx context.Context, timelines []forum.Timeline, windows []forum.Window) ([]forum.Page, []error) {
	pages := make([]forum.Page, len(timelines))
	var errs []error
	var keys []snapshotKey
	var which []int
	for i, t := range timelines {
		n, err := store.SnapshotOf(windows[i])
		if err != nil {
			errs = addError(errs, len(timelines), i, err)
			continue
		}
		if n == 0 {
			n = l.store.SnapshotNow()
		}
		keys, which = append(keys, snapshotKey{t, n, l.window(windows[i])}), append(which, i)
	}
	found, failed := l.snapshots.many(ctx, keys)
	for n, i := range which {
		p, err := found[n], at(failed, n)
		if p == nil && err == nil {
			p, err = l.missingSnapshot(ctx, keys[n])
		}
		if err != nil {
			errs = addError(errs, len(timelines), i, err)
			continue
		}
		pages[i] = *p
	}
	return pages, errs
}

// missingSnapshot reads a page of a snapshot that was not there: it is taken first,
// unless a cursor led there, which has expired.
func (l *Loaders) missingSnapshot(ctx context.Context, k snapshotKey) (*forum.Page, error) {
	if k.window.Bounded() {
		return nil, k.window.CursorExpired()
	}
	var tab []forum.CategoryID
	if k.timeline.Kind == forum.TabTimeline {
		categories, errs := l.TabCategories(ctx, []forum.TabID{forum.TabID(k.timeline.Owner)})
		if errs != nil {
			return nil, first(errs)
		}
		tab = categories[0]
	}
	if err := l.store.TakeSnapshot(ctx, k.timeline, k.number, tab); err != nil {
		return nil, err
	}
	r := l.store.Read(ctx)
	page := r.SnapshotPage(k.timeline, k.number, *k.window)
	if err := r.Exec(); err != nil {
		return nil, err
	}
	p, err := page()
	if p == nil && err == nil {
		err = &forum.Error{Code: forum.CodeUnavailable, Message: "The snapshot could not be kept; try again."}
	}
	return p, err
}
