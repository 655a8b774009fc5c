package store

import (
	"context"
	"fmt"

	"agora/internal/store/internal/index"
	"agora/internal/store/internal/pipeline"
)

// part is what a mutation writes into other slots in the pipeline of the indexes: a vote into its user's log, an act
// into the lists of acts, notifications.
type part interface {
	// Queue queues the writes. They are idempotent and may come late.
	Queue(ctx context.Context, b *pipeline.Batch)
	// Written is called when they are written.
	Written()
}

func queueParts(ctx context.Context, b *pipeline.Batch, parts []part) {
	for _, p := range parts {
		p.Queue(ctx, b)
	}
}

// writeParts writes parts of a mutation that changes no topic or comment.
func (s *Store) writeParts(ctx context.Context, parts []part) error {
	if s.bulk || len(parts) == 0 {
		return nil
	}
	s.step("index")
	if err := s.write(ctx, s.entries(), func(b *pipeline.Batch) { queueParts(ctx, b, parts) }); err != nil {
		return err
	}
	for _, p := range parts {
		p.Written()
	}
	return nil
}

// entries returns no entries of indexes.
func (s *Store) entries() *index.Entries { return index.New(s.Now(), s.zone) }

// write sends all guards in one round trip, with what also queues; in another one the tags that they missed.
func (s *Store) write(ctx context.Context, e *index.Entries, also func(*pipeline.Batch)) error {
	b := s.rdb.Batch()
	e.Queue(ctx, b)
	also(b)
	if b.Len() == 0 {
		return nil
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("write indexes: %w", err)
	}
	missed := e.Missed()
	if len(missed) == 0 {
		return nil
	}
	s.step("index_tags")
	b = s.rdb.Batch()
	for i := range missed {
		missed[i].Queue(ctx, b, s.Now())
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("write tags: %w", err)
	}
	return nil
}
