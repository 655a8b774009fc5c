package event

import (
	"sync"
	"time"

	"agora/internal/forum"
	"agora/internal/store/listing"
)

// source is one log with its latest entries and its subscribers.
type source struct {
	log listing.Log

	mu   sync.Mutex
	subs map[*Sub]struct{}
	// known is closed once the end of the log is known.
	known chan struct{}
	// base is the position after which recent begins.
	base   listing.LogPosition
	recent []listing.Entry
	// generation rises when entries were lost: older positions may now refer to other entries.
	generation int
	// signals is the number of signals received.
	signals int64
	// confirmed is how often Redis has confirmed the channel, and read the last confirmation after which the log was
	// read. In between, another Redis may have other entries.
	confirmed, read int
	// readAt is when the log was last read, and later is whether it is to be read at a later time; both are guarded by
	// the hub's mu, and used only if the log is Latest.
	readAt time.Time
	later  bool
}

// maxRecent is how many entries are kept in memory for slow subscribers. Slower ones read from
// Redis.
const maxRecent = forum.StreamLength

func newSource(l listing.Log) *source {
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

// end returns the end of the log, as far as it was read.
func (s *source) end() listing.LogPosition {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last()
}

func (s *source) last() listing.LogPosition {
	if len(s.recent) > 0 {
		return s.recent[len(s.recent)-1].LogPosition
	}
	return s.base
}

// confirm notes that messages arrive from now on, and may have been missed.
func (s *source) confirm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.confirmed++
}

// confirmations returns how often the channel was confirmed.
func (s *source) confirmations() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.confirmed
}

// begin sets the end of a log of which no earlier entries are known. It was read after so many confirmations.
func (s *source) begin(end listing.LogPosition, confirmations int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read = confirmations
	s.base, s.recent = end, nil
	s.generation++
	if !s.isKnown() {
		close(s.known)
	}
	s.wake()
}

// addAnnounced adds the entry that a message contains, if it is the next one after what was read since the channel was
// confirmed.
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
	if e.Major != s.last().Major+1 || s.read != s.confirmed {
		return false
	}
	s.add([]listing.Entry{e})
	return true
}

// append adds entries that were read after so many confirmations, except those that messages have delivered in the
// meantime.
func (s *source) append(entries []listing.Entry, confirmations int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read = confirmations
	for len(entries) > 0 && entries[0].Compare(s.last()) <= 0 {
		entries = entries[1:]
	}
	s.add(entries)
}

// add adds entries that follow the last. It requires s.mu.
func (s *source) add(entries []listing.Entry) {
	if len(entries) == 0 {
		return
	}
	s.recent = append(s.recent, entries...)
	if over := len(s.recent) - maxRecent; over > 0 {
		s.base = s.recent[over-1].LogPosition
		s.recent = append([]listing.Entry(nil), s.recent[over:]...)
	}
	s.wake()
}

// signalled counts a signal.
func (s *source) signalled() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signals++
	if !s.isKnown() {
		close(s.known)
	}
	s.wake()
}

// wake wakes all subscribers. It requires s.mu.
func (s *source) wake() {
	for sub := range s.subs {
		signal(sub.wake)
	}
}

// since returns the entries after a position of a generation. ok is false if they must be read from
// Redis.
func (s *source) since(after listing.LogPosition, generation int) (entries []listing.Entry, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if generation != s.generation || after.Compare(s.base) < 0 {
		return nil, false
	}
	from := len(s.recent)
	for from > 0 && s.recent[from-1].Compare(after) > 0 {
		from--
	}
	return append([]listing.Entry(nil), s.recent[from:]...), true
}
