package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
)

// ViewerUnreadCommentCount resolves Topic.viewerUnreadCommentCount.
func (topic) ViewerUnreadCommentCount(ctx context.Context, ts []*loader.Topic) ([]*int, error) {
	return batchResult(loader.From(ctx).UnreadComments(ctx, ts))
}

// UnreadCount resolves Timeline.unreadCount.
func (timeline) UnreadCount(ctx context.Context, ts []*forum.Timeline) ([]*int, error) {
	timelines := mapSlice(ts, func(t *forum.Timeline) forum.Timeline { return *t })
	return batchResult(loader.From(ctx).UnreadTopics(ctx, timelines))
}

// MarkRead resolves Mutation.markRead.
func (r mutation) MarkRead(ctx context.Context, in model.MarkReadInput) (*model.MarkReadPayload, error) {
	target, err := r.markRead(ctx, in)
	return &model.MarkReadPayload{Target: target, Viewer: &model.Viewer{UserID: auth.ViewerFrom(ctx).ID}}, err
}

// markRead marks what the input names, and returns it.
func (r mutation) markRead(ctx context.Context, in model.MarkReadInput) (model.Node, error) {
	if err := app.OneOf(forum.Path(), in.TopicID != nil, in.CommentID != nil, in.TimelineID != nil,
		in.NotificationID != nil, in.AllNotifications != nil); err != nil {
		return nil, err
	}
	viewer := auth.ViewerFrom(ctx)
	switch {
	case in.TopicID != nil:
		id, err := globalid.Of[forum.TopicID](forum.Path("topicId"), globalid.Topic, *in.TopicID)
		if err == nil {
			err = r.Store.Posts.MarkTopicRead(ctx, viewer, id)
		}
		return writtenTopic(ctx, err, id)
	case in.CommentID != nil:
		path := forum.Path("commentId")
		id, err := globalid.Of[forum.CommentID](path, globalid.Comment, *in.CommentID)
		if err == nil {
			err = r.Store.Posts.MarkCommentRead(ctx, viewer, id)
		}
		return writtenComment(ctx, err, 0, id, forum.NotFound(path, "comment"))
	case in.TimelineID != nil:
		return r.markTimeline(ctx, *in.TimelineID)
	case in.NotificationID != nil:
		return r.markNotification(ctx, *in.NotificationID)
	case !*in.AllNotifications:
		return nil, forum.Invalid(forum.Path("allNotifications"),
			"allNotifications must be true: notifications cannot be marked as unread.")
	}
	return nil, r.Store.Notify.MarkNotifications(ctx, viewer.ID)
}

// markTimeline marks a timeline that node would return to the viewer.
func (r mutation) markTimeline(ctx context.Context, named string) (model.Node, error) {
	path := forum.Path("timelineId")
	o, err := globalid.Parse(path, named)
	if err != nil {
		return nil, err
	}
	if o.Type != globalid.Timeline {
		return nil, forum.NotFound(path, "timeline")
	}
	found, errs := r.timelineNodes(ctx, []globalid.Object{o})
	if errs[0] != nil {
		return nil, errs[0]
	}
	if found[0] == nil {
		return nil, forum.NotFound(path, "timeline")
	}
	return found[0], r.Store.Posts.MarkTimelineRead(ctx, auth.ViewerFrom(ctx).ID, o.Timeline)
}
