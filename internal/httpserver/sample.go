package httpserver

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// At most 10 refused requests a minute are logged for each address and reason, and 300 for each reason.
const (
	sampleTime    = time.Minute
	maxPerAddress = 10
	maxPerReason  = 300
	// maxSampled is how many addresses and reasons are remembered, about 1 MB.
	maxSampled = 8192
)

// sampler decides which refused requests are logged, so that a flood of them does not fill the log. It is safe for
// concurrent use. A nil sampler logs all.
type sampler struct {
	mu    sync.Mutex
	known *simplelru.LRU[sampled, *samples]
}

// sampled is the address and reason of refused requests; of all addresses if it is "".
type sampled struct{ address, reason string }

// samples counts the requests of one sampleTime.
type samples struct {
	began           time.Time
	logged, omitted int
}

func newSampler() *sampler {
	known, _ := simplelru.NewLRU[sampled, *samples](maxSampled, nil) // the size is positive
	return &sampler{known: known}
}

// take reports whether a refused request is logged, and how many with this reason were not in the sampleTime before.
func (s *sampler) take(address, reason string, now time.Time) (logged bool, omitted int) {
	if s == nil { // all are
		return true, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all, omitted := s.at(sampled{"", reason}, now)
	own, _ := s.at(sampled{address, reason}, now)
	if own.logged >= maxPerAddress || all.logged >= maxPerReason {
		all.omitted++
		return false, omitted
	}
	own.logged++
	all.logged++
	return true, omitted
}

// at returns the samples of now, and how many requests were omitted before if they have just begun.
func (s *sampler) at(of sampled, now time.Time) (current *samples, omitted int) {
	current, ok := s.known.Get(of)
	if !ok || now.Sub(current.began) >= sampleTime {
		if ok {
			omitted = current.omitted
		}
		current = &samples{began: now}
		s.known.Add(of, current)
	}
	return current, omitted
}
