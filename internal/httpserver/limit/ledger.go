package limit

import (
	"sync"
	"time"
)

const (
	// SmallAnswer is how many bytes of an answer are not counted in a ledger: the number of connections bounds these.
	SmallAnswer = 16 << 10
	// ledgerStep is the step in which a growing answer is counted, in bytes.
	ledgerStep = 64 << 10
	// reserved is how many bytes every address may hold even if all others together hold their maximum. Reserved
	// bytes may exceed the bound by a sixth, and those of addresses that hold no more than reservedSmall by a third.
	reserved, reservedSmall = 1 << 20, 192 << 10
	// grace is how long an answer may be sent before it can be ended to make room for others.
	grace = time.Second
)

// Ledger counts the bytes of answers that are being produced or wait to be read, per address and in total, and bounds
// both: it ends the slowest readers, and refuses answers without room. It is safe for concurrent use.
type Ledger struct {
	most, mostAddress int
	// Now is time.Now, unless a test sets it before the ledger is used.
	Now func() time.Time

	mu        sync.Mutex
	total     int
	addresses map[string]*account
	freed     chan struct{} // closed when bytes are given back; nil if nobody waits
	free      *account      // the last one without holdings, for the next address
}

// account is the bytes held by the answers of one address.
type account struct {
	bytes    int
	holdings map[*Holding]struct{}
	sending  map[*Holding]struct{}
	large    *Holding // of the one answer being produced that holds more than smallHeld
}

// Holding is what one answer, or the sendQueue of one live connection, holds. A nil Holding holds nothing. The fields
// below l are guarded by l.mu.
type Holding struct {
	l       *Ledger
	address string
	bytes   int
	waiting bool // for room
	refused bool // makes room for others that wait
	// since is when sending to the client began, sent how much it has read since.
	since time.Time
	sent  int
	// end disconnects the client. It must not wait for anything that calls the ledger.
	end   func()
	ended bool
}

// NewLedger returns an empty ledger with the bounds of l.
func NewLedger(l Limits) *Ledger {
	return &Ledger{most: l.Answers, mostAddress: l.AnswersAddress, Now: time.Now, addresses: map[string]*account{}}
}

// Held returns how many bytes all answers hold.
func (l *Ledger) Held() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.total
}

// Open begins a holding, which must be closed.
func (l *Ledger) Open(address string) *Holding {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.addresses[address]
	if a == nil {
		if a = l.free; a == nil {
			a = &account{holdings: map[*Holding]struct{}{}, sending: map[*Holding]struct{}{}}
		}
		l.addresses[address], l.free = a, nil
	}
	h := &Holding{l: l, address: address}
	a.holdings[h] = struct{}{}
	return h
}

// Close releases the holding.
func (h *Holding) Close() {
	if h == nil {
		return
	}
	h.l.mu.Lock()
	defer h.l.mu.Unlock()
	h.set(0)
	h.ended = true
	a := h.l.addresses[h.address]
	delete(a.sending, h)
	h.produced(a)
	if delete(a.holdings, h); len(a.holdings) == 0 {
		delete(h.l.addresses, h.address)
		h.l.free = a
	}
}

// set changes how many bytes are held. The caller holds l.mu.
func (h *Holding) set(bytes int) {
	if h.ended {
		return
	}
	if bytes < h.bytes {
		h.l.wake()
	}
	h.l.total += bytes - h.bytes
	h.l.addresses[h.address].bytes += bytes - h.bytes
	h.bytes = bytes
}

// Resize changes how many bytes of a produced answer are held, and reports whether there is room. If not, the holding is
// unchanged.
func (h *Holding) Resize(bytes int) bool {
	if h == nil {
		return true
	}
	h.l.mu.Lock()
	defer h.l.mu.Unlock()
	if h.ended {
		return bytes <= h.bytes
	}
	h.produced(h.l.addresses[h.address])
	if bytes > h.bytes && !h.l.reclaim(h, bytes-h.bytes) {
		return false
	}
	h.set(bytes)
	return true
}

// reclaim reports whether n more bytes may be held, after ending as many slow readers as necessary. The caller holds
// mu.
func (l *Ledger) reclaim(h *Holding, n int) bool {
	own := l.addresses[h.address]
	for own.bytes+n > l.mostAddress {
		if !l.endSlowest(own, h) {
			return false
		}
	}
	for l.total+n > l.most {
		holds, all := own.bytes+n, l.total+n
		if holds <= reserved && all <= l.most+l.most/6 || holds <= reservedSmall && all <= l.most+l.most/3 {
			return true
		}
		largest := own
		for _, a := range l.addresses {
			if a.bytes > largest.bytes && a.slowest(l.Now(), h) != nil {
				largest = a
			}
		}
		if !l.endSlowest(largest, h) {
			return false
		}
	}
	return true
}

// endSlowest ends the slowest reader of an address other than h, if there is one.
func (l *Ledger) endSlowest(a *account, h *Holding) bool {
	slow := a.slowest(l.Now(), h)
	if slow == nil {
		return false
	}
	slow.set(0) // it is about to end
	slow.ended = true
	delete(a.sending, slow)
	slow.end()
	return true
}

// slowest returns the answer with the lowest rate, of those that hold something and have been sent for a while; nil
// if there is none except h.
func (a *account) slowest(now time.Time, h *Holding) *Holding {
	var slowest *Holding
	var lowest float64
	for s := range a.sending {
		took := now.Sub(s.since)
		if s == h || s.bytes == 0 || took < grace {
			continue
		}
		if rate := float64(s.sent) / took.Seconds(); slowest == nil || rate < lowest {
			slowest, lowest = s, rate
		}
	}
	return slowest
}

// Send records that sending to the client begins; end disconnects the client.
func (h *Holding) Send(end func()) {
	if h == nil {
		return
	}
	h.l.mu.Lock()
	defer h.l.mu.Unlock()
	if h.ended {
		return
	}
	h.since, h.sent, h.end = h.l.Now(), 0, end
	h.l.addresses[h.address].sending[h] = struct{}{}
}

// Extend calls do, which extends the client's deadline, unless the holding was ended, and reports whether it did.
func (h *Holding) Extend(do func()) bool {
	if h == nil {
		do()
		return true
	}
	h.l.mu.Lock()
	defer h.l.mu.Unlock()
	if !h.ended {
		do()
	}
	return !h.ended
}

// Progress records that the client read n bytes.
func (h *Holding) Progress(n int) {
	if h == nil {
		return
	}
	h.l.mu.Lock()
	defer h.l.mu.Unlock()
	h.sent += n
}

// Stop records that nothing is being sent to the client now. The holding stays open.
func (h *Holding) Stop() {
	if h == nil {
		return
	}
	h.l.mu.Lock()
	defer h.l.mu.Unlock()
	if !h.ended {
		delete(h.l.addresses[h.address].sending, h)
	}
}
