package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/app/posting"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
)

// CreateTopic resolves Mutation.createTopic.
func (r mutation) CreateTopic(ctx context.Context, in posting.CreateTopicInput) (*model.CreateTopicPayload, error) {
	id, err := posting.CreateTopic(ctx, r.app(), in, readBack(ctx, "topic"))
	t, err := written(ctx, err, loader.From(ctx).TopicsNow, id, forum.NotFound(forum.Path(), "topic"))
	return &model.CreateTopicPayload{Topic: t}, err
}

// UpdateTopic resolves Mutation.updateTopic.
func (r mutation) UpdateTopic(ctx context.Context, in posting.UpdateTopicInput) (*model.UpdateTopicPayload, error) {
	id, err := posting.UpdateTopic(ctx, r.app(), in)
	t, err := writtenTopic(ctx, err, id)
	return &model.UpdateTopicPayload{Topic: t}, err
}

// DeleteTopic resolves Mutation.deleteTopic.
func (r mutation) DeleteTopic(ctx context.Context, in posting.DeleteTopicInput) (*model.DeleteTopicPayload, error) {
	return &model.DeleteTopicPayload{DeletedTopicID: &in.TopicID}, posting.DeleteTopic(ctx, r.app(), in)
}

// RecordClicks resolves Mutation.recordClicks.
func (r mutation) RecordClicks(ctx context.Context, in model.RecordClicksInput) (*model.RecordClicksPayload, error) {
	ids, err := clickedTopics(in)
	if err != nil {
		return nil, err
	}
	caller, l := auth.CallerFrom(ctx), loader.From(ctx)
	counts, err := r.Store.Votes.RecordClicks(ctx, caller.Viewer, caller.Visitor, ids)
	if err != nil {
		return nil, err
	}
	l.Forget()
	return &model.RecordClicksPayload{Topics: l.ClickedTopics(ids, counts)}, nil
}

// clickedTopics returns the topics of the input; 0, which is no topic, for ids of other types.
func clickedTopics(in model.RecordClicksInput) ([]forum.TopicID, error) {
	path := forum.Path("topicIds")
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
