package loader

import (
	"context"
	"slices"

	"agora/internal/forum"
	"agora/internal/store"
)

// listedKey is a list of users and the user who reads it.
type listedKey struct {
	reader forum.UserID
	list   forum.ListID
}

func readListed(r *store.Read, keys []listedKey) func() ([][]forum.UserID, error) {
	gets := make([]func() ([]forum.UserID, error), len(keys))
	for i, k := range keys {
		gets[i] = r.Listing.ListedUsers(k.reader, k.list)
	}
	return func() ([][]forum.UserID, error) {
		users := make([][]forum.UserID, len(keys))
		for i, get := range gets {
			var err error
			if users[i], err = get(); err != nil {
				return nil, err
			}
		}
		return users, nil
	}
}

// homeTimelines reads one page of each of several homes, which are empty for all users except their owners. Rows
// below a home's watermark are merged from its sources.
func (l *Loaders) homeTimelines(ctx context.Context, timelines []forum.Timeline,
	windows []forum.Window) ([]forum.Page, []error) {
	pages := make([]forum.Page, len(timelines))
	var keys []pageKey
	var which []int
	for i, t := range timelines {
		if owner := forum.UserID(t.Owner); l.mine(t) {
			windows[i].Bare, windows[i].Uncounted = false, false // one extra row shows whether there are more
			keys, which = append(keys, pageKey{home: owner, rooms: l.rules().Epochs,
				window: l.window(windows[i])}), append(which, i)
		}
	}
	read, missed := l.readPages(ctx, keys)
	var errs []error
	for n, i := range which {
		err, part := at(missed, n), read[n].part
		switch {
		case err != nil:
		case part.Whole():
			pages[i] = part.Page()
		default:
			pages[i], err = l.store.Homes.FinishHome(ctx, part)
		}
		errs = addError(errs, len(timelines), i, err)
	}
	return pages, errs
}

// listedUsers reads the users whose posts make up timelines of lists.
func (l *Loaders) listedUsers(ctx context.Context, lists []forum.ListID) ([][]forum.UserID, []error) {
	keys := make([]listedKey, len(lists))
	for i, id := range lists {
		for _, reader := range l.readers() {
			if reader.Partition() == id.Partition() { // lists are in the partition of their owners
				keys[i] = listedKey{reader, id}
			}
		}
	}
	return l.listed.many(ctx, keys)
}

// Listed reports whether the viewer's list of users has the user.
func (l *Loaders) Listed(ctx context.Context, list forum.ListID, user forum.UserID) (bool, error) {
	users, errs := l.listedUsers(ctx, []forum.ListID{list})
	return slices.Contains(users[0], user), at(errs, 0)
}
