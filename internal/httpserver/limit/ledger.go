package limit

import (
	"sync"
	"time"
)

const (
	// SmallAnswer is how many bytes of an answer are not counted in a ledger: the number
	// of connections bounds these.
	SmallAnswer = 16 << 10
	// ledgerStep is in what steps an answer that grows is counted, in bytes.
	ledgerStep = 64 << 10
	// reserved is how many bytes every address may hold also when all others together
	// hold what they may. They may take a third of the bound on top of it.
	reserved = 1 << 20
	// grace is how long an answer may be on its way before it can be ended to make
	// room for others.
	grace = time.Second
)

// Ledger counts the bytes of answers that are being made or wait to be read, by address
// and in all, and keeps both within bounds: it ends the slowest readers, and refuses
// what there is no room for. It is safe for concurrent use.
type Ledger struct {
	most, mostAddress int
	// Now is time.Now, unless a test sets it before the ledger is used.
	Now func() time.Time

	mu        sync.Mutex
	total     int
	addresses map[string]*account
}

// account is what the answers of one address hold.
type account struct {
	bytes    int
	holdings int
	sending  map[*Holding]struct{}
}

// Holding is what one answer, or the sendQueue of one live connection, holds. A nil
// Holding holds nothing. The fields below l are guarded by l.mu.
type Holding struct {
	l       *Ledger
	address string
	bytes   int
	// since is when the client began to be sent what is held, sent how much it took.
	since time.Time
	sent  int
	// end ends the client. It must not wait for anything that calls the ledger.
	end   func()
	ended bool
}

// NewLedger returns an empty ledger with the bounds of l.
func NewLedger(l Limits) *Ledger {
	return &Ledger{most: l.Answers, mostAddress: l.AnswersAddress, Now: time.Now, addresses: map[string]*account{}}
}

// Held is how many bytes all answers hold.
func (l *Ledger) Held() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.total
}

// Open begins a holding, which is to be closed.
func (l *Ledger) Open(address string) *Holding {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.addresses[address]
	if a == nil {
		a = &account{sending: map[*Holding]struct{}{}}
		l.addresses[address] = a
	}
	a.holdings++
	return &Holding{l: l, address: address}
}

// Close gives back what is held.
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
	if a.holdings--; a.holdings == 0 {
		delete(h.l.addresses, h.address)
	}
}

// set changes how many bytes are held. The caller holds l.mu.
func (h *Holding) set(bytes int) {
	if h.ended {
		return
	}
	h.l.total += bytes - h.bytes
	h.l.addresses[h.address].bytes += bytes - h.bytes
	h.bytes = bytes
}

// Resize changes how many bytes are held, and reports whether there is room. If there is
// not, it holds what it held.
func (h *Holding) Resize(bytes int) bool {
	if h == nil {
		return true
	}
	h.l.mu.Lock()
	defer h.l.mu.Unlock()
	if h.ended {
		return bytes <= h.bytes
	}
	if bytes > h.bytes && !h.l.reclaim(h, bytes-h.bytes) {
		return false
	}
	h.set(bytes)
	return true
}

// reclaim reports whether n more bytes may be held, having ended as many slow readers
// as that takes. The caller holds mu.
func (l *Ledger) reclaim(h *Holding, n int) bool {
	own := l.addresses[h.address]
	for own.bytes+n > l.mostAddress {
		if !l.endSlowest(own, h) {
			return false
		}
	}
	for l.total+n > l.most {
		if own.bytes+n <= reserved && l.total+n <= l.most+l.most/3 {
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
	slow.set(0) // it ends at once
	slow.ended = true
	delete(a.sending, slow)
	slow.end()
	return true
}

// slowest is the answer that has been sent at the lowest rate, of those that hold
// something and have been on their way for a while; nil if there is none but h.
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

// Send notes that the client is being sent what is held; end ends it.
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

// Extend calls do, which extends the time that the client has, unless it was ended; it
// reports whether that is so.
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

// Progress notes that the client took n bytes.
func (h *Holding) Progress(n int) {
	if h == nil {
		return
	}
	h.l.mu.Lock()
	defer h.l.mu.Unlock()
	h.sent += n
}

// Stop notes that the client is not sent anything now. The holding stays open.
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
