package change

import (
	"context"
	"fmt"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// listTags keeps the list of tags: given topics that came or went, or have other tags, it writes the entries of
// these tags, once the topics are in the indexes of their tags, or out of them.
func (s *Store) listTags(ctx context.Context, changes []engine.Change) error {
	e, ids, known := s.engine.Entries(), []forum.TopicID{}, map[forum.TopicID]bool{}
	for _, c := range changes {
		if c.Word == catalogue.ChangeTags {
			e.Untag(record.ParseIDs[forum.TagID](strings.ReplaceAll(c.Details, ":", " "))...)
		}
		if id := c.Subject.Topic; !known[id] {
			known[id], ids = true, append(ids, id)
		}
	}
	topics, err := record.TopicStates(ctx, s.engine.Client, ids)
	if err != nil {
		return err
	}
	for _, t := range topics {
		if t.Rev != 0 {
			e.SetTags(t)
		}
	}
	s.engine.Step("tag_names")
	if err := s.engine.WriteIndexes(ctx, e, func(*pipeline.Batch) {}); err != nil {
		return err
	}
	names, err := e.Names()
	if err != nil {
		return fmt.Errorf("names of tags: %w", err)
	}
	s.engine.Step("list_tags")
	b := s.engine.Client.Batch()
	for _, n := range names {
		n.Queue(ctx, b, s.engine.Now())
	}
	return b.Exec(ctx)
}
