package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/app/posting"
	"agora/internal/forum"
)

// CreateComment resolves Mutation.createComment.
func (r mutation) CreateComment(ctx context.Context,
	in posting.CreateCommentInput) (*model.CreateCommentPayload, error) {
	id, topic, err := posting.CreateComment(ctx, r.app(), in, readBack(ctx, "comment"))
	// Deleted topics hide their comments: a repeated call may find the topic deleted.
	c, err := writtenComment(ctx, err, topic, id, forum.NotFound(forum.Path("topicId"), "topic"))
	return &model.CreateCommentPayload{Comment: c}, err
}

// UpdateComment resolves Mutation.updateComment.
func (r mutation) UpdateComment(ctx context.Context,
	in posting.UpdateCommentInput) (*model.UpdateCommentPayload, error) {
	id, topic, err := posting.UpdateComment(ctx, r.app(), in)
	c, err := writtenComment(ctx, err, topic, id, forum.NotFound(forum.Path("commentId"), "comment"))
	return &model.UpdateCommentPayload{Comment: c}, err
}

// DeleteComment resolves Mutation.deleteComment.
func (r mutation) DeleteComment(ctx context.Context,
	in posting.DeleteCommentInput) (*model.DeleteCommentPayload, error) {
	id, err := posting.DeleteComment(ctx, r.app(), in)
	c, err := writtenComment(ctx, err, 0, id, forum.NotFound(forum.Path("commentId"), "comment"))
	return &model.DeleteCommentPayload{Comment: c, DeletedCommentID: &in.CommentID}, err
}
