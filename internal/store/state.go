package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// topicStates reads the states that the indexes need; topics that do not exist have rev 0.
func (s *Store) topicStates(ctx context.Context, ids []forum.TopicID) ([]record.TopicState, error) {
	b := s.rdb.Batch()
	cmds := make([]*redis.SliceCmd, len(ids))
	for i, id := range ids {
		cmds[i] = b.HMGet(ctx, key.Topic(id), script.TopicStateFields...)
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read topics for their indexes: %w", err)
	}
	states := make([]record.TopicState, len(ids))
	for i, cmd := range cmds {
		states[i] = record.ParseTopicState(ids[i], cmd.Val())
	}
	return states, nil
}

// commentStates reads the states that the indexes need, including that of their topics; comments that do
// not exist have rev 0.
func (s *Store) commentStates(ctx context.Context, ids []forum.CommentID) ([]record.CommentState, error) {
	names := append([]string{"topic"}, record.CommentStateFields...)
	b := s.rdb.Batch()
	cmds := make([]*redis.SliceCmd, len(ids))
	for i, id := range ids {
		cmds[i] = b.HMGet(ctx, key.Comment(id), names...)
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read comments for their indexes: %w", err)
	}
	topics := map[forum.TopicID]record.TopicState{}
	for _, cmd := range cmds {
		topics[forum.TopicID(record.HMGet(names, cmd).Int("topic"))] = record.TopicState{}
	}
	of, err := s.topicStates(ctx, slices.Collect(maps.Keys(topics))) // each once: often all comments have the same topic
	if err != nil {
		return nil, err
	}
	for _, t := range of {
		topics[t.ID] = t
	}
	states := make([]record.CommentState, len(ids))
	for i, cmd := range cmds {
		f := record.HMGet(names, cmd)
		states[i] = record.ParseCommentState(ids[i], f, topics[forum.TopicID(f.Int("topic"))])
	}
	return states, nil
}
