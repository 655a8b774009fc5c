package loader

import (
	"context"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/groups"
	"agora/internal/store/listing"
)

// Groups reads groups; nil for one that does not exist, or that the viewer does not see: those see a group who are in
// it or manage it, and administrators.
func (l *Loaders) Groups(ctx context.Context, ids []forum.GroupID) ([]*forum.Group, []error) {
	l.groups.ask(ids)
	sees, err := l.seesGroups(ctx, ids)
	found, errs := l.groups.many(ctx, ids)
	seen := make([]*forum.Group, len(ids))
	for i, id := range ids {
		if sees(id) {
			seen[i] = found[i]
		} else {
			errs = addError(errs, len(ids), i, err)
		}
	}
	return seen, errs
}

// seesGroups returns whether the viewer sees each of some groups.
func (l *Loaders) seesGroups(ctx context.Context, ids []forum.GroupID) (sees func(forum.GroupID) bool, err error) {
	if l.viewer == nil {
		return func(forum.GroupID) bool { return false }, nil
	}
	if l.viewer.Has(forum.RoleAdmin) {
		return func(forum.GroupID) bool { return true }, nil
	}
	in := func(id forum.GroupID) bool { return slices.Contains(l.viewer.Groups, id) }
	if !slices.ContainsFunc(ids, func(id forum.GroupID) bool { return !in(id) }) {
		return in, nil
	}
	managed, err := l.ManagedGroups(ctx)
	return func(id forum.GroupID) bool { return in(id) || slices.Contains(managed, id) }, err
}

// GroupNamed returns a group by its folded name, or nil if it does not exist or the viewer does not see it.
func (l *Loaders) GroupNamed(ctx context.Context, fold string) (*forum.Group, error) {
	id, err := l.groupBy.one(ctx, fold)
	if err != nil || id == 0 {
		return nil, err
	}
	found, errs := l.Groups(ctx, []forum.GroupID{id})
	return found[0], first(errs)
}

// ManagedGroups reads which groups the viewer manages.
func (l *Loaders) ManagedGroups(ctx context.Context) ([]forum.GroupID, error) {
	if l.viewer == nil {
		return nil, nil
	}
	return l.managed.one(ctx, l.viewer.ID)
}

// GroupManagers reads who manages groups. Only who sees a group may know.
func (l *Loaders) GroupManagers(ctx context.Context, ids []forum.GroupID) ([][]forum.UserID, []error) {
	return l.managers.many(ctx, ids)
}

// Memberships reads in which groups users are. Not everybody may know.
func (l *Loaders) Memberships(ctx context.Context, users []forum.UserID) ([][]forum.Membership, []error) {
	return l.memberships.many(ctx, users)
}

// GroupPage returns a page of the groups that the viewer sees.
func (l *Loaders) GroupPage(ctx context.Context, w forum.Window) (*forum.Page, error) {
	list := groups.All()
	if l.viewer.Has(forum.RoleAdmin) {
		found, errs := l.Pages(ctx, []*listing.List{&list}, w)
		return found[0], first(errs)
	}
	managed, err := l.ManagedGroups(ctx)
	if l.viewer == nil || err != nil {
		return &forum.Page{}, err
	}
	found, errs := l.Pages(ctx, []*listing.List{&list}, wholeList)
	seen := make([]bool, len(found[0].Rows))
	for i, row := range found[0].Rows {
		id := forum.GroupID(row.ID)
		seen[i] = slices.Contains(l.viewer.Groups, id) || slices.Contains(managed, id)
	}
	return cutRows(&list, found[0].Rows, seen, w), first(errs)
}
