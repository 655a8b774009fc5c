package httpserver

import (
	"github.com/prometheus/client_golang/prometheus"

	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
)

func newRefusals() *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "agora_connections_refused_total",
		Help: "Connections that were refused: one address had too many (address), or all together (all).",
	}, []string{"reason"})
	for _, reason := range []string{limit.RefusedAddress, limit.RefusedAll} {
		c.WithLabelValues(reason)
	}
	return c
}

// refused counts a connection that was closed at once. nil Metrics count nothing.
func (m *Metrics) refused(reason string) {
	if m != nil {
		m.refusals.WithLabelValues(reason).Inc()
	}
}

// ofLive are the metrics of live connections, or nil.
func (m *Metrics) ofLive() *live.Metrics {
	if m == nil {
		return nil
	}
	return m.live
}
