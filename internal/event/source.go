package event

import (
	"sync"

	"agora/internal/forum"
	"agora/internal/store"
)

// source is one log with the latest of its entries, and those who want them.
type source struct {
	log store.Log

	mu   sync.Mutex
	subs map[*Sub]struct{}
	// known is closed when it is known where the log ends.
	known chan struct{}
	// base is the place after which recent begins.
	base   store.LogPosition
	recent []store.Entry
	// era rises when entries were lost: places of before may mean others now.
	generation int
	// signals is how often a signal was given.
	signals int64
}

// maxRecent is how many entries are kept for subscribers who are not so quick; others read
// from Redis.
const maxRecent = forum.StreamLength

func newSource(l store.Log) *source {
	return &source{log: l, subs: map[*Sub]struct{}{}, known: make(chan struct{})}
}

func (s *source) isKnown() bool {
	select {
	case <-s.known:
		return true
	default:
		return false
	}
}

// end is where the log ends, as far as it was read.
func (s *source) end() store.LogPosition {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last()
}

func (s *source) last() store.LogPosition {
	if len(s.recent) > 0 {
		return s.recent[len(s.recent)-1].LogPosition
	}
	return s.base
}

// begin notes where the log ends when nothing is known of what was before.
func (s *source) begin(end store.LogPosition) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.base, s.recent = end, nil
	s.generation++
	if !s.isKnown() {
		close(s.known)
	}
	s.wake()
}

// told adds the entry that a message tells, if it is the next one.
func (s *source) addAnnounced(message string) bool {
	if !s.isKnown() {
		return false
	}
	e, ok := s.log.Announced(message)
	if !ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.Major != s.last().Major+1 {
		return false
	}
	s.add([]store.Entry{e})
	return true
}

// append adds what was read, but for what messages have told meanwhile.
func (s *source) append(entries []store.Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(entries) > 0 && entries[0].Compare(s.last()) <= 0 {
		entries = entries[1:]
	}
	s.add(entries)
}

// add adds entries that follow the last; s is locked.
func (s *source) add(entries []store.Entry) {
	if len(entries) == 0 {
		return
	}
	s.recent = append(s.recent, entries...)
	if over := len(s.recent) - maxRecent; over > 0 {
		s.base = s.recent[over-1].LogPosition
		s.recent = append([]store.Entry(nil), s.recent[over:]...)
	}
	s.wake()
}

// signalled notes that a signal was given.
func (s *source) signalled() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signals++
	if !s.isKnown() {
		close(s.known)
	}
	s.wake()
}

// wake tells all who wait; s is locked.
func (s *source) wake() {
	for sub := range s.subs {
		signal(sub.wake)
	}
}

// since gives what has come after a place in an era. ok is false when that must be read
// from Redis.
func (s *source) since(after store.LogPosition, generation int) (entries []store.Entry, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if generation != s.generation || after.Compare(s.base) < 0 {
		return nil, false
	}
	from := len(s.recent)
	for from > 0 && s.recent[from-1].Compare(after) > 0 {
		from--
	}
	return append([]store.Entry(nil), s.recent[from:]...), true
}
