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
	p := &model.MarkReadPayload{}
	loader.From(ctx).Forget()
	if err == nil {
		p.Target, err = target(ctx)
	}
	if err == nil {
		p.Viewer = &model.Viewer{UserID: auth.ViewerFrom(ctx).ID}
	}
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

// markRead marks what the input names. It returns a function that reads it again.
func (r mutation) markRead(ctx context.Context, in model.MarkReadInput) (func(context.Context) (model.Node, error),
	error) {
	if err := r.admit(ctx); err != nil {
		return nil, err
	}
	if err := app.OneOf(forum.Path(), in.TopicID != nil, in.CommentID != nil, in.TimelineID != nil,
		in.NotificationID != nil, in.AllNotifications != nil); err != nil {
		return nil, err
	}
	switch {
	case in.TopicID != nil:
		return r.markTopic(ctx, *in.TopicID)
	case in.CommentID != nil:
		return r.markComment(ctx, *in.CommentID)
	case in.TimelineID != nil:
		return r.markTimeline(ctx, *in.TimelineID)
	case in.NotificationID != nil:
		found, err := r.markNotification(ctx, *in.NotificationID)
		return known(found), err
	case !*in.AllNotifications:
		return nil, forum.Invalid(forum.Path("allNotifications"),
			"allNotifications must be true: notifications cannot be marked as unread.")
	}
	return known(nil), r.markNotifications(ctx)
}

func known(n model.Node) func(context.Context) (model.Node, error) {
	return func(context.Context) (model.Node, error) { return n, nil }
}

func (r mutation) markTopic(ctx context.Context, named string) (func(context.Context) (model.Node, error), error) {
	id, err := globalid.Of[forum.TopicID](forum.Path("topicId"), globalid.Topic, named)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (model.Node, error) {
		found, err := single(loader.From(ctx).TopicsNow(ctx, []forum.TopicID{id}))
		switch {
		case err != nil:
			return nil, err
		case found == nil:
			return nil, forum.NotFound(forum.Path("topicId"), "topic", named)
		}
		return found, nil
	}, r.Store.Posts.MarkTopicRead(ctx, auth.ViewerFrom(ctx), id)
}

func (r mutation) markComment(ctx context.Context, named string) (func(context.Context) (model.Node, error), error) {
	id, err := globalid.Of[forum.CommentID](forum.Path("commentId"), globalid.Comment, named)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (model.Node, error) {
		found, err := single(loader.From(ctx).CommentsNow(ctx, []forum.CommentID{id}))
		switch {
		case err != nil:
			return nil, err
		case found == nil:
			return nil, forum.NotFound(forum.Path("commentId"), "comment", named)
		}
		return found, nil
	}, r.Store.Posts.MarkCommentRead(ctx, auth.ViewerFrom(ctx), id)
}

// markTimeline marks a timeline that node would return to the viewer.
func (r mutation) markTimeline(ctx context.Context, named string) (func(context.Context) (model.Node, error), error) {
	path := forum.Path("timelineId")
	o, err := globalid.Parse(path, named)
	if err != nil {
		return nil, err
	}
	if o.Type != globalid.Timeline {
		return nil, forum.NotFound(path, "timeline", named)
	}
	found, errs := r.timelineNodes(ctx, []globalid.Object{o})
	if errs[0] != nil {
		return nil, errs[0]
	}
	if found[0] == nil {
		return nil, forum.NotFound(path, "timeline", named)
	}
	return known(found[0]), r.Store.Posts.MarkTimelineRead(ctx, auth.ViewerFrom(ctx).ID, o.Timeline)
}
