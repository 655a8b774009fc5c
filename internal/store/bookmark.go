package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agora/internal/forum"
)

// bookmarkPass is the most bookmarks that one pipeline ends.
const bookmarkPass = 200

// Bookmark has a user keep a topic, or not, and tells whether that changed anything. It
// returns NOT_FOUND at topicId when the topic is not there or deleted, TOO_LONG when there
// are MaxBookmarks, UNAUTHENTICATED.
func (s *Store) Bookmark(ctx context.Context, by forum.UserID, topic forum.TopicID, want bool) (changed bool, err error) {
	state, err := s.rdb.HGet(ctx, topicKey(topic), "state").Result()
	if err != nil && !isNil(err) {
		return false, fmt.Errorf("bookmark: %w", err)
	}
	if state != string(forum.TopicOpen) {
		return false, forum.NotFound(forum.Input("topicId"), "topic", "")
	}
	changed, err = s.changeEdge(ctx, edge{from: by, kind: keepTopic, to: int64(topic)}, want)
	if err != nil {
		return false, fmt.Errorf("bookmark: %w", err)
	}
	return changed, nil
}

// dropBookmarks takes a deleted topic out of the bookmarks of users. It may be repeated.
func (s *Store) dropBookmarks(ctx context.Context, id forum.TopicID, found []string) error {
	for members := range slices.Chunk(found, bookmarkPass) {
		b := s.batch()
		for _, by := range parseIDs[forum.UserID](strings.Join(members, " ")) {
			s.queueEdge(ctx, b, edge{from: by, kind: keepTopic, to: int64(id)}, wishGone, s.micros())
		}
		s.step("drop_bookmarks")
		err := b.exec(ctx)
		if err == nil { // only now: a pass that was cut off finds them again
			s.step("forget_bookmarkers")
			err = s.rdb.ZRem(ctx, bookmarkersKey(id), anys(members)...).Err()
		}
		if err != nil {
			return fmt.Errorf("end bookmarks of topic %d: %w", id, err)
		}
	}
	return nil
}

// Bookmarked reads which topics a user has bookmarked.
func (r *Read) Bookmarked(by forum.UserID, topics []forum.TopicID) func() ([]bool, error) {
	return isThere(r, topics, func(id forum.TopicID) (key, member string) { return bookmarksKey(by), itoa(id) })
}
