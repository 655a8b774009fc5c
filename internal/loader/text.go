package loader

import (
	"context"
	"runtime"

	"golang.org/x/sync/semaphore"

	"agora/internal/breadth"
	"agora/internal/forum"
	"agora/internal/store"
)

const (
	// pageOfTexts is how many objects with long texts a page has at most. Of more, the
	// lengths are read before the texts.
	pageOfTexts = 100
	// longestText is the most bytes of one text.
	longestText = 4 * forum.MaxContent
	// eventTexts is how many texts an event may read without waiting for its turn.
	eventTexts = 8
)

// maxTexts is how many long texts all responses together read at a time: of the greatest
// length these come to 32 MiB on two cores.
var maxTexts = 64 * int64(max(2, runtime.GOMAXPROCS(0)))

// underWay are the long texts that are being read, by all responses.
var underWay = semaphore.NewWeighted(maxTexts)

// longText is the field of an object that may be long.
type longText[T any] struct {
	field forum.Fields
	// text is where it stands in an object.
	text func(*T) *string
	// name notes in t that it is read of an object.
	name func(t *texts, o *T)
}

// texts are the long texts that one pipeline reads.
type texts struct {
	topics   []forum.TopicID
	comments []forum.CommentID
	bytes    int      // of those that have come
	drop     []func() // each forgets some that have come
}

func (t *texts) count() int { return len(t.topics) + len(t.comments) }

// during calls read when there is room for the texts, and counts what has come. It returns
// the error that has ended the response if it has asked for too much: then read was not
// called, or what it has read is forgotten.
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
		// When ctx is done, so is every read: they come back with its error.
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

// measure reads how many bytes the texts have, in a round trip of its own.
func (t *texts) measure(ctx context.Context, s *store.Store) (int, error) {
	r := s.Read(ctx)
	bytes := r.ContentBytes(t.topics, t.comments)
	if err := r.Exec(); err != nil {
		return 0, err
	}
	return bytes(), nil
}
