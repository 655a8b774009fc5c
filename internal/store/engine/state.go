package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// TopicStates reads the states that the indexes need; topics that do not exist have rev 0.
func (s *Engine) TopicStates(ctx context.Context, ids []forum.TopicID) ([]record.TopicState, error) {
	b := s.Client.Batch()
	reads := make([]func() record.TopicState, len(ids))
	for i, id := range ids {
		reads[i] = record.GetTopicState(ctx, b, id)
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read topics for their indexes: %w", err)
	}
	states := make([]record.TopicState, len(ids))
	for i, read := range reads {
		states[i] = read()
	}
	return states, nil
}

// CommentStates reads the states that the indexes need, including that of their topics; comments that do
// not exist have rev 0.
func (s *Engine) CommentStates(ctx context.Context, ids []forum.CommentID) ([]record.CommentState, error) {
	names := append([]string{"topic"}, script.CommentStateFields...)
	b := s.Client.Batch()
	reads := make([]func() record.Fields, len(ids))
	for i, id := range ids {
		reads[i] = record.Get(ctx, b, key.Comment(id), names...)
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read comments for their indexes: %w", err)
	}
	topics, fields := map[forum.TopicID]record.TopicState{}, make([]record.Fields, len(ids))
	for i, read := range reads {
		fields[i] = read()
		topics[forum.TopicID(fields[i].Int("topic"))] = record.TopicState{}
	}
	of, err := s.TopicStates(ctx, slices.Collect(maps.Keys(topics))) // each once: often all comments have the same topic
	if err != nil {
		return nil, err
	}
	for _, t := range of {
		topics[t.ID] = t
	}
	states := make([]record.CommentState, len(ids))
	for i, f := range fields {
		states[i] = record.ParseCommentState(ids[i], f, topics[forum.TopicID(f.Int("topic"))])
	}
	return states, nil
}

// LocateComment reads where and when a comment was posted, which never changes.
func (s *Engine) LocateComment(ctx context.Context, id forum.CommentID) (CommentLocation, error) {
	names := []string{"topic", "parent", "created", "floor"}
	b := s.Client.Batch()
	cmd := b.HMGet(ctx, key.Comment(id), names...)
	if err := b.Exec(ctx); err != nil {
		return CommentLocation{}, err
	}
	f := record.HMGet(names, cmd)
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
