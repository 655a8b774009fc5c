package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store"
	"agora/internal/store/listing"
)

// Comments resolves User.comments.
func (user) Comments(ctx context.Context, us []*loader.User, first *int, after *string, last *int,
	before *string) ([]*model.CommentConnection, error) {
	loader.From(ctx).NeedUsers(ctx, us) // deleted authors become the ghost
	lists := mapSlice(us, func(u *loader.User) listing.List { return listing.UserComments(u.ID) })
	return pages(ctx, lists, pageArgs(ctx, first, after, last, before), model.NewCommentConnection)
}

// Profile resolves User.profile.
func (user) Profile(ctx context.Context, us []*loader.User, kinds []forum.TopicKind) ([]*forum.Timeline, error) {
	loader.From(ctx).NeedUsers(ctx, us) // deleted authors become the ghost
	return newestOf(us, forum.ProfileTimeline, func(u *loader.User) int64 { return int64(u.ID) }, kinds)
}

// User resolves Viewer.user.
func (viewer) User(ctx context.Context, vs []*model.Viewer) ([]*loader.User, error) {
	return loader.From(ctx).Authors(mapSlice(vs, func(v *model.Viewer) forum.UserID { return v.UserID })), nil
}

// UserCount resolves Site.userCount.
func (r site) UserCount(ctx context.Context, ss []*model.Site) ([]*int, error) {
	if !loader.From(ctx).SeesMembers() {
		return make([]*int, len(ss)), nil
	}
	return siteCounts(ctx, r.Store, ss, func(s store.Stats) int { return s.Users })
}

// TopicCount resolves Site.topicCount.
func (r site) TopicCount(ctx context.Context, ss []*model.Site) ([]*int, error) {
	return siteCounts(ctx, r.Store, ss, func(s store.Stats) int { return s.Topics })
}

// CommentCount resolves Site.commentCount.
func (r site) CommentCount(ctx context.Context, ss []*model.Site) ([]*int, error) {
	return siteCounts(ctx, r.Store, ss, func(s store.Stats) int { return s.Comments })
}

func siteCounts(ctx context.Context, s *store.Store, ss []*model.Site, pick func(store.Stats) int) ([]*int, error) {
	stats, err := s.Stats(ctx)
	if err != nil {
		return failAll[*int](ss, err)
	}
	return refs(mapSlice(ss, func(*model.Site) int { return pick(stats) })), nil
}

// TopicCount resolves User.topicCount.
func (user) TopicCount(ctx context.Context, us []*loader.User) ([]int, error) {
	return userCounts(ctx, us, func(c forum.UserCounts) int { return c.Topics })
}

// FollowerCount resolves User.followerCount.
func (user) FollowerCount(ctx context.Context, us []*loader.User) ([]int, error) {
	return userCounts(ctx, us, func(c forum.UserCounts) int { return c.Followers })
}

// FollowingCount resolves User.followingCount.
func (user) FollowingCount(ctx context.Context, us []*loader.User) ([]int, error) {
	return userCounts(ctx, us, func(c forum.UserCounts) int { return c.Following })
}

// Karma resolves User.karma.
func (user) Karma(ctx context.Context, us []*loader.User) ([]int, error) {
	return userCounts(ctx, us, func(c forum.UserCounts) int { return c.Karma })
}

func userCounts(ctx context.Context, us []*loader.User, pick func(forum.UserCounts) int) ([]int, error) {
	counts, errs := loader.From(ctx).UserCounts(ctx, us)
	return batchResult(mapSlice(counts, pick), errs)
}
