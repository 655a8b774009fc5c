package loader

import (
	"context"
	"slices"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/follows"
)

// initFollow prepares the tables of relations between the viewer and others.
func (l *Loaders) initFollow(d *dispatcher, viewer forum.UserID) {
	type known = func() ([]bool, error) // returns the values of all keys, in order
	l.followed.init(d, func(r *store.Read, targets []forum.Target) known { return r.Follows.Followed(viewer, targets) })
	of := func(read func(follows.Read, forum.UserID, []forum.UserID) known) func(*store.Read, []forum.UserID) known {
		return func(r *store.Read, users []forum.UserID) known { return read(r.Follows, viewer, users) }
	}
	l.followers.init(d, of(follows.Read.FollowedBy))
	l.blocked.init(d, of(follows.Read.BlockedBy))
	l.blocking.init(d, of(follows.Read.Blocking))
	l.eitherBlocked.init(d, of(follows.Read.EitherBlocked))
}

// Followed reports which targets the viewer follows; none, without a read, if signed out.
func (l *Loaders) Followed(ctx context.Context, targets []forum.Target) ([]bool, []error) {
	if l.viewer == nil {
		return make([]bool, len(targets)), nil
	}
	return l.followed.many(ctx, targets)
}

// UsersFollowed reports which users the viewer follows. Users not read yet are read together with it.
func (l *Loaders) UsersFollowed(ctx context.Context, us []*User) ([]bool, []error) {
	return ofViewer(ctx, l, us, &l.followed, func(id forum.UserID) forum.Target { return forum.Target{User: id} })
}

// UsersFollowing is UsersFollowed for the users who follow the viewer.
func (l *Loaders) UsersFollowing(ctx context.Context, us []*User) ([]bool, []error) {
	return ofViewer(ctx, l, us, &l.followers, sameID)
}

// UsersBlocked is UsersFollowed for the users whom the viewer has blocked.
func (l *Loaders) UsersBlocked(ctx context.Context, us []*User) ([]bool, []error) {
	return ofViewer(ctx, l, us, &l.blocked, sameID)
}

func sameID(id forum.UserID) forum.UserID { return id }

// ofViewer is ofUsers for what is between users and the viewer; false, without a read, if signed out.
func ofViewer[K comparable](ctx context.Context, l *Loaders, us []*User, t *table[K, bool],
	key func(forum.UserID) K) ([]bool, []error) {
	if l.viewer == nil {
		return make([]bool, len(us)), nil
	}
	return ofUsers(ctx, l, us, t, key)
}

// ofUsers returns the values of users in t, which are read together with users not read yet. That of the ghost is zero:
// no user can follow or block it.
func ofUsers[K comparable, V any](ctx context.Context, l *Loaders, us []*User, t *table[K, V],
	key func(forum.UserID) K) ([]V, []error) {
	values := make([]V, len(us))
	var keys []K
	var which []int
	for i, u := range us {
		if u.ID != 0 {
			keys, which = append(keys, key(u.ID)), append(which, i)
		}
	}
	if len(keys) == 0 {
		return values, nil
	}
	l.AskUsers(us)
	found, failed := t.many(ctx, keys)
	errs := l.NeedUsers(ctx, us)
	for n, i := range which {
		if us[i].ID != 0 { // deleted authors have become the ghost
			values[i] = found[n]
		}
		errs = addError(errs, len(us), i, at(failed, n))
	}
	return values, errs
}

// Mentionable is UsersByLogin without users in a block with the viewer, in either direction. The blocks are read
// together with the users.
func (l *Loaders) Mentionable(ctx context.Context, folds []string) ([]*User, []error) {
	if l.viewer == nil {
		return l.UsersByLogin(ctx, folds)
	}
	ids, errs := l.logins.many(ctx, folds)
	var known []forum.UserID
	for _, id := range ids {
		if id != 0 {
			known = append(known, id)
		}
	}
	if errs != nil || len(known) == 0 {
		return make([]*User, len(folds)), errs
	}
	l.eitherBlocked.ask(known)
	users, errs := l.UsersByLogin(ctx, folds)
	for i, u := range users {
		if u == nil {
			continue
		}
		blocked, err := l.eitherBlocked.one(ctx, u.ID)
		errs = addError(errs, len(folds), i, err)
		if blocked {
			users[i] = nil
		}
	}
	return users, errs
}

// UserLists returns handles of lists of users.
func (l *Loaders) UserLists(ids []forum.ListID) []*UserList { return l.listHandles.named(ids) }

// UserListsNow reads lists of users by id; nil for one that does not exist or is not the viewer's.
func (l *Loaders) UserListsNow(ctx context.Context, ids []forum.ListID) ([]*UserList, []error) {
	found := l.UserLists(ids)
	errs := l.NeedUserLists(ctx, found)
	return present(found), errs
}

// SignedIn makes homes and lists visible to users who have just signed in: they are not the viewer who sent the
// request.
func (l *Loaders) SignedIn(ids []forum.UserID) {
	l.signedIn = append(l.signedIn, ids...)
}

// seesList reports whether the list belongs to one of the readers.
func (l *Loaders) seesList(list *forum.UserList) bool {
	return list.VisibleTo(l.viewer) || slices.Contains(l.readers(), list.OwnerID)
}

// readers are the users who may see private data in this response: the viewer, and users who signed in during it.
func (l *Loaders) readers() []forum.UserID {
	if l.viewer == nil {
		return l.signedIn
	}
	return append([]forum.UserID{l.viewer.ID}, l.signedIn...)
}
