package store

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

var (
	topicTag = newScript("topic_tag")
	tagName  = newScript("tag_name")
)

// tagEntry is a tag whose index was written, and its name if a topic was given it.
type tagEntry struct {
	id   forum.TagID
	name string
}

// queue queues what is to be done after the tag's index was written.
func (t tagEntry) queue(ctx context.Context, b *pipeline.Batch, now forum.Time) {
	c := key.TagContainer(t.id)
	b.Run(ctx, tagName, []string{key.Tag(t.id), c.Order(key.OrderCreated), c.Revisions(), c.Removed(), c.Followers()},
		t.name, record.ExpireAt(now+forum.Time(forum.RemovalLife.Milliseconds())))
}

// TagTopic gives and takes tags of a topic. It returns NOT_FOUND, FORBIDDEN when the
// topic is somebody else's and the viewer no moderator, LOCKED when it is deleted,
// TOO_LONG at add when it would have more than forum.MaxTopicTags.
func (s *Store) TagTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID, add, remove forum.TopicTags) error {
	args := []any{key.Itoa(id), key.Itoa(by.ID), flag(by.Has(forum.RoleModerator)), int64(s.Now()), forum.MaxTopicTags, len(add)}
	for _, t := range add {
		args = append(args, key.Itoa(t.ID), t.Name)
	}
	for _, t := range remove {
		args = append(args, key.Itoa(t.ID))
	}
	s.step("topic_tag")
	reply, err := s.rdb.Run(ctx, topicTag, []string{key.Topic(id), key.Dirty(id.Partition())}, args...).Slice()
	if err != nil {
		return fmt.Errorf("tag topic %d: %w", id, scriptError(err))
	}
	if reply[0] == int64(0) {
		return nil
	}
	state := record.ParseTopicState(id, reply[1:])
	acted(ctx, by, Act{Kind: ActTopicTagged, Author: state.Author, Topic: id})
	if _, err := s.index(ctx, []record.TopicState{state}, nil); err != nil {
		return fmt.Errorf("tag topic %d: %w", id, err)
	}
	return nil
}
