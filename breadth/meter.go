package breadth

import (
	"context"
	"sync"
)

// Meter counts the bytes that a response takes: those of the answer as it is written, and those of texts that are
// held until then. It is safe for concurrent use. A nil Meter allows everything.
type Meter struct {
	mu      sync.Mutex
	used    Usage
	granted int
	grant   func(Usage) (granted int, err error)
	err     error
}

// Usage is what a response has used, in bytes.
type Usage struct {
	// Written is the answer, Held the texts in memory in addition to it.
	Written, Held int
	// Rendered is the source of the texts that were rendered, which is not held.
	Rendered int
}

// Memory is how many bytes the response holds.
func (u Usage) Memory() int { return u.Written + u.Held }

// NewMeter returns a meter. When a response holds more than it was granted, or renders a text, the meter calls grant,
// which returns how many bytes the response may hold before the next call, or the error that ends it.
func NewMeter(grant func(Usage) (granted int, err error)) *Meter {
	return &Meter{grant: grant}
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

// Hold counts n bytes that the response keeps in memory in addition to what it writes. It returns the error that ends
// the response if there is no room for them.
func (m *Meter) Hold(n int) error { return m.add(Usage{Held: n}) }

// Write counts n bytes of the answer, as Hold does.
func (m *Meter) Write(n int) error { return m.add(Usage{Written: n}) }

// Render counts n bytes of text that are about to be rendered, as Hold does.
func (m *Meter) Render(n int) error { return m.add(Usage{Rendered: n}) }

func (m *Meter) add(more Usage) error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Written += more.Written
	m.used.Held += more.Held
	m.used.Rendered += more.Rendered
	if m.err == nil && (m.used.Memory() > m.granted || more.Rendered > 0) {
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
	n := len(w.b) - w.counted
	w.counted = len(w.b)
	if w.meter.Write(n) != nil {
		w.over = true
	}
}
