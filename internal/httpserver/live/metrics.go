package live

import (
	"strconv"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus"
)

// Kinds of live connections.
const (
	Socket = "socket"
	Stream = "stream"
)

// Metrics count sockets and streams. A nil Metrics counts nothing.
type Metrics struct {
	open                 *prometheus.GaugeVec
	subscriptions, feeds prometheus.Gauge
	events               prometheus.Counter
	closes               *prometheus.CounterVec
}

// NewMetrics returns metrics that are zero.
func NewMetrics() *Metrics {
	m := &Metrics{
		open: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "agora_live_connections",
			Help: "Open live connections: sockets, and streams of server-sent events.",
		}, []string{"kind"}),
		subscriptions: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "agora_subscriptions",
			Help: "Running subscriptions.",
		}),
		feeds: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "agora_feeds",
			Help: "Running subscriptions, with equal ones counted once: an event is executed once for each.",
		}),
		events: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "agora_live_results_total",
			Help: "Results written to live connections.",
		}),
		closes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agora_live_closes_total",
			Help: "Closed live connections, by kind and code; 1006: the connection was lost. Custom codes of clients " +
				"are counted as other.",
		}, []string{"kind", "code"}),
	}
	for _, kind := range []string{Socket, Stream} {
		m.open.WithLabelValues(kind)
	}
	return m
}

// Collectors returns the metrics to register.
func (m *Metrics) Collectors() []prometheus.Collector {
	return []prometheus.Collector{m.open, m.subscriptions, m.feeds, m.events, m.closes}
}

// opened counts a new live connection.
func (m *Metrics) opened(kind string) {
	if m != nil {
		m.open.WithLabelValues(kind).Inc()
	}
}

// closed counts a live connection that has ended.
func (m *Metrics) closed(kind string, code websocket.StatusCode) {
	if m == nil {
		return
	}
	m.open.WithLabelValues(kind).Dec()
	m.closes.WithLabelValues(kind, codeLabel(code)).Inc()
}

// codeLabel returns the label of a code: all custom codes of clients have the same.
func codeLabel(code websocket.StatusCode) string {
	switch {
	case code >= websocket.StatusNormalClosure && code <= websocket.StatusBadGateway:
	case code == CloseBadMessage, code == closeUnauthorized, code == closeSubprotocol, code == closeInitTimeout,
		code == closeSubscriberBusy, code == closeSecondInit:
	default:
		return "other"
	}
	return strconv.Itoa(int(code))
}

// subscribed counts new subscriptions, or ended ones with -1.
func (m *Metrics) subscribed(n float64) {
	if m != nil {
		m.subscriptions.Add(n)
	}
}

// fed counts new shared subscriptions, or ended ones with -1.
func (m *Metrics) fed(n float64) {
	if m != nil {
		m.feeds.Add(n)
	}
}

// sent counts a result.
func (m *Metrics) sent() {
	if m != nil {
		m.events.Inc()
	}
}
