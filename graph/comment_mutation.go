package graph

import (
	"context"
	"errors"
	"slices"

	"agora/breadth"
	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/store/engine"
	"agora/internal/store/posts"
	"agora/internal/text"
)

// CreateComment resolves Mutation.createComment.
func (r mutation) CreateComment(ctx context.Context, in model.CreateCommentInput) (*model.CreateCommentPayload, error) {
	id, err := r.createComment(ctx, in)
	p := &model.CreateCommentPayload{}
	// Deleted topics hide their comments: a repeated call may find the topic deleted.
	missing := forum.NotFound(forum.Input("topicId"), "topic", in.TopicID)
	p.Comment, err = written(ctx, err, commentsOn(in.TopicID), id, missing)
	p.Errors, err = payload(ctx, err, inputIDs{"topicId": in.TopicID, "parentId": deref(in.ParentID)})
	return result(p, err)
}

// commentsOn reads comments together with their topic, with the fields that the operation selects of `comment`.
func commentsOn(topic string) func(context.Context, []forum.CommentID) ([]*loader.Comment, []error) {
	return func(ctx context.Context, ids []forum.CommentID) ([]*loader.Comment, []error) {
		if id, err := globalid.Of[forum.TopicID](nil, globalid.Topic, topic); err == nil {
			askComments(ctx, id, ids)
		}
		return loader.From(ctx).CommentsNow(ctx, ids)
	}
}

// askComments queues comments and their topic.
func askComments(ctx context.Context, topic forum.TopicID, ids []forum.CommentID) {
	l := loader.From(ctx)
	l.AskTopics(l.Topics([]forum.TopicID{topic}))
	l.AskComments(l.Comments(ids))
}

// readBackComment reads a comment, and its author if selected, in the round trip in which it is posted.
func readBackComment(ctx context.Context, topic forum.TopicID) posts.ReadBack[forum.CommentID] {
	return func(r *engine.Read, id forum.CommentID) func(bool) {
		return loader.From(ctx).ReadBack(r, func() {
			askBeside(ctx, selectedOf(ctx, "comment"), auth.ViewerFrom(ctx).ID, 0)
			askComments(ctx, topic, []forum.CommentID{id})
		})
	}
}

func (r mutation) createComment(ctx context.Context, in model.CreateCommentInput) (forum.CommentID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	c := posts.NewComment{Format: valueOr(in.Format, forum.Markdown), Key: deref(in.IdempotencyKey)}
	var err error
	if c.Topic, err = globalid.Of[forum.TopicID](forum.Input("topicId"), globalid.Topic, in.TopicID); err != nil {
		return 0, err
	}
	if in.ParentID != nil {
		if c.Parent, err = globalid.Of[forum.CommentID](forum.Input("parentId"), globalid.Comment, *in.ParentID); err != nil {
			return 0, err
		}
	}
	var contentErr error
	c.Content, contentErr = text.Posted(forum.PostedComment, in.Content)
	if err := errors.Join(contentErr, checkKey(in.IdempotencyKey)); err != nil {
		return 0, err
	}
	if c.Mentions, err = mentions(ctx, c.Content, c.Format, nil); err != nil {
		return 0, err
	}
	c.ReadBack = readBackComment(ctx, c.Topic)
	shown := r.collectText(ctx, func(t *postedText) { t.content(forum.PostedComment, c.Content, c.Format) })
	var id forum.CommentID
	err = r.checkPost(ctx, shown, len(c.Mentions.Direct()), onceOf("comment", c.Key), func(held bool) (err error) {
		c.Held = held
		id, err = r.Store.Posts.CreateComment(ctx, auth.ViewerFrom(ctx), c)
		return err
	})
	return id, err
}

// askMentioned queues the lookup of the users that a text may mention, whatever its format, for the next read.
func askMentioned(ctx context.Context, content *string) {
	if content == nil {
		return
	}
	for _, format := range []forum.ContentFormat{forum.Markdown, forum.HTML} {
		mentioned, quoted := text.MentionedLogins(*content, format)
		loader.From(ctx).AskLogins(append(mentioned, quoted...))
	}
}

// mentions returns the users that a text mentions, without those in a block with the viewer, in either direction. A
// text without `@` costs no read. before are those of the text before an edit, who keep their mentions, whoever has
// their logins now.
func mentions(ctx context.Context, content string, format forum.ContentFormat, before forum.Mentions) (forum.Mentions,
	error) {
	if err := breadth.MeterFrom(ctx).Charge(text.MentionsCost(content, format), 0); err != nil {
		return nil, err
	}
	folds, quoted := text.MentionedLogins(content, format)
	direct := len(folds)
	if folds = append(folds, quoted...); len(folds) == 0 {
		return nil, nil
	}
	users, errs := loader.From(ctx).Mentionable(ctx, folds)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var ms, quotes forum.Mentions
	for i, u := range users {
		m := forum.Mention{Fold: folds[i], Quoted: i >= direct}
		if u != nil {
			m.User = u.ID
		}
		if n := slices.IndexFunc(before, func(old forum.Mention) bool { return old.Fold == m.Fold }); n >= 0 {
			// Whom a quotation names and the text now mentions is notified, unless a block forbids it.
			if old := before[n]; old.User != m.User {
				m.User, m.Quoted = old.User, m.Quoted || old.Quoted
			}
		}
		switch {
		case m.User == 0:
		case m.Quoted:
			quotes = append(quotes, m)
		default:
			ms = append(ms, m)
		}
	}
	return append(ms, quotes...), nil
}

// UpdateComment resolves Mutation.updateComment.
func (r mutation) UpdateComment(ctx context.Context, in model.UpdateCommentInput) (*model.UpdateCommentPayload, error) {
	id, topic, err := r.updateComment(ctx, in)
	p := &model.UpdateCommentPayload{}
	p.Comment, err = writtenComment(ctx, err, topic, id, forum.NotFound(forum.Input("commentId"), "comment", in.CommentID))
	p.Errors, err = payload(ctx, err, inputIDs{"commentId": in.CommentID})
	return result(p, err)
}

func (r mutation) updateComment(ctx context.Context,
	in model.UpdateCommentInput) (id forum.CommentID, topic forum.TopicID, err error) {
	if err := r.admit(ctx); err != nil {
		return 0, 0, err
	}
	if id, err = globalid.Of[forum.CommentID](forum.Input("commentId"), globalid.Comment, in.CommentID); err != nil {
		return 0, 0, err
	}
	if err := checkExpected(in.ExpectedRevision); err != nil {
		return 0, 0, err
	}
	c := posts.CommentChange{Format: in.Format}
	if c.Content, err = text.Posted(forum.PostedComment, in.Content); err != nil {
		return 0, 0, err
	}
	askMentioned(ctx, &c.Content)
	present, err := loader.From(ctx).CommentToEdit(ctx, id)
	if err != nil {
		return 0, 0, err
	}
	if present == nil {
		return 0, 0, forum.NotFound(forum.Input("commentId"), "comment", in.CommentID)
	}
	c.Topic, c.Parent = present.TopicID, present.ParentID
	c.Expected, c.Before = deref(in.ExpectedRevision), present.Present(present.Content)
	format := present.Format // it determines which names count as mentions
	if in.Format != nil {
		format = *in.Format
	}
	if c.Mentions, err = mentions(ctx, c.Content, format, present.Mentions); err != nil {
		return 0, 0, err
	}
	shown := r.collectText(ctx, func(t *postedText) { t.content(forum.PostedComment, c.Content, format) })
	edit := textEdit{forum.Subject{Comment: id}, c.Before, forum.Text{Content: c.Content}}
	if c.Apart, err = r.checkEdit(ctx, shown, len(c.Mentions.Direct()), edit); err != nil {
		return 0, 0, err
	}
	return id, c.Topic, r.Store.Posts.UpdateComment(ctx, auth.ViewerFrom(ctx), id, c)
}

// DeleteComment resolves Mutation.deleteComment.
func (r mutation) DeleteComment(ctx context.Context, in model.DeleteCommentInput) (*model.DeleteCommentPayload, error) {
	var id forum.CommentID
	err := r.admit(ctx)
	if err == nil {
		id, err = globalid.Of[forum.CommentID](forum.Input("commentId"), globalid.Comment, in.CommentID)
	}
	if err == nil {
		err = r.Store.Posts.DeleteComment(ctx, auth.ViewerFrom(ctx), id)
	}
	p := &model.DeleteCommentPayload{}
	p.Comment, err = writtenComment(ctx, err, 0, id, forum.NotFound(forum.Input("commentId"), "comment", in.CommentID))
	if err == nil {
		p.DeletedCommentID = &in.CommentID
	}
	p.Errors, err = payload(ctx, err, inputIDs{"commentId": in.CommentID})
	return result(p, err)
}
