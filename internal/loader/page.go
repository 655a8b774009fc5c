package loader

import (
	"cmp"
	"context"
	"slices"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/homes"
	"agora/internal/store/listing"
)

// pageKey is a page of a list, of a snapshot, or of a home. Equal windows of a response are the same pointer.
type pageKey struct {
	list     listing.List
	snapshot snapshotKey
	home     forum.UserID
	rooms    int64 // with home: Rules.Epochs
	window   *forum.Window
}

// window returns the window of the response that equals w.
func (l *Loaders) window(w forum.Window) *forum.Window {
	for _, known := range l.windows {
		if known.Equal(w) {
			return known
		}
	}
	l.windows = append(l.windows, &w)
	return &w
}

// readPage is what was read for a page, or its error: an expired cursor, or a list that is away, fails one page only.
type readPage struct {
	page *forum.Page     // nil if the snapshot does not exist
	part *homes.HomePart // of a home
	err  error
}

func queuePages(r *store.Read, keys []pageKey) func() ([]readPage, error) {
	pages, takes := make([]readPage, len(keys)), make([]func(), len(keys))
	for i, k := range keys {
		takes[i] = r.Part(func() func() { return k.queue(r, &pages[i]) })
	}
	return func() ([]readPage, error) {
		for _, take := range takes {
			take()
		}
		return pages, nil
	}
}

// queue queues the read of the page, and returns a function that takes it.
func (k pageKey) queue(r *store.Read, p *readPage) (take func()) {
	var page func() (*forum.Page, error)
	switch {
	case k.home != 0:
		part := r.Homes.HomePart(k.home, *k.window, k.rooms)
		return func() { p.part, p.err = part() }
	case k.snapshot.number == 0:
		list := r.Listing.Page(k.list, *k.window)
		page = func() (*forum.Page, error) {
			found, err := list()
			return &found, err
		}
	case k.window.Walk:
		page = r.Homes.WalkPage(k.snapshot.timeline, k.snapshot.number, *k.window)
	default:
		page = r.Listing.SnapshotPage(k.snapshot.timeline, k.snapshot.number, *k.window)
	}
	return func() { p.page, p.err = page() }
}

// readPages reads pages. One that could not be read is empty.
func (l *Loaders) readPages(ctx context.Context, keys []pageKey) ([]readPage, []error) {
	pages, errs := l.pages.many(ctx, keys)
	for i, p := range pages {
		if errs = addError(errs, len(keys), i, p.err); at(errs, i) != nil && p.page == nil {
			pages[i].page = &forum.Page{}
		}
	}
	return pages, errs
}

// rankedLists is how many lists by votes a response reads before it reads the lengths of further ones first. Of the
// longest, they take about 25 MB.
const rankedLists = 30

// Pages returns one page of each of several lists, from memory or read. The rankings that its cursors refer to are
// stored before it returns.
func (l *Loaders) Pages(ctx context.Context, lists []*listing.List, w forum.Window) ([]*forum.Page, []error) {
	errs, window := l.refuseRanked(ctx, lists), l.window(w)
	pages := make([]*forum.Page, len(lists))
	var keys []pageKey
	var of []int
	for i, list := range lists {
		if at(errs, i) != nil {
			pages[i] = &forum.Page{}
		} else if pages[i] = l.memory.Page(list, window); pages[i] == nil {
			keys, of = append(keys, pageKey{list: *list, window: l.windowOf(list, window)}), append(of, i)
		}
	}
	read, failed := l.readPages(ctx, keys)
	var rankings []forum.Ranking
	for n, i := range of {
		pages[i] = read[n].page
		errs = addError(errs, len(lists), i, at(failed, n))
		if keys[n].window == &wholeList {
			var err error
			pages[i], err = l.cut(ctx, lists[i], pages[i], *window)
			errs = addError(errs, len(lists), i, err)
		}
		if r := pages[i].Ranking; r != nil {
			rankings = append(rankings, *r)
		}
	}
	if _, failed := l.rankings.many(ctx, rankings); failed != nil && errs == nil {
		errs = slices.Repeat([]error{first(failed)}, len(lists))
	}
	return pages, errs
}

// refuseRanked looks at the lengths of lists by votes before they are read, if the response reads many of them. It
// returns an error for each for which it has no room.
func (l *Loaders) refuseRanked(ctx context.Context, lists []*listing.List) (refused []error) {
	var ranked []listing.List
	var of []int
	for i, list := range lists {
		if list.Ranked() {
			ranked, of = append(ranked, *list), append(of, i)
		}
	}
	if l.ranked += len(ranked); len(ranked) == 0 || l.ranked <= rankedLists {
		return nil
	}
	lengths, failed := l.lengths.many(ctx, ranked)
	cost := 0
	for n, i := range of {
		more := listing.RankedCost * min(lengths[n], forum.RankedComments)
		err := cmp.Or(at(failed, n), breadth.MeterFrom(ctx).Room(cost+more))
		if err == nil {
			cost += more
		}
		refused = addError(refused, len(lists), i, err)
	}
	return refused
}

func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// withoutPins reads one page of each of several timelines, without regard to pinned topics. The lists of a tab's
// categories, and of a list's users, are merged. This takes one more step of reads, and with skip possibly more if the
// topics are unevenly distributed.
func (l *Loaders) withoutPins(ctx context.Context, timelines []forum.Timeline,
	windows []forum.Window) ([]forum.Page, []error) {
	pages := make([]forum.Page, len(timelines))
	var errs []error
	for _, sort := range []struct {
		is   func(forum.Timeline, forum.Window) bool
		read func(context.Context, []forum.Timeline, []forum.Window) ([]forum.Page, []error)
	}{
		{isOfKinds, l.ofKinds},
		{isLive, l.liveTimelines},
		{isSnapshot, l.snapshotTimelines},
		{isHome, l.homeTimelines},
		{isWalk, l.walkTimelines},
	} {
		var which []int
		var ts []forum.Timeline
		var ws []forum.Window
		for i, t := range timelines {
			if sort.is(t, windows[i]) {
				which, ts, ws = append(which, i), append(ts, t), append(ws, windows[i])
			}
		}
		if len(which) == 0 {
			continue
		}
		found, failed := sort.read(ctx, ts, ws)
		for n, i := range which {
			pages[i] = found[n]
			errs = addError(errs, len(timelines), i, at(failed, n))
		}
	}
	return pages, errs
}

// These report how a page of a timeline is read.
func isOfKinds(t forum.Timeline, _ forum.Window) bool { return t.Kinds != 0 }
func isWalk(t forum.Timeline, w forum.Window) bool    { return t.Kinds == 0 && w.Walk }
func isSnapshot(t forum.Timeline, _ forum.Window) bool {
	return t.Kinds == 0 && t.Snapshot()
}
func isHome(t forum.Timeline, w forum.Window) bool {
	return t.Kinds == 0 && t.Kind == forum.HomeTimeline && !w.Walk
}
func isLive(t forum.Timeline, w forum.Window) bool {
	return t.Kinds == 0 && !t.Snapshot() && t.Kind != forum.HomeTimeline && !w.Walk
}

// isMerged reports whether the timeline is the merge of lists.
func isMerged(t forum.Timeline) bool {
	return t.Kind == forum.TabTimeline || t.Kind == forum.ListTimeline
}

func (l *Loaders) liveTimelines(ctx context.Context, timelines []forum.Timeline,
	windows []forum.Window) ([]forum.Page, []error) {
	lists, errs := l.timelineLists(ctx, timelines, listing.TimelineLists)
	merges := make([]*listing.Merge, len(timelines))
	for i, ls := range lists {
		if isMerged(timelines[i]) {
			windows[i].Bare, windows[i].Uncounted = false, false // rows are merged by position
		}
		merges[i] = listing.NewMerge(ls, windows[i])
	}
	for {
		var keys []pageKey
		var counts []int
		for _, m := range merges {
			reads := m.Next()
			for _, r := range reads {
				keys = append(keys, pageKey{list: r.List, window: l.window(r.Window)})
			}
			counts = append(counts, len(reads))
		}
		if len(keys) == 0 {
			break
		}
		read, failed := l.readPages(ctx, keys)
		pages := make([]forum.Page, len(keys))
		for n, p := range read {
			pages[n] = *p.page
		}
		from := 0
		for i, m := range merges {
			to := from + counts[i]
			m.Add(pages[from:to])
			for n := from; n < to; n++ {
				errs = addError(errs, len(timelines), i, at(failed, n))
			}
			from = to
		}
		if errs != nil {
			break
		}
	}
	pages := make([]forum.Page, len(timelines))
	for i, m := range merges {
		pages[i] = m.Page()
	}
	return pages, errs
}

// timelineLists returns the lists that make up timelines, in the form that of returns for the categories of a tab;
// none for bookmarks and lists of users of others than the owner.
func (l *Loaders) timelineLists(ctx context.Context, timelines []forum.Timeline,
	of func(forum.Timeline, []forum.CategoryID) []listing.List) ([][]listing.List, []error) {
	categories, users, errs := l.timelineSources(ctx, timelines)
	lists := make([][]listing.List, len(timelines))
	for i, t := range timelines {
		switch {
		case t.Kind == forum.ListTimeline:
			lists[i] = listing.ProfileLists(t, users[i])
		case t.Kind != forum.BookmarksTimeline || l.mine(t):
			lists[i] = of(t, categories[i])
		}
	}
	return lists, errs
}

// timelineSources reads the categories of those timelines that are tabs, and the users of those that are lists of
// users.
func (l *Loaders) timelineSources(ctx context.Context, timelines []forum.Timeline) (categories [][]forum.CategoryID,
	users [][]forum.UserID, errs []error) {
	var tabs []forum.TabID
	var userLists []forum.ListID
	for _, t := range timelines {
		switch t.Kind {
		case forum.TabTimeline:
			tabs = append(tabs, forum.TabID(t.Owner))
		case forum.ListTimeline:
			userLists = append(userLists, forum.ListID(t.Owner))
		}
	}
	listed, lost := l.listedUsers(ctx, userLists)
	shown, failed := l.TabCategories(ctx, tabs)
	categories, users = make([][]forum.CategoryID, len(timelines)), make([][]forum.UserID, len(timelines))
	tab, list := 0, 0
	for i, t := range timelines {
		switch t.Kind {
		case forum.TabTimeline:
			categories[i] = shown[tab]
			errs = addError(errs, len(timelines), i, at(failed, tab))
			tab++
		case forum.ListTimeline:
			users[i] = listed[list]
			errs = addError(errs, len(timelines), i, at(lost, list))
			list++
		}
	}
	return categories, users, errs
}

// TabCategories reads the ids of all categories of each tab, oldest first.
func (l *Loaders) TabCategories(ctx context.Context, tabs []forum.TabID) ([][]forum.CategoryID, []error) {
	lists := make([]*listing.List, len(tabs))
	for i, id := range tabs {
		list := listing.TabCategories(id)
		lists[i] = &list
	}
	pages, errs := l.Pages(ctx, lists, forum.Window{Count: forum.MaxTabCategories, Bare: true, Uncounted: true})
	ids := make([][]forum.CategoryID, len(tabs))
	for i, p := range pages {
		ids[i] = IDs[forum.CategoryID](p)
	}
	return ids, errs
}

// Lengths reads the number of entries of each list.
func (l *Loaders) Lengths(ctx context.Context, lists []listing.List) ([]int, []error) {
	if len(lists) == 0 || l.windowOf(&lists[0], nil) != &wholeList {
		return l.lengths.many(ctx, lists)
	}
	all := make([]*listing.List, len(lists))
	for i := range lists {
		all[i] = &lists[i]
	}
	pages, errs := l.Pages(ctx, all, forum.Window{Count: 1, Empty: true})
	lengths := make([]int, len(lists))
	for i, p := range pages {
		lengths[i] = p.Total
	}
	return lengths, errs
}

// IDs returns the ids of a page's rows.
func IDs[ID ~int64](p *forum.Page) []ID {
	ids := make([]ID, len(p.Rows))
	for i, r := range p.Rows {
		ids[i] = ID(r.ID)
	}
	return ids
}
