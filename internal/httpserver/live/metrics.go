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

// liveMetrics count sockets and streams. nil counts nothing.
type Metrics struct {
	open                 *prometheus.GaugeVec
	subscriptions, feeds prometheus.Gauge
	events               prometheus.Counter
	closes               *prometheus.CounterVec
}

// newLiveMetrics returns metrics that are zero.
func NewMetrics() *Metrics {
	m := &Metrics{
		open: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "agora_live_connections",
			Help: "Live connections that are open: sockets, and streams of server-sent events.",
		}, []string{"kind"}),
		subscriptions: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "agora_subscriptions",
			Help: "Subscriptions that run.",
		}),
		feeds: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "agora_feeds",
			Help: "Subscriptions that run, equal ones counted once: an event is executed once for each.",
		}),
		events: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "agora_live_results_total",
			Help: "Results written to live connections.",
		}),
		closes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agora_live_closes_total",
			Help: "Live connections that have ended, by kind and code; 1006: the connection broke off. Codes of clients of " +
				"their own are counted as other.",
		}, []string{"kind", "code"}),
	}
	for _, kind := range []string{Socket, Stream} {
		m.open.WithLabelValues(kind)
	}
	return m
}

// Collectors are what is to be registered.
func (m *Metrics) Collectors() []prometheus.Collector {
	return []prometheus.Collector{m.open, m.subscriptions, m.feeds, m.events, m.closes}
}

// opened counts a live connection that begins.
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

// codeLabel is a code as it is counted: those that any client may make up are one.
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

// subscribed counts subscriptions that begin, or with -1 end.
func (m *Metrics) subscribed(n float64) {
	if m != nil {
		m.subscriptions.Add(n)
	}
}

// fed counts shared subscriptions that begin, or with -1 end.
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
