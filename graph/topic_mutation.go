package graph

import (
	"context"
	"errors"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/store/engine"
	"agora/internal/store/posts"
	"agora/internal/text"
)

// CreateTopic resolves Mutation.createTopic.
func (r mutation) CreateTopic(ctx context.Context, in model.CreateTopicInput) (*model.CreateTopicPayload, error) {
	topic, err := r.checkTopic(ctx, in)
	var id forum.TopicID
	if err == nil {
		topic.ReadBack = readBackTopic(ctx, topic.Category)
		topic.Mentions, err = mentions(ctx, topic.Content, topic.Format, nil)
	}
	if err == nil {
		shown := r.collectText(ctx, func(t *postedText) { t.topic(topic) })
		err = r.checkPost(ctx, shown, len(topic.Mentions.Direct()), onceOf("topic", topic.Key), func(held bool) (err error) {
			topic.Held = held
			id, err = r.Store.Posts.CreateTopic(ctx, topic)
			return err
		})
	}
	p := &model.CreateTopicPayload{}
	p.Topic, err = writtenTopic(ctx, err, id, forum.NotFound(forum.Input(), "topic", ""))
	p.Errors, err = payload(ctx, err, categoryGiven(in.Category))
	return result(p, err)
}

// readBackTopic reads a topic in the round trip in which it is posted, with the fields that the operation selects of
// `topic`, its author and its category.
func readBackTopic(ctx context.Context, category forum.CategoryID) posts.ReadBack[forum.TopicID] {
	return func(r *engine.Read, id forum.TopicID) func(bool) {
		l, selected := loader.From(ctx), selectedOf(ctx, "topic")
		return l.ReadBack(r, func() {
			askBeside(ctx, selected, auth.ViewerFrom(ctx).ID, category)
			l.AskTopics(l.Topics([]forum.TopicID{id}))
		})
	}
}

// checkTopic checks the rate, then all fields of the input.
func (r mutation) checkTopic(ctx context.Context, in model.CreateTopicInput) (posts.NewTopic, error) {
	t := posts.NewTopic{
		Author: auth.ViewerFrom(ctx).ID, Kind: valueOr(in.Kind, forum.Discussion), Content: deref(in.Content),
		Format: valueOr(in.Format, forum.Markdown), Key: deref(in.IdempotencyKey),
	}
	if err := r.admit(ctx); err != nil {
		return t, err
	}
	if t.Kind == forum.Status {
		return checkStatus(t, in)
	}
	var categoryErr, contentErr, linkErr, titleErr, tagsErr error
	t.Title, titleErr = text.Posted(forum.PostedTitle, deref(in.Title))
	t.Content, contentErr = text.Posted(forum.PostedTopic, t.Content)
	if in.Link != nil {
		t.Link, linkErr = text.Posted(forum.PostedLink, *in.Link)
	} else if t.Kind == forum.Article {
		linkErr = forum.Invalid(forum.Input("link"), "An article needs a link.")
	}
	if in.Category == nil && t.Kind == forum.Discussion {
		categoryErr = forum.Invalid(forum.Input("category"), "A discussion needs a category.")
	}
	t.Tags, tagsErr = checkTags(forum.Input("tags"), in.Tags)
	if err := errors.Join(titleErr, contentErr, linkErr, categoryErr, tagsErr, checkKey(in.IdempotencyKey)); err != nil {
		return t, err
	}
	if in.Category == nil {
		return t, nil
	}
	var err error
	t.Category, err = r.category(ctx, *in.Category)
	return t, err
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
	return mentions(ctx, content, format, present.Mentions)
}

// category returns the id of the category that an input names.
func (r mutation) category(ctx context.Context, ref model.CategoryRef) (forum.CategoryID, error) {
	path := forum.Input("category")
	if err := oneOf(path, ref.ID != nil, ref.Name != nil); err != nil {
		return 0, err
	}
	var found *loader.Category
	if ref.Name != nil {
		path = forum.Input("category", "name")
		var err error
		if found, err = loader.From(ctx).CategoryNamed(ctx, text.Fold(*ref.Name)); err != nil {
			return 0, err
		}
	} else {
		path = forum.Input("category", "id")
		id, err := globalid.Of[forum.CategoryID](path, globalid.Category, *ref.ID)
		if err != nil {
			return 0, err
		}
		found = loader.From(ctx).Categories([]forum.CategoryID{id})[0]
	}
	if found != nil {
		if err := firstError(loader.From(ctx).NeedCategories(ctx, []*loader.Category{found})); err != nil {
			return 0, err
		}
	}
	if found == nil || found.Missing() {
		return 0, forum.NotFound(path, "category", deref(ref.ID))
	}
	return found.ID, nil
}

func categoryGiven(ref *model.CategoryRef) inputIDs {
	if ref == nil {
		return nil
	}
	return inputIDs{"category": deref(ref.ID)}
}

// UpdateTopic resolves Mutation.updateTopic.
func (r mutation) UpdateTopic(ctx context.Context, in model.UpdateTopicInput) (*model.UpdateTopicPayload, error) {
	id, err := r.updateTopic(ctx, in)
	ids := inputIDs{"topicId": in.TopicID}
	if in.Category != nil {
		ids["category"] = deref(in.Category.ID)
	}
	p := &model.UpdateTopicPayload{}
	p.Topic, err = writtenTopic(ctx, err, id, forum.NotFound(forum.Input("topicId"), "topic", in.TopicID))
	p.Errors, err = payload(ctx, err, ids)
	return result(p, err)
}

func (r mutation) updateTopic(ctx context.Context, in model.UpdateTopicInput) (forum.TopicID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	id, err := globalid.Of[forum.TopicID](forum.Input("topicId"), globalid.Topic, in.TopicID)
	if err != nil {
		return 0, err
	}
	if err := checkExpected(in.ExpectedRevision); err != nil {
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
		c, err = r.checkTopicChange(ctx, in)
	}
	if err != nil {
		return 0, err
	}
	if c.Mentions, err = mentionedIn(ctx, c, present); err != nil {
		return 0, err
	}
	if c.Why, err = grounds(deref(in.Reason), in.Note); err != nil {
		return 0, err
	}
	shown := r.collectText(ctx, func(t *postedText) { t.topicChange(c, present) })
	edit := textEdit{of: forum.Subject{Topic: id}}
	if c.Expected = deref(in.ExpectedRevision); present != nil {
		c.Before = present.Present(present.Content)
		edit.before, edit.after = c.Before, forum.Text{Title: valueOr(c.Title, present.Title),
			Link: valueOr(c.Link, present.Link), Content: valueOr(c.Content, present.Content)}
	}
	if c.Apart, err = r.checkEdit(ctx, shown, len(c.Mentions.Direct()), edit); err != nil {
		return 0, err
	}
	return id, r.Store.Posts.UpdateTopic(ctx, auth.ViewerFrom(ctx), id, c)
}

// checkTopicChange checks a change of any topic except a STATUS.
func (r mutation) checkTopicChange(ctx context.Context, in model.UpdateTopicInput) (posts.TopicChange, error) {
	c := posts.TopicChange{Format: in.Format}
	var titleErr, contentErr, linkErr error
	c.Title, titleErr = posted(forum.PostedTitle, in.Title)
	c.Content, contentErr = posted(forum.PostedTopic, in.Content)
	c.Link, linkErr = posted(forum.PostedLink, in.Link)
	if err := errors.Join(titleErr, contentErr, linkErr); err != nil {
		return c, err
	}
	if in.Category != nil {
		category, err := r.category(ctx, *in.Category)
		if err != nil {
			return c, err
		}
		c.Category = &category
	}
	return c, nil
}

// DeleteTopic resolves Mutation.deleteTopic.
func (r mutation) DeleteTopic(ctx context.Context, in model.DeleteTopicInput) (*model.DeleteTopicPayload, error) {
	var id forum.TopicID
	err := r.admit(ctx)
	if err == nil {
		id, err = globalid.Of[forum.TopicID](forum.Input("topicId"), globalid.Topic, in.TopicID)
	}
	if err == nil {
		err = r.Store.Posts.DeleteTopic(ctx, auth.ViewerFrom(ctx), id)
	}
	p := &model.DeleteTopicPayload{}
	if err == nil {
		p.DeletedTopicID = &in.TopicID
	}
	p.Errors, err = payload(ctx, err, inputIDs{"topicId": in.TopicID})
	return afterMutation(ctx, p, err)
}

// RecordClicks resolves Mutation.recordClicks.
func (r mutation) RecordClicks(ctx context.Context, in model.RecordClicksInput) (*model.RecordClicksPayload, error) {
	p := &model.RecordClicksPayload{Topics: []*loader.Topic{}}
	var ids []forum.TopicID
	err := r.admit(ctx)
	if err == nil {
		ids, err = clickedTopics(in)
	}
	var counts []int
	if err == nil {
		caller := auth.CallerFrom(ctx)
		counts, err = r.Store.Votes.RecordClicks(ctx, caller.Viewer, caller.Visitor, ids)
	}
	p.Errors, err = payload(ctx, err, nil)
	if p, err = afterMutation(ctx, p, err); err != nil || len(p.Errors) > 0 {
		return p, err
	}
	p.Topics = loader.From(ctx).ClickedTopics(ids, counts)
	return p, nil
}

// clickedTopics returns the topics of the input; 0, which is no topic, for ids of other types.
func clickedTopics(in model.RecordClicksInput) ([]forum.TopicID, error) {
	path := forum.Input("topicIds")
	if len(in.TopicIds) < 1 {
		return nil, forum.TooShort(path, 1, "ids")
	}
	if len(in.TopicIds) > forum.MaxNodes {
		return nil, forum.TooLong(path, forum.MaxNodes, "ids")
	}
	ids := make([]forum.TopicID, len(in.TopicIds))
	for i, id := range in.TopicIds {
		o, err := globalid.Parse(path, id)
		if err != nil {
			return nil, err
		}
		if o.Type == globalid.Topic {
			ids[i] = forum.TopicID(o.Number)
		}
	}
	return ids, nil
}
