package posting

import (
	"context"
	"errors"

	"agora/internal/app"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/store/posts"
	"agora/internal/text"
)

// checkStatus checks all fields of a new STATUS, and returns it as t.
func checkStatus(t posts.NewTopic, in CreateTopicInput) (posts.NewTopic, error) {
	var tagsErr error
	t.Tags, tagsErr = checkTags(forum.Path("tags"), in.Tags)
	content, textErr := textOnly(in.Title, &t.Content, in.Link, in.Category)
	if err := errors.Join(textErr, tagsErr, app.CheckKey(in.IdempotencyKey)); err != nil {
		return t, err
	}
	t.Content = *content
	t.Title = text.StatusTitle(t.Content, t.Format)
	return t, nil
}

// textOnly refuses the fields that a STATUS does not have, and checks its text if set. It returns the text as it is
// stored, or nil.
func textOnly(title, content, link *string, category *app.CategoryRef) (*string, error) {
	var errs []error
	refuse := func(set bool, field, what string) {
		if set {
			errs = append(errs, forum.Invalid(forum.Path(field), "A status has no %s.", what))
		}
	}
	refuse(title != nil, "title", "title of its own")
	content, err := app.Posted(forum.PostedStatus, content)
	errs = append(errs, err)
	refuse(link != nil, "link", "link")
	refuse(category != nil, "category", "category")
	return content, errors.Join(errs...)
}

// topicToChange returns the topic as it is now, before the change, with its text even if that is long; nil if it does
// not exist, or if nothing changes. It costs a round trip, which also reads what the change will need.
func topicToChange(ctx context.Context, id forum.TopicID, in UpdateTopicInput) (*forum.Topic, error) {
	if in.Title == nil && in.Content == nil && in.Format == nil && in.Link == nil && in.Category == nil {
		return nil, nil
	}
	l := loader.From(ctx)
	app.AskMentioned(ctx, in.Content)
	if in.Category != nil && in.Category.ID != nil {
		if id, err := globalid.Of[forum.CategoryID](nil, globalid.Category, *in.Category.ID); err == nil {
			l.Ask(loader.Objects{Categories: []forum.CategoryID{id}})
		}
	}
	ts := l.Topics([]forum.TopicID{id})
	contents, errs := l.Texts(ctx, ts)
	if err := errors.Join(append(errs, l.NeedTopics(ctx, ts)...)...); err != nil {
		return nil, err
	}
	if ts[0].Missing() {
		return nil, nil
	}
	whole := *ts[0].Topic
	whole.Content = contents[0]
	return &whole, nil
}

// checkStatusChange checks a change of a STATUS, whose title is derived from its text.
func checkStatusChange(t *forum.Topic, in UpdateTopicInput) (posts.TopicChange, error) {
	c := posts.TopicChange{Format: in.Format}
	var err error
	if c.Content, err = textOnly(in.Title, in.Content, in.Link, in.Category); err != nil {
		return c, err
	}
	content, format := t.Content, t.Format
	if c.Content != nil {
		content = *c.Content
	}
	if in.Format != nil {
		format = *in.Format
	}
	title := text.StatusTitle(content, format)
	c.Title = &title
	return c, nil
}
