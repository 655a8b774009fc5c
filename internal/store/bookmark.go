package store

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// Bookmark has a user keep a topic, or not, and reports whether that changed anything. It
// returns NOT_FOUND at topicId when the topic is not there or deleted, TOO_LONG when there
// are MaxBookmarks, UNAUTHENTICATED.
func (s *Store) Bookmark(ctx context.Context, by forum.UserID, topic forum.TopicID,
	want bool) (changed bool, err error) {
	state, err := s.rdb.Redis.HGet(ctx, key.Topic(topic), "state").Result()
	if err != nil && !pipeline.IsNil(err) {
		return false, fmt.Errorf("bookmark: %w", err)
	}
	if state != string(forum.TopicOpen) {
		return false, forum.NotFound(forum.Input("topicId"), "topic", "")
	}
	changed, err = s.changeEdge(ctx, record.Edge{From: by, Kind: record.KeepTopic, To: int64(topic)}, want)
	if err != nil {
		return false, fmt.Errorf("bookmark: %w", err)
	}
	return changed, nil
}

// Bookmarked reads which topics a user has bookmarked.
func (r *Read) Bookmarked(by forum.UserID, topics []forum.TopicID) func() ([]bool, error) {
	return isThere(r, topics, func(id forum.TopicID) (k, member string) { return key.Bookmarks(by), key.Itoa(id) })
}
