package graph

import (
	"context"
	"slices"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/store/listing"
	"agora/internal/text"
)

// Tag resolves Query.tag.
func (query) Tag(ctx context.Context, name string) (*loader.Tag, error) {
	fold := text.Fold(name)
	found, errs := loader.From(ctx).TagsNow(ctx, []forum.TagID{text.TagID(fold)})
	if t := found[0]; t == nil || text.Fold(t.Name) != fold {
		return nil, firstError(errs)
	}
	return found[0], firstError(errs)
}

// TopicCount resolves Tag.topicCount.
func (tag) TopicCount(ctx context.Context, ts []*loader.Tag) ([]int, error) {
	lists := mapSlice(ts, func(t *loader.Tag) listing.List { return listing.TagTopics(t.ID) })
	return batchResult(loader.From(ctx).Lengths(ctx, lists))
}

// Timeline resolves Tag.timeline.
func (tag) Timeline(_ context.Context, ts []*loader.Tag, orderBy *model.TopicOrder,
	period *forum.Period, kinds []forum.TopicKind) ([]*forum.Timeline, error) {
	return timelinesOf(ts, forum.TagTimeline, func(t *loader.Tag) int64 { return int64(t.ID) }, orderBy,
		period, kinds)
}

// TagTopic resolves Mutation.tagTopic.
func (r mutation) TagTopic(ctx context.Context, in model.TagTopicInput) (*model.TagTopicPayload, error) {
	id, err := r.tagTopic(ctx, in)
	p := &model.TagTopicPayload{}
	p.Topic, err = writtenTopic(ctx, err, id, forum.NotFound(forum.Input("topicId"), "topic", in.TopicID))
	p.Errors, err = payload(ctx, err, inputIDs{"topicId": in.TopicID})
	return result(p, err)
}

func (r mutation) tagTopic(ctx context.Context, in model.TagTopicInput) (forum.TopicID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	id, err := globalid.Of[forum.TopicID](forum.Input("topicId"), globalid.Topic, in.TopicID)
	if err != nil {
		return 0, err
	}
	add, err := checkTags(forum.Input("add"), in.Add)
	if err != nil {
		return 0, err
	}
	remove, err := text.Tags(forum.Input("remove"), in.Remove)
	if err != nil {
		return 0, err
	}
	for _, t := range remove {
		if slices.Contains(add.IDs(), t.ID) {
			return 0, forum.Invalid(forum.Input("remove"), "The tag %q is in both add and remove.", t.Name)
		}
	}
	why, err := grounds(deref(in.Reason), in.Note)
	if err != nil {
		return 0, err
	}
	shown := r.collectText(ctx, func(t *postedText) { t.tags("add", add) })
	if _, err := r.checkEdit(ctx, shown, 0, textEdit{of: forum.Subject{Topic: id}}); err != nil {
		return 0, err
	}
	return id, r.Store.Posts.RetagTopic(ctx, auth.ViewerFrom(ctx), id, add, remove, why)
}

// checkTags checks the names of a topic's new tags.
func checkTags(path []string, names []string) (forum.TopicTags, error) {
	tags, err := text.Tags(path, names)
	if err == nil && len(tags) > forum.MaxTopicTags {
		err = forum.TooLong(path, forum.MaxTopicTags, "tags")
	}
	return tags, err
}
