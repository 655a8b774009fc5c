package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/listing"
	"agora/internal/text"
)

// Users resolves Query.users.
func (query) Users(ctx context.Context, prefix *string, first *int, after *string, last *int,
	before *string) (*model.UserConnection, error) {
	if err := mayListMembers(ctx); err != nil {
		return nil, err
	}
	list := listing.Users(text.FoldLoginPrefix(opt.Or(prefix, "")))
	return onlyResult(pages(ctx, []listing.List{list}, pageArgs(ctx, first, after, last, before), model.NewUserConnection))
}

// mayListMembers returns UNAUTHENTICATED or FORBIDDEN if the rules of the site hide the members from the viewer.
func mayListMembers(ctx context.Context) error {
	if loader.From(ctx).SeesMembers() {
		return nil
	}
	return checkRole(ctx, forum.RoleModerator)
}

// Tags resolves Query.tags.
func (query) Tags(ctx context.Context, orderBy *forum.TagOrder, prefix *string, first *int, after *string, last *int,
	before *string) (*model.TagConnection, error) {
	list := listing.TagList(opt.Or(orderBy, forum.TagsByCount), text.FoldPrefix(opt.Or(prefix, "")))
	return onlyResult(pages(ctx, []listing.List{list}, pageArgs(ctx, first, after, last, before), model.NewTagConnection))
}

// Nodes resolves TagConnection.nodes.
func (tagConnection) Nodes(ctx context.Context, cs []*model.TagConnection) ([][]*loader.Tag, error) {
	return nodesOf(ctx, cs, named(loader.From(ctx).Tags))
}

// Edges resolves TagConnection.edges.
func (tagConnection) Edges(ctx context.Context, cs []*model.TagConnection) ([][]*model.TagEdge, error) {
	return edgesOf(ctx, cs, named(loader.From(ctx).Tags),
		func(c *model.TagConnection, n int, node *loader.Tag) *model.TagEdge {
			return &model.TagEdge{Cursor: c.Cursor(n), Node: node}
		})
}
