package httpserver

import (
	"strconv"

	"agora/internal/httpserver/limit"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus"
)

// Kinds of live connections.
const (
	liveSocket = "socket"
	liveStream = "stream"
)

// liveMetrics are about sockets and streams.
type liveMetrics struct {
	open                 *prometheus.GaugeVec
	subscriptions, feeds prometheus.Gauge
	events               prometheus.Counter
	closes, refusals     *prometheus.CounterVec
}

func newLiveMetrics() liveMetrics {
	m := liveMetrics{
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
			Help: "Live connections that have ended, by kind and code; 1006: the connection broke off. Codes of clients of their own are counted as other.",
		}, []string{"kind", "code"}),
	}
	m.refusals = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "agora_connections_refused_total",
		Help: "Connections that were refused: one address had too many (address), or all together (all).",
	}, []string{"reason"})
	for _, reason := range []string{limit.RefusedAddress, limit.RefusedAll} {
		m.refusals.WithLabelValues(reason)
	}
	for _, kind := range []string{liveSocket, liveStream} {
		m.open.WithLabelValues(kind)
	}
	return m
}

// opened counts a live connection that begins. nil Metrics count nothing, here and below.
func (m *Metrics) opened(kind string) {
	if m != nil {
		m.live.open.WithLabelValues(kind).Inc()
	}
}

// refused counts a connection that was closed at once.
func (m *Metrics) refused(reason string) {
	if m != nil {
		m.live.refusals.WithLabelValues(reason).Inc()
	}
}

// closed counts a live connection that has ended.
func (m *Metrics) closed(kind string, code websocket.StatusCode) {
	if m == nil {
		return
	}
	m.live.open.WithLabelValues(kind).Dec()
	m.live.closes.WithLabelValues(kind, codeLabel(code)).Inc()
}

// codeLabel is a code as it is counted: those that any client may make up are one.
func codeLabel(code websocket.StatusCode) string {
	switch {
	case code >= websocket.StatusNormalClosure && code <= websocket.StatusBadGateway:
	case code == closeBadMessage, code == closeUnauthorized, code == closeSubprotocol, code == closeInitTimeout,
		code == closeSubscriberBusy, code == closeSecondInit:
	default:
		return "other"
	}
	return strconv.Itoa(int(code))
}

// subscribed counts subscriptions that begin, or with -1 end.
func (m *Metrics) subscribed(n float64) {
	if m != nil {
		m.live.subscriptions.Add(n)
	}
}

// fed counts feeds that begin, or with -1 end.
func (m *Metrics) fed(n float64) {
	if m != nil {
		m.live.feeds.Add(n)
	}
}

// sent counts a result.
func (m *Metrics) sent() {
	if m != nil {
		m.live.events.Inc()
	}
}
