package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/follows"
	"agora/internal/store/listing"
)

// ViewerIsFollowing resolves User.viewerIsFollowing.
func (user) ViewerIsFollowing(ctx context.Context, us []*loader.User) ([]bool, error) {
	return batchResult(loader.From(ctx).UsersFollowed(ctx, us))
}

// FollowsViewer resolves User.followsViewer.
func (user) FollowsViewer(ctx context.Context, us []*loader.User) ([]bool, error) {
	return batchResult(loader.From(ctx).UsersFollowing(ctx, us))
}

// ViewerIsBlocking resolves User.viewerIsBlocking.
func (user) ViewerIsBlocking(ctx context.Context, us []*loader.User) ([]bool, error) {
	return batchResult(loader.From(ctx).UsersBlocked(ctx, us))
}

// ViewerCan resolves User.viewerCan.
func (user) ViewerCan(ctx context.Context, us []*loader.User) ([][]forum.Action, error) {
	return batchResult(loader.From(ctx).UserActions(ctx, us))
}

// Followers resolves User.followers.
func (user) Followers(ctx context.Context, us []*loader.User, first *int, after *string, last *int,
	before *string) ([]*model.UserConnection, error) {
	loader.From(ctx).NeedUsers(ctx, us) // deleted authors become the ghost
	lists := mapSlice(us, func(u *loader.User) listing.List { return follows.Followers(u.ID) })
	return pages(ctx, lists, pageArgs(ctx, first, after, last, before), model.NewTimedUserConnection)
}

// Following resolves User.following.
func (user) Following(ctx context.Context, us []*loader.User, first *int, after *string, last *int,
	before *string) ([]*model.UserConnection, error) {
	loader.From(ctx).NeedUsers(ctx, us) // deleted authors become the ghost
	lists := mapSlice(us, func(u *loader.User) listing.List { return follows.Following(u.ID) })
	return pages(ctx, lists, pageArgs(ctx, first, after, last, before), model.NewTimedUserConnection)
}

// FollowerCount resolves Category.followerCount.
func (category) FollowerCount(ctx context.Context, cs []*loader.Category) ([]*int, error) {
	counts, errs := followerCounts(ctx, mapSlice(cs, categoryTarget))
	return batchResult(refs(counts), errs)
}

// ViewerIsFollowing resolves Category.viewerIsFollowing.
func (category) ViewerIsFollowing(ctx context.Context, cs []*loader.Category) ([]bool, error) {
	return batchResult(loader.From(ctx).Followed(ctx, mapSlice(cs, categoryTarget)))
}

// FollowerCount resolves Tag.followerCount.
func (tag) FollowerCount(ctx context.Context, ts []*loader.Tag) ([]int, error) {
	return batchResult(followerCounts(ctx, mapSlice(ts, tagTarget)))
}

// ViewerIsFollowing resolves Tag.viewerIsFollowing.
func (tag) ViewerIsFollowing(ctx context.Context, ts []*loader.Tag) ([]bool, error) {
	return batchResult(loader.From(ctx).Followed(ctx, mapSlice(ts, tagTarget)))
}

func categoryTarget(c *loader.Category) forum.Target { return forum.Target{Category: c.ID} }

func tagTarget(t *loader.Tag) forum.Target { return forum.Target{Tag: t.ID} }

func followerCounts(ctx context.Context, of []forum.Target) ([]int, []error) {
	return loader.From(ctx).Lengths(ctx, mapSlice(of, follows.FollowersOf))
}

// Home resolves Viewer.home.
func (viewer) Home(ctx context.Context, vs []*model.Viewer, kinds []forum.TopicKind) ([]*forum.Timeline, error) {
	loader.From(ctx).SignedIn(mapSlice(vs, func(v *model.Viewer) forum.UserID { return v.UserID }))
	return newestOf(vs, forum.HomeTimeline, func(v *model.Viewer) int64 { return int64(v.UserID) }, kinds)
}

// Blocked resolves Viewer.blocked.
func (viewer) Blocked(ctx context.Context, vs []*model.Viewer, first *int, after *string, last *int,
	before *string) ([]*model.UserConnection, error) {
	lists := mapSlice(vs, func(v *model.Viewer) listing.List { return follows.Blocked(v.UserID) })
	return pages(ctx, lists, pageArgs(ctx, first, after, last, before), model.NewTimedUserConnection)
}

// Follow resolves Mutation.follow.
func (r mutation) Follow(ctx context.Context, in model.FollowInput) (*model.FollowPayload, error) {
	path := forum.Path("targetId")
	o, err := globalid.Parse(path, in.TargetID)
	if err != nil {
		return nil, err
	}
	var t forum.Target
	switch o.Type {
	case globalid.User:
		t.User = forum.UserID(o.Number)
	case globalid.Category:
		t.Category = forum.CategoryID(o.Number)
	case globalid.Tag:
		t.Tag = forum.TagID(o.Number)
	}
	if t == (forum.Target{}) { // also the ghost
		return nil, forum.NotFound(path, "user, category or tag")
	}
	if !loader.From(ctx).SeesCategory(t.Category) {
		return nil, forum.NotFound(path, "category")
	}
	viewer := auth.ViewerFrom(ctx).ID
	changed, err := r.Store.Follows.Follow(ctx, viewer, t, opt.Or(in.Following, true))
	p := &model.FollowPayload{Viewer: &model.Viewer{UserID: viewer}, Changed: changed}
	p.Target, err = writtenTarget(ctx, err, t)
	return p, err
}

// writtenTarget is written for anything that can be followed.
func writtenTarget(ctx context.Context, err error, t forum.Target) (model.Followable, error) {
	l, path := loader.From(ctx), forum.Path("targetId")
	switch {
	case t.Category != 0:
		return written(ctx, err, l.CategoriesNow, t.Category, forum.NotFound(path, "category"))
	case t.Tag != 0:
		return written(ctx, err, l.TagsNow, t.Tag, forum.NotFound(path, "tag"))
	}
	return written(ctx, err, l.Users, t.User, forum.NotFound(path, "user"))
}

// Block resolves Mutation.block.
func (r mutation) Block(ctx context.Context, in model.BlockInput) (*model.BlockPayload, error) {
	id, err := inputUser(in.UserID)
	if err != nil {
		return nil, err
	}
	changed, err := r.Store.Follows.Block(ctx, auth.ViewerFrom(ctx).ID, id, opt.Or(in.Blocked, true))
	u, err := writtenUser(ctx, err, id)
	return &model.BlockPayload{User: u, Changed: changed}, err
}
