package record

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/script"
)

// TopicStates reads the states that the indexes need; topics that do not exist have rev 0.
func TopicStates(ctx context.Context, c *pipeline.Client, ids []forum.TopicID) ([]TopicState, error) {
	b := c.Batch()
	reads := make([]func() TopicState, len(ids))
	for i, id := range ids {
		reads[i] = GetTopicState(ctx, b, id)
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read topics for their indexes: %w", err)
	}
	states := make([]TopicState, len(ids))
	for i, read := range reads {
		states[i] = read()
	}
	return states, nil
}

// CommentStates reads the states that the indexes need, including that of their topics; comments that do
// not exist have rev 0.
func CommentStates(ctx context.Context, c *pipeline.Client, ids []forum.CommentID) ([]CommentState, error) {
	names := append([]string{"topic"}, script.CommentStateFields...)
	b := c.Batch()
	reads := make([]func() Fields, len(ids))
	for i, id := range ids {
		reads[i] = Get(ctx, b, key.Comment(id), names...)
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read comments for their indexes: %w", err)
	}
	topics, fields := map[forum.TopicID]TopicState{}, make([]Fields, len(ids))
	for i, read := range reads {
		fields[i] = read()
		topics[forum.TopicID(fields[i].Int("topic"))] = TopicState{}
	}
	of, err := TopicStates(ctx, c,
		slices.Collect(maps.Keys(topics))) // each once: often all comments have the same topic
	if err != nil {
		return nil, err
	}
	for _, t := range of {
		topics[t.ID] = t
	}
	states := make([]CommentState, len(ids))
	for i, f := range fields {
		states[i] = ParseCommentState(ids[i], f, topics[forum.TopicID(f.Int("topic"))])
	}
	return states, nil
}

// LocateComment reads where and when a comment was posted, which never changes.
func LocateComment(ctx context.Context, c *pipeline.Client, id forum.CommentID) (CommentLocation, error) {
	names := []string{"topic", "parent", "created", "floor"}
	b := c.Batch()
	cmd := b.HMGet(ctx, key.Comment(id), names...)
	if err := b.Exec(ctx); err != nil {
		return CommentLocation{}, err
	}
	f := HMGet(names, cmd)
	if f["topic"] == "" {
		return CommentLocation{}, forum.NotFound(forum.Path("commentId"), "comment")
	}
	return CommentLocation{forum.TopicID(f.Int("topic")), forum.CommentID(f.Int("parent")), f.Time("created"),
		int64(f.Int("floor"))}, nil
}

// CommentLocation is where and when a comment was posted.
type CommentLocation struct {
	Topic   forum.TopicID
	Parent  forum.CommentID
	Created forum.Time
	Number  int64
}
