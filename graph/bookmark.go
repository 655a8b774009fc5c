package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
)

// Bookmarks resolves Viewer.bookmarks.
func (viewer) Bookmarks(ctx context.Context, vs []*model.Viewer) ([]*forum.Timeline, error) {
	loader.From(ctx).SignedIn(mapSlice(vs, func(v *model.Viewer) forum.UserID { return v.UserID }))
	return mapSlice(vs, func(v *model.Viewer) *forum.Timeline {
		return &forum.Timeline{Kind: forum.BookmarksTimeline, Owner: int64(v.UserID), Order: forum.ByBookmarked,
			Direction: forum.Descending}
	}), nil
}

// ViewerHasBookmarked resolves Topic.viewerHasBookmarked.
func (topic) ViewerHasBookmarked(ctx context.Context, ts []*loader.Topic) ([]bool, error) {
	return batchResult(loader.From(ctx).Bookmarked(ctx, ts))
}

// ViewerIsWatching resolves Topic.viewerIsWatching.
func (topic) ViewerIsWatching(ctx context.Context, ts []*loader.Topic) ([]bool, error) {
	return batchResult(loader.From(ctx).Watched(ctx, ts))
}

// Watch resolves Mutation.watch.
func (r mutation) Watch(ctx context.Context, in model.WatchInput) (*model.WatchPayload, error) {
	t, changed, err := edgeToTopic(ctx, in.TopicID, opt.Or(in.Watching, true), r.Store.Follows.WatchTopic)
	return &model.WatchPayload{Topic: t, Changed: changed}, err
}

// Bookmark resolves Mutation.bookmark.
func (r mutation) Bookmark(ctx context.Context, in model.BookmarkInput) (*model.BookmarkPayload, error) {
	t, changed, err := edgeToTopic(ctx, in.TopicID, opt.Or(in.Bookmarked, true), r.Store.Follows.Bookmark)
	return &model.BookmarkPayload{Topic: t, Changed: changed}, err
}

// edgeToTopic sets or ends something between the viewer and a topic, which it returns.
func edgeToTopic(ctx context.Context, topic string, want bool,
	set func(context.Context, forum.UserID, forum.TopicID, bool) (bool, error)) (*loader.Topic, bool, error) {
	id, err := globalid.Of[forum.TopicID](forum.Path("topicId"), globalid.Topic, topic)
	if err != nil {
		return nil, false, err
	}
	if err := seen(ctx, loader.From(ctx).TopicsNow, id, forum.NotFound(forum.Path("topicId"), "topic")); err != nil {
		return nil, false, err
	}
	changed, err := set(ctx, auth.ViewerFrom(ctx).ID, id, want)
	t, err := writtenTopic(ctx, err, id)
	return t, changed, err
}
