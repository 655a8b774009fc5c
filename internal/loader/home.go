package loader

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store"
)

// homeKey is a page of a home.
type homeKey struct {
	owner  forum.UserID
	window *forum.Window
}

func readHomes(r *store.Read, keys []homeKey) func() ([]*store.HomePart, error) {
	gets := make([]func() (*store.HomePart, error), len(keys))
	for i, k := range keys {
		gets[i] = r.HomePart(k.owner, *k.window)
	}
	return func() ([]*store.HomePart, error) {
		parts := make([]*store.HomePart, len(keys))
		for i, get := range gets {
			var err error
			if parts[i], err = get(); err != nil {
				return nil, err
			}
		}
		return parts, nil
	}
}

// homeTimelines reads one page of each of several homes, which are empty to all but
// their owners. What lies below a home's floor is merged from its sources.
func (l *Loaders) homeTimelines(ctx context.Context, timelines []forum.Timeline, windows []forum.Window) ([]forum.Page, []error) {
	pages := make([]forum.Page, len(timelines))
	var keys []homeKey
	var which []int
	for i, t := range timelines {
		if owner := forum.UserID(t.Owner); l.viewer.Is(owner) {
			windows[i].Bare, windows[i].Uncounted = false, false // one row more tells whether there are more
			keys, which = append(keys, homeKey{owner, l.window(windows[i])}), append(which, i)
		}
	}
	parts, missed := l.homes.many(ctx, keys)
	var errs []error
	for n, i := range which {
		err := at(missed, n)
		switch {
		case err != nil:
		case parts[n].Whole():
			pages[i] = parts[n].Page()
		default:
			pages[i], err = l.store.FinishHome(ctx, parts[n])
		}
		errs = addError(errs, len(timelines), i, err)
	}
	return pages, errs
}

// listedUsers reads the users whose posts make up timelines of lists.
func (l *Loaders) listedUsers(ctx context.Context, lists []forum.ListID) ([][]forum.UserID, []error) {
	if l.viewer == nil {
		return make([][]forum.UserID, len(lists)), nil
	}
	return l.listed.many(ctx, lists)
}
