package store

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// TagTopic adds and removes tags of a topic. It returns NOT_FOUND, FORBIDDEN if another user posted the
// topic and the viewer is not a moderator, LOCKED if it is deleted, TOO_LONG at add if it would have more
// than forum.MaxTopicTags.
func (s *Store) TagTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID, add, remove forum.TopicTags) error {
	call := script.TopicTag{
		Topic: key.Topic(id), Dirty: key.Dirty(id.Partition()),
		ID: id, Viewer: by.ID, Moderator: by.Has(forum.RoleModerator), Now: s.Now(),
		Most: forum.MaxTopicTags, Take: remove.IDs(),
	}
	for _, t := range add {
		call.Give = append(call.Give, script.TopicTagGive{ID: t.ID, Name: t.Name})
	}
	s.step("topic_tag")
	tagged, err := call.Result(s.rdb.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("tag topic %d: %w", id, scriptError(err))
	}
	if !tagged.Dirty {
		return nil
	}
	state := record.NewTopicState(id, tagged.Topic)
	forum.Acted(ctx, by, forum.Act{Kind: forum.ActTopicTagged, Author: state.Author, Topic: id})
	if _, err := s.index(ctx, []record.TopicState{state}, nil); err != nil {
		return fmt.Errorf("tag topic %d: %w", id, err)
	}
	return nil
}
