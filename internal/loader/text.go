package loader

import (
	"context"

	"golang.org/x/sync/semaphore"

	"agora/internal/breadth"
	"agora/internal/store"
)

const (
	// pageOfTexts is how many objects with long texts a page has at most. Each takes up to
	// 4 bytes x forum.MaxContent; how long they are is known only when they are there.
	pageOfTexts = 100
	// maxTexts is how many objects with long texts all responses together read at a time,
	// about 32 MiB at most; those of more than a page wait for each other besides.
	maxTexts = 128
)

// underWay and manyUnderWay are the long texts that are being read, by all responses.
var (
	underWay     = semaphore.NewWeighted(maxTexts)
	manyUnderWay = semaphore.NewWeighted(1)
)

// texts are the long texts that one pipeline reads.
type texts struct {
	count int // of the objects that have them
	bytes int // of those that have come
}

// during calls read when there is room for the texts, and counts what has come.
func (t *texts) during(ctx context.Context, read func()) {
	if t.count == 0 {
		read()
		return
	}
	turns, n := underWay, int64(t.count)
	if t.count > pageOfTexts {
		turns, n = manyUnderWay, 1
	}
	// Gathered reads wait for each other and so must not wait for turns. When ctx is done,
	// so is every read: they come back with its error.
	if !store.IsGathered(ctx) && turns.Acquire(ctx, n) == nil {
		defer turns.Release(n)
	}
	read()
	// What is too much ends the response: its meter knows.
	_ = breadth.MeterFrom(ctx).Hold(t.bytes)
}
