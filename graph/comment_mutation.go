package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/app/posting"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
)

// CreateComment resolves Mutation.createComment.
func (r mutation) CreateComment(ctx context.Context,
	in posting.CreateCommentInput) (*model.CreateCommentPayload, error) {
	id, err := posting.CreateComment(ctx, r.app(), in, readBack(ctx, "comment"))
	p := &model.CreateCommentPayload{}
	// Deleted topics hide their comments: a repeated call may find the topic deleted.
	missing := forum.NotFound(forum.Path("topicId"), "topic", in.TopicID)
	p.Comment, err = written(ctx, err, commentsOn(in.TopicID), id, missing)
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

// commentsOn reads comments together with their topic.
func commentsOn(topic string) func(context.Context, []forum.CommentID) ([]*loader.Comment, []error) {
	return func(ctx context.Context, ids []forum.CommentID) ([]*loader.Comment, []error) {
		l := loader.From(ctx)
		if id, err := globalid.Of[forum.TopicID](nil, globalid.Topic, topic); err == nil {
			l.AskTopics(l.Topics([]forum.TopicID{id}))
			l.AskComments(l.Comments(ids))
		}
		return l.CommentsNow(ctx, ids)
	}
}

// UpdateComment resolves Mutation.updateComment.
func (r mutation) UpdateComment(ctx context.Context,
	in posting.UpdateCommentInput) (*model.UpdateCommentPayload, error) {
	id, topic, err := posting.UpdateComment(ctx, r.app(), in)
	p := &model.UpdateCommentPayload{}
	p.Comment, err = writtenComment(ctx, err, topic, id, forum.NotFound(forum.Path("commentId"), "comment",
		in.CommentID))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

// DeleteComment resolves Mutation.deleteComment.
func (r mutation) DeleteComment(ctx context.Context,
	in posting.DeleteCommentInput) (*model.DeleteCommentPayload, error) {
	id, err := posting.DeleteComment(ctx, r.app(), in)
	p := &model.DeleteCommentPayload{}
	p.Comment, err = writtenComment(ctx, err, 0, id, forum.NotFound(forum.Path("commentId"), "comment", in.CommentID))
	if err == nil {
		p.DeletedCommentID = &in.CommentID
	}
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}
