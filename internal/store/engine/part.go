package engine

import (
	"context"
	"fmt"

	"agora/internal/store/internal/index"
	"agora/internal/store/internal/pipeline"
)

// Part is what a mutation writes into other slots in the pipeline of the indexes: a vote into its user's log, an act
// into the lists of acts, notifications.
type Part interface {
	// Queue queues the writes. They are idempotent and may come late.
	Queue(ctx context.Context, b *pipeline.Batch)
	// Written is called when they are written.
	Written()
}

// QueueParts queues all parts.
func QueueParts(ctx context.Context, b *pipeline.Batch, parts []Part) {
	for _, p := range parts {
		p.Queue(ctx, b)
	}
}

// WriteParts writes parts of a mutation that changes no topic or comment.
func (s *Engine) WriteParts(ctx context.Context, parts []Part) error {
	if s.Bulk || len(parts) == 0 {
		return nil
	}
	s.Step("index")
	if err := s.WriteIndexes(ctx, s.Entries(), func(b *pipeline.Batch) { QueueParts(ctx, b, parts) }); err != nil {
		return err
	}
	for _, p := range parts {
		p.Written()
	}
	return nil
}

// Entries returns no entries of indexes.
func (s *Engine) Entries() *index.Entries { return index.New(s.Now(), s.Location) }

// WriteIndexes sends all guards in one round trip, with what also queues.
func (s *Engine) WriteIndexes(ctx context.Context, e *index.Entries, also func(*pipeline.Batch)) error {
	b := s.Client.Batch()
	e.Queue(ctx, b)
	also(b)
	if b.Len() == 0 {
		return nil
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("write indexes: %w", err)
	}
	return nil
}
