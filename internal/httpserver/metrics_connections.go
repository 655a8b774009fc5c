package httpserver

import (
	"github.com/prometheus/client_golang/prometheus"

	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
)

func newRefusals() *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "agora_connections_refused_total",
		Help: "Refused connections: one address had too many (address), or all addresses together (all).",
	}, []string{"reason"})
	for _, reason := range []string{limit.RefusedAddress, limit.RefusedAll} {
		c.WithLabelValues(reason)
	}
	return c
}

// refused counts a refused connection. A nil Metrics counts nothing.
func (m *Metrics) refused(reason string) {
	if m != nil {
		m.refusals.WithLabelValues(reason).Inc()
	}
}

// ofLive returns the metrics of live connections, or nil.
func (m *Metrics) ofLive() *live.Metrics {
	if m == nil {
		return nil
	}
	return m.live
}
