package graph

import (
	"context"
	"slices"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/store/groups"
	"agora/internal/store/listing"
	"agora/internal/text"
)

// Group resolves Query.group.
func (query) Group(ctx context.Context, by model.GroupRef) (*forum.Group, error) {
	return groupNamed(ctx, []string{"by"}, by)
}

// groupNamed returns the group that an argument names; nil if there is none, or the viewer does not see it.
func groupNamed(ctx context.Context, path []string, by model.GroupRef) (*forum.Group, error) {
	if err := app.OneOf(path, by.ID != nil, by.Name != nil); err != nil {
		return nil, err
	}
	if by.Name != nil {
		return loader.From(ctx).GroupNamed(ctx, text.Fold(*by.Name))
	}
	o, err := globalid.Parse(append(path[:len(path):len(path)], "id"), *by.ID)
	if err != nil || o.Type != globalid.Group {
		return nil, err
	}
	return single(loader.From(ctx).Groups(ctx, []forum.GroupID{forum.GroupID(o.Number)}))
}

// Groups resolves Query.groups.
func (query) Groups(ctx context.Context, first *int, after *string, last *int,
	before *string) (*model.GroupConnection, error) {
	list := groups.All().Name
	w, err := pageArgs(ctx, first, after, last, before).Window(list)
	if err != nil {
		return nil, err
	}
	page, err := loader.From(ctx).GroupPage(ctx, w)
	if err != nil {
		return nil, err
	}
	return model.NewGroupConnection(list, w.Shown(page)), nil
}

// Members resolves Group.members.
func (group) Members(ctx context.Context, gs []*forum.Group, first *int, after *string, last *int,
	before *string) ([]*model.GroupMemberConnection, error) {
	of := map[string]forum.GroupID{}
	lists := mapSlice(gs, func(g *forum.Group) listing.List {
		list := groups.Members(g.ID)
		of[list.Name] = g.ID
		return list
	})
	return pages(ctx, lists, pageArgs(ctx, first, after, last, before),
		func(list string, p *forum.Page) *model.GroupMemberConnection {
			return model.NewGroupMemberConnection(list, of[list], p)
		})
}

// Managers resolves Group.managers.
func (group) Managers(ctx context.Context, gs []*forum.Group) ([][]*loader.User, error) {
	l := loader.From(ctx)
	found, errs := l.GroupManagers(ctx, mapSlice(gs, func(g *forum.Group) forum.GroupID { return g.ID }))
	return batchResult(mapSlice(found, func(ids []forum.UserID) []*loader.User { return l.PresentUsers(ids) }), errs)
}

// ViewerIsManager resolves Group.viewerIsManager.
func (group) ViewerIsManager(ctx context.Context, gs []*forum.Group) ([]bool, error) {
	managed, err := loader.From(ctx).ManagedGroups(ctx)
	if err != nil {
		return failAll[bool](gs, err)
	}
	return mapSlice(gs, func(g *forum.Group) bool { return slices.Contains(managed, g.ID) }), nil
}

// Groups resolves Viewer.groups.
func (viewer) Groups(ctx context.Context, vs []*model.Viewer) ([][]*model.ViewerGroup, error) {
	users := mapSlice(vs, func(v *model.Viewer) forum.UserID { return v.UserID })
	in, found, errs := groupsOf(ctx, users)
	all := make([][]*model.ViewerGroup, len(vs))
	for i := range vs {
		all[i] = []*model.ViewerGroup{}
		for n, g := range found[i] {
			if g != nil {
				all[i] = append(all[i], &model.ViewerGroup{Group: g, Until: timeOrNil(in[i][n].Until)})
			}
		}
	}
	return batchResult(all, errs)
}

// timeOrNil returns a time, or nil for 0.
func timeOrNil(t forum.Time) *forum.Time {
	if t == 0 {
		return nil
	}
	return &t
}

// groupsOf reads in which groups users are, and those of the groups that the viewer sees.
func groupsOf(ctx context.Context, users []forum.UserID) ([][]forum.Membership, [][]*forum.Group, []error) {
	l := loader.From(ctx)
	in, errs := l.Memberships(ctx, users)
	var ids []forum.GroupID
	for _, of := range in {
		for _, m := range of {
			ids = append(ids, m.Group)
		}
	}
	groups, failed := l.Groups(ctx, ids)
	found := make([][]*forum.Group, len(users))
	for i, of := range in {
		found[i], groups = groups[:len(of)], groups[len(of):]
	}
	if err := firstError(failed); err != nil && errs == nil {
		errs = slices.Repeat([]error{err}, len(users))
	}
	return in, found, errs
}

// Groups resolves User.groups.
func (user) Groups(ctx context.Context, us []*loader.User) ([][]*forum.Group, error) {
	all := make([][]*forum.Group, len(us))
	managed, err := loader.From(ctx).ManagedGroups(ctx)
	if err != nil {
		return failAll[[]*forum.Group](us, err)
	}
	admin := auth.ViewerFrom(ctx).Has(forum.RoleAdmin)
	if !admin && len(managed) == 0 {
		return all, nil
	}
	_, found, errs := groupsOf(ctx, mapSlice(us, func(u *loader.User) forum.UserID { return u.ID }))
	for i, of := range found {
		for _, g := range of {
			if g != nil && (admin || slices.Contains(managed, g.ID)) {
				all[i] = append(all[i], g)
			}
		}
	}
	return batchResult(all, errs)
}

// Nodes resolves GroupConnection.nodes.
func (groupConnection) Nodes(ctx context.Context, cs []*model.GroupConnection) ([][]*forum.Group, error) {
	return nodesOf(ctx, cs, loader.From(ctx).Groups)
}

// Edges resolves GroupConnection.edges.
func (groupConnection) Edges(ctx context.Context, cs []*model.GroupConnection) ([][]*model.GroupEdge, error) {
	return edgesOf(ctx, cs, loader.From(ctx).Groups,
		func(c *model.GroupConnection, n int, node *forum.Group) *model.GroupEdge {
			return &model.GroupEdge{Cursor: c.Cursor(n), Node: node}
		})
}

// Nodes resolves GroupMemberConnection.nodes.
func (groupMemberConnection) Nodes(ctx context.Context,
	cs []*model.GroupMemberConnection) ([][]*model.GroupMember, error) {
	return groupMembers(ctx, cs, func(_ *model.GroupMemberConnection, _ int, m *model.GroupMember) *model.GroupMember {
		return m
	})
}

// Edges resolves GroupMemberConnection.edges.
func (groupMemberConnection) Edges(ctx context.Context,
	cs []*model.GroupMemberConnection) ([][]*model.GroupMemberEdge, error) {
	return groupMembers(ctx, cs,
		func(c *model.GroupMemberConnection, n int, m *model.GroupMember) *model.GroupMemberEdge {
			return &model.GroupMemberEdge{Cursor: c.Cursor(n), Node: m}
		})
}

// groupMembers returns what edge makes of the members on each page.
func groupMembers[E any](ctx context.Context, cs []*model.GroupMemberConnection,
	edge func(*model.GroupMemberConnection, int, *model.GroupMember) E) ([][]E, error) {
	var users []forum.UserID
	for _, c := range cs {
		for _, row := range c.Rows().Rows {
			users = append(users, forum.UserID(row.ID))
		}
	}
	l := loader.From(ctx)
	l.Ask(loader.Objects{Users: users})
	in, errs := l.Memberships(ctx, users)
	if err := firstError(errs); err != nil {
		return failAll[[]E](cs, err)
	}
	all := make([][]E, len(cs))
	pages := mapSlice(cs, func(c *model.GroupMemberConnection) *forum.Page { return c.Rows() })
	rows, errs := rowsOf(ctx, pages, l.Users)
	for i, c := range cs {
		all[i] = []E{}
		for n, user := range rows[i] {
			for _, m := range in[n] {
				if user != nil && m.Group == c.Group {
					member := &model.GroupMember{User: user, JoinedAt: m.Since, Until: timeOrNil(m.Until)}
					all[i] = append(all[i], edge(c, n, member))
				}
			}
		}
		in = in[len(rows[i]):]
	}
	return batchResult(all, errs)
}
