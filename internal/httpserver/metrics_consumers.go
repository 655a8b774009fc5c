package httpserver

import (
	"github.com/prometheus/client_golang/prometheus"

	"agora/internal/store"
)

var (
	consumerLag = describe("consumer_lag", "Changes that a consumer has not handled, at most.", "consumer")
	consumerAge = describe("consumer_oldest_seconds",
		"How long this process has seen the oldest change wait that a consumer has not handled.", "consumer")
	consumerAside    = describe("consumer_set_aside", "Objects whose changes a consumer could not handle.", "consumer")
	consumerFailures = describe("consumer_failures_total", "Calls of a consumer that failed in this process.", "consumer")
)

// consumerCollector reports how far the consumers of changes are, as their worker has last seen.
type consumerCollector struct{ store *store.Store }

// Describe implements prometheus.Collector.
func (consumerCollector) Describe(descs chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{consumerLag, consumerAge, consumerAside, consumerFailures} {
		descs <- d
	}
}

// Collect implements prometheus.Collector.
func (c consumerCollector) Collect(metrics chan<- prometheus.Metric) {
	for _, s := range c.store.Engine.ConsumerStates() {
		send := func(d *prometheus.Desc, kind prometheus.ValueType, v float64) {
			metrics <- prometheus.MustNewConstMetric(d, kind, v, s.Name)
		}
		send(consumerLag, prometheus.GaugeValue, float64(s.Lag))
		send(consumerAge, prometheus.GaugeValue, s.Oldest.Seconds())
		send(consumerAside, prometheus.GaugeValue, float64(s.Aside))
		send(consumerFailures, prometheus.CounterValue, float64(s.Failures))
	}
}
