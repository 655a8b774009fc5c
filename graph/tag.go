package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/app/posting"
	"agora/internal/forum"
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
func (r mutation) TagTopic(ctx context.Context, in posting.TagTopicInput) (*model.TagTopicPayload, error) {
	id, err := posting.TagTopic(ctx, r.app(), in)
	t, err := writtenTopic(ctx, err, id)
	return &model.TagTopicPayload{Topic: t}, err
}
