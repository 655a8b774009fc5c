package breadth

import (
	"context"
	"math"
	"sync"
)

// Meter counts the bytes that a response takes, those of the answer as it is written and those of texts that are held
// until then, and the work that it does. It is safe for concurrent use. A nil Meter allows everything.
type Meter struct {
	mu      sync.Mutex
	used    Usage
	granted int
	grant   func(Usage) (granted int, err error)
	work    int
	tooMuch func(work int) error
	onWork  func(work int)
	err     error
}

// Usage is what a response has used, in bytes.
type Usage struct {
	// Written is the answer, Held the texts in memory in addition to it.
	Written, Held int
	// Work is what was charged with Meter.Charge.
	Work int
}

// Memory is how many bytes the response holds.
func (u Usage) Memory() int { return u.Written + u.Held }

// NewMeter returns a meter. When a response holds more than it was granted, the meter calls grant, which returns how
// many bytes the response may hold before the next call, or the error that ends it.
func NewMeter(grant func(Usage) (granted int, err error)) *Meter {
	return &Meter{grant: grant, work: math.MaxInt}
}

// LimitWork sets the most work of a response. tooMuch returns the error for a response that would do more.
func (m *Meter) LimitWork(most int, tooMuch func(work int) error) *Meter {
	m.work, m.tooMuch = most, tooMuch
	return m
}

// OnWork sets a function that is called with the work that is charged, before it is done.
func (m *Meter) OnWork(charged func(work int)) *Meter {
	m.onWork = charged
	return m
}

type meterKey struct{}

// WithMeter returns a context whose responses are counted by m.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

// MeterFrom returns the meter of a response, or nil.
func MeterFrom(ctx context.Context) *Meter {
	m, _ := ctx.Value(meterKey{}).(*Meter)
	return m
}

// Err returns the error that ended the response, or nil.
func (m *Meter) Err() error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}

// Fail ends the response with err, unless it has already ended.
func (m *Meter) Fail(err error) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil {
		m.err = err
	}
}

// Write counts n bytes of the answer. It returns the error that ends the response if there is no room for them.
func (m *Meter) Write(n int) error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.take(Usage{Written: n})
}

// Charge charges work before it is done, and the bytes that the response keeps of it in addition to what it writes; a
// negative number of bytes gives some back. If that is more work than is left, nothing is charged, and the error is that
// of what must be left out of the answer; the response goes on. If there is no room for the bytes, the error ends the
// response.
func (m *Meter) Charge(work, bytes int) error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.room(work); err != nil {
		return err
	}
	if m.onWork != nil && work > 0 {
		m.onWork(work)
	}
	return m.take(Usage{Held: bytes, Work: work})
}

// Room returns the error that Charge would return for so much work, and charges nothing.
func (m *Meter) Room(work int) error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.room(work)
}

// room returns why so much work must not be done. The caller holds m.mu.
func (m *Meter) room(work int) error {
	if m.err == nil && work > m.work-m.used.Work {
		return m.tooMuch(m.used.Work + work)
	}
	return m.err
}

// Used returns what the response has used, and how much work is left.
func (m *Meter) Used() (used Usage, left int) {
	if m == nil {
		return Usage{}, math.MaxInt
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used, m.work - m.used.Work
}

// take adds to what was used. The caller holds m.mu.
func (m *Meter) take(more Usage) error {
	m.used.Written += more.Written
	m.used.Held += more.Held
	m.used.Work += more.Work
	if m.err == nil && m.used.Memory() > m.granted {
		m.granted, m.err = m.grant(m.used)
	}
	return m.err
}

// meterStep is how many bytes of an answer are written between two checks of the meter.
const meterStep = 16 << 10

// measure checks the meter once the answer has grown by a step.
func (w *writer) measure() {
	if w.over || len(w.b) < w.counted+meterStep {
		return
	}
	if w.run.yield != nil {
		w.run.yield()
	}
	n := len(w.b) - w.counted
	w.counted = len(w.b)
	if w.meter.Write(n) != nil {
		w.over = true
	}
}
