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
	id, changed, err := r.edgeToTopic(ctx, in.TopicID, opt.Or(in.Watching, true), r.Store.Follows.WatchTopic)
	p := &model.WatchPayload{}
	p.Topic, err = writtenTopic(ctx, err, id, forum.NotFound(forum.Path("topicId"), "topic", in.TopicID))
	p.Changed = changed && err == nil
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

// Bookmark resolves Mutation.bookmark.
func (r mutation) Bookmark(ctx context.Context, in model.BookmarkInput) (*model.BookmarkPayload, error) {
	id, changed, err := r.edgeToTopic(ctx, in.TopicID, opt.Or(in.Bookmarked, true), r.Store.Follows.Bookmark)
	p := &model.BookmarkPayload{}
	p.Topic, err = writtenTopic(ctx, err, id, forum.NotFound(forum.Path("topicId"), "topic", in.TopicID))
	p.Changed = changed && err == nil
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

// edgeToTopic sets or ends something between the viewer and a topic.
func (r mutation) edgeToTopic(ctx context.Context, topic string, want bool,
	set func(context.Context, forum.UserID, forum.TopicID, bool) (bool, error)) (id forum.TopicID, changed bool,
	err error) {
	if err := r.admit(ctx); err != nil {
		return 0, false, err
	}
	id, err = globalid.Of[forum.TopicID](forum.Path("topicId"), globalid.Topic, topic)
	if err != nil {
		return 0, false, err
	}
	changed, err = set(ctx, auth.ViewerFrom(ctx).ID, id, want)
	return id, changed, err
}
