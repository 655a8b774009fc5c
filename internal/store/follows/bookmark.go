package follows

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Bookmark sets or removes a user's bookmark of a topic, and reports whether anything changed. It returns
// NOT_FOUND at topicId if the topic does not exist or is deleted, TOO_LONG if the user has MaxBookmarks,
// UNAUTHENTICATED.
func (s *Store) Bookmark(ctx context.Context, by forum.UserID, topic forum.TopicID,
	want bool) (changed bool, err error) {
	return s.edgeToTopic(ctx, record.Edge{From: by, Kind: record.KeepTopic, To: int64(topic)}, want)
}

// WatchTopic sets whether a user watches a topic, that is, is notified of its new comments. Otherwise it is as
// Bookmark, with MaxWatched.
func (s *Store) WatchTopic(ctx context.Context, by forum.UserID, topic forum.TopicID,
	want bool) (changed bool, err error) {
	return s.edgeToTopic(ctx, record.Edge{From: by, Kind: record.WatchTopic, To: int64(topic)}, want)
}

// edgeToTopic sets or ends an edge to an open topic.
func (s *Store) edgeToTopic(ctx context.Context, e record.Edge, want bool) (changed bool, err error) {
	state, err := s.engine.Client.Redis.HGet(ctx, key.Topic(e.Topic()), "state").Result()
	if err != nil && !pipeline.IsNil(err) {
		return false, fmt.Errorf("edge %s: %w", e.Task(), err)
	}
	if !forum.TopicState(state).Listed() {
		return false, forum.NotFound(forum.Path("topicId"), "topic")
	}
	changed, err = s.changeEdge(ctx, e, want)
	if err != nil {
		return false, fmt.Errorf("edge %s: %w", e.Task(), err)
	}
	return changed, nil
}

// QueueHidden queues noting that a topic, as of a revision, is hidden, or no longer is, if the user has bookmarked it.
func QueueHidden(ctx context.Context, b *pipeline.Batch, by forum.UserID, id forum.TopicID, rev int64, on bool) {
	b.Run(ctx, script.BookmarkHide{Bookmarks: key.Bookmarks(by), Hidden: key.HiddenBookmarks(by), Topic: id, Rev: rev,
		On: on})
}

// Watched reads which of the topics a user watches.
func (r Read) Watched(by forum.UserID, topics []forum.TopicID) func() ([]bool, error) {
	return isMember(r.read, topics, func(id forum.TopicID) (k, member string) { return key.Watching(by), key.Itoa(id) })
}

// Bookmarked reads which of the topics a user has bookmarked.
func (r Read) Bookmarked(by forum.UserID, topics []forum.TopicID) func() ([]bool, error) {
	return isMember(r.read, topics, func(id forum.TopicID) (k, member string) {
		return key.Bookmarks(by),
			key.Itoa(id)
	})
}
