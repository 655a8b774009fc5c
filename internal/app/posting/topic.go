package posting

import (
	"context"
	"errors"
	"slices"

	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/opt"
	"agora/internal/store/engine"
	"agora/internal/store/posts"
	"agora/internal/text"
)

// CreateTopicInput is the input of the mutation; the schema describes its fields.
type CreateTopicInput struct {
	Kind           *forum.TopicKind
	Title          *string
	Content        *string
	Format         *forum.ContentFormat
	Link           *string
	Category       *app.CategoryRef
	Tags           []string
	IdempotencyKey *string
}

// UpdateTopicInput is the input of the mutation; the schema describes its fields.
type UpdateTopicInput struct {
	TopicID          string
	Title            *string
	Content          *string
	Format           *forum.ContentFormat
	Link             *string
	Category         *app.CategoryRef
	ExpectedRevision *int
	Reason           *forum.Reason
	Note             *string
}

// DeleteTopicInput is the input of the mutation; the schema describes its fields.
type DeleteTopicInput struct {
	TopicID string
}

// TagTopicInput is the input of the mutation; the schema describes its fields.
type TagTopicInput struct {
	TopicID string
	Add     []string
	Remove  []string
	Reason  *forum.Reason
	Note    *string
}

// CreateTopic posts a topic. readBack reads it in the last round trip.
func CreateTopic(ctx context.Context, a app.App, in CreateTopicInput, readBack engine.ReadBack) (forum.TopicID, error) {
	t, err := checkTopic(ctx, in)
	if err == nil {
		err = a.CheckPost(ctx, placeOf(t.Category), t.Category)
	}
	if err == nil {
		t.ReadBack = readBack
		t.Mentions, err = app.Mentions(ctx, t.Content, t.Format, nil)
	}
	if err != nil {
		return 0, err
	}
	var id forum.TopicID
	shown := a.Collect(ctx, func(all *app.Text) { addTopic(all, t) })
	err = a.Post(ctx, shown, len(t.Mentions.Direct()), app.OnceOf("topic", t.Key), func(held bool) (err error) {
		t.Held = held
		id, err = a.Store.Posts.CreateTopic(ctx, t)
		return err
	})
	return id, err
}

// placeOf returns the field that says where a topic is to be posted.
func placeOf(c forum.CategoryID) []string {
	if c == 0 {
		return forum.Path("kind")
	}
	return forum.Path("category")
}

// checkTopic checks all fields of the input.
func checkTopic(ctx context.Context, in CreateTopicInput) (posts.NewTopic, error) {
	t := posts.NewTopic{
		Author: auth.ViewerFrom(ctx).ID, Kind: opt.Or(in.Kind, forum.Discussion), Content: opt.Value(in.Content),
		Format: opt.Or(in.Format, forum.Markdown), Key: opt.Value(in.IdempotencyKey),
	}
	if t.Kind == forum.Status {
		return checkStatus(t, in)
	}
	var categoryErr, contentErr, linkErr, titleErr, tagsErr error
	t.Title, titleErr = text.Posted(forum.PostedTitle, opt.Value(in.Title))
	t.Content, contentErr = text.Posted(forum.PostedTopic, t.Content)
	if in.Link != nil {
		t.Link, linkErr = text.Posted(forum.PostedLink, *in.Link)
	} else if t.Kind == forum.Article {
		linkErr = forum.Invalid(forum.Path("link"), "An article needs a link.")
	}
	if in.Category == nil && t.Kind == forum.Discussion {
		categoryErr = forum.Invalid(forum.Path("category"), "A discussion needs a category.")
	}
	t.Tags, tagsErr = checkTags(forum.Path("tags"), in.Tags)
	if err := errors.Join(titleErr, contentErr, linkErr, categoryErr, tagsErr,
		app.CheckKey(in.IdempotencyKey)); err != nil {
		return t, err
	}
	if in.Category == nil {
		return t, nil
	}
	var err error
	t.Category, err = app.Category(ctx, *in.Category)
	return t, err
}

// DeleteTopic deletes a topic.
func DeleteTopic(ctx context.Context, a app.App, in DeleteTopicInput) error {
	id, err := globalid.Of[forum.TopicID](forum.Path("topicId"), globalid.Topic, in.TopicID)
	if err != nil {
		return err
	}
	return a.Store.Posts.DeleteTopic(ctx, auth.ViewerFrom(ctx), id)
}

// mentionedIn returns the users mentioned in the new text of a topic. present is the topic as it is; its text or
// format is used if the change leaves it out.
func mentionedIn(ctx context.Context, c posts.TopicChange, present *forum.Topic) (forum.Mentions, error) {
	if c.Content == nil && c.Format == nil || present == nil {
		return nil, nil
	}
	content, format := present.Content, present.Format
	if c.Content != nil {
		content = *c.Content
	}
	if c.Format != nil {
		format = *c.Format
	}
	return app.Mentions(ctx, content, format, present.Mentions)
}

// UpdateTopic changes a topic.
func UpdateTopic(ctx context.Context, a app.App, in UpdateTopicInput) (forum.TopicID, error) {
	id, err := globalid.Of[forum.TopicID](forum.Path("topicId"), globalid.Topic, in.TopicID)
	if err != nil {
		return 0, err
	}
	if err := app.CheckExpected(in.ExpectedRevision); err != nil {
		return 0, err
	}
	present, err := topicToChange(ctx, id, in)
	if err != nil {
		return 0, err
	}
	var c posts.TopicChange
	if present != nil && present.Kind == forum.Status {
		c, err = checkStatusChange(present, in)
	} else {
		c, err = checkTopicChange(ctx, in)
	}
	if err != nil {
		return 0, err
	}
	if to := opt.Value(c.Category); to != 0 && (present == nil || present.CategoryID != to) {
		if err := a.CheckPost(ctx, placeOf(to), to); err != nil {
			return 0, err
		}
	}
	if c.Mentions, err = mentionedIn(ctx, c, present); err != nil {
		return 0, err
	}
	if c.Why, err = app.Grounds(opt.Value(in.Reason), in.Note); err != nil {
		return 0, err
	}
	shown := a.Collect(ctx, func(t *app.Text) { addTopicChange(t, c, present) })
	edit := app.Edit{Of: forum.Subject{Topic: id}}
	if c.Expected = opt.Value(in.ExpectedRevision); present != nil {
		c.Before = present.Present(present.Content)
		edit.Before, edit.After = c.Before, forum.Text{Title: opt.Or(c.Title, present.Title),
			Link: opt.Or(c.Link, present.Link), Content: opt.Or(c.Content, present.Content)}
	}
	if c.Apart, err = a.CheckEdit(ctx, shown, len(c.Mentions.Direct()), edit); err != nil {
		return 0, err
	}
	return id, a.Store.Posts.UpdateTopic(ctx, auth.ViewerFrom(ctx), id, c)
}

// checkTopicChange checks a change of any topic except a STATUS.
func checkTopicChange(ctx context.Context, in UpdateTopicInput) (posts.TopicChange, error) {
	c := posts.TopicChange{Format: in.Format}
	var titleErr, contentErr, linkErr error
	c.Title, titleErr = app.Posted(forum.PostedTitle, in.Title)
	c.Content, contentErr = app.Posted(forum.PostedTopic, in.Content)
	c.Link, linkErr = app.Posted(forum.PostedLink, in.Link)
	if err := errors.Join(titleErr, contentErr, linkErr); err != nil {
		return c, err
	}
	if in.Category != nil {
		category, err := app.Category(ctx, *in.Category)
		if err != nil {
			return c, err
		}
		c.Category = &category
	}
	return c, nil
}

// TagTopic adds and removes tags of a topic.
func TagTopic(ctx context.Context, a app.App, in TagTopicInput) (forum.TopicID, error) {
	id, err := globalid.Of[forum.TopicID](forum.Path("topicId"), globalid.Topic, in.TopicID)
	if err != nil {
		return 0, err
	}
	add, err := checkTags(forum.Path("add"), in.Add)
	if err != nil {
		return 0, err
	}
	remove, err := text.Tags(forum.Path("remove"), in.Remove)
	if err != nil {
		return 0, err
	}
	for _, t := range remove {
		if slices.Contains(add.IDs(), t.ID) {
			return 0, forum.Invalid(forum.Path("remove"), "The tag %q is in both add and remove.", t.Name)
		}
	}
	why, err := app.Grounds(opt.Value(in.Reason), in.Note)
	if err != nil {
		return 0, err
	}
	shown := a.Collect(ctx, func(t *app.Text) { t.Tags("add", add) })
	if _, err := a.CheckEdit(ctx, shown, 0, app.Edit{Of: forum.Subject{Topic: id}}); err != nil {
		return 0, err
	}
	return id, a.Store.Posts.RetagTopic(ctx, auth.ViewerFrom(ctx), id, add, remove, why)
}

// checkTags checks the names of a topic's new tags.
func checkTags(path []string, names []string) (forum.TopicTags, error) {
	tags, err := text.Tags(path, names)
	if err == nil && len(tags) > forum.MaxTopicTags {
		err = forum.TooLong(path, forum.MaxTopicTags, "tags")
	}
	return tags, err
}

// addTopic adds a new topic.
func addTopic(t *app.Text, of posts.NewTopic) {
	if of.Kind != forum.Status { // the title of a status is the beginning of its content
		t.Add(forum.PostedTitle, of.Title)
	}
	t.Content(forum.PostedTopic, of.Content, of.Format)
	t.Add(forum.PostedLink, of.Link)
	t.Tags("tags", of.Tags)
}

// addTopicChange adds what a change of a topic sets. Links that stay count, too.
func addTopicChange(t *app.Text, c posts.TopicChange, present *forum.Topic) {
	if present == nil {
		return
	}
	if c.Title != nil && present.Kind != forum.Status {
		t.Add(forum.PostedTitle, *c.Title)
	}
	content, format := opt.Or(c.Content, present.Content), opt.Or(c.Format, present.Format)
	if c.Content != nil || c.Format != nil {
		t.Content(forum.PostedTopic, content, format)
	} else if c.Link != nil {
		t.Links += len(text.ContentOf(content, format).Hosts)
	}
	if c.Link != nil {
		t.Add(forum.PostedLink, *c.Link)
	} else if (c.Content != nil || c.Format != nil) && text.Host(present.Link) != "" {
		t.Links++
	}
}
