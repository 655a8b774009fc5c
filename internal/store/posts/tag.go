package posts

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/change"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// TagTopic adds and removes tags of a topic of the viewer. It returns NOT_FOUND, LOCKED as UpdateTopic, INVALID or
// FORBIDDEN if another user posted it, TOO_LONG at add if it would have more than forum.MaxTopicTags.
func (s *Store) TagTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID, add, remove forum.TopicTags) error {
	return s.RetagTopic(ctx, by, id, add, remove, forum.Grounds{})
}

// RetagTopic is TagTopic also for the topic of another, which is recorded with the reason.
func (s *Store) RetagTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID, add, remove forum.TopicTags,
	why forum.Grounds) error {
	call := script.TopicTag{
		Rights: s.rules.Rights(ctx, by), Rank: acts.Rank(by, s.engine.Now()), Users: key.UserPrefix(id.Partition()),
		Topic: key.Topic(id), Dirty: key.Dirty(id.Partition()), ID: id, Viewer: by.ID, Most: forum.MaxTopicTags,
		Take: remove.IDs(),
	}
	call.Creation, call.Act = s.acts.Recording(id.Partition(), by, why)
	for _, t := range add {
		call.Give = append(call.Give, script.TopicTagGive{ID: t.ID, Name: t.Name})
	}
	s.engine.Step("topic_tag")
	tagged, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("tag topic %d: %w", id, record.ScriptError(err))
	}
	if !tagged.Dirty {
		return nil
	}
	state := record.NewTopicState(id, tagged.Topic)
	acts := acts.Recorded(tagged.Act, forum.ActTag, forum.Subject{Topic: id}, state.Author, call.Act)
	if _, err := s.changes.Write(ctx, change.Set{Topics: []record.TopicState{state},
		Parts: s.acts.Listing(acts...)}); err != nil {
		return fmt.Errorf("tag topic %d: %w", id, err)
	}
	return nil
}
