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
	// unmeasured is after how much work of a response the lengths are read in any case, if the longest texts would not
	// fit.
	unmeasured = 4 << 20
	// eventTexts is how many texts an event may read without waiting for its turn.
	eventTexts = 8
)

// maxTexts is how many long texts all responses together may read at a time. At the maximum length they take 32 MiB
// on two cores.
var maxTexts = 64 * int64(max(2, runtime.GOMAXPROCS(0)))

// underWay limits the long texts that are being read, by all responses.
var underWay = semaphore.NewWeighted(maxTexts)

// asked is a long text that a pipeline reads.
type asked struct {
	subject forum.Subject
	handle  *forum.Handle
	text    *string
	charged int // bytes
}

// leaveOut records that the response has no room for the text.
func (a asked) leaveOut(err error) {
	a.handle.TextFailure, a.handle.Known = err, forum.Everything
	a.handle.Asked = min(a.handle.Asked, forum.Basics)
	*a.text = ""
}

// texts are the long texts that are read by one pipeline. Each is charged by its length. One for which the response
// has no room is left out: it is not read, or is dropped.
type texts struct {
	asked []asked
	// bytes is their length, if it was read.
	bytes int
}

// measure reads the lengths of the texts in a round trip of its own and charges them, if the texts could be many. What
// fails here fails again when the texts are read.
func (t *texts) measure(ctx context.Context, s *store.Store) {
	meter := breadth.MeterFrom(ctx)
	used, left := meter.Used()
	n := len(t.asked)
	if n <= pageOfTexts && (used.Work <= unmeasured || n*longestText <= left) {
		return
	}
	subjects := make([]forum.Subject, n)
	for i, a := range t.asked {
		subjects[i] = a.subject
	}
	r := s.Read(ctx)
	lengths := r.ContentLengths(subjects)
	r.Exec()
	fit := t.asked[:0]
	for i, length := range lengths() {
		a := t.asked[i]
		if err := meter.Work(length); err != nil {
			a.leaveOut(err)
			continue
		}
		a.charged = length
		fit = append(fit, a)
		t.bytes += length
	}
	t.asked = fit
}

// during calls read when there is room for the texts among those that all responses read at a time.
func (t *texts) during(ctx context.Context, read func()) {
	n := len(t.asked)
	if t.bytes > 0 {
		n = t.bytes/longestText + 1
	}
	if n > eventTexts || n > 0 && !store.IsCoalesced(ctx) {
		// When ctx is done, all reads fail with its error.
		if turn := min(int64(n), maxTexts); underWay.Acquire(ctx, turn) == nil {
			defer underWay.Release(turn)
		}
	}
	read()
}

// keep counts the texts that were read, and drops those for which there is no room. It returns the error that ends the
// response.
func (t *texts) keep(ctx context.Context) error {
	meter, bytes := breadth.MeterFrom(ctx), 0
	for _, a := range t.asked {
		if err := meter.Work(max(0, len(*a.text)-a.charged)); err != nil {
			a.leaveOut(err)
		}
		bytes += len(*a.text)
	}
	err := meter.Hold(bytes)
	if err != nil {
		for _, a := range t.asked {
			a.leaveOut(err)
		}
	}
	return err
}
