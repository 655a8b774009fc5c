package breadth

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
)

// Meter counts the bytes that a response takes: those of the answer as it is written,
// and those of texts that are held until it is. It is safe for concurrent use. A nil
// Meter allows everything.
type Meter struct {
	mu      sync.Mutex
	written int
	held    int
	granted int
	grant   func(written, held int) (granted int, err error)
	err     error
}

// NewMeter makes a meter. When a response needs more than it was granted, the meter
// calls grant with the bytes written and held. grant returns how many bytes the sum
// may come to before it is called again, or the error that ends the response.
func NewMeter(grant func(written, held int) (granted int, err error)) *Meter {
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

// Fail ends the response with err, unless it has ended already.
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

// Hold counts n bytes that the response keeps in memory besides what it writes. It
// returns the error that ends the response when there is no room for them.
func (m *Meter) Hold(n int) error { return m.add(0, n) }

// Write counts n bytes of the answer, as Hold does.
func (m *Meter) Write(n int) error { return m.add(n, 0) }

func (m *Meter) add(written, held int) error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.written, m.held = m.written+written, m.held+held
	if m.err == nil && m.written+m.held > m.granted {
		m.granted, m.err = m.grant(m.written, m.held)
	}
	return m.err
}

// meterStep is after how many bytes of an answer the meter is asked again.
const meterStep = 16 << 10

// measure asks the meter once the answer has grown by a step.
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

// stock has gqlgen's executor count the texts of the fields that it resolves.
func (m *Meter) stock(next graphql.FieldMiddleware) graphql.FieldMiddleware {
	return func(ctx context.Context, resolve graphql.Resolver) (any, error) {
		v, err := next(ctx, resolve)
		if err != nil {
			return v, err
		}
		n := 0
		switch v := v.(type) {
		case string:
			n = len(v)
		case *string:
			if v != nil {
				n = len(*v)
			}
		}
		if n >= smallText || m.Err() != nil {
			if err := m.Hold(n); err != nil {
				return nil, err
			}
		}
		return v, nil
	}
}

// smallText is the length, in bytes, below which gqlgen's executor does not count a
// text: the limit on values bounds these.
const smallText = 256
