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
	p := &model.CreateTopicPayload{}
	p.Topic, err = writtenTopic(ctx, err, id, forum.NotFound(forum.Path(), "topic", ""))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

// UpdateTopic resolves Mutation.updateTopic.
func (r mutation) UpdateTopic(ctx context.Context, in posting.UpdateTopicInput) (*model.UpdateTopicPayload, error) {
	id, err := posting.UpdateTopic(ctx, r.app(), in)
	p := &model.UpdateTopicPayload{}
	p.Topic, err = writtenTopic(ctx, err, id, forum.NotFound(forum.Path("topicId"), "topic", in.TopicID))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

// DeleteTopic resolves Mutation.deleteTopic.
func (r mutation) DeleteTopic(ctx context.Context, in posting.DeleteTopicInput) (*model.DeleteTopicPayload, error) {
	err := posting.DeleteTopic(ctx, r.app(), in)
	p := &model.DeleteTopicPayload{}
	if err == nil {
		p.DeletedTopicID = &in.TopicID
	}
	p.Errors, err = payload(ctx, err)
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
	p.Errors, err = payload(ctx, err)
	if p, err = afterMutation(ctx, p, err); err != nil || len(p.Errors) > 0 {
		return p, err
	}
	p.Topics = loader.From(ctx).ClickedTopics(ids, counts)
	return p, nil
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
