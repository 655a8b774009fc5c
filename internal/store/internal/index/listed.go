package index

import (
	"slices"
	"sync"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// mostListed is how many tags a Listed remembers.
const mostListed = 10_000

// Listed remembers which entries of the list of tags this process has written, so that votes and comments do not
// write them again.
type Listed struct {
	mu   sync.Mutex
	revs map[int64]int64
}

// Due returns the entries of a topic's tags, and of those it has left, that are still to be written.
func (l *Listed) Due(names map[forum.TagID]Name, t record.TopicState) []Name {
	l.mu.Lock()
	defer l.mu.Unlock()
	var due []Name
	for _, id := range slices.Concat(t.Tags.IDs(), t.LeftTags) {
		if n, ok := names[id]; ok && l.revs[n.ID] != n.Rev {
			due = append(due, n)
		}
	}
	return due
}

// Wrote remembers that entries were written.
func (l *Listed) Wrote(names []Name) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range names {
		if l.revs == nil || len(l.revs) >= mostListed {
			l.revs = map[int64]int64{}
		}
		l.revs[n.ID] = n.Rev
	}
}
