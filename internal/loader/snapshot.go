package loader

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/listing"
)

// snapshotKey is a snapshot of a timeline.
type snapshotKey struct {
	timeline forum.Timeline
	number   int64
}

// snapshotTimelines reads one page of each of several snapshots: the one that a cursor names, or that of the present
// minute, which is taken if it is missing.
func (l *Loaders) snapshotTimelines(ctx context.Context, timelines []forum.Timeline,
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
			n = l.store.Listing.SnapshotNow()
		}
		keys, which = append(keys, pageKey{snapshot: snapshotKey{t, n}, window: l.window(windows[i])}), append(which, i)
	}
	found, failed := l.readPages(ctx, keys)
	for n, i := range which {
		p, err := found[n].page, at(failed, n)
		if p == nil && err == nil {
			p, err = l.missingSnapshot(ctx, keys[n].snapshot, keys[n].window)
		}
		if err != nil {
			errs = addError(errs, len(timelines), i, err)
			continue
		}
		pages[i] = *p
	}
	return pages, errs
}

// missingSnapshot reads a page of a missing snapshot. The snapshot is taken first, or a recent one is read if that
// takes long, unless a cursor named it: then it has expired.
func (l *Loaders) missingSnapshot(
	ctx context.Context, k snapshotKey, w *forum.Window,
) (*forum.Page, error) {
	if w.Bounded() {
		return nil, w.CursorExpired()
	}
	var tab []forum.CategoryID
	if k.timeline.Kind == forum.TabTimeline {
		categories, errs := l.TabCategories(ctx, []forum.TabID{forum.TabID(k.timeline.Owner)})
		if errs != nil {
			return nil, first(errs)
		}
		tab = categories[0]
	}
	r := l.store.Read(ctx)
	page := r.Listing.RecentSnapshot(k.timeline, k.number, *w)
	if err := r.Exec(); err != nil {
		return nil, err
	}
	recent, err := page()
	if err != nil {
		return nil, err
	}
	if recent == nil {
		err = l.store.Listing.TakeSnapshot(ctx, k.timeline, k.number, tab)
	} else if taken, failed := l.store.Listing.TakeSnapshotSoon(ctx, k.timeline, k.number, tab); failed == nil &&
		!taken {
		return recent, nil
	} else {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	r = l.store.Read(ctx)
	page = r.Listing.SnapshotPage(k.timeline, k.number, *w)
	if err := r.Exec(); err != nil {
		return nil, err
	}
	p, err := page()
	if p == nil && err == nil {
		err = &forum.Error{Code: forum.CodeUnavailable, Message: "The snapshot could not be stored. Try again."}
	}
	return p, err
}

// withRooms returns timelines with the rooms of tabs that the viewer sees: viewers who see the same ones share
// snapshots. It reads the categories of the tabs, if the viewer sees any room.
func (l *Loaders) withRooms(ctx context.Context, timelines []forum.Timeline) ([]forum.Timeline, []error) {
	isTab := func(t forum.Timeline) bool { return t.Kind == forum.TabTimeline }
	rooms := l.rules().Rooms(l.viewer)
	if len(rooms) == 0 || !slices.ContainsFunc(timelines, isTab) {
		return timelines, nil
	}
	timelines = slices.Clone(timelines)
	categories, _, errs := l.timelineSources(ctx, timelines)
	for i, t := range timelines {
		if isTab(t) {
			timelines[i].Rooms = roomsIn(categories[i], rooms)
		}
	}
	return timelines, errs
}

// roomsIn names those of the categories that are rooms.
func roomsIn(categories, rooms []forum.CategoryID) string {
	var in []string
	for _, id := range rooms {
		if slices.Contains(categories, id) {
			in = append(in, strconv.FormatInt(int64(id), 10))
		}
	}
	return strings.Join(in, ",")
}
