package loader

import (
	"context"
	"runtime"

	"golang.org/x/sync/semaphore"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store"
)

const (
	// pageOfTexts is the most objects with long texts on a page. For more, the lengths are read before the texts.
	pageOfTexts = 100
	// longestText is the maximum length of a text, in bytes.
	longestText = 4 * forum.MaxContent
	// eventTexts is how many texts an event may read without waiting for its turn.
	eventTexts = 8
)

// maxTexts is how many long texts all responses together may read at a time. At the maximum length they take 32 MiB
// on two cores.
var maxTexts = 64 * int64(max(2, runtime.GOMAXPROCS(0)))

// underWay limits the long texts that are being read, by all responses.
var underWay = semaphore.NewWeighted(maxTexts)

// longText is the field of an object that may be long.
type longText[T any] struct {
	field forum.Fields
	// text returns a pointer to the field of an object.
	text func(*T) *string
	// name records in t that the field of an object is read.
	name func(t *texts, o *T)
}

// texts are the long texts read by one pipeline.
type texts struct {
	topics   []forum.TopicID
	comments []forum.CommentID
	bytes    int      // of the texts read so far
	drop     []func() // each drops some of the texts read
}

func (t *texts) count() int { return len(t.topics) + len(t.comments) }

// during calls read when there is room for the texts, and counts their bytes. It returns the error that ended the
// response if they exceed its limit. Then read was not called, or the texts it read are dropped.
func (t *texts) during(ctx context.Context, s *store.Store, read func()) error {
	n := t.count()
	if n == 0 {
		read()
		return nil
	}
	meter, held := breadth.MeterFrom(ctx), 0
	if n > pageOfTexts {
		var err error
		if held, err = t.measure(ctx, s); err != nil {
			return err
		}
		if err := meter.Hold(held); err != nil {
			return err
		}
		n = held/longestText + 1
	}
	if n > eventTexts || !store.IsCoalesced(ctx) {
		// When ctx is done, all reads fail with its error.
		if turn := min(int64(n), maxTexts); underWay.Acquire(ctx, turn) == nil {
			defer underWay.Release(turn)
		}
	}
	read()
	err := meter.Hold(t.bytes - held)
	if err != nil {
		for _, drop := range t.drop {
			drop()
		}
	}
	return err
}

// measure reads the length of the texts in bytes, in a round trip of its own.
func (t *texts) measure(ctx context.Context, s *store.Store) (int, error) {
	r := s.Read(ctx)
	bytes := r.ContentBytes(t.topics, t.comments)
	if err := r.Exec(); err != nil {
		return 0, err
	}
	return bytes(), nil
}
