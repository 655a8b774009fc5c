package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store/follows"
	"agora/internal/store/listing"
)

// Lists resolves Viewer.lists.
func (viewer) Lists(ctx context.Context, vs []*model.Viewer, first *int, after *string, last *int,
	before *string) ([]*model.UserListConnection, error) {
	loader.From(ctx).SignedIn(mapSlice(vs, func(v *model.Viewer) forum.UserID { return v.UserID }))
	lists := mapSlice(vs, func(v *model.Viewer) listing.List { return follows.ListsOf(v.UserID) })
	return pages(ctx, lists, pageArgs(ctx, first, after, last, before), model.NewUserListConnection)
}

// MemberCount resolves UserList.memberCount.
func (userList) MemberCount(ctx context.Context, ls []*loader.UserList) ([]int, error) {
	return batchResult(loader.From(ctx).Lengths(ctx,
		mapSlice(ls, func(l *loader.UserList) listing.List { return follows.ListMembers(l.ID) })))
}

// Members resolves UserList.members.
func (userList) Members(ctx context.Context, ls []*loader.UserList, first *int, after *string, last *int,
	before *string) ([]*model.UserConnection, error) {
	lists := mapSlice(ls, func(l *loader.UserList) listing.List { return follows.ListMembers(l.ID) })
	return pages(ctx, lists, pageArgs(ctx, first, after, last, before), model.NewTimedUserConnection)
}

// Timeline resolves UserList.timeline.
func (userList) Timeline(_ context.Context, ls []*loader.UserList, kinds []forum.TopicKind) ([]*forum.Timeline, error) {
	return newestOf(ls, forum.ListTimeline, func(l *loader.UserList) int64 { return int64(l.ID) }, kinds)
}

// Nodes resolves UserListConnection.nodes.
func (userListConnection) Nodes(ctx context.Context, cs []*model.UserListConnection) ([][]*loader.UserList, error) {
	return nodesOf(ctx, cs, named(loader.From(ctx).UserLists))
}

// Edges resolves UserListConnection.edges.
func (userListConnection) Edges(ctx context.Context, cs []*model.UserListConnection) ([][]*model.UserListEdge, error) {
	return edgesOf(ctx, cs, named(loader.From(ctx).UserLists),
		func(c *model.UserListConnection, n int, node *loader.UserList) *model.UserListEdge {
			return &model.UserListEdge{Cursor: c.Cursor(n), Node: node}
		})
}
