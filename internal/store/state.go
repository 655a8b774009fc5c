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
	names := append([]string{"rev", "author", "created", "deleted", "topic", "told", "tell"}, record.CommentVoteFields...)
	b := s.rdb.Batch()
	cmds := make([]*redis.SliceCmd, len(ids))
	for i, id := range ids {
		cmds[i] = b.HMGet(ctx, key.Comment(id), names...)
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read comments for their indexes: %w", err)
	}
	states := make([]record.CommentState, len(ids))
	topics := make([]forum.TopicID, len(ids))
	open := map[forum.TopicID]bool{}
	for i, cmd := range cmds {
		f := record.HMGet(names, cmd)
		topics[i] = forum.TopicID(f.Int("topic"))
		open[topics[i]] = false
		states[i] = record.CommentState{
			ID:       ids[i],
			Rev:      int64(f.Int("rev")),
			Live:     f["deleted"] == "",
			Created:  f.Time("created"),
			Author:   forum.UserID(f.Int("author")),
			Votes:    record.ParseVotes(f),
			Notified: record.ParseIDs[forum.UserID](f["told"] + " " + f["tell"]),
		}
	}
	of, err := s.topicStates(ctx, slices.Collect(maps.Keys(open))) // each once: often all comments have the same topic
	if err != nil {
		return nil, err
	}
	for _, t := range of {
		open[t.ID] = t.Open
	}
	for i := range states {
		states[i].Live = states[i].Live && open[topics[i]]
	}
	return states, nil
}
