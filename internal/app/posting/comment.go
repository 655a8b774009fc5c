package posting

import (
	"context"
	"errors"

	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/engine"
	"agora/internal/store/posts"
	"agora/internal/text"
)

// CreateCommentInput is the input of the mutation; the schema describes its fields.
type CreateCommentInput struct {
	TopicID        string
	ParentID       *string
	Content        string
	Format         *forum.ContentFormat
	IdempotencyKey *string
}

// UpdateCommentInput is the input of the mutation; the schema describes its fields.
type UpdateCommentInput struct {
	CommentID        string
	Content          string
	Format           *forum.ContentFormat
	ExpectedRevision *int
}

// DeleteCommentInput is the input of the mutation; the schema describes its fields.
type DeleteCommentInput struct {
	CommentID string
}

// CreateComment replies to a topic or comment. It returns the comment and its topic. readBack reads the comment in the
// last round trip.
func CreateComment(ctx context.Context, a app.App, in CreateCommentInput,
	readBack engine.ReadBack) (id forum.CommentID, topic forum.TopicID, err error) {
	c := posts.NewComment{Format: opt.Or(in.Format, forum.Markdown), Key: opt.Value(in.IdempotencyKey)}
	if c.Topic, err = globalid.Of[forum.TopicID](forum.Path("topicId"), globalid.Topic, in.TopicID); err != nil {
		return 0, 0, err
	}
	if in.ParentID != nil {
		if c.Parent, err = globalid.Of[forum.CommentID](forum.Path("parentId"), globalid.Comment,
			*in.ParentID); err != nil {
			return 0, 0, err
		}
	}
	var contentErr error
	c.Content, contentErr = text.Posted(forum.PostedComment, in.Content)
	if err := errors.Join(contentErr, app.CheckKey(in.IdempotencyKey)); err != nil {
		return 0, 0, err
	}
	if c.Mentions, err = app.Mentions(ctx, c.Content, c.Format, nil); err != nil {
		return 0, 0, err
	}
	c.ReadBack = readBack
	shown := a.Collect(ctx, func(t *app.Text) { t.Content(forum.PostedComment, c.Content, c.Format) })
	err = a.Post(ctx, shown, len(c.Mentions.Direct()), app.OnceOf("comment", c.Key), func(held bool) (err error) {
		c.Held = held
		id, err = a.Store.Posts.CreateComment(ctx, auth.ViewerFrom(ctx), c)
		return err
	})
	return id, c.Topic, err
}

// UpdateComment changes the text of a comment. It returns the comment and its topic.
func UpdateComment(ctx context.Context, a app.App,
	in UpdateCommentInput) (id forum.CommentID, topic forum.TopicID, err error) {
	if id, err = globalid.Of[forum.CommentID](forum.Path("commentId"), globalid.Comment, in.CommentID); err != nil {
		return 0, 0, err
	}
	if err := app.CheckExpected(in.ExpectedRevision); err != nil {
		return 0, 0, err
	}
	c := posts.CommentChange{Format: in.Format}
	if c.Content, err = text.Posted(forum.PostedComment, in.Content); err != nil {
		return 0, 0, err
	}
	app.AskMentioned(ctx, &c.Content)
	present, err := loader.From(ctx).CommentToEdit(ctx, id)
	if err != nil {
		return 0, 0, err
	}
	if present == nil {
		return 0, 0, forum.NotFound(forum.Path("commentId"), "comment")
	}
	c.Topic, c.Parent = present.TopicID, present.ParentID
	c.Expected, c.Before = opt.Value(in.ExpectedRevision), present.Present(present.Content)
	format := present.Format // it determines which names count as mentions
	if in.Format != nil {
		format = *in.Format
	}
	if c.Mentions, err = app.Mentions(ctx, c.Content, format, present.Mentions); err != nil {
		return 0, 0, err
	}
	shown := a.Collect(ctx, func(t *app.Text) { t.Content(forum.PostedComment, c.Content, format) })
	edit := app.Edit{Of: forum.Subject{Comment: id}, Before: c.Before, After: forum.Text{Content: c.Content}}
	if c.Apart, err = a.CheckEdit(ctx, shown, len(c.Mentions.Direct()), edit); err != nil {
		return 0, 0, err
	}
	return id, c.Topic, a.Store.Posts.UpdateComment(ctx, auth.ViewerFrom(ctx), id, c)
}

// DeleteComment deletes a comment, and returns its id.
func DeleteComment(ctx context.Context, a app.App, in DeleteCommentInput) (forum.CommentID, error) {
	id, err := globalid.Of[forum.CommentID](forum.Path("commentId"), globalid.Comment, in.CommentID)
	if err != nil {
		return 0, err
	}
	return id, a.Store.Posts.DeleteComment(ctx, auth.ViewerFrom(ctx), id)
}
