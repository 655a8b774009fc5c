package graph

import (
	"context"
	"log/slog"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/rules"
)

// Access resolves Category.access.
func (r category) Access(ctx context.Context, cs []*loader.Category) ([]*forum.CategoryAccess, error) {
	known := r.Store.Rules.Current(ctx)
	return mapSlice(cs, func(c *loader.Category) *forum.CategoryAccess {
		a := known.In(c.ID)
		return &a
	}), nil
}

// Groups resolves CategoryAccess.groups.
func (categoryAccess) Groups(ctx context.Context, as []*forum.CategoryAccess) ([][]*forum.Group, error) {
	l := loader.From(ctx)
	var all []forum.GroupID
	for _, a := range as {
		all = append(all, a.Groups...)
	}
	found, errs := l.Groups(ctx, all)
	groups := make([][]*forum.Group, len(as))
	for i, a := range as {
		groups[i] = compact(append([]*forum.Group{}, found[:len(a.Groups)]...))
		found = found[len(a.Groups):]
	}
	return groups, firstError(errs)
}

// ViewerCan resolves CategoryAccess.viewerCan.
func (categoryAccess) ViewerCan(ctx context.Context, as []*forum.CategoryAccess) ([][]forum.Action, error) {
	return loader.From(ctx).AccessActions(as), nil
}

// UpdateAccess resolves Mutation.updateAccess.
func (r mutation) UpdateAccess(ctx context.Context, in model.UpdateAccessInput) (*model.UpdateAccessPayload, error) {
	change := rules.AccessChange{Sees: in.Sees, Posts: in.Posts, Replies: in.Replies}
	var err error
	if change.Groups, err = groupIDs(ctx, "groups", in.Groups); err != nil {
		return nil, err
	}
	if in.Category != nil {
		if change.Category, err = app.Category(ctx, *in.Category); err != nil {
			return nil, err
		}
	} else if in.Sees != nil || in.Groups != nil {
		path := forum.Path("sees")
		if in.Sees == nil {
			path = forum.Path("groups")
		}
		return nil, forum.Invalid(path, "Who sees topics without category is who may use the site.")
	}
	if err := r.Store.Rules.UpdateAccess(ctx, auth.ViewerFrom(ctx), change); err != nil {
		return nil, err
	}
	r.accessChanged(ctx, change)
	access := r.Store.Rules.Current(ctx).In(change.Category)
	return &model.UpdateAccessPayload{Access: &access}, nil
}

// accessChanged writes a line in the security log.
func (r *Resolver) accessChanged(ctx context.Context, c rules.AccessChange) {
	r.secure(ctx, eventRulesChanged, slog.Group("access", slog.Int64("category", int64(c.Category)),
		slog.String("sees", string(opt.Value(c.Sees))), slog.Any("groups", c.Groups), slog.String("posts",
			string(opt.Value(c.Posts))),
		slog.String("replies", string(opt.Value(c.Replies)))))
}
